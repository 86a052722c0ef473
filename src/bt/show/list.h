/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_LIST_H
#define SONDE_BT_LIST_H

#include <stdbool.h>

#include "compat/kernel/kernel.h"

/*
 * Prints the probes whose names match, with * ? [...] and commas between, on standard output; NULL:
 * all of the kernel, and with -p of the process. `verbose`: with fields of tracepoints and
 * arguments of functions. Returns -1 and sets err if there are none.
 */
int bt_list(struct kernel *k, const char *patterns, bool verbose, struct error *err);

#endif
