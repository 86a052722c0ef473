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
	/* of the kernel; in user space offsets in the event's file */
	const uint64_t *addresses;
	/* what a program reads as `function` */
	const uint64_t *numbers;
	const char *const *names;
};

#endif
