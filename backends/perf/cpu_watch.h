/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CPU_WATCH_H
#define SONDE_CPU_WATCH_H

#include <stdint.h>

/*
 * Tells whether a CPU was away, however shortly: by a perf event of its own, which ends when the
 * CPU goes offline, like all others there.
 */
struct cpu_watch {
	int fd;			/* of the event, which counts the CPU's clock in ns; -1: none */
	uint64_t count;		/* what it had counted when it was asked last */
	uint64_t asked;		/* and when that was, CLOCK_MONOTONIC */
};

/* Watches from now on. If the event can't be opened, the CPU never was away. */
void cpu_watch_open(struct cpu_watch *w, unsigned int cpu);
/* The same with an event that is open and enabled. */
void cpu_watch_begin(struct cpu_watch *w, int fd);
/*
 * How many ns the CPU was away, or its events had ended, since it was asked last (or the watch
 * began); 0: it was not. An absence of less than a tenth of that time shows only with the next
 * question. Asking interrupts the CPU: once a second is enough.
 */
uint64_t cpu_watch_absence(struct cpu_watch *w);
void cpu_watch_close(struct cpu_watch *w);

#endif
