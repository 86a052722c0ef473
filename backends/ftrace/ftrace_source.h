/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_SOURCE_H
#define SONDE_FTRACE_SOURCE_H

#include <stdbool.h>

#include "backends/ftrace/ftrace_events.h"
#include "backends/tracefs/tracefs.h"

/* An instance, and the events that are enabled in it. */
struct ftrace_source {
	struct instance *instance;
	struct ftrace_events events;
	int tracing_on;		/* -1: not open */
	int cpus;		/* tracing_cpumask; -1: this kernel's instances have none */
};

/*
 * Opens what switches recording in the folder `path`, and switches it off. `shared`: it is the main
 * ring. Returns -1 and sets err on failure; ftrace_source_close() in any case.
 */
int ftrace_source_open(struct ftrace_source *s, const char *path, bool shared, struct error *err);
/* All events are enabled already: they begin together. Returns -1 and sets err on failure. */
int ftrace_source_on(struct ftrace_source *s, struct error *err);
/* Returns false and sets errno on failure. */
bool ftrace_source_off(const struct ftrace_source *s);
/* All but the instance: whoever frees it lets others sweep it. */
void ftrace_source_close(struct ftrace_source *s);

#endif
