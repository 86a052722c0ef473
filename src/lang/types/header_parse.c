// SPDX-License-Identifier: GPL-2.0
/* Declarations: what types they make. */
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "src/lang/types/header_internal.h"
#include "src/lang/types/types.h"
#include "src/lang/types/members.h"

#define DEPTH 16			/* of structs in structs */
#define WORDS 6

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

struct member_decl {
	const char *name;
	uint16_t length;
	struct placed placed;
	struct c_type type;
	size_t at;
	const struct header_file *file;
};

static int specifiers(struct header_reader *r, struct c_type *type, struct attributes *given);

/* Is it one of the words, which end with a blank each? */
static bool one_of(const struct header_reader *r, const char *words)
{
	for (const char *w = words; *w; w += strcspn(w, " ") + 1) {
		size_t n = strcspn(w, " ");

		if (r->now.kind == TOKEN_NAME && r->now.length == n &&
		    !memcmp(w, header_text(r), n))
			return true;
	}
	return false;
}

/* ---- attributes ---- */

static int alignment(struct header_reader *r, uint32_t *align)
{
	uint64_t value;
	struct c_type type;

	if (r->depth >= DEPTH)
		return header_wrong(r, "alignments are nested too deeply");
	if (header_expect(r, '('))
		return -1;
	if (header_begins_type(r)) {
		r->depth++;
		if (header_abstract(r, &type))
			return -1;
		r->depth--;
		value = type_align(&type, &r->h->machine);
	} else if (header_constant(r, &value, &type)) {
		return -1;
	}
	if (!value || value > 65536 || value & (value - 1))
		return header_wrong(r, "an alignment is a power of two");
	if (*align && *align != value)
		return header_wrong(r, "compilers take different alignments of one thing in "
				    "different ways: write one");
	*align = (uint32_t)value;
	return header_expect(r, ')');
}

/* One of __attribute__((...)). */
static int attribute(struct header_reader *r, struct attributes *to)
{
	if (one_of(r, "mode __mode__ vector_size __vector_size__ ms_struct randomize_layout "
		   "scalar_storage_order __scalar_storage_order__ "))
		return header_wrong(r, "what this attribute does to a layout is not known here");
	if (one_of(r, "packed __packed__ ")) {
		to->packed = true;
		return header_step(r);
	}
	if (one_of(r, "aligned __aligned__ ")) {
		if (header_step(r))
			return -1;
		if (header_is(r, '('))
			return alignment(r, &to->align);
		to->align = r->h->machine.largest_align;
		return 0;
	}
	if (r->now.kind == TOKEN_NAME && header_step(r))
		return -1;
	return header_is(r, '(') ? header_skip(r) : 0;
}

/* All attributes that are here, in the kernel's words as well. */
static int attributes(struct header_reader *r, struct attributes *to)
{
	for (;;) {
		if (one_of(r, "__packed ")) {
			to->packed = true;
			if (header_step(r))
				return -1;
		} else if (one_of(r, "__aligned _Alignas ")) {
			if (header_step(r) || alignment(r, &to->align))
				return -1;
		} else if (one_of(r, "__attribute__ __attribute ")) {
			if (header_step(r) || header_expect(r, '(') || header_expect(r, '('))
				return -1;
			while (!header_is(r, ')')) {
				if (r->now.kind == TOKEN_END ||
				    (r->now.kind != TOKEN_NAME && !header_is(r, ',')))
					return header_wrong(r, "an attribute belongs here");
				if (header_is(r, ',') ? header_step(r) : attribute(r, to))
					return -1;
			}
			if (header_step(r) || header_expect(r, ')'))
				return -1;
		} else if (one_of(r, "__randomize_layout ")) {
			return header_wrong(r, "the layout of such a struct is random");
		} else {
			return 0;
		}
	}
}

/* ---- structs ---- */

/* A struct that was declared without its members may have them now. */
static void complete(const struct header *h, struct c_type *t)
{
	if (t->base == C_STRUCT && !t->source && *t->tag && header_struct(h, t->tag, t))
		t->source = TYPES_HEADER;
}

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

static int declarator(struct header_reader *r, const struct c_type *base, struct declarator *d,
		      struct attributes *a);

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
	if (one_of(r, "_Static_assert static_assert "))
		return header_step(r) || header_skip(r) ? -1 : header_expect(r, ';');
	if (specifiers(r, &base, &given))
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

		if (declarator(r, &base, &d, &a) ||
		    (header_is(r, ':') && width_of(r, &d, &width)) || attributes(r, &a))
			return -1;
		if (!d.name && width < 0)
			return header_wrong(r, "the name of a member belongs here");
		if (d.is_function)
			return header_wrong(r, "a function is no member");
		if (add_member(r, list, n, &d, width, &a))
			return -1;
		if (!header_is(r, ','))
			return header_expect(r, ';');
		if (header_step(r))
			return -1;
	}
}

/* Where the members of struct number `id` are. */
static int lay_out(struct header_reader *r, uint32_t id, const struct member_decl *list,
		   unsigned int n, const struct attributes *given)
{
	struct aggregate *a = &r->h->aggregates[id - 1];
	struct placement l = { .is_union = a->is_union, .packed = given->packed,
			    .align = given->align };

	a->fields = calloc(n + 1, sizeof(*a->fields));
	if (!a->fields)
		return fail(r->err, "out of memory");
	for (unsigned int i = 0; i < n; i++) {
		const struct member_decl *m = &list[i];
		struct placed placed = m->placed;
		struct field_of *to = &a->fields[a->n];

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

	if (r->depth >= DEPTH)
		return header_wrong(r, "structs are nested too deeply");
	r->depth++;
	result = header_step(r);
	while (!result && !header_is(r, '}'))
		result = r->now.kind == TOKEN_END ? header_wrong(r, "a struct does not end") :
			 member(r, &list, &n);
	r->depth--;
	if (!result)
		result = header_step(r) || attributes(r, given) || lay_out(r, id, list, n, given) ?
			 -1 : 0;
	free(list);
	return result;
}

/* The number of a struct by its tag, or a new one. 0 and err. */
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

/* What is between the word struct, union or enum and the brace: attributes, and perhaps a tag. */
static int head_of(struct header_reader *r, struct attributes *a, const char **tag, size_t *length)
{
	if (header_step(r) || attributes(r, a))
		return -1;
	if (r->now.kind != TOKEN_NAME)
		return 0;
	*tag = header_text(r);
	*length = r->now.length;
	if (*length > 255)
		return header_wrong(r, "this name is too long");
	return header_step(r) || attributes(r, a) ? -1 : 0;
}

static int struct_type(struct header_reader *r, struct c_type *type)
{
	const bool is_union = header_word(r, "union");
	struct attributes a = { };
	const char *tag = NULL;
	size_t length = 0;
	uint32_t id;

	if (head_of(r, &a, &tag, &length))
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

/* ---- enums ---- */

static int enumerators(struct header_reader *r, bool *negative, uint64_t *most, uint64_t *least)
{
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
		if (!header_is(r, ','))
			break;
		if (header_step(r))
			return -1;
	}
	return header_expect(r, '}');
}

static int enum_type(struct header_reader *r, struct c_type *type)
{
	struct attributes a = { };
	uint64_t most = 0, least = 0;
	const char *tag = NULL;
	size_t length = 0;
	bool negative = false, fixed = false;
	struct symbol *s;
	unsigned int size = 4;

	if (head_of(r, &a, &tag, &length))
		return -1;
	s = tag ? header_symbol(r->h, SPACE_TAG, tag, length) : NULL;
	if (s && s->id)
		return header_wrong(r, "this tag is that of something else");
	if (header_is(r, ':') && !r->depth) {
		/* No enum's type is that of another, which says its own. */
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
	if (header_step(r) || enumerators(r, &negative, &most, &least) || attributes(r, &a))
		return -1;
	if (a.packed)
		size = 1;
	while (size < 8 && (most > (UINT64_MAX >> (64 - 8 * size)) >> negative ||
			    (int64_t)least < -(1LL << (8 * size - 1))))
		size *= 2;
	if (!fixed)
		*type = c_integer(size, negative);
	if (!tag)
		return 0;
	s = header_name(r->h, SPACE_TAG, tag, length);
	if (!s)
		return fail(r->err, "out of memory");
	s->type = *type;
	return 0;
}

/* ---- types ---- */

static const char qualifiers[] = "const volatile restrict __const __const__ __volatile__ "
	"__restrict __restrict__ extern static inline __inline __inline__ register _Noreturn "
	"__extension__ __rcu __iomem __percpu __force __bitwise __kernel __must_check "
	"__maybe_unused asmlinkage __always_inline __private ";
static const char integers[] = "signed unsigned char short int long void bool _Bool ";
static const char others[] = "struct union enum float double __int128 __signed__ __signed "
	"__user typedef __packed __aligned _Alignas __attribute__ __attribute "
	"__randomize_layout ";

bool header_begins_type(const struct header_reader *r)
{
	struct c_type type;

	return r->now.kind == TOKEN_NAME &&
	       (one_of(r, qualifiers) || one_of(r, integers) || one_of(r, others) ||
		header_typedef(r->h, header_text(r), r->now.length, &type) ||
		c_type_word(header_text(r), r->now.length));
}

/* The type of words that were collected; n: how many. */
static int words_type(struct header_reader *r, const char *const *words, const size_t *lengths,
		      unsigned int n, unsigned int doubles, unsigned int floats,
		      struct c_type *type)
{
	const struct machine *m = &r->h->machine;

	if (floats || doubles) {
		if (n > doubles || floats + doubles > 1)
			return header_wrong(r, "these words are no type");
		*type = (struct c_type){ .base = C_OTHER, .is_signed = n,
					 .size = floats ? 4 : n ? m->long_double : 8 };
		return 0;
	}
	return c_type_named(words, lengths, n, m->word, type) ? 0 :
	       header_wrong(r, "the words before this are no type of C");
}

static int specifiers(struct header_reader *r, struct c_type *type, struct attributes *given)
{
	const char *words[WORDS];
	size_t lengths[WORDS];
	unsigned int n = 0, doubles = 0, floats = 0;
	bool known = false, user = false;

	r->was_typedef = false;
	for (;;) {
		const bool typed = known || n || doubles || floats;

		if (one_of(r, "__packed __aligned _Alignas __attribute__ __attribute "
			   "__randomize_layout ")) {
			if (attributes(r, given))
				return -1;
			continue;
		}
		if (one_of(r, "typedef ")) {
			r->was_typedef = true;
		} else if (one_of(r, "_Atomic ")) {
			return header_wrong(r, "_Atomic is not known here");
		} else if (one_of(r, "__user ")) {
			user = true;
		} else if (one_of(r, qualifiers) || one_of(r, "__signed__ __signed ")) {
			;
		} else if (!typed && one_of(r, "struct union enum ")) {
			const bool was = r->was_typedef;

			if (header_word(r, "enum") ? enum_type(r, type) : struct_type(r, type))
				return -1;
			r->was_typedef = was;
			known = true;
			continue;
		} else if (!known && one_of(r, integers)) {
			if (n == WORDS)
				return header_wrong(r, "these are too many words of a type");
			words[n] = header_text(r);
			lengths[n++] = r->now.length;
		} else if (!known && one_of(r, "double ")) {
			doubles++;
		} else if (!known && one_of(r, "float ")) {
			floats++;
		} else if (!typed && one_of(r, "__int128 ")) {
			*type = (struct c_type){ .base = C_OTHER, .size = 16 };
			known = true;
		} else if (!typed && r->now.kind == TOKEN_NAME &&
			   (header_typedef(r->h, header_text(r), r->now.length, type) ||
			    c_type_word(header_text(r), r->now.length))) {
			words[0] = header_text(r);
			lengths[0] = r->now.length;
			if (!header_typedef(r->h, words[0], lengths[0], type) &&
			    !c_type_named(words, lengths, 1, r->h->machine.word, type))
				return header_wrong(r, "this is no type that is known here");
			complete(r->h, type);
			known = true;
		} else if (!typed) {
			return header_wrong(r, "this is no type that is known here: a typedef or "
					    "struct must be declared before");
		} else {
			break;
		}
		if (header_step(r))
			return -1;
	}
	if (!known && words_type(r, words, lengths, n, doubles, floats, type))
		return -1;
	type->user |= user;
	return 0;
}

int header_specifiers(struct header_reader *r, struct c_type *type)
{
	struct attributes none = { };

	return specifiers(r, type, &none);
}

static int stars(struct header_reader *r, struct c_type *type, struct attributes *a)
{
	bool user = type->user;

	while (header_is(r, '*')) {
		*type = c_pointer(type);
		if (header_step(r))
			return -1;
		while (one_of(r, qualifiers) || one_of(r, "__user ")) {
			user |= one_of(r, "__user ");
			if (header_step(r))
				return -1;
		}
		if (attributes(r, a))
			return -1;
	}
	type->user = user;
	return 0;
}

/* "[4][2]" of a type, which may be an array already. */
static int arrays(struct header_reader *r, struct c_type *type)
{
	uint32_t dims[DIMENSIONS];
	unsigned int n = 0;

	while (header_is(r, '[')) {
		uint64_t value = 0;
		struct c_type of;

		if (n + type->n_dims == DIMENSIONS)
			return header_wrong(r, "an array has %d dimensions at most", DIMENSIONS);
		if (header_step(r) ||
		    (!header_is(r, ']') && header_constant(r, &value, &of)))
			return -1;
		if (value > STRUCT_MOST)
			return header_wrong(r, "this array is too large");
		dims[n++] = (uint32_t)value;
		if (header_expect(r, ']'))
			return -1;
	}
	memmove(type->dims + n, type->dims, type->n_dims * sizeof(type->dims[0]));
	memcpy(type->dims, dims, n * sizeof(dims[0]));
	type->n_dims = (uint8_t)(type->n_dims + n);
	return 0;
}

static const struct c_type pointer_to_any = { .base = C_VOID, .pointers = 1 };

/* "(*name)(...)": what it points to is not told. */
static int in_brackets(struct header_reader *r, struct declarator *d, struct attributes *a)
{
	bool pointer = false;

	if (header_step(r) || attributes(r, a))
		return -1;
	while (header_is(r, '*') || one_of(r, qualifiers)) {
		pointer |= header_is(r, '*');
		if (header_step(r))
			return -1;
	}
	if (r->now.kind == TOKEN_NAME) {
		d->name = header_text(r);
		d->length = r->now.length;
		d->at = r->now.at;
		if (header_step(r))
			return -1;
	}
	if (pointer)
		d->type = pointer_to_any;
	if (arrays(r, &d->type))
		return -1;
	/* A function that returns a pointer to one. */
	if (header_is(r, '(') && header_skip(r))
		return -1;
	if (header_expect(r, ')'))
		return -1;
	if (!pointer)
		return 0;
	while (header_is(r, '[') || header_is(r, '('))
		if (header_skip(r))
			return -1;
	return 0;
}

static int declarator(struct header_reader *r, const struct c_type *base, struct declarator *d,
		      struct attributes *a)
{
	d->type = *base;
	if (stars(r, &d->type, a))
		return -1;
	if (header_is(r, '(')) {
		if (in_brackets(r, d, a))
			return -1;
	} else if (r->now.kind == TOKEN_NAME) {
		d->name = header_text(r);
		d->length = r->now.length;
		d->at = r->now.at;
		if (d->length > 255)
			return header_wrong(r, "this name is too long");
		if (header_step(r))
			return -1;
	}
	if (header_is(r, '[') && arrays(r, &d->type))
		return -1;
	if (header_is(r, '(')) {
		d->is_function = true;
		if (header_skip(r))
			return -1;
	}
	return attributes(r, a);
}

int header_abstract(struct header_reader *r, struct c_type *type)
{
	struct attributes a = { };
	struct declarator d = { };
	struct c_type base;

	if (specifiers(r, &base, &a) || declarator(r, &base, &d, &a))
		return -1;
	if (d.name || d.is_function || r->was_typedef)
		return header_wrong(r, "a type ends before this");
	*type = d.type;
	return 0;
}

/* ---- declarations ---- */

static int add_typedef(struct header_reader *r, const struct declarator *d,
		       const struct attributes *a)
{
	struct symbol *s = header_symbol(r->h, SPACE_TYPEDEF, d->name, d->length);
	struct c_type type = d->is_function ? (struct c_type){ .base = C_VOID } : d->type;

	if (a->align)
		type.align = a->align;
	if (s && type_size(&s->type, &r->h->machine) != type_size(&type, &r->h->machine))
		return header_wrong(r, "%.*s is a type of another size already",
				    (int)(d->length < 60 ? d->length : 60), d->name);
	if (!s)
		s = header_name(r->h, SPACE_TYPEDEF, d->name, d->length);
	if (!s)
		return fail(r->err, "out of memory");
	s->type = type;
	return 0;
}

/* A value that a variable begins with. */
static int skip_value(struct header_reader *r)
{
	while (!header_is(r, ',') && !header_is(r, ';')) {
		bool bracket = header_is(r, '(') || header_is(r, '{') || header_is(r, '[');

		if (r->now.kind == TOKEN_END)
			return header_wrong(r, "a declaration does not end");
		if (bracket ? header_skip(r) : header_step(r))
			return -1;
	}
	return 0;
}

static int declaration(struct header_reader *r)
{
	struct attributes given = { };
	struct c_type base;
	bool is_typedef;

	if (one_of(r, "_Static_assert static_assert "))
		return header_step(r) || header_skip(r) ? -1 : header_expect(r, ';');
	if (specifiers(r, &base, &given))
		return -1;
	is_typedef = r->was_typedef;
	if (header_is(r, ';'))
		return header_step(r);
	for (;;) {
		struct attributes a = given;
		struct declarator d = { .at = r->now.at };

		if (declarator(r, &base, &d, &a))
			return -1;
		if (!d.name)
			return header_wrong(r, "a name belongs here");
		if (is_typedef && add_typedef(r, &d, &a))
			return -1;
		if (header_is(r, '{') && d.is_function)
			return header_skip(r);
		if (header_is(r, '=') && skip_value(r))
			return -1;
		if (!header_is(r, ','))
			return header_expect(r, ';');
		if (header_step(r))
			return -1;
	}
}

int header_declarations(struct header_reader *r)
{
	while (r->now.kind != TOKEN_END)
		if (header_is(r, ';') ? header_step(r) : declaration(r))
			return -1;
	return 0;
}
