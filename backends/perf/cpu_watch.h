/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CPU_WATCH_H
#define SONDE_CPU_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Finds out whether a CPU was offline, however shortly. A perf event counts the CPU's clock, and
 * ends like all others there when the CPU goes offline.
 *
 * Only an event that has counted nothing since the last test has ended. An event that counted too
 * little may have ended; but the clock of an emulated CPU also falls behind if the host is busy.
 */
struct cpu_watch {
	int fd;			/* of the event; -1: none */
	uint64_t count;		/* ns, its count at the last test */
	uint64_t asked;		/* the last test; all times are of CLOCK_MONOTONIC */
	uint64_t alive;		/* the test before its last count: it had not ended then */
	uint64_t counted;	/* ns, its last count, from `alive` on */
	bool doubtful;		/* that is too little: it must be tested again soon */
};

/* Less time than this between two tests proves nothing. */
#define CPU_WATCH_NS 20000000ULL

/* Begins to watch. If the event can't be opened, the CPU always counts as online. */
void cpu_watch_open(struct cpu_watch *w, unsigned int cpu);
/* The same with an open and enabled event. */
void cpu_watch_begin(struct cpu_watch *w, int fd);
/*
 * Tests the CPU. Returns for how many ns it has been offline, or its events have been ended; 0: it
 * is online, as far as known. A test interrupts the CPU: once a second is enough.
 */
uint64_t cpu_watch_absence(struct cpu_watch *w);
void cpu_watch_close(struct cpu_watch *w);

#endif
