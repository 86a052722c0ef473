// SPDX-License-Identifier: GPL-2.0
#include "src/commands/selftest/naps.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = NAP_US * 1000 }, NULL);
}

/* The child: sleeps, says so, and waits until it is woken. */
static void sleep_and_wait(int there, int back)
{
	int64_t begin, ran, off;
	char byte;

	if (read(there, &byte, 1) != 1)
		_exit(1);
	begin = clock_ns(CLOCK_MONOTONIC);
	ran = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	for (int i = 0; i < NAPS; i++) {
		nap();
		if (write(back, &byte, 1) != 1 || read(there, &byte, 1) != 1)
			_exit(1);
	}
	off = clock_ns(CLOCK_MONOTONIC) - begin - (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - ran);
	_exit(write(back, &off, sizeof(off)) != sizeof(off));
}

/*
 * There are machines where the switches from the idle task of one CPU are in no ring of perf or
 * ftrace at all. So this CPU never is idle: a process of the lowest class runs where nobody else
 * does.
 */
static int keep_busy(struct work *w)
{
	const struct sched_param none = { 0 };
	struct naps *s = w->state;

	if (work_hold(w))
		return -1;
	s->spinner = work_fork();
	if (s->spinner < 0)
		return not_here(w, "can't make a process: %s", strerror(errno));
	if (!s->spinner) {
		if (sched_setscheduler(0, SCHED_IDLE, &none))
			_exit(1);
		for (;;)
			getppid();
	}
	return 0;
}

int naps_prepare(struct work *w)
{
	struct naps *s = w->state;
	int there[2], back[2];

	if (keep_busy(w))
		return -1;
	if (pipe2(there, O_CLOEXEC) || pipe2(back, O_CLOEXEC))
		return not_here(w, "no pipe: %s", strerror(errno));
	s->child = work_fork();
	if (s->child < 0)
		return not_here(w, "no process can be made: %s", strerror(errno));
	if (!s->child)
		sleep_and_wait(there[0], back[1]);
	s->there = there[1];
	s->back = back[0];
	say_integer(w, "child", s->child);
	say_integer(w, "self", getpid());
	say_text(w, "comm", w->name);
	return 0;
}

int naps_work(struct work *w)
{
	const struct naps *s = w->state;
	int64_t off;
	char byte = 0;

	if (write(s->there, &byte, 1) != 1)
		return not_here(w, "a pipe broke: %s", strerror(errno));
	for (int i = 0; i < NAPS; i++) {
		if (read(s->back, &byte, 1) != 1)
			return not_here(w, "a pipe broke: %s", strerror(errno));
		nap();
		if (write(s->there, &byte, 1) != 1)
			return not_here(w, "a pipe broke: %s", strerror(errno));
	}
	if (read(s->back, &off, sizeof(off)) != sizeof(off))
		return not_here(w, "a pipe broke: %s", strerror(errno));
	waitpid(s->child, NULL, 0);
	kill(s->spinner, SIGKILL);
	waitpid(s->spinner, NULL, 0);
	say_integer(w, "off", off / 1000);
	return 0;
}

int64_t naps_off(const struct found *f)
{
	return said_integer(f, "off");
}

static int64_t integer_of(struct json row, const char *member)
{
	struct json v;
	int64_t n;

	return json_member(row, member, &v) && json_integer(v, &n) ? n : -1;
}

/* Another pid namespace leaves the name, which both processes have. */
static bool of_child(const struct found *f, struct json row)
{
	char name[64], comm[64];
	struct json v;

	if (!f->foreign)
		return integer_of(row, "tid") == said_integer(f, "child");
	return said_text(f, "comm", name, sizeof(name)) && json_member(row, "comm", &v) &&
	       json_text(v, comm, sizeof(comm)) && !strcmp(name, comm);
}

/* Was it asleep before it was traced? The row has that in the stack's place. */
static bool before(struct json row)
{
	static const char mark[] = "[asleep before the trace]";
	struct json stack, none, frame, name;
	struct json_walk w;
	char text[64];

	if (!json_member(row, "kernel_stack", &stack))
		return false;
	w = json_walk(stack);
	return json_next(&w, &none, &frame) && json_member(frame, "name", &name) &&
	       json_text(name, text, sizeof(text)) && !strcmp(text, mark);
}

static int64_t sum(const struct found *f, bool woken)
{
	int64_t us = 0;

	for (size_t i = 0; i < f->rows.n; i++) {
		struct json row = f->rows.rows[i];

		if (of_child(f, row) && !before(row) &&
		    (!woken || integer_of(row, "waker_pid") == said_integer(f, "self")))
			us += integer_of(row, "us");
	}
	return us;
}

int64_t naps_shown(const struct found *f)
{
	return sum(f, false);
}

int64_t naps_woken(const struct found *f)
{
	return sum(f, true);
}
