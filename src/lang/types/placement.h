/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PLACEMENT_H
#define SONDE_PLACEMENT_H

#include "src/lang/tree.h"

/*
 * Where a C compiler puts members of structs on a machine of Linux: the rules of gcc and clang,
 * which kernels are made with.
 */
struct machine {
	uint8_t word;			/* of a long and a pointer, bytes */
	bool big_endian;
	uint8_t most_align;		/* of a number of 8 bytes in a struct */
	uint8_t long_double, long_double_align;
	uint8_t largest_align;		/* what `aligned` alone asks for */
	bool unnamed_aligns;		/* a bit field without a name aligns its struct */
};

/* Of the names of compat/kernel/arch.h. */
struct machine machine_of(const char *name, unsigned int word, bool big_endian);

#define STRUCT_MOST (1u << 28)		/* bytes of a struct; no larger one is read */

/* A struct or union while members are added to it. */
struct placement {
	bool is_union, packed;
	uint64_t bits;			/* used so far */
	uint32_t align;			/* bytes; 0 counts as 1 */
	uint32_t most;			/* that members are aligned by (#pragma pack); 0: any */
};

struct placed {
	const struct c_type *type;
	int width;			/* of a bit field; -1: it is none */
	bool named, packed;
	uint32_t align;			/* that it asks for; 0: none */
};

/*
 * The offset of the next member, in bits; of a bit field on a big-endian machine they count from
 * the first byte's highest bit. -1: the struct is too large, or the type has no size.
 */
int64_t placement_add(struct placement *l, const struct machine *m, const struct placed *p);
/* The size of all of it, in bytes. */
uint32_t placement_size(const struct placement *l);

/* Of a type on a machine; the size of an array is that of all its elements. -1: not known. */
int64_t type_size(const struct c_type *t, const struct machine *m);
uint32_t type_align(const struct c_type *t, const struct machine *m);

#endif
