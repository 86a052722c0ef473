/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROTOTYPE_H
#define SONDE_PROTOTYPE_H

#include <stdio.h>

#include "compat/kernel/kernel.h"
#include "compat/types/btf.h"

/*
 * What tracepoints and functions of the kernel hand to BPF programs: a u64 for each argument, and
 * behind them the return value when a function returns. Type information has the types. Without it
 * they are not known: arguments were added, removed and moved over the years, and vendors have
 * taken such changes into older kernels.
 */
#define PROTOTYPE_ARGUMENTS 12

struct prototype_argument {
	bool pointer;
	/* a pointer that the verifier lets no program load, as a pointer to a pointer */
	bool opaque;
	uint8_t size;		/* of a number, in bytes; 0: void */
	/*
	 * The struct that a pointer points to, and the structs that it begins with:
	 * "sock/sock_common". Empty: another type.
	 */
	char type[96];
};

struct prototype {
	uint32_t id;		/* number of the typedef or function in BTF; 0: of a snapshot */
	/* file descriptor of the module's BTF that has it, owned by the kernel; 0: the kernel's */
	int types;
	unsigned int n;
	struct prototype_argument arguments[PROTOTYPE_ARGUMENTS];
	struct prototype_argument result;	/* of a function */
};

/*
 * Lines of snapshots: "sched_wakeup *task_struct". A number is its size in bytes, `*` is a pointer
 * to something else than a struct, `**` an opaque one. A function has the type of its result first.
 */
#define PROTOTYPE_LINE 1280	/* bytes: PROTOTYPE_ARGUMENTS of the longest names */

/*
 * Writes the types of a function's prototype, from parameter `first` on. Returns false if it is
 * damaged, or an argument has more than 8 bytes.
 */
bool prototype_write(struct btf *btf, uint32_t prototype, uint32_t first, bool result, FILE *out);
/* Goes through typedefs and qualifiers. Returns false if the type is damaged. */
bool prototype_bare(struct btf *btf, uint32_t id, struct btf_type *t);
/* Reads the types of a line, behind the name. Returns -1 and sets err if they can't be read. */
int prototype_parse(const char *line, bool result, struct prototype *to, struct error *err);
/* Copies the line of that name out of a text, which may be NULL. Returns false if it has none. */
bool prototype_find(const char *text, const char *name, char line[PROTOTYPE_LINE]);

#endif
