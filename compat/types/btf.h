/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BTF_H
#define SONDE_BTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * The kernel's own description of its types (BTF), as far as offsets of members need it. Files may
 * have any content: reading stays inside of them, and ends. They tell their byte order.
 */
struct btf;

#define BTF_OF_KERNEL "/sys/kernel/btf/vmlinux"

/*
 * Reads a file. Takes ownership of the descriptor, and closes it in any case. Most of the file is
 * read when it is needed, so the file must not change: missing bytes are an error then. Returns
 * NULL and sets err if the file is not BTF. btf_free() accepts NULL.
 */
struct btf *btf_new(int fd, struct error *err);
/* The same for a module: its types continue those of the kernel, `base`, which must stay longer. */
struct btf *btf_split(int fd, struct btf *base, struct error *err);
void btf_free(struct btf *b);

#define BTF_POINTED 32

/*
 * The offset in bytes of a member "STRUCT.MEMBER[.MEMBER...]", through nested structs; anonymous
 * ones are not in the path. If the member is a pointer to a struct with a name that fits, `pointed`
 * is that name, else it is empty; it may be NULL. Returns -1 and sets err if there is no such
 * member, if it is a bit field, or if structs of that name differ.
 */
int32_t btf_offset(struct btf *b, const char *path, char pointed[BTF_POINTED], struct error *err);

/* ---- types one by one ---- */

enum btf_kind {
	BTF_VOID, BTF_INT = 1, BTF_POINTER, BTF_ARRAY, BTF_STRUCT, BTF_UNION, BTF_ENUM, BTF_FORWARD,
	BTF_TYPEDEF, BTF_VOLATILE, BTF_CONST, BTF_RESTRICT, BTF_FUNCTION, BTF_PROTOTYPE,
	BTF_VARIABLE, BTF_SECTION, BTF_FLOAT, BTF_DECLARATION_TAG, BTF_TYPE_TAG, BTF_ENUM64,
};

/* A type; it has n members. */
struct btf_type {
	uint32_t kind, n;
	uint32_t target;	/* the type it refers to, or its size in bytes */
	bool flag;		/* of enums: signed */
	const char *name;
	struct btf *in;
	uint32_t at;		/* place of its members */
};

/* Reads type number `id`; 0 is void. Returns false if there is no such type. */
bool btf_type(struct btf *b, uint32_t id, struct btf_type *t);

/* A member of a struct or union, a parameter of a prototype, or a number of an enum. */
struct btf_member {
	const char *name;
	uint32_t type;
	uint32_t bits, width;	/* its offset in bits; width of a bit field, else 0 */
	int64_t value;
};

/* Reads member i. Returns false if there is none. */
bool btf_member(const struct btf_type *t, uint32_t i, struct btf_member *m);
/* BTF_INT: its bits and encoding (1 signed, 4 bool); BTF_ARRAY: its elements' type and number. */
void btf_int(const struct btf_type *t, uint32_t *bits, uint32_t *encoding);
void btf_array(const struct btf_type *t, uint32_t *element, uint32_t *n);

/*
 * The number of the first type with this name and one of `kinds` (bits 1 << BTF_...); *found is how
 * many there are. Returns 0 if there is none.
 */
uint32_t btf_named(struct btf *b, uint32_t kinds, const char *name, size_t length,
		   unsigned int *found);
/*
 * Finds a number of an enum, whose number becomes m->type. Returns 1; 0 if there is none; -1 if
 * there are several that differ.
 */
int btf_number(struct btf *b, const char *name, size_t length, struct btf_member *m,
	       bool *is_signed);

#endif
