/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PLACEMENT_H
#define SONDE_PLACEMENT_H

#include "compat/arch/arch.h"
#include "src/language/expressions/tree.h"

/*
 * Where C compilers put members of structs on Linux: the rules of gcc and clang, which kernels are
 * compiled with.
 */
struct machine {
	uint8_t word;			/* bytes of a long and a pointer */
	bool big_endian;
	struct arch_c c;
};

/* What the compilers of a machine do. */
struct machine machine_of(const struct arch *arch);

#define STRUCT_MOST (1u << 28)		/* bytes of a struct; larger ones are refused */

/* A struct or union to which members are being added. */
struct placement {
	bool is_union, packed;
	uint64_t bits;			/* used so far */
	uint32_t align;			/* bytes; 0 counts as 1 */
	uint32_t most;			/* largest alignment of members (#pragma pack); 0: any */
};

/* A member to add. */
struct placed {
	const struct c_type *type;
	int width;			/* of a bit field; -1: no bit field */
	bool named, packed;
	uint32_t align;			/* of its attribute; 0: none */
};

/*
 * Adds a member. Returns its offset in bits; for a bit field on a big-endian machine, counted from
 * the first byte's highest bit. Returns -1 if the struct is too large, or the type has no size.
 */
int64_t placement_add(struct placement *l, const struct machine *m, const struct placed *p);
/* The size of the struct in bytes. */
uint32_t placement_size(const struct placement *l);

/* Size and alignment of a type in bytes. The size of an array has all its elements; -1: unknown. */
int64_t type_size(const struct c_type *t, const struct machine *m);
uint32_t type_align(const struct c_type *t, const struct machine *m);

#endif
