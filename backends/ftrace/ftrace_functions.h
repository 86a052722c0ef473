/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_FUNCTIONS_H
#define SONDE_FTRACE_FUNCTIONS_H

#include <stdbool.h>

#include "compat/base/error.h"
#include "compat/kinds/many.h"

/* The function tracer of an instance: setting its functions, and finding them in records. */

/* Sets the functions, then the tracer. Returns -1 and sets err on failure. */
int ftrace_functions_set(const char *instance, const struct many *functions, struct error *err);
/*
 * Finds the number of the function that has this address near its beginning. Returns false if there
 * is none.
 */
bool ftrace_functions_find(const struct many *functions, uint64_t address, uint64_t *number);

#endif
