// SPDX-License-Identifier: GPL-2.0
/* Enums: their numbers, and the type that holds all of them. */
#include "src/language/types/header_parse.h"
#include "src/language/types/types.h"

static int enumerators(struct header_reader *r, bool *negative, uint64_t *most, uint64_t *least)
{
	const uint32_t id = ++r->h->n_enums;
	uint64_t value = 0;
	struct c_type type = c_integer(4, true);

	while (!header_is(r, '}')) {
		struct symbol *s;
		const char *name = header_text(r);
		const size_t length = r->now.length;

		if (r->now.kind != TOKEN_NAME || length > 255)
			return header_wrong(r, "the name of a number belongs here");
		if (header_step(r))
			return -1;
		if (header_is(r, '=') && (header_step(r) || header_constant(r, &value, &type)))
			return -1;
		if (c_signed(&type) && (int64_t)value < 0) {
			*negative = true;
			*least = (int64_t)value < (int64_t)*least ? value : *least;
		} else if (value > *most) {
			*most = value;
		}
		type = c_literal(value, false, false, 0, 8);
		if (*negative && (int64_t)value < 0)
			type = c_integer((int64_t)value < INT32_MIN ? 8 : 4, true);
		s = header_name(r->h, SPACE_NUMBER, name, length);
		if (!s)
			return fail(r->err, "out of memory");
		s->value = value++;
		s->type = type;
		s->type.id = id;
		if (!header_is(r, ','))
			break;
		if (header_step(r))
			return -1;
	}
	return header_expect(r, '}');
}

int header_enum_type(struct header_reader *r, struct c_type *type)
{
	struct attributes a = { };
	uint64_t most = 0, least = 0;
	const char *tag = NULL;
	size_t length = 0;
	bool negative = false, fixed = false;
	struct symbol *s;
	unsigned int size = 4;

	if (header_head(r, &a, &tag, &length))
		return -1;
	s = tag ? header_symbol(r->h, SPACE_TAG, tag, length) : NULL;
	if (s && s->id)
		return header_wrong(r, "this tag is that of something else");
	if (header_is(r, ':') && !r->depth) {
		/* The type of an enum can't be an enum that again names its type. */
		r->depth++;
		if (header_step(r) || header_specifiers(r, type))
			return -1;
		r->depth--;
		fixed = true;
	}
	if (!header_is(r, '{')) {
		if (s)
			*type = s->type;
		else if (!header_is(r, ';') && !header_is(r, '*'))
			return header_wrong(r, "the enum's numbers are not known here: declare it "
					    "before");
		else
			*type = c_integer(4, false);
		return 0;
	}
	if (header_step(r) || enumerators(r, &negative, &most, &least) || header_attributes(r, &a))
		return -1;
	if (a.packed)
		size = 1;
	while (size < 8 && (most > (UINT64_MAX >> (64 - 8 * size)) >> negative ||
			    (int64_t)least < -(1LL << (8 * size - 1))))
		size *= 2;
	if (!fixed)
		*type = c_integer(size, negative);
	type->id = r->h->n_enums;
	if (!tag)
		return 0;
	s = header_name(r->h, SPACE_TAG, tag, length);
	if (!s)
		return fail(r->err, "out of memory");
	s->type = *type;
	return 0;
}

bool header_enum(const struct header *h, const char *tag, size_t length, struct c_type *type)
{
	const struct symbol *s = header_symbol(h, SPACE_TAG, tag, length);

	if (!s || s->id)
		return false;
	*type = s->type;
	return true;
}

const char *header_enumerator(const struct header *h, uint32_t id, uint64_t value, size_t *length)
{
	for (uint32_t i = 0; i < h->n_symbols; i++) {
		const struct symbol *s = &h->symbols[i];

		if (s->space != SPACE_NUMBER || s->type.id != id || s->value != value)
			continue;
		*length = s->length;
		return s->name;
	}
	return NULL;
}
