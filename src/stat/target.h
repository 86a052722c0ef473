/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_TARGET_H
#define SONDE_STAT_TARGET_H

#include "backends/perf/cpu_follow.h"
#include "src/stat/counters.h"
#include "src/stat/options.h"

/* Whose events are counted: those of CPUs, of threads that are there, or of a command. */
struct stat_target {
	const struct stat_options *options;
	struct stat_counters counters;
	bool cpus;			/* whole ones, which come and go */
	struct cpu_follow follow;
	int *tasks;			/* threads, ascending; of a command: itself */
	unsigned int n_tasks;
	bool unsettled;			/* threads were being started all the time */
	char what[512];			/* "system wide", "process id '5'" */
};

/* Opens the counters; `child` is the command's process, 0 without. -1 and err. */
int target_open(struct stat_target *t, const struct stat_options *o, struct stat_events *events,
		int child, struct error *err);
/* To be called often; -1 and err. */
int target_follow(struct stat_target *t, struct error *err);
/* Have all of its processes ended? */
bool target_ended(const struct stat_target *t);
void target_close(struct stat_target *t);

#endif
