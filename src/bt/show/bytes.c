// SPDX-License-Identifier: GPL-2.0
/* Structs and arrays that are kept as bytes: { .a = 1, .b = [2,3] }. */
#include <inttypes.h>
#include <string.h>

#include "src/bt/show/show_internal.h"
#include "src/lang/types/members.h"
#include "src/lang/types/types.h"
#include "src/lib/output/records.h"

#define WORD 8

struct shown_bytes {
	FILE *to;
	const struct bt *b;
	bool people, json;
};

static void put(const struct shown_bytes *s, const struct c_type *type, const char *bytes);

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

uint64_t bt_number_in(const char *bytes, const struct c_type *type)
{
	return c_convert(number_at(bytes, c_size(type, WORD)), type, WORD);
}

void bt_number_to(char *bytes, uint64_t value, unsigned int size)
{
	const uint8_t one = (uint8_t)value;
	const uint16_t two = (uint16_t)value;
	const uint32_t four = (uint32_t)value;
	const void *const from[] = { [1] = &one, [2] = &two, [4] = &four, [8] = &value };

	memcpy(bytes, from[size], size);
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

static void put_number(const struct shown_bytes *s, const struct c_type *type, uint64_t bits)
{
	const struct bt_shown v = { .bits = bits, .shape = {
		.kind = BT_NUMBER, .is_signed = c_signed(type),
		.is_pointer = type->pointers && !s->json,
		.is_bool = type->is_bool && !type->pointers,
		.enum_id = type->base == C_INTEGER && !s->json ? type->id : 0,
		.enum_source = type->source,
	} };

	bt_put_value(s->to, s->b, &v, s->people);
}

static void put_array(const struct shown_bytes *s, const struct c_type *type, const char *bytes)
{
	struct c_type element = *type;
	unsigned int size;
	struct text t;

	if (type->is_char && type->n_dims == 1 && !type->pointers) {
		t = read_text(bytes, type->dims[0], type->dims[0], type->dims[0]);
		if (s->json)
			escape_json(s->to, t.s, t.length);
		else if (s->people)
			escape_text(s->to, t.s, t.length);
		else
			fwrite(t.s, 1, t.length, s->to);
		return;
	}
	element.n_dims--;
	memmove(element.dims, element.dims + 1, sizeof(element.dims) - sizeof(element.dims[0]));
	size = c_size(&element, WORD);
	fputc('[', s->to);
	for (uint32_t i = 0; i < type->dims[0]; i++) {
		fputs(i ? "," : "", s->to);
		put(s, &element, bytes + i * size);
	}
	fputc(']', s->to);
}

static void put_struct(const struct shown_bytes *s, const struct c_type *type, const char *bytes)
{
	const char *name;
	struct member_place m;
	size_t length;

	fputs(s->json ? "{" : "{ ", s->to);
	for (unsigned int i = 0; types_member_at(s->b->script.types, type, i, &m, &name, &length);
	     i++) {
		fputs(i ? ", " : "", s->to);
		if (length)
			fprintf(s->to, s->json ? "\"%.*s\": " : ".%.*s = ", (int)length, name);
		if (m.width)
			put_number(s, &m.type, bit_field(bytes, &m));
		else
			put(s, &m.type, bytes + m.bits / 8);
	}
	fputs(s->json ? "}" : " }", s->to);
}

static void put(const struct shown_bytes *s, const struct c_type *type, const char *bytes)
{
	if (c_array(type))
		put_array(s, type, bytes);
	else if (c_number(type))
		put_number(s, type, bt_number_in(bytes, type));
	else if (type->base == C_STRUCT)
		put_struct(s, type, bytes);
	else
		fputs(s->json ? "null" : "?", s->to);
}

void bt_put_bytes(FILE *to, const struct bt *b, const struct bt_shown *v, bool people, bool json)
{
	const struct shown_bytes s = { .to = to, .b = b, .people = people, .json = json };

	put(&s, &b->types[v->shape.format], v->text.s);
}
