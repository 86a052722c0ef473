// SPDX-License-Identifier: GPL-2.0
/* Structs and unions: their members, and the places of the members. */
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "src/language/types/header_parse.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"

struct member_decl {
	const char *name;
	uint16_t length;
	struct placed placed;
	struct c_type type;
	size_t at;
	const struct header_file *file;
};

static int add_member(struct header_reader *r, struct member_decl **list, unsigned int *n,
		      const struct declarator *d, int width, const struct attributes *a)
{
	struct member_decl *m;

	if (*n == UINT16_MAX)
		return header_wrong(r, "a struct has too many members");
	if (array_room(list, *n, sizeof(**list)))
		return fail(r->err, "out of memory");
	m = &(*list)[(*n)++];
	*m = (struct member_decl){
		.name = d->name, .length = (uint16_t)d->length, .type = d->type, .at = d->at,
		.file = r->file,
		.placed = { .width = width, .named = d->name, .packed = a->packed,
			    .align = a->align },
	};
	return 0;
}

static int width_of(struct header_reader *r, const struct declarator *d, int *width)
{
	struct c_type type;
	uint64_t value;

	if (header_step(r) || header_constant(r, &value, &type))
		return -1;
	if (!c_number(&d->type) || d->type.pointers || c_array(&d->type))
		return header_wrong(r, "only integers are bit fields");
	if (value > (d->type.is_bool ? 1 : 8U * d->type.size) || (!value && d->name))
		return header_wrong(r, "a bit field of that type can't have so many bits");
	*width = (int)value;
	return 0;
}

/* One declaration in a struct, with its ';'. */
static int member(struct header_reader *r, struct member_decl **list, unsigned int *n)
{
	const uint32_t before = r->h->n_aggregates;
	struct attributes given = { };
	struct c_type base;

	if (header_is(r, ';'))
		return header_step(r);
	if (header_one_of(r, "_Static_assert static_assert "))
		return header_step(r) || header_skip(r) ? -1 : header_expect(r, ';');
	if (header_specify(r, &base, &given))
		return -1;
	if (header_is(r, ';')) {
		struct declarator none = { .type = base, .at = r->now.at };

		if (base.base == C_STRUCT && *base.tag)
			return header_wrong(r, "this struct has a tag but no name, which compilers "
					    "take in two ways: leave out one or give both");
		if (base.base == C_STRUCT && base.id <= before)
			return header_wrong(r, "a member of this type has no name, which compilers "
					    "take in two ways: give it one");
		if (base.base == C_STRUCT && add_member(r, list, n, &none, -1, &given))
			return -1;
		return header_step(r);
	}
	for (;;) {
		struct attributes a = given;
		struct declarator d = { .at = r->now.at };
		int width = -1;

		if (header_declarator(r, &base, &d, &a) ||
		    (header_is(r, ':') && width_of(r, &d, &width)) || header_attributes(r, &a))
			return -1;
		if (!d.name && width < 0)
			return header_wrong(r, "the name of a member belongs here");
		if (d.is_function)
			return header_wrong(r, "a function is no member");
		if (add_member(r, list, n, &d, width, &a))
			return -1;
		/* In a script the last member may have no semicolon. */
		if (r->script && header_is(r, '}'))
			return 0;
		if (!header_is(r, ','))
			return header_expect(r, ';');
		if (header_step(r))
			return -1;
	}
}

/* Returns true if the type is a struct, no pointer to it, that the declarations name only. */
static bool is_outside(const struct c_type *t)
{
	return t->base == C_STRUCT && !t->pointers && !t->row && !t->source && *t->tag;
}

/* Places the members of struct number `id`. */
static int lay_out(struct header_reader *r, uint32_t id, struct member_decl *list,
		   unsigned int n, const struct attributes *given)
{
	struct aggregate *a = &r->h->aggregates[id - 1];
	struct placement l = { .is_union = a->is_union, .packed = given->packed,
			    .align = given->align, .most = r->pack };

	a->fields = calloc(n + 1, sizeof(*a->fields));
	if (!a->fields)
		return fail(r->err, "out of memory");
	for (unsigned int i = 0; i < n; i++) {
		struct member_decl *m = &list[i];
		struct placed placed = m->placed;
		struct field_of *to = &a->fields[a->n];

		if (is_outside(&m->type) && r->h->outside)
			r->h->outside(r->h->arg, &m->type);
		placed.type = &m->type;
		to->place.bits = placement_add(&l, &r->h->machine, &placed);
		if (to->place.bits < 0)
			return source_error(&m->file->source, m->at, r->err,
					    type_size(&m->type, &r->h->machine) < 0 ?
					    "the size of this is not known here: its type must be "
					    "declared before" : "the struct is too large");
		if (!m->name && placed.width >= 0)
			continue;
		to->name = m->name;
		to->length = m->length;
		to->place.width = placed.width < 0 ? 0 : (uint32_t)placed.width;
		to->place.type = m->type;
		a->n++;
	}
	a->bytes = placement_size(&l);
	a->align = l.align ? l.align : 1;
	a->complete = true;
	return 0;
}

static int body(struct header_reader *r, uint32_t id, struct attributes *given)
{
	struct member_decl *list = NULL;
	unsigned int n = 0;
	int result = 0;

	if (r->depth >= HEADER_DEPTH)
		return header_wrong(r, "structs are nested too deeply");
	r->depth++;
	result = header_step(r);
	while (!result && !header_is(r, '}'))
		result = r->now.kind == TOKEN_END ? header_wrong(r, "a struct does not end") :
			 member(r, &list, &n);
	r->depth--;
	if (!result)
		result = header_step(r) || header_attributes(r, given) ||
			 lay_out(r, id, list, n, given) ? -1 : 0;
	free(list);
	return result;
}

/* The number of a struct by its tag, or a new number. Returns 0 and sets err on failure. */
static uint32_t aggregate_of(struct header_reader *r, const char *tag, size_t length,
			     bool is_union)
{
	struct header *h = r->h;
	struct symbol *s = tag ? header_symbol(h, SPACE_TAG, tag, length) : NULL;

	if (s && (!s->id || h->aggregates[s->id - 1].is_union != is_union))
		return header_wrong(r, "this tag is that of something else"), 0;
	if (s)
		return s->id;
	if (array_room(&h->aggregates, h->n_aggregates, sizeof(*h->aggregates)))
		return fail(r->err, "out of memory"), 0;
	h->aggregates[h->n_aggregates++] = (struct aggregate){ .is_union = is_union };
	if (!tag)
		return h->n_aggregates;
	s = header_name(h, SPACE_TAG, tag, length);
	if (!s)
		return fail(r->err, "out of memory"), 0;
	s->id = h->n_aggregates;
	s->type.base = C_STRUCT;
	return s->id;
}

int header_struct_type(struct header_reader *r, struct c_type *type)
{
	const bool is_union = header_word(r, "union");
	struct attributes a = { };
	const char *tag = NULL;
	size_t length = 0;
	uint32_t id;

	if (header_head(r, &a, &tag, &length))
		return -1;
	if (!tag && !header_is(r, '{'))
		return header_wrong(r, "a tag or members belong here");
	id = aggregate_of(r, tag, length, is_union);
	if (!id)
		return -1;
	*type = (struct c_type){ .base = C_STRUCT, .is_union = is_union, .id = id };
	if (tag && length < sizeof(type->tag))
		memcpy(type->tag, tag, length);
	if (header_is(r, '{')) {
		if (r->h->aggregates[id - 1].complete || r->h->aggregates[id - 1].busy)
			return header_wrong(r, "struct %.60s has its members already", type->tag);
		r->h->aggregates[id - 1].busy = true;
		if (body(r, id, &a))
			return -1;
	}
	if (!r->h->aggregates[id - 1].complete)
		return 0;
	type->source = TYPES_HEADER;
	type->bytes = r->h->aggregates[id - 1].bytes;
	type->align = r->h->aggregates[id - 1].align;
	return 0;
}
