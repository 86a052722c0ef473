/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CPU_WATCH_H
#define SONDE_CPU_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Tells whether a CPU was away, however shortly: by a perf event of its own, which counts the CPU's
 * clock and ends when the CPU goes offline, like all others there.
 *
 * Only an event that has counted nothing since the last question has ended. One that counted too
 * little may have: but the clock of an emulated CPU falls behind as well where the host is busy.
 */
struct cpu_watch {
	int fd;			/* of the event; -1: none */
	uint64_t count;		/* ns, what it had counted when it was asked last */
	uint64_t asked;		/* and when that was; CLOCK_MONOTONIC, as all times here */
	uint64_t alive;		/* when it was asked before it counted last: not ended then */
	uint64_t counted;	/* ns, what it counted last, from then on */
	bool doubtful;		/* that is too little: it has to be asked again soon */
};

/* Less time than this between two questions proves nothing. */
#define CPU_WATCH_NS 20000000ULL

/* Watches from now on. If the event can't be opened, the CPU never was away. */
void cpu_watch_open(struct cpu_watch *w, unsigned int cpu);
/* The same with an event that is open and enabled. */
void cpu_watch_begin(struct cpu_watch *w, int fd);
/*
 * For how many ns the CPU has been away, or its events have been ended; 0: it is there, for all we
 * know. Asking interrupts the CPU: once a second is enough.
 */
uint64_t cpu_watch_absence(struct cpu_watch *w);
void cpu_watch_close(struct cpu_watch *w);

#endif
