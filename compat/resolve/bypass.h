/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BYPASS_H
#define SONDE_BYPASS_H

#include "compat/base/error.h"
#include "compat/hooks/hooks.h"
#include "compat/kernel/kernel.h"

/*
 * Functions that are there, and that calls go around: what calls them in the same source file has
 * them inlined, whole or in part. gcc leaves a sign: beside the function there is one that it made
 * of it, vfs_rmdir.part.0, which such calls enter. clang leaves none.
 */
enum bypass {
	BYPASS_NONE,		/* all calls come by, as far as anything tells */
	BYPASS_MAYBE,		/* there are signs, and it could not be tried */
	BYPASS_SURE,		/* it was tried: the function did not run */
};

/* Of a probe of a function; err says why, unless it is BYPASS_NONE. */
enum bypass kernel_bypass(struct kernel *k, const struct probe *p, struct error *err);

/*
 * Does a function, by its symbol, run when this is done? 1: yes, 0: no, -1: it can't be tried, and
 * err says why.
 */
typedef int (*trier_fn)(struct kernel *k, const char *symbol, enum act act, struct error *err);
/* Who can try: set once for a running kernel; without one nothing is tried. */
void kernel_set_trier(struct kernel *k, trier_fn trier);
void bypass_free(struct kernel *k);

#endif
