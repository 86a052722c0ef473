/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LOCAL_CLOCK_H
#define SONDE_LOCAL_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * Converts the kernel's own clock, local_clock(), to CLOCK_MONOTONIC. perf's records have no other
 * times before 4.1, and ftrace's none before it has `mono`. User space can't read that clock. It
 * runs as the CPU does, CLOCK_MONOTONIC as NTP says: in a week they differ by seconds.
 */
struct local_clock {
	/* Offsets to add to times of the kernel's clock up to `since`, and to later ones. */
	int64_t before, after;
	uint64_t since;
	/* A page of sonde's own: perf records when it is touched for the first time. */
	volatile char *page;
	size_t page_size;
	int faults;			/* the perf event */
	struct perf_ring *ring;
	uint64_t looked;		/* last comparison, CLOCK_MONOTONIC */
};

/* Compares both clocks. To be used by this thread only. Returns NULL and sets err on failure. */
struct local_clock *local_clock_open(struct error *err);
void local_clock_close(struct local_clock *c);
/* What to add now to times of the kernel's clock, in ns; 0 if perf does not tell it. */
int64_t local_clock_apart(void);
/*
 * Compares them again, if the last comparison was more than a second ago. To be called now and
 * then. c NULL: does nothing.
 */
void local_clock_look(struct local_clock *c);

/*
 * Converts a time of the kernel's clock; a greater time never gives a smaller result. c NULL:
 * returns the time itself.
 */
static inline uint64_t local_clock_ns(const struct local_clock *c, uint64_t time)
{
	uint64_t least, then;

	if (__builtin_expect(!c, 1))
		return time;
	if (time <= c->since)
		return time + (uint64_t)c->before;
	least = c->since + (uint64_t)c->before;
	then = time + (uint64_t)c->after;
	return then > least ? then : least;
}

#endif
