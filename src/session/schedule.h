/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SCHEDULE_H
#define SONDE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

struct run;

/* When the loop of a session has something else to do than to poll. Times are ns. */
struct schedule {
	int64_t interval, next;		/* next: the interval's end; interval 0: none */
	int64_t left;			/* intervals to come; 0: no end */
	int64_t end;			/* of --duration; INT64_MAX: none */
	int64_t renewal;		/* when entries that nobody needs any more may go */
};

/* The schedule of a run that begins at `now`. */
struct schedule schedule_of(const struct run *r, int64_t now);
/* For how many ms a poll may wait that begins at `now`. */
int schedule_ms(const struct schedule *s, int64_t now);
/* Is it time for a renewal within an interval? The next one comes a second later. */
bool schedule_renews(struct schedule *s, int64_t now);
/* An interval was taken at `now`. */
void schedule_next(struct schedule *s, int64_t now);

#endif
