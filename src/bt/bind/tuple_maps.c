// SPDX-License-Identifier: GPL-2.0
/* Tuples and records as values of maps: the row of their innermost parts. */
#include <stdio.h>
#include <string.h>

#include "src/bt/bind/bind.h"
#include "src/bt/show/brackets.h"

int bt_store_tuple(struct binder *b, struct bt_statement *s, const struct node *tuple)
{
	struct bt_shape whole = { .kind = BT_TUPLE };
	struct bt_value list[BT_KEYS];
	struct bt_map *m = s->entry.map;
	struct node **to = &s->entry.row;
	unsigned int n = 0;

	if (bt_flat(b, tuple, list, &n, BT_KEYS))
		return -1;
	for (unsigned int i = 0; i < n; i++) {
		const struct bt_shape *shape = &list[i].shape;

		if (m->n_parts && (n != m->n_parts || shape->before != m->parts[i].before ||
				   shape->behind != m->parts[i].behind))
			return WRONG_AT(b, s->at, "a value of %s has other parts elsewhere",
					m->name);
		if (!bt_shape_join(bt_of(b->t), &m->parts[i], shape))
			return WRONG_AT(b, s->at, "part %u of a value of %s is %s here, and %s "
					"elsewhere", i + 1, m->name, bt_kind_of(shape),
					bt_kind_of(&m->parts[i]));
		*to = new_node(b, NODE_KEY, s->at);
		if (!*to)
			return -1;
		(*to)->a = list[i].node;
		to = &(*to)->b;
		whole.size = (uint16_t)(whole.size + m->parts[i].size);
	}
	m->n_parts = n;
	if (whole.size > BT_TEXT_MOST)
		return WRONG_AT(b, s->at, "the parts of this tuple come to %u bytes, and a value "
				"has %d at most", whole.size, BT_TEXT_MOST);
	return bt_map_gets(b, s, &whole, false);
}

/* The variable that keeps a copy of what the map's entry at this place of the script has. */
static const struct bt_variable *copy_of(struct binder *b, const struct node *read)
{
	struct bt_probe *now = bt_of(b->t)->now;
	const struct bt_map *m = bt_map_of(read);
	const struct bt_shape bytes = { .kind = BT_TEXT, .size = m->value.size };
	char name[BT_NAME];
	const int n = snprintf(name, sizeof(name), "@%u", read->at),
		  i = bt_declare(b, name, (size_t)n, read->at, &bytes);

	return i < 0 ? NULL : &now->variables[i];
}

/* Part number i of the copy. */
static struct node *part_of_copy(struct binder *b, const struct bt_statement *copy,
				 const struct bt_map *m, unsigned int i)
{
	static const struct c_type no_pointer;
	const int at = bt_variable_at(bt_of(b->t)->now, copy->set.variable);
	struct node *n = new_node(b, NODE_SLOT, copy->at);

	if (!n)
		return NULL;
	n->op = (uint8_t)copy->set.variable;
	n->value = (uint64_t)(int64_t)(at + (int)bt_part_offset(m, i));
	bt_type_read(n, &m->parts[i], &no_pointer);
	return n;
}

/* The tuples that are made, from the outermost on; the next part belongs to the innermost. */
struct making {
	struct node *tuples[BT_KEYS], **ends[BT_KEYS];
	unsigned int depth;
	const char *name;		/* of the next part */
};

static int append(struct binder *b, struct making *k, struct node *part)
{
	const char *name = k->name;

	k->name = NULL;
	return bt_append_part(b, &k->ends[k->depth - 1], part, name);
}

/* Begins the tuples, and takes the name, that are before a part. */
static int open_brackets(struct binder *b, struct making *k, size_t at, const char *before)
{
	while (before && *before) {
		const char *name = before;
		struct node *tuple;

		if (!bt_next_bracket(&before)) {
			if (bt_keep_name(bt_of(b->t), &k->name, name, strcspn(name, "="), b->err))
				return -1;
			continue;
		}
		tuple = new_node(b, NODE_CALL, at);
		if (!tuple || (k->depth && append(b, k, tuple)))
			return -1;
		k->tuples[k->depth] = tuple;
		k->ends[k->depth++] = &tuple->b;
	}
	return 0;
}

/* The tuple of the parts, with its brackets. Returns NULL and sets err on failure. */
static struct node *parts_of_copy(struct binder *b, struct bt_statement *copy,
				  const struct bt_map *m)
{
	struct making k = { };

	for (unsigned int i = 0; i < m->n_parts; i++) {
		const char *behind = m->parts[i].behind;
		struct node *part = part_of_copy(b, copy, m, i);

		if (open_brackets(b, &k, copy->at, m->parts[i].before))
			return NULL;
		part = part && !i ? bt_inner_node(b, copy->at, copy, part) : part;
		if (part && !i)
			part->type = part->a->type;
		if (append(b, &k, part))
			return NULL;
		for (; behind && *behind; behind++, k.depth--)
			bt_make_tuple(k.tuples[k.depth - 1], k.tuples[k.depth - 1]->b);
	}
	return k.tuples[0];
}

int bt_read_tuple(struct binder *b, struct node **at)
{
	struct bt_statement *copy = bt_statement(b, BT_SET, (*at)->at);
	const struct bt_variable *v = copy ? copy_of(b, *at) : NULL;
	struct node *tuple;

	if (!v)
		return -1;
	copy->set.value = *at;
	copy->set.variable = (unsigned int)(v - bt_of(b->t)->now->variables);
	tuple = parts_of_copy(b, copy, bt_map_of(*at));
	if (tuple)
		*at = tuple;
	return tuple ? 0 : -1;
}
