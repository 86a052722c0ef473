// SPDX-License-Identifier: GPL-2.0
/* Structs and arrays that are kept as bytes. */
#include <string.h>

#include "compat/arch/arch.h"
#include "src/bt/show/show_internal.h"
#include "src/language/types/shown.h"

#define WORD 8

uint64_t bt_number_in(const char *bytes, const struct c_type *type)
{
	return c_number_in(bytes, type, WORD);
}

void bt_number_to(char *bytes, uint64_t value, unsigned int size)
{
	const uint8_t one = (uint8_t)value;
	const uint16_t two = (uint16_t)value;
	const uint32_t four = (uint32_t)value;
	const void *const from[] = { [1] = &one, [2] = &two, [4] = &four, [8] = &value };

	memcpy(bytes, from[size], size);
}

void bt_put_bytes(FILE *to, const struct bt *b, const struct bt_shown *v, bool people, bool json)
{
	const struct c_shown s = {
		.to = to, .types = b->script.types, .word = kernel_arch(b->script.kernel)->word,
		.way = json ? C_SHOWN_JSON : people ? C_SHOWN_ESCAPED : C_SHOWN_RAW,
	};

	c_show(&s, &b->types[v->shape.text.type], v->text.s);
}
