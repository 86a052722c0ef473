/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BTF_INTERNAL_H
#define SONDE_BTF_INTERNAL_H

#include <stdbool.h>

#include "compat/types/btf.h"

/* A read of the kernel's file returns a page at most. */
#define WINDOW 4096
/* The place of every so many types is known; the others are reached from there. */
#define STRIDE 32

/*
 * The types, two thirds of the file, stay there and are looked at through a window. The names,
 * which are needed in any order, are in memory. Since 6.16 the kernel's file can be mapped instead.
 */
struct btf {
	struct btf *base;			/* of a module: the kernel's, which comes first */
	uint32_t first;				/* so many types are the base's, before those */
	int fd;
	const uint8_t *map;			/* the whole file; NULL: it can't be mapped */
	size_t mapped;
	bool big_endian, cut_off;		/* cut_off: a part could not be read */
	bool signs;				/* it tells whether enums are signed */
	char *held;				/* the names; NULL: they are mapped */
	const char *strings;
	uint32_t strings_size;
	/* where types begin in the file: all other places count from there */
	uint32_t types, types_size;
	uint32_t n_types, n_structs;
	/* where types 1, 1 + STRIDE, 1 + 2 * STRIDE ... begin; type 0 is void */
	uint32_t *marks;
	struct { uint32_t name, at, id; } *structs;
	uint32_t begin, end;			/* what the window shows */
	const uint8_t *window;
	uint8_t buffer[WINDOW];
};

/* The description of a type; `members` is where they begin. */
struct type {
	struct btf *in;				/* whose it is */
	uint32_t name;
	uint32_t kind, vlen, members, target;
	bool bits;				/* members tell bit offsets and sizes */
};

uint32_t btf_get(struct btf *b, uint32_t at);
const char *btf_string(const struct btf *b, uint32_t offset);
/* False: there is no such type, or it can't be read. */
bool btf_at(struct btf *b, uint32_t id, struct type *t);
/* The type at this place of the file itself. */
void btf_read(struct btf *b, uint32_t at, struct type *t);
/* The size of the type's description, in bytes; -1 and why that is not known. */
int32_t btf_description(struct btf *b, uint32_t at, struct error *err);

#endif
