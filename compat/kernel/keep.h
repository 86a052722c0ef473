/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KEEP_H
#define SONDE_KEEP_H

#include <stddef.h>

#include "compat/base/strbuf.h"
#include "compat/kernel/kernel.h"

/*
 * What other folders learn of a kernel is kept with it: a struct for each key. Only the file with
 * the key knows the struct; one function of that file returns it with its type.
 */
struct kernel_key {
	size_t size;			/* of the struct, in bytes */
	void (*end)(void *kept);	/* frees what the struct points to, not the struct */
};

/*
 * The struct of this key. The first call makes it, all zeros; kernel_free() ends and frees it.
 * Returns NULL if there is no memory.
 */
void *kernel_keep(struct kernel *k, const struct kernel_key *key);
/* The same struct. Returns NULL if it was not made yet. */
void *kernel_kept(const struct kernel *k, const struct kernel_key *key);

/*
 * Adds to a text what was learned of this kernel so far, a line for each fact: `feature NAME yes`
 * or `no`, `function SYMBOL` for a function that was looked up and is there. A recording has these
 * lines (compat/recordings/recorded_probes.h).
 */
void kernel_learned(struct kernel *k, struct strbuf *to);

#endif
