// SPDX-License-Identifier: GPL-2.0
/* Reads declarations, and makes types of them. */
#include <string.h>

#include "src/language/types/header_parse.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"

#define WORDS 6

bool header_one_of(const struct header_reader *r, const char *words)
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

	if (r->depth >= HEADER_DEPTH)
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
	if (header_one_of(r, "mode __mode__ vector_size __vector_size__ ms_struct randomize_layout "
		   "scalar_storage_order __scalar_storage_order__ "))
		return header_wrong(r, "the effect of this attribute on a layout is not known "
				       "here");
	if (header_one_of(r, "packed __packed__ ")) {
		to->packed = true;
		return header_step(r);
	}
	if (header_one_of(r, "aligned __aligned__ ")) {
		if (header_step(r))
			return -1;
		if (header_is(r, '('))
			return alignment(r, &to->align);
		to->align = r->h->machine.c.largest_align;
		return 0;
	}
	if (r->now.kind == TOKEN_NAME && header_step(r))
		return -1;
	return header_is(r, '(') ? header_skip(r) : 0;
}

int header_attributes(struct header_reader *r, struct attributes *to)
{
	for (;;) {
		if (header_one_of(r, "__packed ")) {
			to->packed = true;
			if (header_step(r))
				return -1;
		} else if (header_one_of(r, "__aligned _Alignas ")) {
			if (header_step(r) || alignment(r, &to->align))
				return -1;
		} else if (header_one_of(r, "__attribute__ __attribute ")) {
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
		} else if (header_one_of(r, "__randomize_layout ")) {
			return header_wrong(r, "the layout of such a struct is random");
		} else {
			return 0;
		}
	}
}

int header_head(struct header_reader *r, struct attributes *a, const char **tag, size_t *length)
{
	if (header_step(r) || header_attributes(r, a))
		return -1;
	if (r->now.kind != TOKEN_NAME)
		return 0;
	*tag = header_text(r);
	*length = r->now.length;
	if (*length > 255)
		return header_wrong(r, "this name is too long");
	return header_step(r) || header_attributes(r, a) ? -1 : 0;
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
	       (header_one_of(r, qualifiers) || header_one_of(r, integers) ||
		header_one_of(r, others) ||
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
					 .size = floats ? 4 : n ? m->c.long_double : 8 };
		return 0;
	}
	return c_type_named(words, lengths, n, m->word, type) ? 0 :
	       header_wrong(r, "the words before this are no type of C");
}

/* A struct that was declared without its members may have them now. */
static void complete(const struct header *h, struct c_type *t)
{
	if (t->base == C_STRUCT && !t->source && *t->tag && header_struct(h, t->tag, t))
		t->source = TYPES_HEADER;
}

/* The specifiers of a declaration, as far as they were read. */
struct specifiers {
	const char *words[WORDS];	/* of integers */
	size_t lengths[WORDS];
	unsigned int n, doubles, floats;
	bool known;			/* the type is complete: a struct, an enum, a typedef */
	bool user;
};

static bool is_typed(const struct specifiers *s)
{
	return s->known || s->n || s->doubles || s->floats;
}

/* Reads a struct, union or enum. Its members change was_typedef, which is restored. */
static int specify_tagged(struct header_reader *r, struct specifiers *s, struct c_type *type)
{
	const bool was = r->was_typedef;

	if (header_word(r, "enum") ? header_enum_type(r, type) : header_struct_type(r, type))
		return -1;
	r->was_typedef = was;
	s->known = true;
	return 0;
}

/* The name of a typedef, or of a type that C has without a header. */
static int specify_named(struct header_reader *r, struct specifiers *s, struct c_type *type)
{
	const char *word = header_text(r);
	const size_t length = r->now.length;

	if (!header_typedef(r->h, word, length, type) &&
	    !c_type_named(&word, &length, 1, r->h->machine.word, type))
		return header_wrong(r, "this is no type that is known here");
	complete(r->h, type);
	s->known = true;
	return 0;
}

/* A word of a number's type. Returns 1 for any other token. */
static int specify_number(struct header_reader *r, struct specifiers *s, struct c_type *type)
{
	if (!s->known && header_one_of(r, integers)) {
		if (s->n == WORDS)
			return header_wrong(r, "these are too many words of a type");
		s->words[s->n] = header_text(r);
		s->lengths[s->n++] = r->now.length;
	} else if (!s->known && header_one_of(r, "double ")) {
		s->doubles++;
	} else if (!s->known && header_one_of(r, "float ")) {
		s->floats++;
	} else if (!is_typed(s) && header_one_of(r, "__int128 ")) {
		*type = (struct c_type){ .base = C_OTHER, .size = 16 };
		s->known = true;
	} else {
		return 1;
	}
	return 0;
}

/* One token that is no attribute and no struct. Returns 1 if the specifiers end before it. */
static int specify_word(struct header_reader *r, struct specifiers *s, struct c_type *type)
{
	int result;

	if (header_one_of(r, "typedef ")) {
		r->was_typedef = true;
		return 0;
	}
	if (header_one_of(r, "_Atomic "))
		return header_wrong(r, "_Atomic is not known here");
	if (header_one_of(r, "__user ")) {
		s->user = true;
		return 0;
	}
	if (header_one_of(r, qualifiers) || header_one_of(r, "__signed__ __signed "))
		return 0;
	result = specify_number(r, s, type);
	if (result <= 0)
		return result;
	if (is_typed(s))
		return 1;
	if (r->now.kind == TOKEN_NAME &&
	    (header_typedef(r->h, header_text(r), r->now.length, type) ||
	     c_type_word(header_text(r), r->now.length)))
		return specify_named(r, s, type);
	return header_wrong(r, "this is no type that is known here: a typedef or struct must be "
			    "declared before");
}

int header_specify(struct header_reader *r, struct c_type *type, struct attributes *given)
{
	struct specifiers s = { };
	int result;

	r->was_typedef = false;
	for (;;) {
		if (header_one_of(r, "__packed __aligned _Alignas __attribute__ __attribute "
			   "__randomize_layout ")) {
			if (header_attributes(r, given))
				return -1;
			continue;
		}
		if (!is_typed(&s) && header_one_of(r, "struct union enum ")) {
			if (specify_tagged(r, &s, type))
				return -1;
			continue;
		}
		result = specify_word(r, &s, type);
		if (result < 0)
			return -1;
		if (result)
			break;
		if (header_step(r))
			return -1;
	}
	if (!s.known && words_type(r, s.words, s.lengths, s.n, s.doubles, s.floats, type))
		return -1;
	type->user |= s.user;
	return 0;
}

int header_specifiers(struct header_reader *r, struct c_type *type)
{
	struct attributes none = { };

	return header_specify(r, type, &none);
}

static int stars(struct header_reader *r, struct c_type *type, struct attributes *a)
{
	bool user = type->user;

	while (header_is(r, '*')) {
		*type = c_pointer(type);
		if (header_step(r))
			return -1;
		while (header_one_of(r, qualifiers) || header_one_of(r, "__user ")) {
			user |= header_one_of(r, "__user ");
			if (header_step(r))
				return -1;
		}
		if (header_attributes(r, a))
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

/* "(*name)(...)" becomes a pointer to anything. */
static int in_brackets(struct header_reader *r, struct declarator *d, struct attributes *a)
{
	bool pointer = false;

	if (header_step(r) || header_attributes(r, a))
		return -1;
	while (header_is(r, '*') || header_one_of(r, qualifiers)) {
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
	/* a function that returns a pointer to a function */
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

int header_declarator(struct header_reader *r, const struct c_type *base, struct declarator *d,
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
	return header_attributes(r, a);
}

int header_abstract(struct header_reader *r, struct c_type *type)
{
	struct attributes a = { };
	struct declarator d = { };
	struct c_type base;

	if (header_specify(r, &base, &a) || header_declarator(r, &base, &d, &a))
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

/* Skips the initial value of a variable. */
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

	if (header_one_of(r, "_Static_assert static_assert "))
		return header_step(r) || header_skip(r) ? -1 : header_expect(r, ';');
	if (header_specify(r, &base, &given))
		return -1;
	is_typedef = r->was_typedef;
	if (header_is(r, ';'))
		return header_step(r);
	if (r->script && (r->now.kind == TOKEN_END ||
			  header_one_of(r, "struct union enum typedef ")))
		return 0;
	for (;;) {
		struct attributes a = given;
		struct declarator d = { .at = r->now.at };

		if (header_declarator(r, &base, &d, &a))
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
