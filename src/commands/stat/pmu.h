/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_PMU_H
#define SONDE_STAT_PMU_H

#include "src/commands/stat/event.h"

/*
 * The kernel's PMUs as sysfs describes them. Each has a folder with its number (`type`), the fields
 * of an event's config (`format/`), and its events' names (`events/`).
 */
struct pmu {
	char name[64];
	uint32_t type;
	bool core;			/* it counts events of the CPUs themselves */
	char *cpus;			/* the CPUs that it counts on; NULL: all */
};

struct pmus {
	unsigned int n;
	struct pmu *list;		/* sorted by name */
	/* number of core PMUs; if several, each hardware event belongs to one of them */
	unsigned int cores;
};

/* Reads all PMUs. Returns -1 and sets err on failure. */
int pmus_read(const char *folder, struct pmus *to, struct error *err);
void pmus_free(struct pmus *p);

/*
 * Adds the event PMU/TERMS/ of each PMU of that name: `cpu/event=0x3c,umask=1/`, `msr/tsc/`. The
 * name may be a pattern; uncore_imc also means uncore_imc_0 and so on. Returns -1 and sets err on
 * failure.
 */
int pmu_events_add(const struct stat_source *from, const struct pmus *pmus, const char *name,
		   const char *terms, struct stat_events *to, struct error *err);
/*
 * Adds a named event of each PMU that has one of this name. Returns 0 even if no PMU has one; -1,
 * and sets err, on failure.
 */
int pmu_named_add(const struct stat_source *from, const struct pmus *pmus, const char *name,
		   struct stat_events *to, struct error *err);

/* Reads a decimal number with point and exponent, as in .scale files. Returns false if invalid. */
bool pmu_scale(const char *text, double *to);
/*
 * Puts a value into the bits of a format, "config:0-7,32-35". Returns -1 and sets err on failure.
 */
int pmu_place(const char *format, uint64_t value, struct perf_event_attr *attr, struct error *err);

#endif
