/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CPU_FOLLOW_H
#define SONDE_CPU_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "backends/perf/cpu_watch.h"
#include "compat/base/error.h"

/*
 * Follows the online CPUs, for an owner with perf events on each of them. Such events end when
 * their CPU goes offline, and do not come back with it.
 *
 * The kernel's list of online CPUs is read up to ten times a second. It does not show a CPU that
 * went and came back between two readings, so each CPU is also tested once a second (cpu_watch.h).
 */
struct cpu_owner {
	/*
	 * Opens the owner's events on a CPU. Returns 1 if the CPU has gone offline; -1, and sets
	 * err, on failure. Both leave nothing open, and the next look tries again.
	 */
	int (*open)(void *arg, unsigned int cpu, struct error *err);
	/* The CPU went offline: closes the events, even if it returns -1 and sets err. */
	int (*close)(void *arg, unsigned int cpu, struct error *err);
	/*
	 * From `since` (CLOCK_MONOTONIC) until now the owner may have missed events of this CPU.
	 * Called after close(), and after every open() but the first. NULL: not needed.
	 */
	void (*unseen)(void *arg, unsigned int cpu, uint64_t since);
};

struct cpu_follow {
	/* Set by the owner before cpu_follow_begin(). */
	const struct cpu_owner *owner;
	void *arg;
	const char *list;	/* the file with the list of online CPUs: CPUS_ONLINE */
	unsigned int n;		/* possible CPUs */
	const char *name;	/* of the owner, for -v */
	FILE *verbose;		/* NULL: silent */

	/* To be read by the owner. */
	unsigned int n_open;	/* CPUs that are open */
	uint64_t uncovered;	/* ns in which online CPUs were not open, summed over CPUs */

	struct followed {
		bool listed, open;
		struct cpu_watch watch;
	} *cpus;
	/* when the list was read, and when the CPUs were tested; CLOCK_MONOTONIC */
	uint64_t read, asked;
};

/*
 * Opens all online CPUs; if the list can't be read, all CPUs that open() finds online. Returns -1
 * and sets err if a CPU failed: the owner closes the others, as at its end.
 */
int cpu_follow_begin(struct cpu_follow *f, struct error *err);
/*
 * Finds the CPUs that came and went, if it is time for that; to be called often. Returns -1 and
 * sets err if a CPU failed; the other CPUs are followed nevertheless.
 */
int cpu_follow(struct cpu_follow *f, struct error *err);
/* Returns true if the CPU is open. */
bool cpu_followed(const struct cpu_follow *f, unsigned int cpu);
/* Tests each CPU a last time, for `uncovered`. */
void cpu_follow_stop(struct cpu_follow *f);
/* Frees the follower's memory; the owner's events stay open. */
void cpu_follow_free(struct cpu_follow *f);

#endif
