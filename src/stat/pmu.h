/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_PMU_H
#define SONDE_STAT_PMU_H

#include "src/stat/event.h"

/*
 * The kernel's PMUs, as sysfs describes them: a folder each, with its number (`type`), what goes
 * where in an event's config (`format/`), and its events' names (`events/`).
 */
struct pmu {
	char name[64];
	uint32_t type;
	bool core;			/* of the CPUs themselves */
	char *cpus;			/* that it counts on; NULL: on all */
};

struct pmus {
	unsigned int n;
	struct pmu *list;		/* by name */
	/* of those that are core: with more than one, hardware events are of one of them */
	unsigned int cores;
};

int pmus_read(const char *folder, struct pmus *to, struct error *err);
void pmus_free(struct pmus *p);

/*
 * Adds the event PMU/TERMS/ of each PMU of that name: `cpu/event=0x3c,umask=1/`, `msr/tsc/`; a name
 * may be a pattern, and uncore_imc means uncore_imc_0 and its kin. -1 and err.
 */
int pmu_events_add(const struct stat_source *from, const struct pmus *pmus, const char *name,
		   const char *terms, struct stat_events *to, struct error *err);
/* Adds the event that a PMU has a name for, of each such PMU. 0 also if none has; -1 and err. */
int pmu_named_add(const struct stat_source *from, const struct pmus *pmus, const char *name,
		   struct stat_events *to, struct error *err);

/* A decimal number with a point and an exponent, as .scale files have; false: it is none. */
bool pmu_scale(const char *text, double *to);
/* The bits of a format, "config:0-7,32-35", get a value; -1 and why: the text of an error. */
int pmu_place(const char *format, uint64_t value, struct perf_event_attr *attr, struct error *err);

#endif
