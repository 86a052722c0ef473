/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TAP_H
#define SONDE_TAP_H

#include "compat/types/member.h"

/*
 * Memory of the kernel that a function is handed, read while this thread makes it run: kprobe
 * events of a private group, opened by perf for this thread alone. Nobody else's calls are seen or
 * slowed but for the probe itself.
 */
struct tap;

struct tap *tap_new(struct kernel *k, struct error *err);
void tap_free(struct tap *t);
/*
 * Asks for `size` bytes (a multiple of 8) where argument `arg` (from 1) of a function points to;
 * or, where `via` is not -1, where the pointer at that offset of it points to. Returns the piece's
 * number; -1 and err.
 */
int tap_add(struct tap *t, const char *function, unsigned int arg, int32_t via, uint32_t size,
	    struct error *err);
/* Does what makes the functions run. -1 and err if probes can't be made, or act() says so. */
int tap_fire(struct tap *t, int (*act)(void *arg, struct error *err), void *arg, struct error *err);
/*
 * A piece as it was when its function ran first in the last tap_fire(); its base is the argument's
 * own value.
 */
const struct memory *tap_memory(const struct tap *t, int piece);

#endif
