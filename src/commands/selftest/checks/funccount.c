// SPDX-License-Identifier: GPL-2.0
/*
 * funccount: functions of the kernel in which a process sleeps and asks, by a glob; functions of a
 * library of our own; a tracepoint.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/commands/selftest/library.h"
#include "src/commands/selftest/selftest.h"

#define SLEEPS 20
#define CALLS 30

static const char *const functions[] = { "getaddrinfo", "gethostbyname", NULL };

struct state {
	void *base;
};

static void want(struct work *w, const char *name, int64_t count)
{
	want_begin(w);
	want_text(w, "func", name, strlen(name));
	want_integer(w, "count", count);
	want_end(w);
}

static int sleeps(struct work *w)
{
	const struct timespec ms = { 0, 1000000 };

	for (int i = 0; i < SLEEPS; i++)
		if (nanosleep(&ms, NULL))
			return not_here(w, "it can't sleep: %s", strerror(errno));
	want(w, "hrtimer_nanosleep", SLEEPS);
	return 0;
}

static int asks(struct work *w)
{
	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getsid, 0);
	want(w, "syscalls:sys_enter_getsid", CALLS);
	return 0;
}

static int prepare(struct work *w)
{
	struct state *s = w->state;
	char path[WORK_PATH], pattern[600];

	s->base = work_library(w, "libfunccount.so", functions, path);
	if (!s->base)
		return -1;
	text_all(pattern, sizeof(pattern), "%s:get*", path);
	say_text(w, "pattern", pattern);
	return 0;
}

static void *answer(const char *name)
{
	return (void *)name;
}

static int calls(struct work *w)
{
	const struct state *s = w->state;

	for (int i = 0; i < CALLS; i++) {
		library_at(s->base, 0)("host", answer);
		if (i % 2)
			library_at(s->base, 1)("host", answer);
	}
	want(w, functions[1], CALLS / 2);
	want(w, functions[0], CALLS);
	return 0;
}

static void check(struct found *f)
{
	if (f->foreign)
		found_between(f, "rows", 1, (int64_t)f->rows.n, INT64_MAX);
	else
		rows_compare(f);
}

static const char *const kernel[] = { "--pid", "%pid", "hrtimer_nanosl*p", NULL };
static const char *const kernel_foreign[] = { "hrtimer_nanosl*p", NULL };
static const char *const library[] = { "%pattern", NULL };
static const char *const tracepoint[] = { "--pid", "%pid", "t:syscalls:sys_enter_getsid", NULL };
static const char *const tracepoint_foreign[] = { "t:syscalls:sys_enter_getsid", NULL };

static const struct selftest_part parts[] = {
	{ .what = "kernel", .options = kernel, .foreign = kernel_foreign, .work = sleeps,
	  .check = check },
	{ .what = "library", .options = library, .foreign = library, .prepare = prepare,
	  .work = calls },
	{ .what = "tracepoint", .options = tracepoint, .foreign = tracepoint_foreign,
	  .work = asks, .check = check },
	{ }
};

SELFTEST(funccount, parts, .state_size = sizeof(struct state));
