/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HEADER_PARSE_H
#define SONDE_HEADER_PARSE_H

#include "src/language/types/header_internal.h"

/*
 * Shared by the files that parse declarations: types in general, structs, enums. Functions that
 * return int return 0, or -1 with the reader's err set.
 */

#define HEADER_DEPTH 16			/* of structs in structs */

struct attributes {
	bool packed;
	uint32_t align;			/* 0: none */
};

struct declarator {
	const char *name;		/* NULL: none */
	size_t length, at;
	struct c_type type;
	bool is_function;
};

/* Returns true if the token is one of the words; each word ends with a blank. */
bool header_one_of(const struct header_reader *r, const char *words);
/* Reads all attributes, also in the kernel's own spelling. */
int header_attributes(struct header_reader *r, struct attributes *to);
/* Reads what is between the word struct, union or enum and the brace: attributes, maybe a tag. */
int header_head(struct header_reader *r, struct attributes *a, const char **tag, size_t *length);
/* Reads the part of a type before a name; then the rest: stars, the name, arrays. */
int header_specify(struct header_reader *r, struct c_type *type, struct attributes *given);
int header_declarator(struct header_reader *r, const struct c_type *base, struct declarator *d,
		      struct attributes *a);
/* Read a struct, union or enum from that word on, with its members or numbers if they follow. */
int header_struct_type(struct header_reader *r, struct c_type *type);
int header_enum_type(struct header_reader *r, struct c_type *type);

#endif
