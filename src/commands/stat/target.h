/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_TARGET_H
#define SONDE_STAT_TARGET_H

#include "backends/perf/cpu_follow.h"
#include "src/commands/stat/counters.h"
#include "src/commands/stat/options.h"

/* What is counted: whole CPUs, existing threads, or a command. */
struct stat_target {
	const struct stat_options *options;
	struct stat_counters counters;
	bool cpus;			/* whole CPUs, which may go offline and come back */
	struct cpu_follow follow;
	int *tasks;			/* threads, ascending; of a command: its process */
	unsigned int n_tasks;
	bool unsettled;			/* new threads kept appearing: some may be missing */
	char what[512];			/* "system wide", "process id '5'" */
};

/*
 * Opens the counters; `child` is the command's process, or 0. Returns -1 and sets err on failure.
 */
int target_open(struct stat_target *t, const struct stat_options *o, struct stat_events *events,
		int child, struct error *err);
/* Follows CPUs; to be called often. Returns -1 and sets err on failure. */
int target_follow(struct stat_target *t, struct error *err);
/* Returns true if all counted processes have ended. */
bool target_ended(const struct stat_target *t);
void target_close(struct stat_target *t);

#endif
