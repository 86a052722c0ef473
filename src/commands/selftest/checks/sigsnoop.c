// SPDX-License-Identifier: GPL-2.0
/* sigsnoop: a row for each signal, with its code and what became of it; a row for each delivery. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/commands/selftest/selftest.h"

/* Real-time signals that hardly anybody uses: the tool is asked for these only. */
enum { IGNORED = 57, HANDLED, QUEUED, BLOCKED };

static void handle(int sig)
{
	(void)sig;
}

static void sent(struct work *w, int sig, const char *code, const char *result)
{
	want_begin(w);
	want_text(w, "event", "generate", 8);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_integer(w, "signal", sig);
	want_integer(w, "tpid", getpid());
	want_text(w, "tcomm", w->name, strlen(w->name));
	want_text(w, "code", code, strlen(code));
	want_text(w, "result", result, strlen(result));
	want_end(w);
}

static void delivered(struct work *w, int sig, const char *code)
{
	want_begin(w);
	want_text(w, "event", "deliver", 7);
	want_integer(w, "signal", sig);
	want_integer(w, "tpid", getpid());
	want_text(w, "tcomm", w->name, strlen(w->name));
	want_text(w, "code", code, strlen(code));
	want_text(w, "result", "handler", 7);
	want_end(w);
}

static int prepare(struct work *w)
{
	sigset_t set;

	(void)w;
	signal(IGNORED, SIG_IGN);
	signal(HANDLED, handle);
	signal(QUEUED, handle);
	sigemptyset(&set);
	sigaddset(&set, BLOCKED);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return 0;
}

static int work(struct work *w)
{
	kill(getpid(), IGNORED);
	sent(w, IGNORED, "SI_USER", "ignored");
	kill(getpid(), HANDLED);
	sent(w, HANDLED, "SI_USER", "delivered");
	delivered(w, HANDLED, "SI_USER");
	syscall(SYS_tgkill, getpid(), getpid(), HANDLED);
	sent(w, HANDLED, "SI_TKILL", "delivered");
	delivered(w, HANDLED, "SI_TKILL");
	if (sigqueue(getpid(), QUEUED, (union sigval){ .sival_int = 1 }))
		return not_here(w, "a signal can't be queued: %s", strerror(errno));
	sent(w, QUEUED, "SI_QUEUE", "delivered");
	delivered(w, QUEUED, "SI_QUEUE");
	kill(getpid(), BLOCKED);
	sent(w, BLOCKED, "SI_USER", "delivered");
	return 0;
}

static const char *const options[] = { "--delivered", "--signal", "57,58,59,60", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .prepare = prepare, .work = work },
	{ }
};
SELFTEST(sigsnoop, parts);
