/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_VALUES_H
#define SONDE_LANG_VALUES_H

#include "src/language/expressions/code.h"

/*
 * Values that a program writes behind each other, into a record or a key. A text is an int64_t with
 * the result of READ_STRING, then its bytes; a struct or an array is its bytes, up to a multiple of
 * 8; any other value is a uint64_t.
 */
struct lang_value {
	bool is_text, is_whole;
	struct text_node text;
	struct whole_node whole;
	struct node *node;
	uint16_t offset;		/* of the first byte */
	uint16_t size;			/* of a text: bytes read; of a struct or an array: all */
	uint16_t shown;			/* of a text: bytes shown */
};

/* Sets the offsets, from `size` on. Returns the size with all values. */
unsigned int values_lay_out(struct lang_value *list, unsigned int n, unsigned int size,
			    unsigned int text_size);
/*
 * Adds the instructions that write value `i` to `bottom` + its offset on the stack. If it can't be
 * read it becomes 0, and its bit is set in the u32 at `unknown`.
 */
void values_add(struct code *c, const struct lang_value *list, unsigned int i, int bottom,
		int unknown);

#endif
