/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DELAY_H
#define SONDE_DELAY_H

#include <stdint.h>

/*
 * How long after its time a record may still be missing in its ring. DELAY_NS is what kernels
 * usually need. It may take longer: a virtual CPU may stop between an event's time and the writing
 * of its record, as long as its host is busy. On such hosts sonde's own CPU also stops now and
 * then; sonde measures for how long, and waits twice that, at most DELAY_MOST_NS. Rows come later
 * by that time, with no other effect.
 */
#define DELAY_NS 2000000ULL
#define DELAY_MOST_NS 100000000ULL

struct delay {
	uint64_t ns;
};

/*
 * Something that should take `expected` ns began at `began` and has ended now (both
 * CLOCK_MONOTONIC). If it took longer, the delay grows.
 */
void delay_saw(struct delay *d, uint64_t began, uint64_t now, uint64_t expected);
/* A record came too late by `ns`: the delay grows. */
void delay_missed(struct delay *d, uint64_t ns);

#endif
