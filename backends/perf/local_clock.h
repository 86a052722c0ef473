/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LOCAL_CLOCK_H
#define SONDE_LOCAL_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * The kernel's own clock, local_clock(), put into CLOCK_MONOTONIC. perf's records have no other
 * times before 4.1, ftrace's none before it has `mono`, and user space can't read it. It runs as
 * the CPU does, the other one as NTP says: in a week they are apart by seconds.
 */
struct local_clock {
	/* What to add to times up to `since`, a time of the kernel's clock, and to later ones. */
	int64_t before, after;
	uint64_t since;
	/* A page of our own: perf records when we touch it for the first time. */
	volatile char *page;
	size_t page_size;
	int faults;			/* the perf event */
	struct perf_ring *ring;
	uint64_t looked;		/* CLOCK_MONOTONIC */
};

/* Compares both clocks. For this thread alone. NULL and err on failure. */
struct local_clock *local_clock_open(struct error *err);
void local_clock_close(struct local_clock *c);
/*
 * Compares them again, if the last time was more than a second ago. To be called now and then.
 * NULL: there is nothing to do.
 */
void local_clock_look(struct local_clock *c);

/* CLOCK_MONOTONIC at a time of the kernel's clock: never less for a greater one. NULL: the time. */
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
