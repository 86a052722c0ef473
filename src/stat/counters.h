/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_COUNTERS_H
#define SONDE_STAT_COUNTERS_H

#include <sys/resource.h>

#include "src/stat/event.h"

/* The counters of all events, one for each of the places that are counted: CPUs, or threads. */

/* What read(2) gives: a count, and for how long it was wanted and was on a counter, ns. */
struct stat_reading {
	uint64_t value, enabled, running;
};

struct stat_counter {
	int fd;				/* -1: none */
	struct stat_reading ended;	/* what those before it had, on a CPU that was away */
	struct stat_reading last;	/* when it was read last */
	struct stat_reading added;	/* since it was read before */
};

struct stat_place {
	int task, cpu;			/* one of them is ANY_TASK or ANY_CPU */
	bool seen;			/* it had counters */
};

/* What is known of an event's counters. */
struct stat_state {
	unsigned int opened;		/* so many counters it had */
	int error;			/* why it has none; 0: it has, or no place was its */
};

struct stat_counters {
	struct stat_events *events;
	struct stat_state *states;	/* of each event */
	unsigned int n_places;
	struct stat_place *places;
	struct stat_counter *list;	/* by place, then by event */
	bool inherit;			/* new threads and children count too */
	bool at_exec;			/* they begin when the task executes a program */
	bool counting;			/* what is opened now begins at once */
	bool whole_cpus;
};

/* -1 and err: out of memory. Raises the limit of open files as far as it goes. */
int counters_new(struct stat_counters *c, struct stat_events *events, unsigned int n_places,
		 struct error *err);
/*
 * Opens those of a place. 1: its task has ended, or its CPU is offline; -1 and err: it is not
 * permitted, or there are too many. What this machine can't count is no error.
 */
int counters_open(struct stat_counters *c, unsigned int place, struct error *err);
/* Reads those of a place a last time. */
void counters_close(struct stat_counters *c, unsigned int place);
void counters_begin(struct stat_counters *c);
void counters_read(struct stat_counters *c);
void counters_free(struct stat_counters *c);

/* What an event's counters added, at one place or, -1, at all of them. */
struct stat_reading counters_added(const struct stat_counters *c, unsigned int event, int place);
/* Is the event counted on this CPU? */
bool counters_on(const struct stat_counters *c, unsigned int event, unsigned int place);

/* Why the kernel refuses to count, and what to do. */
int counters_refused(const struct stat_counters *c, const struct stat_event *e,
		     const struct stat_place *place, int error, struct error *err);

#endif
