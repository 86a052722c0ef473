/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_EVENT_H
#define SONDE_STAT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "compat/base/perf_event.h"
#include "compat/kernel/kernel.h"

/* An event to count: from the words of -e to the argument of perf_event_open(2). */
struct stat_event {
	char *name;			/* as it is shown */
	struct perf_event_attr attr;	/* type, config, and what the modifiers exclude */
	bool clock;			/* counts are ns of a CPU's time */
	bool kernel_only;		/* it happens only in the kernel */
	bool modified;			/* the user chose modes by a modifier */
	bool user_only;			/* kernel mode is not permitted, and not counted */
	bool placed;			/* the user chose whether guests are counted */
	bool hardware;			/* of a PMU of the CPUs: can tell host and guest apart */
	double scale;			/* the PMU's factor to `unit`; 0: a plain count */
	char unit[16];
	char *cpus;			/* the PMU counts only on these CPUs; NULL: on all */
	bool per_package;		/* all CPUs of a package count the same */
	unsigned int group;		/* events with one number are counted together; 0: alone */
};

struct stat_events {
	unsigned int n;
	struct stat_event *list;
	unsigned int groups;		/* groups so far */
};

#define STAT_EVENTS_MOST 4096

/* The folder of the kernel's PMUs. */
#define PMU_FOLDER "/sys/bus/event_source/devices"
/* Where events are looked up. */
struct stat_source {
	struct kernel *kernel;
	const char *pmus;		/* PMU_FOLDER, or a test's */
};

/*
 * Adds the events of a list: `cycles,page-faults:u,{branches,branch-misses},cpu/event=0x3c/,
 * r1a8,sched:sched_*`. Returns -1 and sets err to the mistake and its place.
 */
int stat_parse(const struct stat_source *from, const char *text, struct stat_events *to,
	       struct error *err);
void stat_events_free(struct stat_events *e);

/*
 * For the files of this folder: adds an event, all zero but its name. Returns NULL and sets err on
 * failure.
 */
struct stat_event *stat_event_add(struct stat_events *e, const char *name, struct error *err);
/*
 * Adds the tracepoint SYSTEM:EVENT, or all that match a pattern; `event` has n bytes. Returns -1
 * and sets err on failure, also if there is none.
 */
int stat_tracepoints_add(struct kernel *k, const char *system, const char *event, size_t n,
			 struct stat_events *to, struct error *err);

#endif
