/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HEADER_PARSE_H
#define SONDE_HEADER_PARSE_H

#include "src/lang/types/header_internal.h"

/* What the files share that read declarations: types in general, structs, enums. */

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

/* Is the token one of the words, which end with a blank each? */
bool header_one_of(const struct header_reader *r, const char *words);
/* All attributes that are here, in the kernel's words as well. */
int header_attributes(struct header_reader *r, struct attributes *to);
/* What is between the word struct, union or enum and the brace: attributes, and perhaps a tag. */
int header_head(struct header_reader *r, struct attributes *a, const char **tag, size_t *length);
/* A type without what belongs to a name; what is behind that: stars, the name, arrays. */
int header_specify(struct header_reader *r, struct c_type *type, struct attributes *given);
int header_declarator(struct header_reader *r, const struct c_type *base, struct declarator *d,
		      struct attributes *a);
/* The token is the word; it may have its members or numbers here. */
int header_struct_type(struct header_reader *r, struct c_type *type);
int header_enum_type(struct header_reader *r, struct c_type *type);

#endif
