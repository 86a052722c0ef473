/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SCHEDULE_H
#define SONDE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

struct run;

/* When the loop of a session must do something else than poll. Times are the engine's, in ns. */
struct schedule {
	int64_t interval, next;		/* length, and end of the current one; interval 0: none */
	int64_t left;			/* intervals to come; 0: no limit */
	int64_t due;			/* when the tool is called; INT64_MAX: never */
	int64_t end;			/* of --duration; INT64_MAX: none */
	/* time of the next renewal, which drops unused map entries */
	int64_t renewal;
};

/* How long a run takes by its options, ns; INT64_MAX: they do not tell. */
int64_t schedule_length(const struct run *r);
/* The schedule of a run that begins at `now`. */
struct schedule schedule_of(struct run *r, int64_t now);
/* Calls the tool, if it is time for that. */
void schedule_due(struct schedule *s, struct run *r, int64_t now);
/* Until when a poll may wait. */
uint64_t schedule_until(const struct schedule *s);
/* Returns true if a renewal is due within an interval; the next one is due a second later. */
bool schedule_renews(struct schedule *s, int64_t now);
/* An interval was taken at `now`: sets the end of the next one. */
void schedule_next(struct schedule *s, int64_t now);

#endif
