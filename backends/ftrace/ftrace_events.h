/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_EVENTS_H
#define SONDE_FTRACE_EVENTS_H

#include "backends/ftrace/ftrace_read.h"
#include "backends/stream/event_filter.h"

/* An event of an instance. Several attachments may share it. */
struct ftrace_event {
	int id;
	char dir[160];		/* events/SYSTEM/NAME */
	struct event_filter filter;
};

/* The events that are enabled in one instance. All zero: none. */
struct ftrace_events {
	unsigned int n;
	struct ftrace_event *events;
};

/*
 * Adds the event SYSTEM:NAME if it is new, and `target` as a receiver of its records. `filter`
 * NULL: all records. Returns -1 and sets err if the kernel has no such event, or if there is no
 * memory.
 */
int ftrace_events_add(struct ftrace_events *all, struct kernel *k, const char *system,
		      const char *name, const char *filter, struct ftrace_target *target,
		      struct ftrace_targets *targets, struct error *err);
/*
 * Sets the filters and enables all events in the instance with the folder `path`. A filter that the
 * kernel refuses is left out: programs drop unwanted events. Returns -1 and sets err if an event
 * can't be enabled, or if another tracer's filter hides its records. `mark`: `path` is the main
 * ring; the events are enabled in this instance first, so that a sweep knows them (graph.h), and
 * get no filters. NULL: it is an instance.
 */
int ftrace_events_enable(const struct ftrace_events *all, const char *path, const char *mark,
			 FILE *verbose, struct error *err);
void ftrace_events_free(struct ftrace_events *all);

#endif
