// SPDX-License-Identifier: GPL-2.0
#include "src/commands/checklist_wait.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The beginning of a file; "": there is none. */
static void read_file(const char *path, char *to, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? 0 : read(fd, to, size - 1);

	if (fd >= 0)
		close(fd);
	to[n > 0 ? n : 0] = '\0';
}

/* The letter behind the name, which may have brackets. */
static char state_of(pid_t pid)
{
	char path[64], stat[256];
	const char *bracket;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	read_file(path, stat, sizeof(stat));
	bracket = strrchr(stat, ')');
	return bracket && bracket[1] ? bracket[2] : 0;
}

void wait_words(pid_t pid, int64_t ms, char text[WAIT_TEXT])
{
	char path[64], place[80], load[80];
	int n = snprintf(text, WAIT_TEXT, "not attached after %lld s: ", (long long)(ms / 1000));

	snprintf(path, sizeof(path), "/proc/%d/wchan", (int)pid);
	read_file(path, place, sizeof(place));
	read_file("/proc/loadavg", load, sizeof(load));
	if (state_of(pid) == 'R' || !*place || !strcmp(place, "0"))
		snprintf(text + n, (size_t)(WAIT_TEXT - n),
			 "it was at work, or waited for a CPU (load average %.*s)",
			 (int)strcspn(load, " "), load);
	else
		snprintf(text + n, (size_t)(WAIT_TEXT - n), "it waited in %s() of the kernel",
			 place);
}
