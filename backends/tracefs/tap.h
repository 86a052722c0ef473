/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TAP_H
#define SONDE_TAP_H

#include "compat/types/member.h"

/*
 * Reads kernel memory that a function gets, while this thread makes the function run: by kprobe
 * events of a private group, opened by perf for this thread alone. Calls of other threads are not
 * recorded; only the probe itself slows them.
 */
struct tap;

/* Returns NULL and sets err on failure. */
struct tap *tap_new(struct kernel *k, struct error *err);
void tap_free(struct tap *t);
/*
 * Asks for a piece: `size` bytes (a multiple of 8) at argument `arg` (from 1) of a function, a
 * pointer. If `via` is not -1: at the pointer that is at this offset of the argument's memory.
 * Returns the number of the piece; -1, and sets err, on failure.
 */
int tap_add(struct tap *t, const char *function, unsigned int arg, int32_t via, uint32_t size,
	    struct error *err);
/*
 * Makes the probes and calls act(), which makes the functions run. Returns -1 and sets err on
 * failure.
 */
int tap_fire(struct tap *t, int (*act)(void *arg, struct error *err), void *arg, struct error *err);
/*
 * A piece as it was when its function first ran in the last tap_fire(). Its base is the value of
 * the argument.
 */
const struct memory *tap_memory(const struct tap *t, int piece);
/* Counts the hits that its probes missed. Returns -1 if the kernel does not count them. */
int tap_missed(struct tap *t, uint64_t *missed);

#endif
