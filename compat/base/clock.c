// SPDX-License-Identifier: GPL-2.0
#include "compat/base/clock.h"

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
