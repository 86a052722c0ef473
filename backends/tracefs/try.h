/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRY_H
#define SONDE_TRY_H

#include "compat/resolve/bypass.h"

/* A trier_fn: probes the function for this thread alone, and does the act on files of its own. */
int try_function(struct kernel *k, const char *symbol, enum act act, struct error *err);
/*
 * Tries whether this kernel counts a fetch argument that faults as a missed hit. Returns 1 if it
 * does, 0 if not, -1 and sets err if it can't be tried.
 */
int try_faults(struct kernel *k, struct error *err);

#endif
