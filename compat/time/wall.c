// SPDX-License-Identifier: GPL-2.0
#include "compat/time/wall.h"

#include <string.h>

#include "compat/base/clock.h"

#define TRIES 4
/*
 * In ns. The realtime clock is read between two readings of the monotonic clock. If these two are
 * this close, the process was not preempted between them.
 */
#define CLOSE 50000

void wall_note(struct wall *w, int64_t monotonic, int64_t realtime)
{
	int64_t offset = realtime - monotonic, last = w->n ? w->steps[w->n - 1].offset : 0;
	/*
	 * The step was at an unknown time after the last reading of the clocks. Its offset is used
	 * from that reading on: records since then are few, and most come right after the step.
	 */
	int64_t since = w->n ? w->seen : INT64_MIN;

	w->seen = monotonic;
	if (w->n && offset - last < WALL_STEP && last - offset < WALL_STEP) {
		w->steps[w->n - 1].offset = offset;
		return;
	}
	if (w->n == WALL_STEPS)
		memmove(w->steps, w->steps + 1, --w->n * sizeof(w->steps[0]));
	w->steps[w->n].since = since;
	w->steps[w->n++].offset = offset;
}

void wall_look(struct wall *w)
{
	int64_t before, realtime, after;
	int tries = TRIES;

	/* A process that was preempted between the readings would take that time for a step. */
	do {
		before = clock_ns(CLOCK_MONOTONIC);
		realtime = clock_ns(CLOCK_REALTIME);
		after = clock_ns(CLOCK_MONOTONIC);
	} while (after - before > CLOSE && --tries);
	if (tries || !w->n)
		wall_note(w, before + (after - before) / 2, realtime);
}

int64_t wall_clock(const struct wall *w, int64_t time)
{
	unsigned int i = w->n;

	if (!i)
		return time;
	while (i > 1 && time <= w->steps[i - 1].since)
		i--;
	/* The time of a damaged record may be any number. */
	return (int64_t)((uint64_t)time + (uint64_t)w->steps[i - 1].offset);
}
