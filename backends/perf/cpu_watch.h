/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CPU_WATCH_H
#define SONDE_CPU_WATCH_H

#include <stdint.h>

/*
 * Whether a CPU was away, however shortly: perf events of a CPU that goes offline end, and do not
 * come back with it. The list of online CPUs does not tell of one that came back before it was read
 * again.
 */
struct cpu_watch {
	/* of an event that counts the CPU's clock, in ns; -1: nobody watches */
	int fd;
	/* what it had counted when it was asked last; CLOCK_MONOTONIC */
	uint64_t count, asked;
};

/* From now on. If the event can't be opened, the CPU is taken to stay. */
void cpu_watch_open(struct cpu_watch *w, unsigned int cpu);
/* Its owner opened the event itself, and has just switched it on. */
void cpu_watch_begin(struct cpu_watch *w, int fd);
/*
 * For how many of the ns since it began or was asked last the CPU was away, or its events had
 * ended; 0: for none. Less than a tenth of them is told only when it is asked again. To ask
 * interrupts the CPU: do it about once a second.
 */
uint64_t cpu_watch_absence(struct cpu_watch *w);
void cpu_watch_close(struct cpu_watch *w);

#endif
