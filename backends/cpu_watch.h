/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CPU_WATCH_H
#define SONDE_CPU_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether a CPU was away, however shortly: perf events of a CPU that goes offline end, and do not come back with it. The
 * list of online CPUs does not tell of one that came back before it was read again.
 */
struct cpu_watch {
	int fd;				/* of an event that counts the CPU's clock; -1: nobody watches */
	uint64_t count;
};

/* From now on. Where no event can be had, the CPU is taken to stay. */
void cpu_watch_open(struct cpu_watch *w, unsigned int cpu);
/* Since it was opened. Asking interrupts the CPU: about once a second will do. */
bool cpu_watch_was_away(struct cpu_watch *w);
void cpu_watch_close(struct cpu_watch *w);

#endif
