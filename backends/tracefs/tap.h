/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TAP_H
#define SONDE_TAP_H

#include "compat/types/member.h"

/*
 * Reads memory of the kernel that a function gets, while this thread makes the function run: by
 * kprobe events of a private group, opened by perf for this thread alone. Calls of others are not
 * seen; only the probe itself slows them.
 */
struct tap;

struct tap *tap_new(struct kernel *k, struct error *err);
void tap_free(struct tap *t);
/*
 * Asks for a piece: `size` bytes (a multiple of 8) that argument `arg` (from 1) of a function
 * points to. With a `via` that is not -1: that the pointer at this offset of the argument points
 * to. Returns the number of the piece; -1 and err.
 */
int tap_add(struct tap *t, const char *function, unsigned int arg, int32_t via, uint32_t size,
	    struct error *err);
/* Calls act(), which makes the functions run. -1 and err if it fails, or probes can't be made. */
int tap_fire(struct tap *t, int (*act)(void *arg, struct error *err), void *arg, struct error *err);
/*
 * A piece as it was when its function ran first in the last tap_fire(). Its base is the value of
 * the argument.
 */
const struct memory *tap_memory(const struct tap *t, int piece);
/* How many hits its probes missed, as the kernel counts them (tracefs.h); -1: it does not tell. */
int tap_missed(struct tap *t, uint64_t *missed);

#endif
