/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BYPASS_H
#define SONDE_BYPASS_H

#include "compat/base/error.h"
#include "compat/hooks/hooks.h"
#include "compat/kernel/kernel.h"

/*
 * Functions that are there, and that calls go around: their callers in the same source file have
 * inlined them, as a whole or in part. gcc leaves a sign: a function that it made of the other,
 * vfs_rmdir.part.0, which such callers call. clang leaves none.
 */
enum bypass {
	BYPASS_NONE,		/* there is no sign that calls go around it */
	BYPASS_MAYBE,		/* there are signs, and it could not be tried */
	BYPASS_SURE,		/* it was tried: the function did not run */
};

/* Of a probe of a function; err says why, unless it is BYPASS_NONE. */
enum bypass kernel_bypass(struct kernel *k, const struct probe *p, struct error *err);

/*
 * Does the function with this symbol run when sonde does this? 1: yes, 0: no, -1: it can't be
 * tried, and err says why.
 */
typedef int (*trier_fn)(struct kernel *k, const char *symbol, enum act act, struct error *err);
/* What tries functions: set once for a running kernel; without it none is tried. */
void kernel_set_trier(struct kernel *k, trier_fn trier);

#endif
