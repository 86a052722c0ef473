/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_VALUES_H
#define SONDE_LANG_VALUES_H

#include "src/lang/code.h"

/*
 * Values that a program puts behind each other, into a record or a key: of a text an int64_t with
 * what READ_STRING said, then its bytes; of all else a uint64_t.
 */
struct lang_value {
	bool is_text;
	struct text_node text;
	struct node *node;
	uint16_t offset;		/* of the first byte */
	uint16_t size;			/* of a text; it is shown up to `shown` */
	uint16_t shown;
};

/* Says where they are, from `size` on; returns what all comes to. */
unsigned int values_lay_out(struct lang_value *list, unsigned int n, unsigned int size,
			    unsigned int text_size);
/*
 * Adds the instructions that put value `i` behind `bottom`, an offset of the stack. Where it can't
 * be read it is 0, and a bit of the u32 at `unknown` says so.
 */
void values_add(struct code *c, const struct lang_value *list, unsigned int i, int bottom,
		int unknown);

#endif
