// SPDX-License-Identifier: GPL-2.0
/*
 * execsnoop: one row for each exec, with its arguments. It executes this file, as a tool that is
 * asked for its version: the folder may be mounted noexec, so nothing is copied there.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "src/commands/selftest/selftest.h"

#define ARGS 24		/* more than the 20 that are shown */
#define SHOWN_ARGS 20
#define SHOWN 127	/* bytes of an argument */

/* The arguments of a row: the path takes the place of the first one. */
static void wanted_line(struct strbuf *to, const char *path, char *const *argv)
{
	int i;

	strbuf_addf(to, "%.*s", SHOWN, path);
	for (i = 1; argv[i] && i < SHOWN_ARGS; i++)
		strbuf_addf(to, " %.*s%s", SHOWN, argv[i], strlen(argv[i]) > SHOWN ? "..." : "");
	if (argv[i])
		strbuf_addf(to, " ...");
}

/*
 * Pages that a process has not touched since its fork may not be in its memory yet: arguments there
 * are shown as [?], which is right, and differ from run to run. --line too finds only what could be
 * read.
 */
static void touch(const char *path, char *const *argv)
{
	for (const volatile char *c = path; *c; c++)
		;
	for (; *argv; argv++)
		for (const volatile char *c = *argv; *c; c++)
			;
}

static int exec_one(struct work *w, const char *path, char *const *argv, int error)
{
	char room[4096];
	struct strbuf line = strbuf_over(room, sizeof(room));
	const char *last = strrchr(path, '/');
	int status, child;

	wanted_line(&line, path, argv);
	child = work_fork();
	if (!child) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		dup2(null, STDOUT_FILENO);
		touch(path, argv);
		execv(path, argv);
		_exit(errno);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return not_here(w, "can't make a process: %s", strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status) != error)
		return not_here(w, "executing %s ended with status %#x", path, status);
	want_begin(w);
	want_integer(w, "pid", child);
	want_integer(w, "ppid", getpid());
	want_text(w, "comm", error ? w->name : last + 1, strlen(error ? w->name : last + 1));
	want_integer(w, "ret", -error);
	want_text(w, "args", line.s, line.n);
	want_end(w);
	return 0;
}

/* Arguments without blanks: one that is shown as [?] is one word. */
#define PLAIN(W) \
	{ "opensnoop", "--version", (char *)(W)->name, "no-blank", "\"\t\\\377", NULL }

static int work(struct work *w)
{
	char longest[300];
	char *plain[] = PLAIN(w);
	char *many[ARGS + 1] = { "opensnoop", "--version", (char *)w->name };
	char *long_one[] = { "opensnoop", "--version", (char *)w->name, longest,
			     "behind it", NULL };

	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	for (int i = 3; i < ARGS; i++)
		many[i] = "more";
	return exec_one(w, "/proc/self/exe", plain, 0) || exec_one(w, "/proc/self/exe", many, 0) ||
	       exec_one(w, "/proc/self/exe", long_one, 0) ? -1 : 0;
}

static int fail_too(struct work *w)
{
	char missing[4096];
	char *plain[] = PLAIN(w);

	text_all(missing, sizeof(missing), "%s/not-there", w->folder);
	return exec_one(w, missing, plain, ENOENT) || exec_one(w, "/proc/self/exe", plain, 0) ||
	       exec_one(w, w->folder, plain, EACCES) ? -1 : 0;
}

static const char *const options[] = { "--ppid", "%pid", NULL };
static const char *const foreign[] = { "--line", "%name", NULL };
static const char *const fails[] = { "-x", "--ppid", "%pid", NULL };
static const char *const foreign_fails[] = { "-x", "--line", "%name", NULL };

/* Some kernels tell of successes alone. */
static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .work = work },
	{ .what = "failures", .options = fails, .foreign = foreign_fails, .work = fail_too },
	{ }
};

SELFTEST(execsnoop, parts, .unknown = "[?]");
