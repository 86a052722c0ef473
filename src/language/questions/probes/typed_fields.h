/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TYPED_FIELDS_H
#define SONDE_TYPED_FIELDS_H

#include "src/language/expressions/inputs.h"

/*
 * Fields of tracepoints that are hit often, by the arguments that the kernel makes them of. At a
 * typed tracepoint a BPF program takes them there, and the kernel makes no record, which would cost
 * more than the program.
 *
 * Returns the inputs of the scope in this way, "a0=$arg1:u32", of which there are several: kernels
 * serve one of them at most. NULL: an input has no such argument, there are none, there is no such
 * way, or no memory. The caller frees. *preempted: they serve only with FEATURE_RAW_WHOLE.
 */
#define TYPED_WAYS 3
char *typed_fields(const struct scope *s, const char *event, unsigned int way, bool *preempted);
/* Marks the inputs of the scope (lang_input.made). */
void typed_fields_mark(struct scope *s);
/* The inputs that are missing in the record, with a blank in front. */
#define NOT_OF_RECORDS " preempted=0 exit_state=0"

#endif
