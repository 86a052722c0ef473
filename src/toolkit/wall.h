/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WALL_H
#define SONDE_WALL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Times of day of records, which carry CLOCK_MONOTONIC. What is between both clocks changes while a
 * tool runs for days: by steps (date -s, NTP, a suspended machine), from which on it is another,
 * and by slewing, little by little. All times in ns.
 */
#define WALL_STEPS 16			/* that are remembered: records are not that old */
#define WALL_STEP 1000000		/* what differs by less is slewing */

struct wall {
	bool on;			/* else times are shown as they are: of replayed records */
	int64_t seen;			/* when the clocks were last looked at */
	unsigned int n;
	struct {
		int64_t since, offset;
	} steps[WALL_STEPS];		/* the newest last */
};

/*
 * Looks at both clocks; every now and then, and when a record comes that is younger than the last
 * look.
 */
void wall_look(struct wall *w);
/* The same with what they said. */
void wall_note(struct wall *w, int64_t monotonic, int64_t realtime);
int64_t wall_clock(const struct wall *w, int64_t time);

#endif
