/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COSTS_H
#define SONDE_COSTS_H

struct event;

/*
 * What an attached event costs tasks that nobody looks at, beyond the run of a program at its hits.
 */
struct event_cost {
	const char *text;	/* who pays, when and what for: half a sentence */
	unsigned int ns;	/* each time, roughly, as measured (docs/measures.md); 0: unknown */
};

/* Of events in user space. */
extern const struct event_cost cost_of_traps;

/* Returns NULL if only the tasks that hit the event pay. */
const struct event_cost *event_cost(const struct event *e);

#endif
