// SPDX-License-Identifier: GPL-2.0
#include "src/language/types/shown.h"

#include <inttypes.h>
#include <string.h>

#include "compat/base/escape.h"
#include "src/language/types/types.h"

static uint64_t number_at(const char *bytes, unsigned int size)
{
	uint8_t one;
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	memcpy(&one, bytes, sizeof(one));
	if (size == 1)
		return one;
	memcpy(&two, bytes, sizeof(two));
	if (size == 2)
		return two;
	memcpy(&four, bytes, sizeof(four));
	if (size == 4)
		return four;
	memcpy(&eight, bytes, sizeof(eight));
	return eight;
}

uint64_t c_number_in(const char *bytes, const struct c_type *type, unsigned int word)
{
	return c_convert(number_at(bytes, c_size(type, word)), type, word);
}

/* The bits are counted from the end of a byte that comes first on this kind of machine. */
static uint64_t bit_field(const char *bytes, const struct member_place *m)
{
	const uint16_t one = 1;
	const bool little = *(const uint8_t *)&one;
	const uint64_t sign = m->width < 64 ? 1ULL << (m->width - 1) : 0;
	uint64_t value = 0;

	for (uint32_t i = 0; i < m->width; i++) {
		const uint64_t at = (uint64_t)m->bits + i;
		const uint64_t bit = (uint8_t)bytes[at / 8] >> (little ? at % 8 : 7 - at % 8) & 1;

		value = little ? value | bit << i : value << 1 | bit;
	}
	return m->type.is_signed && value & sign ? value | ~(2 * sign - 1) : value;
}

static void show_number(const struct c_shown *s, const struct c_type *type, uint64_t value)
{
	const bool json = s->way == C_SHOWN_JSON, pointer = type->pointers;
	const char *name = NULL;
	size_t n;

	if (type->base == C_INTEGER && type->id && !pointer && !json)
		name = types_enumerator(s->types, type->source, type->id, value, &n);
	if (name)
		fwrite(name, 1, n, s->to);
	else if (type->is_bool && !pointer)
		fputs(value ? "true" : "false", s->to);
	else
		fprintf(s->to, pointer && !json ? "0x%" PRIx64 : c_signed(type) ? "%" PRId64 :
			"%" PRIu64, value);
}

static void show_array(const struct c_shown *s, const struct c_type *type, const char *bytes)
{
	struct c_type element = *type;
	unsigned int size;

	if (type->is_char && type->n_dims == 1 && !type->pointers) {
		const size_t n = strnlen(bytes, type->dims[0]);

		if (s->way == C_SHOWN_JSON)
			escape_json(s->to, bytes, n);
		else if (s->way == C_SHOWN_ESCAPED)
			escape_text(s->to, bytes, n);
		else
			fwrite(bytes, 1, n, s->to);
		return;
	}
	element.n_dims--;
	memmove(element.dims, element.dims + 1, sizeof(element.dims) - sizeof(element.dims[0]));
	size = c_size(&element, s->word);
	fputc('[', s->to);
	for (uint32_t i = 0; i < type->dims[0]; i++) {
		fputs(i ? "," : "", s->to);
		c_show(s, &element, bytes + i * size);
	}
	fputc(']', s->to);
}

static void show_struct(const struct c_shown *s, const struct c_type *type, const char *bytes)
{
	const bool json = s->way == C_SHOWN_JSON;
	struct member_place m;
	const char *name;
	size_t length;

	fputs(json ? "{" : "{ ", s->to);
	for (unsigned int i = 0; types_member_at(s->types, type, i, &m, &name, &length); i++) {
		fputs(i ? ", " : "", s->to);
		if (length)
			fprintf(s->to, json ? "\"%.*s\": " : ".%.*s = ", (int)length, name);
		if (m.width)
			show_number(s, &m.type, bit_field(bytes, &m));
		else
			c_show(s, &m.type, bytes + m.bits / 8);
	}
	fputs(json ? "}" : " }", s->to);
}

void c_show(const struct c_shown *s, const struct c_type *type, const char *bytes)
{
	if (c_array(type))
		show_array(s, type, bytes);
	else if (c_number(type))
		show_number(s, type, c_number_in(bytes, type, s->word));
	else if (type->base == C_STRUCT)
		show_struct(s, type, bytes);
	else
		fputs(s->way == C_SHOWN_JSON ? "null" : "?", s->to);
}
