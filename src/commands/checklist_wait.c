// SPDX-License-Identifier: GPL-2.0
#include "src/commands/checklist_wait.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "compat/base/file.h"
#include "compat/base/strbuf.h"
#include "compat/user/task_stat.h"

static bool is_ready(pid_t pid)
{
	struct task_stat s;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	return task_stat_read(AT_FDCWD, path, &s) && *s.state == 'R';
}

void wait_words(pid_t pid, int64_t ms, char text[WAIT_TEXT])
{
	struct strbuf words = strbuf_over(text, WAIT_TEXT);
	char path[64], place[80], load[80];

	strbuf_addf(&words, "not attached after %lld s: ", (long long)(ms / 1000));
	snprintf(path, sizeof(path), "/proc/%d/wchan", (int)pid);
	file_begin(AT_FDCWD, path, place, sizeof(place));
	file_line("/proc/loadavg", load, sizeof(load));
	if (is_ready(pid) || !*place || !strcmp(place, "0"))
		strbuf_addf(&words, "it was at work, or waited for a CPU (load average %.*s)",
			    (int)strcspn(load, " "), load);
	else
		strbuf_addf(&words, "it waited in %s() of the kernel", place);
}
