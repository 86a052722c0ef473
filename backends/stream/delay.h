/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DELAY_H
#define SONDE_DELAY_H

#include <stdint.h>

/*
 * How long after its time a record is believed to be in its ring. DELAY_NS is a habit of kernels,
 * not a promise: a virtual CPU may stop between an event's time and its place in the ring, for as
 * long as its host has other things to do. Where that happens, sonde's own CPU stops as well now
 * and then, and sonde sees by that how long it takes: records are given twice that, DELAY_MOST_NS
 * at most. Rows come so much later; nothing else depends on it.
 */
#define DELAY_NS 2000000ULL
#define DELAY_MOST_NS 100000000ULL

struct delay {
	uint64_t ns;
};

/*
 * What should have taken `expected` ns was begun at `began` and has ended now, both times of
 * CLOCK_MONOTONIC.
 */
void delay_saw(struct delay *d, uint64_t began, uint64_t now, uint64_t expected);
/* A record came that was so much older than what it should have preceded. */
void delay_missed(struct delay *d, uint64_t ns);

#endif
