/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_COUNTERS_H
#define SONDE_STAT_COUNTERS_H

#include <sys/resource.h>

#include "src/commands/stat/event.h"

/* The counters of all events, one for each place that is counted: a CPU or a thread. */

/* As read(2) returns it: a count, and for how long (ns) it was enabled, and on a counter. */
struct stat_reading {
	uint64_t value, enabled, running;
};

struct stat_counter {
	int fd;				/* -1: none */
	/* sum of earlier counters of this place: the CPU was offline between */
	struct stat_reading ended;
	struct stat_reading last;	/* at the last reading */
	struct stat_reading added;	/* from the reading before it to the last one */
};

struct stat_place {
	int task, cpu;			/* one of them is ANY_TASK or ANY_CPU */
	bool seen;			/* counters were opened here */
};

/* The state of an event's counters. */
struct stat_state {
	unsigned int opened;		/* counters opened so far */
	int error;			/* why none could be opened; 0: no error */
};

struct stat_counters {
	struct stat_events *events;
	struct stat_state *states;	/* one for each event */
	unsigned int n_places;
	struct stat_place *places;
	struct stat_counter *list;	/* by place, then by event */
	bool inherit;			/* new threads and children are counted too */
	bool at_exec;			/* counting begins when the task executes a program */
	bool counting;			/* newly opened counters begin at once */
	bool whole_cpus;		/* places are CPUs */
};

/*
 * Makes the counters without opening them, and raises the limit of open files as far as possible.
 * Returns -1 and sets err if there is no memory.
 */
int counters_new(struct stat_counters *c, struct stat_events *events, unsigned int n_places,
		 struct error *err);
/*
 * Opens the counters of a place. Returns 1 if its task has ended, or its CPU is offline. Returns -1
 * and sets err if it is not permitted, or there are too many. Events that this machine can't count
 * are no error.
 */
int counters_open(struct stat_counters *c, unsigned int place, struct error *err);
/* Reads the counters of a place a last time, and closes them. */
void counters_close(struct stat_counters *c, unsigned int place);
/* Begin counting; read all counters. */
void counters_begin(struct stat_counters *c);
void counters_read(struct stat_counters *c);
void counters_free(struct stat_counters *c);

/* The sum of an event's `added`, at one place; place -1: at all places. */
struct stat_reading counters_added(const struct stat_counters *c, unsigned int event, int place);
/* Returns true if the event is counted at this place, a CPU. */
bool counters_on(const struct stat_counters *c, unsigned int event, unsigned int place);

/* Writes to err why the kernel refused a counter, and what to do. Returns -1. */
int counters_refused(const struct stat_counters *c, const struct stat_event *e,
		     const struct stat_place *place, int error, struct error *err);

#endif
