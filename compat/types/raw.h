/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RAW_H
#define SONDE_RAW_H

#include "compat/kernel/kernel.h"
#include "compat/types/prototype.h"

/*
 * What raw and typed tracepoints hand to BPF programs. The type information of the kernel has the
 * prototypes as typedefs: btf_trace_sched_switch.
 */

/*
 * Reads the prototype of the tracepoint of that name, without its system. Returns -1 and sets err
 * if it is unknown.
 */
int kernel_raw_prototype(struct kernel *k, const char *name, struct prototype *to,
			 struct error *err);

/*
 * All tracepoints of the kernel, a line each, for a snapshot. The caller frees. Returns NULL if the
 * kernel has no type information.
 */
char *raw_arguments_text(struct kernel *k, size_t *length);

#endif
