/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MANY_H
#define SONDE_MANY_H

#include <stdint.h>

/*
 * The functions of an event that is on many at once: hooks that are made at run time name them
 * (struct probe), and their events hand them on.
 */
struct many {
	unsigned int n;
	/* of the kernel, in their order; in user space offsets in the event's file */
	const uint64_t *addresses;
	/* what a program reads as `function` */
	const uint64_t *numbers;
	const char *const *names;
	/* of the kernel: their lines in the list of what its function tracer sees, from 1 */
	const uint32_t *lines;
};

#endif
