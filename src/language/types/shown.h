/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_TYPES_SHOWN_H
#define SONDE_LANG_TYPES_SHOWN_H

#include <stdio.h>

#include "src/language/types/members.h"

/* How texts in it are written: as they are, with control characters escaped, or all as JSON. */
enum c_shown_way { C_SHOWN_RAW, C_SHOWN_ESCAPED, C_SHOWN_JSON };

/* Structs and arrays as text: { .a = 1, .b = [2,3] }, and as JSON {"a": 1, "b": [2,3]}. */
struct c_shown {
	FILE *to;
	struct types *types;
	unsigned int word;		/* of the machine or program whose memory it was */
	enum c_shown_way way;
};

/* Writes what the bytes have by this type. The members of its structs must be known. */
void c_show(const struct c_shown *s, const struct c_type *type, const char *bytes);
/* The number of this type that the bytes begin with. */
uint64_t c_number_in(const char *bytes, const struct c_type *type, unsigned int word);

#endif
