// SPDX-License-Identifier: GPL-2.0
#include "src/selftest/sleeps.h"

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
