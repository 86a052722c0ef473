// SPDX-License-Identifier: GPL-2.0
/* exitsnoop: one row for each process that ends: how it ended, its parent, and its least age. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/commands/selftest/selftest.h"

#define SLEEP_MS 60

/* Ends with an exit status (number >= 0) or a signal. */
static void end(int number)
{
	if (number < 0) {
		signal(-number, SIG_DFL);
		kill(getpid(), -number);
	}
	nanosleep(&(struct timespec){ .tv_nsec = SLEEP_MS * 1000000 }, NULL);
	syscall(SYS_exit_group, number);
}

static int work(struct work *w)
{
	/* Signals that do not dump core. */
	static const int ends[] = { 0, 1, 255, -SIGTERM, -SIGKILL, -SIGUSR1 };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		int status, child = work_fork();

		if (!child)
			end(ends[i]);
		if (child < 0 || waitpid(child, &status, 0) != child)
			return not_here(w, "can't make a process: %s", strerror(errno));
		want_begin(w);
		want_text(w, "comm", w->name, strlen(w->name));
		want_integer(w, "pid", child);
		want_integer(w, "ppid", getpid());
		want_integer(w, "tid", child);
		if (WIFSIGNALED(status))
			want_integer(w, "signal", WTERMSIG(status));
		else
			want_integer(w, "exit_code", WEXITSTATUS(status));
		want_integer(w, "core_dumped", 0);
		want_end(w);
	}
	return 0;
}

static const char *const options[] = { "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .work = work },
	{ }
};

static const struct selftest_input inputs[] = {
	{ "exit_code", "exit.code" },
	{ "signal", "exit.code" },
	{ "core_dumped", "exit.code" },
	{ }
};

SELFTEST(exitsnoop, parts, .inputs = inputs);
