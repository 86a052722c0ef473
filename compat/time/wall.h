/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WALL_H
#define SONDE_WALL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Times of day of records, whose times are of CLOCK_MONOTONIC. The offset between both clocks
 * changes while a tool runs for days: by steps (date -s, NTP, suspend), and by slewing, little by
 * little. All times are in ns.
 */
#define WALL_STEPS 16			/* steps that are kept: records are not older */
#define WALL_STEP 1000000		/* smaller differences are slewing */

struct wall {
	bool on;			/* false: times of replayed records, shown as they are */
	int64_t seen;			/* when the clocks were last looked at */
	unsigned int n;
	struct {
		int64_t since, offset;
	} steps[WALL_STEPS];		/* the newest last */
};

/* Looks at both clocks: every now and then, and for a record newer than the last look. */
void wall_look(struct wall *w);
/* The same with clocks that were read. */
void wall_note(struct wall *w, int64_t monotonic, int64_t realtime);
int64_t wall_clock(const struct wall *w, int64_t time);

#endif
