/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_EVENT_H
#define SONDE_STAT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "compat/base/perf_event.h"
#include "compat/kernel/kernel.h"

/* What is counted: from the words of -e to what perf_event_open(2) takes. */
struct stat_event {
	char *name;			/* as it is shown */
	struct perf_event_attr attr;	/* type, config, and what the modifiers exclude */
	bool clock;			/* its counts are ns of a CPU's time */
	bool kernel_only;		/* it happens nowhere else */
	bool modified;			/* the user said which modes count */
	bool user_only;			/* the kernel's mode may not be counted, and is not */
	bool placed;			/* the user said whether guests count */
	bool hardware;			/* of a PMU of the CPUs: host and guest can be told apart */
	double scale;			/* of its PMU, for `unit`; 0: it is a plain count */
	char unit[16];
	char *cpus;			/* its PMU counts on these CPUs only; NULL: on all */
	bool per_package;		/* all CPUs of a package count the same */
	unsigned int group;		/* counted together with those of its number; 0: alone */
};

struct stat_events {
	unsigned int n;
	struct stat_event *list;
	unsigned int groups;
};

#define STAT_EVENTS_MOST 4096

/* The folder of the kernel's PMUs. */
#define PMU_FOLDER "/sys/bus/event_source/devices"
/* Where events are looked up. */
struct stat_source {
	struct kernel *kernel;
	const char *pmus;		/* PMU_FOLDER */
};

/*
 * Adds what is named by a list: `cycles,page-faults:u,{branches,branch-misses},cpu/event=0x3c/,
 * r1a8,sched:sched_*`. -1 and err: what is wrong where.
 */
int stat_parse(const struct stat_source *from, const char *text, struct stat_events *to,
	       struct error *err);
void stat_events_free(struct stat_events *e);

/* For the files of this folder: one more, all zero but for its name; NULL and err. */
struct stat_event *stat_event_add(struct stat_events *e, const char *name, struct error *err);
/*
 * Adds the tracepoint SYSTEM:EVENT, or all that match where there are patterns; `event` has n
 * bytes. -1 and err also if there is none.
 */
int stat_tracepoints_add(struct kernel *k, const char *system, const char *event, size_t n,
			 struct stat_events *to, struct error *err);

#endif
