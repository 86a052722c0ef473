/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRY_H
#define SONDE_TRY_H

#include "compat/resolve/bypass.h"

/* A trier_fn: probes the function for this thread alone, and does the act on files of its own. */
int try_function(struct kernel *k, const char *symbol, enum act act, struct error *err);
/*
 * Does this kernel count a fetch argument that faults as a hit that was missed? 1: yes, 0: no; -1:
 * it can't be tried, and err says why.
 */
int try_faults(struct kernel *k, struct error *err);

#endif
