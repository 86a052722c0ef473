/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CPU_FOLLOW_H
#define SONDE_CPU_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "backends/perf/cpu_watch.h"
#include "compat/base/error.h"

/*
 * Follows the CPUs that are online, for an owner that has perf events on each of them. Such events
 * end when their CPU goes offline, and do not come back with it.
 *
 * The kernel's list of online CPUs is read up to ten times a second. It does not tell of a CPU that
 * went and came back in between, so each CPU is also asked once a second (cpu_watch.h).
 */
struct cpu_owner {
	/*
	 * Opens what the owner has on a CPU. 1: the CPU has gone offline; -1 and err: it failed.
	 * Both leave nothing open, and the next look tries again.
	 */
	int (*open)(void *arg, unsigned int cpu, struct error *err);
	/* The CPU went offline: closes what open() opened, also if it returns -1 and err. */
	int (*close)(void *arg, unsigned int cpu, struct error *err);
	/*
	 * From `since` (CLOCK_MONOTONIC) until now the owner did not see all that this CPU did.
	 * Called after close(), and after open() but for the first time. NULL: nobody asks.
	 */
	void (*unseen)(void *arg, unsigned int cpu, uint64_t since);
};

struct cpu_follow {
	/* Set by the owner before cpu_follow_begin(). */
	const struct cpu_owner *owner;
	void *arg;
	const char *list;	/* the file that lists the CPUs that are online: CPUS_ONLINE */
	unsigned int n;		/* CPUs that there can be */
	const char *name;	/* of the owner, for -v */
	FILE *verbose;		/* NULL: silence */

	/* To be read by the owner. */
	unsigned int n_open;	/* CPUs that are open */
	uint64_t uncovered;	/* ns, over all CPUs that were online and not open */

	struct followed {
		bool listed, open;
		struct cpu_watch watch;
	} *cpus;
	/* when the list was read, and when the CPUs were asked; CLOCK_MONOTONIC */
	uint64_t read, asked;
};

/*
 * Opens all CPUs that are online; where the list can't be read, all that open() finds online. -1
 * and err if one of them failed: the owner closes the others, as it does at its end.
 */
int cpu_follow_begin(struct cpu_follow *f, struct error *err);
/*
 * To be called often: looks whether it is time, and then which CPUs came and went. -1 and err if
 * one of them failed; the others were followed all the same.
 */
int cpu_follow(struct cpu_follow *f, struct error *err);
bool cpu_followed(const struct cpu_follow *f, unsigned int cpu);
/* Asks each CPU a last time, for `uncovered`. */
void cpu_follow_stop(struct cpu_follow *f);
/* Frees what the follower has itself; what the owner opened stays. */
void cpu_follow_free(struct cpu_follow *f);

#endif
