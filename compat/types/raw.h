/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RAW_H
#define SONDE_RAW_H

#include "compat/kernel/kernel.h"

/*
 * What a raw tracepoint hands to BPF programs: a u64 for each argument of the tracepoint's
 * prototype. The type information of the kernel has the prototypes as typedefs:
 * btf_trace_sched_switch. Without type information a prototype is not known: arguments were added,
 * removed and moved over the years, and vendors have taken such changes into older kernels.
 */
#define RAW_ARGUMENTS 12

struct raw_argument {
	bool pointer;
	uint8_t size;		/* of a number, in bytes */
	char type[48];		/* the struct that a pointer points to; empty: another type */
};

/*
 * Reads the arguments of the tracepoint of that name, without its system. Returns their number, or
 * -1 and sets err if they are unknown.
 */
int kernel_raw_arguments(struct kernel *k, const char *name, struct raw_argument to[RAW_ARGUMENTS],
			 struct error *err);

/*
 * All tracepoints of the kernel, a line each, for a snapshot: "sched_wakeup *task_struct". A number
 * is its size in bytes, and `*` is a pointer to something else than a struct. The caller frees.
 * Returns NULL if the kernel has no type information.
 */
char *raw_arguments_text(struct kernel *k, size_t *length);

#endif
