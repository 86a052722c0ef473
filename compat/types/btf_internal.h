/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BTF_INTERNAL_H
#define SONDE_BTF_INTERNAL_H

#include <stdbool.h>

#include "compat/types/btf.h"

/* A read of the kernel's file returns at most a page. */
#define WINDOW 4096
/* The place of every STRIDE-th type is kept; other types are reached from there. */
#define STRIDE 32

/*
 * The types, two thirds of the file, are read through a window. The names are in memory, because
 * they are needed in any order. Since 6.16 the kernel's file can be mapped instead.
 */
struct btf {
	/* of a module: the kernel's, whose types come first */
	struct btf *base;
	uint32_t first;				/* number of types of `base` */
	int fd;
	const uint8_t *map;			/* the whole file; NULL: it can't be mapped */
	size_t mapped;
	bool big_endian, cut_off;		/* cut_off: a part could not be read */
	bool signs;				/* the file tells whether enums are signed */
	char *held;				/* the names; NULL: they are mapped */
	const char *strings;
	uint32_t strings_size;
	/* where types begin in the file: all other places count from there */
	uint32_t types, types_size;
	uint32_t n_types, n_structs;
	/* places of types 1, 1 + STRIDE, 1 + 2 * STRIDE ...; type 0 is void */
	uint32_t *marks;
	struct { uint32_t name, at, id; } *structs;
	uint32_t begin, end;			/* places that the window shows */
	const uint8_t *window;
	uint8_t buffer[WINDOW];
};

/* The description of a type; `members` is where they begin. */
struct type {
	struct btf *in;				/* the file that has it */
	uint32_t name;
	uint32_t kind, vlen, members, target;
	bool bits;				/* members have bit offsets and sizes */
};

/* The 32-bit number at a place; the string at an offset. */
uint32_t btf_get(struct btf *b, uint32_t at);
const char *btf_string(const struct btf *b, uint32_t offset);
/* Reads type number `id`. Returns false if there is no such type, or if it can't be read. */
bool btf_at(struct btf *b, uint32_t id, struct type *t);
/* Reads the type at this place of this file. */
void btf_read(struct btf *b, uint32_t at, struct type *t);
/* The size of the type's description in bytes. Returns -1 and sets err if it is unknown. */
int32_t btf_description(struct btf *b, uint32_t at, struct error *err);

#endif
