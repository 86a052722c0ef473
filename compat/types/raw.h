/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RAW_H
#define SONDE_RAW_H

#include "compat/kernel/kernel.h"

/*
 * What raw and typed tracepoints hand to BPF programs: a u64 for each argument of the tracepoint's
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

struct raw_prototype {
	uint32_t id;		/* number of the typedef in the kernel's BTF; 0: of a snapshot */
	unsigned int n;
	struct raw_argument arguments[RAW_ARGUMENTS];
};

/*
 * Reads the prototype of the tracepoint of that name, without its system. Returns -1 and sets err
 * if it is unknown.
 */
int kernel_raw_prototype(struct kernel *k, const char *name, struct raw_prototype *to,
			 struct error *err);

/*
 * All tracepoints of the kernel, a line each, for a snapshot: "sched_wakeup *task_struct". A number
 * is its size in bytes, and `*` is a pointer to something else than a struct. The caller frees.
 * Returns NULL if the kernel has no type information.
 */
char *raw_arguments_text(struct kernel *k, size_t *length);

#endif
