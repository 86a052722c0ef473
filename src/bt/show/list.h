/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_LIST_H
#define SONDE_BT_LIST_H

#include <stdbool.h>

#include "compat/kernel/kernel.h"

/*
 * Prints the probes whose names match, with * ? [...], on standard output; pattern NULL: all of the
 * kernel. `verbose`: with the fields of tracepoints. Returns -1 and sets err if there are none.
 */
int bt_list(struct kernel *k, const char *pattern, bool verbose, struct error *err);

#endif
