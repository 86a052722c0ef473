/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FUNCTION_H
#define SONDE_FUNCTION_H

#include "compat/types/prototype.h"

/*
 * Reads the prototype of a function of the kernel; `module`: the function may be in this one; NULL:
 * it is in none. Returns -1 and sets err if it is unknown.
 */
int kernel_function_prototype(struct kernel *k, const char *name, const char *module,
			      struct prototype *to, struct error *err);
/*
 * The line of a function for a snapshot: "vfs_read 8 *file * 8 **". Returns false if it is unknown.
 */
bool function_prototype_line(struct kernel *k, const char *name, const char *module,
			     char line[PROTOTYPE_LINE]);

#endif
