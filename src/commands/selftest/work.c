// SPDX-License-Identifier: GPL-2.0
/*
 * What workloads say: an object a line, {"want": row}, {"say": fact}, {"not_here": why}. It is kept
 * in memory, and sent to the runner after prepare() and after work(), so that the tool does not
 * trace the sending.
 */
#include "src/commands/selftest/selftest.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/text.h"
#include "src/commands/selftest/library.h"
#include "src/lib/output/output.h"

#define VMSTAT_MOST (1 << 16)

void want_begin(struct work *w)
{
	jsonw_open(&w->said, NULL, '{');
	jsonw_open(&w->said, "want", '{');
}

void want_end(struct work *w)
{
	jsonw_close(&w->said, '}');
	jsonw_end(&w->said);
}

void want_integer(struct work *w, const char *member, int64_t value)
{
	jsonw_integer(&w->said, member, value);
}

void want_text(struct work *w, const char *member, const char *s, size_t length)
{
	jsonw_bytes(&w->said, member, s, length);
}

void want_hook(struct work *w, const char *hook)
{
	jsonw_text(&w->said, WANT_HOOK, hook);
}

void want_true(struct work *w, const char *member)
{
	jsonw_bool(&w->said, member, true);
}

void say_integer(struct work *w, const char *name, int64_t value)
{
	jsonw_open(&w->said, NULL, '{');
	jsonw_open(&w->said, "say", '{');
	jsonw_integer(&w->said, name, value);
	want_end(w);
}

void say_text(struct work *w, const char *name, const char *value)
{
	jsonw_open(&w->said, NULL, '{');
	jsonw_open(&w->said, "say", '{');
	jsonw_text(&w->said, name, value);
	want_end(w);
}

int not_here(struct work *w, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	text_vcut(text, sizeof(text), format, args);
	va_end(args);
	jsonw_open(&w->said, NULL, '{');
	jsonw_text(&w->said, "not_here", text);
	jsonw_end(&w->said);
	return -1;
}

int work_hold(struct work *w)
{
	int cpu = sched_getcpu();
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu < 0 ? 0 : cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return not_here(w, "tasks can't be held on CPU %d: %s", cpu, strerror(errno));
	return 0;
}

int work_fork(void)
{
	pid_t parent = getpid(), child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	return 0;
}

int work_terminal(struct work *w, struct terminal *t, char path[WORK_PATH])
{
	const char *name;

	t->ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	name = t->ours < 0 || grantpt(t->ours) || unlockpt(t->ours) ? NULL : ptsname(t->ours);
	if (!name)
		return not_here(w, "no terminal: %s", strerror(errno));
	text_all(path, WORK_PATH, "%s", name);
	t->other = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	return t->other < 0 ? not_here(w, "no terminal: %s", strerror(errno)) : 0;
}

void *work_library(struct work *w, const char *file, const char *const *names,
		   char path[WORK_PATH])
{
	void *base;

	text_all(path, WORK_PATH, "%s/%s", w->folder, file);
	if (library_write(path, names)) {
		not_here(w, "can't make a library: %s", strerror(errno));
		return NULL;
	}
	base = library_map(path);
	if (!base)
		not_here(w, "can't map %s as code: %s", path, strerror(errno));
	return base;
}

int64_t vmstat_count(const char *name)
{
	char *text = file_text("/proc/vmstat", VMSTAT_MOST, NULL);
	const size_t n = strlen(name);
	const char *at = text;
	int64_t count = 0;

	/* The first line counts free pages. */
	while (at && (at = strchr(at, '\n')) && (strncmp(++at, name, n) || at[n] != ' '))
		;
	if (at)
		count = strtoll(at + n, NULL, 10);
	free(text);
	return count;
}
