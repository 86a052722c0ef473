/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_FUNCTIONS_H
#define SONDE_FTRACE_FUNCTIONS_H

#include <stdbool.h>

#include "compat/base/error.h"
#include "compat/kinds/many.h"

/*
 * The function tracer of an instance: which functions it traces, and which of them an address in a
 * record is of.
 */

/* Sets the functions, and then the tracer. -1 and err. */
int ftrace_functions_set(const char *instance, const struct many *functions, struct error *err);
/* The number of the function that has this address near its beginning; false: none of them. */
bool ftrace_functions_find(const struct many *functions, uint64_t address, uint64_t *number);

#endif
