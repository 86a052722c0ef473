/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BYPASS_H
#define SONDE_BYPASS_H

#include "compat/base/error.h"
#include "compat/hooks/hooks.h"
#include "compat/kernel/kernel.h"

/*
 * Functions that calls bypass: callers in the same source file have inlined them, as a whole or in
 * part. gcc leaves a sign: a function derived from the other, vfs_rmdir.part.0, which such callers
 * call. clang leaves none.
 */
enum bypass {
	BYPASS_NONE,		/* there is no sign */
	BYPASS_MAYBE,		/* there are signs, and it could not be tried */
	BYPASS_SURE,		/* it was tried: the function did not run */
};

/* Whether calls bypass a probe's function. err gets the reason, except for BYPASS_NONE. */
enum bypass kernel_bypass(struct kernel *k, const struct probe *p, struct error *err);

/*
 * Tries whether the function with this symbol runs when sonde does `act`. Returns 1 if it runs, 0
 * if it does not, -1 and sets err if it can't be tried. Set once for a running kernel; without it
 * no function is tried.
 */
typedef int (*trier_fn)(struct kernel *k, const char *symbol, enum act act, struct error *err);
void kernel_set_trier(struct kernel *k, trier_fn trier);

#endif
