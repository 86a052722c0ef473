/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CLEAN_H
#define SONDE_CLEAN_H

#include "compat/kernel/kernel.h"

/*
 * `sonde probe --clean`: removes what killed runs of sonde left in tracefs, and says on stdout what
 * is gone; `loud` -1: says only what stays; 1: also what running sondes have, and keep. Returns -1
 * and sets err if something stays.
 */
int probe_clean(struct kernel *k, const char *tracefs, int loud, struct error *err);

#endif
