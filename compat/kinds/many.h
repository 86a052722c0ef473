/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MANY_H
#define SONDE_MANY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The functions of an event that is on many at once. Hooks made at run time list them (struct
 * probe), and their events point to the same list.
 */
struct many {
	unsigned int n;
	/* addresses in the kernel, ascending; in user space, offsets in the event's file */
	const uint64_t *addresses;
	/* the values of the input `function` */
	const uint64_t *numbers;
	const char *const *names;
	/* in the kernel: line numbers in the list of functions of its tracer, from 1 */
	const uint32_t *lines;
	/* for the function graph tracer, which uses the names: */
	uint32_t depth;		/* levels of calls, with the function itself; 0: all */
	bool awake;		/* times are without those in which the task slept */
};

#endif
