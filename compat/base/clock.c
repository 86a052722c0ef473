// SPDX-License-Identifier: GPL-2.0
#include "compat/base/clock.h"

#include <errno.h>

int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

uint64_t monotonic_ns(void)
{
	return (uint64_t)clock_ns(CLOCK_MONOTONIC);
}

int64_t monotonic_ms(void)
{
	return clock_ns(CLOCK_MONOTONIC) / NS_PER_MS;
}

int pause_ms(long ms)
{
	const struct timespec pause = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * NS_PER_MS };

	return nanosleep(&pause, NULL);
}

/* The end stays where it is, however often a signal interrupts the sleep. */
void sleep_ns(uint64_t ns)
{
	const uint64_t end = monotonic_ns() + ns;
	const struct timespec until = {
		.tv_sec = (time_t)(end / NS_PER_SECOND), .tv_nsec = (long)(end % NS_PER_SECOND),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}
