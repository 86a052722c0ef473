/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WALL_H
#define SONDE_WALL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Converts times of records (CLOCK_MONOTONIC) to times of day. The offset between both clocks
 * changes while a tool runs for days: by steps (date -s, NTP, suspend), and slowly by slewing. All
 * times are in ns.
 */
#define WALL_STEPS 16			/* steps that are kept: records are not older */
#define WALL_STEP 1000000		/* smaller differences are slewing */

struct wall {
	bool on;			/* false: times of replayed records, shown as they are */
	int64_t seen;			/* when the clocks were last read */
	unsigned int n;
	struct {
		int64_t since, offset;
	} steps[WALL_STEPS];		/* the newest last */
};

/* Reads both clocks; to be called regularly, and for a record newer than the last reading. */
void wall_look(struct wall *w);
/* The same with given readings of the clocks. */
void wall_note(struct wall *w, int64_t monotonic, int64_t realtime);
/* Converts a time. */
int64_t wall_clock(const struct wall *w, int64_t time);

#endif
