/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TYPED_FIELDS_H
#define SONDE_TYPED_FIELDS_H

#include "src/lang/inputs.h"

/*
 * Fields of tracepoints that are hit often, by the arguments that the kernel makes them of. At a
 * typed tracepoint a BPF program takes them there, and the kernel makes no record, which would cost
 * more than the program.
 *
 * Returns the inputs of the scope in this way, "a0=$arg1:u32"; NULL if one has no such argument, if
 * there are none, or no memory. The caller frees.
 */
char *typed_fields(const struct scope *s, const char *event);

#endif
