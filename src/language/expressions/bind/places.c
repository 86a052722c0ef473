// SPDX-License-Identifier: GPL-2.0
/* Places in memory: members of structs, elements of arrays, targets of pointers. */
#include <string.h>

#include "src/language/expressions/bind/binder.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"

/* A place in memory: so many bits behind an address. */
struct place {
	struct node *base;
	int64_t bits;
	uint32_t width;			/* bits of a bit field; 0: it is none */
	struct c_type type;		/* of the value there */
};

static int find_place(struct binder *b, struct node *n, struct place *to);
static int read_place(struct binder *b, struct node **at, const struct place *p,
		      unsigned int before);

int pointed_type(struct binder *b, const struct node *n, struct c_type *to)
{
	struct error why;

	*to = c_pointed(&n->type);
	if (!to->pointers && types_complete(b->t->types, to, b->s->user_space && !to->kernel,
					       &why))
		return CAUSE(b, n, &why);
	return 0;
}

/* *n */
static int dereferenced(struct binder *b, struct node *n, struct place *to)
{
	char text[100];

	if (bind_node(b, &n->a) || want_number(b, n->a))
		return -1;
	if (b->t->source.language && b->t->source.language->wide && c_number(&n->a->type) &&
	    !n->a->type.pointers && n->a->type.size == 8) {
		to->base = n->a;
		to->type = c_integer(8, false);
		return 0;
	}
	if (!n->a->type.pointers && !n->a->type.row) {
		c_type_text(&n->a->type, b->s->word, text, sizeof(text));
		return WRONG(b, n, "this is no pointer but %s: give its type, as in "
			     "*(u32 *)arg1", text);
	}
	to->base = n->a;
	if (pointed_type(b, n->a, &to->type))
		return -1;
	return to->type.base != C_VOID || to->type.pointers ? 0 :
	       WRONG(b, n, "it points to no number: give its type, as in *(u32 *)arg1");
}

/* n->a is a value: finds the struct that it points to. */
static int struct_at(struct binder *b, struct node *n, struct place *to)
{
	if (want_number(b, n->a))
		return -1;
	if (n->a->type.pointers != 1 || n->a->type.base != C_STRUCT)
		return WRONG(b, n, b->t->source.language ? "this has no type that has members: a "
			     "cast gives one, ((struct NAME *)VALUE)->MEMBER" :
			     "this has no type that has members; a signature gives one: "
			     "%s(struct timespec *ts)", binder_function(b));
	to->base = n->a;
	return pointed_type(b, n->a, &to->type);
}

/* Where a dot is behind a struct or a pointer to one. */
static int dotted(struct binder *b, struct node *n, struct place *to, bool is_place)
{
	const unsigned int before = b->s->needs.n_inputs;

	if (is_place) {
		if (find_place(b, n->a, to))
			return -1;
		if (to->type.base == C_STRUCT && !to->type.pointers && !to->type.n_dims)
			return 0;
		if (read_place(b, &n->a, to, before))
			return -1;
		*to = (struct place){ };
	} else {
		b->wants_struct = true;
		if (bind_node(b, &n->a))
			return -1;
		b->wants_struct = false;
	}
	return struct_at(b, n, to);
}

/* Returns true if members of this name are inputs, whose types they have. */
static bool has_inputs(const struct binder *b, const struct node *n)
{
	return is_name(b, n, "args") || (b->s->event.walked && is_name(b, n, "ctx"));
}

/* Finds the struct of a member. */
static int struct_of(struct binder *b, struct node *n, struct place *to)
{
	const bool is_place = n->a->kind == NODE_MEMBER ||
			      (n->a->kind == NODE_UNARY && n->a->op == '*');

	if (b->t->source.language && b->t->source.language->dots)
		return dotted(b, n, to, is_place && !has_inputs(b, n->a->a));
	if (n->op == '.') {
		if (!is_place || (is_name(b, n->a, "args") && n->a->op == OP_ARROW))
			return WRONG(b, n, "'.' is for members of structs in structs: behind a "
				     "pointer write ->");
		if (find_place(b, n->a, to))
			return -1;
		return to->type.base == C_STRUCT && !to->type.pointers && !to->type.n_dims ? 0 :
		       WRONG(b, n, to->type.pointers ? "this is a pointer: write -> before the "
			     "member" : "this has no members");
	}
	b->wants_struct = true;
	if (bind_node(b, &n->a))
		return -1;
	b->wants_struct = false;
	if (n->a->type.base == C_STRUCT && !n->a->type.pointers && !n->a->type.n_dims)
		return WRONG(b, n, "this is a struct, no pointer: write . before the member");
	return struct_at(b, n, to);
}

/* a->m, a.m */
static int member(struct binder *b, struct node *n, struct place *to)
{
	struct member_place m = { };
	struct error why;
	uint8_t kernel;
	bool user;

	if (struct_of(b, n, to))
		return -1;
	if (types_complete(b->t->types, &to->type,
			   b->s->user_space && !to->type.kernel, &why) ||
	    types_member(b->t->types, &to->type, name_of(b, n), n->length,
			 to->type.kernel ? to->type.kernel : b->s->word, &m, &why))
		return CAUSE(b, n, &why);
	/* Pointers in user space point to user space. */
	user = to->base->type.user;
	kernel = to->base->type.kernel;
	to->bits += m.bits;
	to->width = m.width;
	to->type = m.type;
	to->type.user |= user;
	to->type.kernel |= kernel;
	return 0;
}

static int find_place(struct binder *b, struct node *n, struct place *to)
{
	return n->kind == NODE_MEMBER ? member(b, n, to) : dereferenced(b, n, to);
}

/* The address so many bytes behind the place's base, as a void pointer. */
static struct node *address(struct binder *b, const struct node *at, const struct place *p,
			    int64_t bytes)
{
	const struct c_type type = { .base = C_VOID, .pointers = 1, .user = p->base->type.user,
				     .kernel = p->base->type.kernel };
	struct node *by = number_node(b, at->at, (uint64_t)bytes, c_integer(b->s->word, false)),
		    *sum = binary_node(b, at->at, '+', p->base, by, type);

	if (!sum)
		return NULL;
	sum->length = at->length;
	if (p->base->kind == NODE_NUMBER)	/* offsetof() */
		make_number(sum, p->base->value + (uint64_t)bytes, type);
	return sum;
}

static struct node *shifted(struct binder *b, struct node *n, uint8_t op, unsigned int by)
{
	return binary_node(b, n->at, op, n, number_node(b, n->at, by, c_integer(4, true)), n->type);
}

/*
 * Reads a bit field: loads the smallest number around it that a machine would load, and shifts the
 * field's bits out of it.
 */
static int bit_field(struct binder *b, struct node **at, const struct place *p,
		     unsigned int before)
{
	struct node *n = *at, *raw = new_node(b, NODE_UNARY, n->at), *wide, *where;
	const bool is_signed = p->type.is_signed;
	unsigned int bytes = 1, left;
	int64_t from = 0;
	struct c_type unit;

	for (; bytes <= 8; bytes *= 2) {
		from = p->bits / (8 * bytes) * (8 * bytes);
		if (p->bits + p->width <= from + 8 * bytes)
			break;
	}
	if (bytes > 8) {
		from = p->bits / 8 * 8;
		bytes = 8;
		if (p->bits + p->width > from + 64)
			return WRONG(b, n, "this bit field is in 9 bytes, which can't be read");
	}
	unit = c_integer(bytes, false);
	where = address(b, n, p, from / 8);
	if (!raw || !where || read_memory(b, raw, where, &unit, before))
		return -1;
	left = (unsigned int)(p->bits - from);
	left = b->s->big_endian ? left + 64 - 8 * bytes : 64 - left - p->width;
	if (convert(b, &raw, c_integer(8, false)))
		return -1;
	wide = shifted(b, raw, OP_SHL, left);
	if (!wide || (is_signed && convert(b, &wide, c_integer(8, true))))
		return -1;
	wide = shifted(b, wide, OP_SHR, 64 - p->width);
	if (!wide || convert(b, &wide, p->width < 32 ? c_integer(4, true) :
			     c_integer(p->type.size, is_signed)))
		return -1;
	*at = wide;
	return 0;
}

static int read_place(struct binder *b, struct node **at, const struct place *p,
		      unsigned int before)
{
	struct node *where;

	if (p->width)
		return bit_field(b, at, p, before);
	where = address(b, *at, p, p->bits / 8);
	if (!where)
		return -1;
	if (!c_array(&p->type) && (p->type.pointers || p->type.base != C_STRUCT))
		return read_memory(b, *at, where, &p->type, before);
	where->type = p->type;
	where->type.user |= p->base->type.user;
	where->type.kernel |= p->base->type.kernel;
	*at = where;
	return 0;
}

int bind_place(struct binder *b, struct node **at)
{
	const unsigned int before = b->s->needs.n_inputs;
	const int element = bind_element(b, *at);
	struct place p = { };

	if (element)
		return element < 0 ? -1 : 0;
	return find_place(b, *at, &p) ? -1 : read_place(b, at, &p, before);
}

int bind_address(struct binder *b, struct node **at)
{
	struct node *n = *at, *of = n->a;
	struct place p = { };
	const bool is_place = (of->kind == NODE_MEMBER && !(of->op == OP_ARROW &&
							    has_inputs(b, of->a))) ||
			      (of->kind == NODE_UNARY && of->op == '*');

	if (!is_place)
		return WRONG(b, n, "an address of a value can't be taken, only of "
			     "memory: &POINTER->MEMBER");
	if (find_place(b, of, &p))
		return -1;
	if (p.width)
		return WRONG(b, n, "a bit field has no address");
	*at = address(b, n, &p, p.bits / 8);
	if (!*at)
		return -1;
	(*at)->type = c_array(&p.type) ? c_decayed(&p.type) : c_pointer(&p.type);
	(*at)->type.user = p.base->type.user;
	(*at)->type.kernel = p.base->type.kernel;
	return 0;
}
