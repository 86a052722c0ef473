// SPDX-License-Identifier: GPL-2.0
/* killsnoop: one row for each kill, tkill and tgkill, whether it worked or not. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/commands/selftest/selftest.h"

#define NOBODY 2147480000	/* above every pid_max */

enum call { KILL, TKILL, TGKILL, CALLS };

struct state {
	int child;
};

static long call_kill(enum call c, int whom, int sig)
{
	switch (c) {
	case KILL:
		return syscall(SYS_kill, whom, sig);
	case TKILL:
		return syscall(SYS_tkill, whom, sig);
	default:
		return syscall(SYS_tgkill, whom, whom, sig);
	}
}

static void kill_one(struct work *w, enum call c, int whom, int sig)
{
	static const char *const names[CALLS] = { [KILL] = "kill", [TKILL] = "tkill",
						  [TGKILL] = "tgkill" };
	long ret = call_kill(c, whom, sig) ? -errno : 0;

	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_text(w, "call", names[c], strlen(names[c]));
	want_integer(w, "signal", sig);
	want_integer(w, "tpid", whom);
	want_integer(w, "result", ret);
	want_end(w);
}

/* The target: a process that sleeps, and ends with the last signal. */
static int prepare(struct work *w)
{
	struct state *s = w->state;

	s->child = work_fork();
	if (s->child < 0)
		return not_here(w, "can't make a process: %s", strerror(errno));
	while (!s->child)
		pause();
	return 0;
}

static int work(struct work *w)
{
	const struct state *s = w->state;

	signal(SIGUSR2, SIG_IGN);
	for (enum call c = KILL; c < CALLS; c++) {
		kill_one(w, c, getpid(), 0);
		kill_one(w, c, getpid(), SIGUSR2);
		kill_one(w, c, s->child, SIGCONT);
		kill_one(w, c, NOBODY, SIGTERM);
		kill_one(w, c, getpid(), 100);
	}
	kill_one(w, KILL, -NOBODY, SIGHUP);
	kill_one(w, KILL, s->child, SIGKILL);
	return 0;
}

/* In another pid namespace the same ids mean other processes: no filter by id. */
static const char *const options[] = { "--all", "--pid", "%pid", NULL };
static const char *const foreign[] = { "--all", "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work },
	{ }
};

SELFTEST(killsnoop, parts, .state_size = sizeof(struct state));
