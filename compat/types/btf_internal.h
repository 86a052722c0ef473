/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BTF_INTERNAL_H
#define SONDE_BTF_INTERNAL_H

#include <stdbool.h>

#include "compat/types/btf.h"

/* A read of the kernel's file returns at most a page. */
#define WINDOW 4096
/* Types that are found by their names without a look at all types: kinds, bits 1 << BTF_... */
#define BTF_INDEXED (1u << BTF_STRUCT | 1u << BTF_UNION | 1u << BTF_TYPEDEF)
#define BTF_CHAINS 2048
/* The place of every STRIDE-th type is kept; other types are reached from there. */
#define STRIDE 32

/* A type with a name, in the list of those whose hash of the name has the same remainder. */
struct btf_named {
	uint32_t hash, name, kind, at, id;
	uint32_t next;				/* number of the next one, from 1; 0: none */
};

/*
 * The types, two thirds of the file, are read through a window. The names are in memory, because
 * they are needed in any order. Since 6.16 the kernel's file can be mapped instead.
 */
struct btf {
	/* of a module: the kernel's, whose types come first */
	struct btf *base;
	uint32_t first;				/* number of types of `base` */
	int fd;
	int error;			/* errno of a read; 0: none failed */
	const uint8_t *map;			/* the whole file; NULL: it can't be mapped */
	size_t mapped;
	bool big_endian, cut_off;		/* cut_off: a part could not be read */
	bool signs;				/* the file tells whether enums are signed */
	char *held;				/* the names; NULL: they are mapped */
	const char *strings;
	uint32_t strings_size;
	/* where types begin in the file: all other places count from there */
	uint32_t types, types_size;
	uint32_t n_types, n_named;
	/* places of types 1, 1 + STRIDE, 1 + 2 * STRIDE ...; type 0 is void */
	uint32_t *marks;
	/* types of BTF_INDEXED that have names; functions, if they were asked for */
	struct btf_named *named;
	bool functions;
	uint32_t chains[BTF_CHAINS];		/* numbers of the last ones, from 1; 0: none */
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
/* What the walk along the types sees of each. */
struct step {
	uint32_t name, kind, vlen;
	bool flag;
};

/*
 * Reads the type at this place of this file. Returns the place of the next type; 0 if it can't be
 * read, if its kind is unknown, or if it ends behind the file.
 */
uint32_t btf_next(struct btf *b, uint32_t at, struct step *s);
/* Adds functions to the types that are found by name. Returns false if that is impossible. */
bool btf_index_functions(struct btf *b);
/*
 * The next type of BTF_INDEXED in this file that has the name; behind NULL: the last one of the
 * file. The order is from the last to the first. Returns NULL if there are no more.
 */
const struct btf_named *btf_chain(const struct btf *b, const char *name, size_t length,
				  const struct btf_named *behind);

#endif
