// SPDX-License-Identifier: GPL-2.0
/* Structs and arrays as a whole: all their bytes, read as numbers. */
#include "src/language/expressions/bind/binder.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"

/* Adds the number of this width at the address of n and `at` to the list of parts. */
static int add_part(struct binder *b, const struct node *n, unsigned int at, unsigned int width,
		    struct node **to)
{
	const struct c_type word = c_integer(b->s->word, false), type = c_integer(width, false);
	struct node *part = new_node(b, NODE_KEY, n->at), *cast = new_node(b, NODE_CAST, n->at),
		    *read = new_node(b, NODE_UNARY, n->at), *base = new_node(b, NODE_CAST, n->at),
		    *by = number_node(b, n->at, at, word), *sum;

	if (!base)
		return fail(b->err, "out of memory");
	base->a = (struct node *)n;
	base->type = word;
	base->faults = n->faults;
	sum = binary_node(b, n->at, '+', base, by, word);
	if (!part || !cast || !read || !sum)
		return fail(b->err, "out of memory");
	cast->a = sum;
	cast->type = type;
	cast->type.pointers = 1;
	cast->type.user = n->type.user;
	cast->type.kernel = n->type.kernel;
	cast->faults = sum->faults;
	if (read_memory(b, read, cast, &type, b->s->needs.n_inputs))
		return -1;
	part->a = read;
	part->value = width;
	*to = part;
	return 0;
}

int bind_parts(struct binder *b, const struct node *n, unsigned int size, struct node **to)
{
	for (unsigned int at = 0; at < size; to = &(*to)->b) {
		const unsigned int width = size - at >= 8 ? 8 : size - at >= 4 ? 4 :
					   size - at >= 2 ? 2 : 1;

		if (add_part(b, n, at, width, to))
			return -1;
		at += width;
	}
	return 0;
}

/* The struct or array that n, bound, is or points to, completed. */
static int whole_type(struct binder *b, const struct node *n, struct c_type *type)
{
	char what[100];
	struct error why;

	*type = n->type;
	if (n->type.pointers && !c_array(&n->type) && pointed_type(b, n, type))
		return -1;
	if (!c_array(type) && (type->base != C_STRUCT || type->pointers)) {
		c_type_text(&n->type, b->s->word, what, sizeof(what));
		return WRONG(b, n, "this is %s, and %%S shows structs and arrays: %%d, %%x and %%s "
			     "show numbers and strings", what);
	}
	if (types_complete(b->t->types, type, b->s->user_space && !type->kernel, &why))
		return CAUSE(b, n, &why);
	if (type->base == C_STRUCT && !type->pointers && !types_has_members(type))
		return WRONG(b, n, "all members of struct %s are not known here: show one by one, "
			     "or declare the struct (-I)", type->tag);
	return 0;
}

int bind_whole(struct tree *t, struct scope *s, struct node *n, unsigned int most,
	       struct whole_node *whole, struct error *err)
{
	struct binder b = { .t = t, .s = s, .err = err };

	if (bind_node(&b, &n) || whole_type(&b, n, &whole->type))
		return -1;
	whole->word = whole->type.kernel ? whole->type.kernel : s->word;
	whole->size = c_size(&whole->type, whole->word);
	if (!whole->size || whole->size > most)
		return WRONG(&b, n, "this has %u bytes, and %%S shows from 1 to %u: take a member",
			     whole->size, most);
	types_stay(t->types);
	return bind_parts(&b, n, whole->size, &whole->parts);
}
