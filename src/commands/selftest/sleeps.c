// SPDX-License-Identifier: GPL-2.0
#include "src/commands/selftest/sleeps.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"

int sleeps_work(struct work *w)
{
	const struct timespec one = { 0, SLEEP_US * 1000 };
	int64_t start = clock_ns(CLOCK_MONOTONIC) / 1000;

	for (int i = 0; i < SLEEPS; i++)
		if (nanosleep(&one, NULL))
			return not_here(w, "it can't sleep: %s", strerror(errno));
	say_integer(w, "usecs", clock_ns(CLOCK_MONOTONIC) / 1000 - start);
	return 0;
}

int sleeps_rows(struct work *w)
{
	for (int i = 0; i < SLEEPS; i++) {
		want_begin(w);
		want_integer(w, "pid", getpid());
		want_text(w, "func", SLEEPS_FUNCTION, strlen(SLEEPS_FUNCTION));
		want_end(w);
	}
	return sleeps_work(w);
}

/* Returns true if the stack has such a caller, or a function without a name. */
static bool has_caller(struct json stack)
{
	struct json_walk w = json_walk(stack);
	struct json none, frame, name;
	bool first = true;
	char text[128];

	while (json_next(&w, &none, &frame)) {
		if (!json_member(frame, "name", &name) || json_null(name))
			return true;
		json_text(name, text, sizeof(text));
		if (!first && (strstr(text, "sys") || strstr(text, "SyS") || strstr(text, "sleep")))
			return true;
		first = false;
	}
	return false;
}

void found_sleep_caller(struct found *f)
{
	struct json stack;

	for (size_t i = 0; i < f->rows.n; i++)
		if (json_member(f->rows.rows[i], "kernel_stack", &stack) && has_caller(stack))
			return;
	if (f->rows.n)
		cell_verdict(f->cell, VERDICT_DEGRADED,
			     "callers are missing in stacks of the kernel");
}
