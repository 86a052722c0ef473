// SPDX-License-Identifier: GPL-2.0
/* Tuples and records in variables: $t is a variable for each part, $t.0 or $t.NAME. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/bt/bind/bind.h"
#include "src/bt/show/brackets.h"

/* Returns true if the variable is a part of NAME, of n letters. */
static bool is_part(const struct bt_variable *v, const char *name, size_t n)
{
	return !strncmp(v->name, name, n) && v->name[n] == '.';
}

/* The variable of this name, or one of its parts. NULL: there is none. */
static const struct bt_variable *part_named(const struct bt_probe *p, const char *name)
{
	const struct bt_variable *found = NULL;
	const size_t n = strlen(name);

	for (unsigned int k = 0; k < p->n_variables; k++) {
		const struct bt_variable *v = &p->variables[k];

		if (v->assigned && (!strcmp(v->name, name) || is_part(v, name, n)) &&
		    bt_nearness(p, v) > (found ? bt_nearness(p, found) : -1))
			found = v;
	}
	return found;
}

/* The length of the part's number or name, which ends before the parts of its own. */
static size_t part_length(const char *part)
{
	return strcspn(part, ".");
}

static bool is_listed(const char *const *list, unsigned int n, const char *part)
{
	while (n && (part_length(list[n - 1]) != part_length(part) ||
		     memcmp(list[n - 1], part, part_length(part))))
		n--;
	return n;
}

/*
 * The numbers or names of the parts that NAME has, each with what is behind it, in their order,
 * which is that of the first reading: it may have found them one by one. Returns how many.
 */
static unsigned int parts_of(const struct bt_probe *p, const char *name, const char **list)
{
	const size_t length = strlen(name);
	unsigned int n = 0;
	int nearest = -1;

	for (unsigned int i = 0; i < p->n_variables; i++)
		if (p->variables[i].assigned && is_part(&p->variables[i], name, length) &&
		    bt_nearness(p, &p->variables[i]) > nearest)
			nearest = bt_nearness(p, &p->variables[i]);
	for (unsigned int i = 0; nearest >= 0 && i < p->n_variables; i++) {
		const struct bt_variable *v = &p->variables[i];

		if (is_part(v, name, length) && bt_nearness(p, v) == nearest &&
		    !is_listed(list, n, v->name + length + 1))
			list[n++] = v->name + length + 1;
	}
	return n;
}

/* Adds the part, as long as one is known, to the list that ends at *to. */
static int read_part(struct binder *b, const struct node *n, const char *name, const char *part,
		     struct node ***to)
{
	const struct bt_probe *now = bt_of(b->t)->now;
	char text[2 * BT_NAME];
	const int length = snprintf(text, sizeof(text), "%s.%.*s", name, (int)part_length(part),
				    part);
	const struct bt_variable *v = part_named(now, text);
	const char *kept = NULL;
	struct node *value;

	if (!v)
		return 0;
	value = new_node(b, NODE_CALL, n->at);
	if (!value)
		return -1;
	if (!v->name[length])
		bt_read_variable(b, value, v);
	else if (bt_tuple_variable(b, value, text) < 0)
		return -1;
	if (!isdigit((unsigned char)*part) &&
	    bt_keep_name(bt_of(b->t), &kept, part, part_length(part), b->err))
		return -1;
	return bt_append_part(b, to, value, kept);
}

int bt_tuple_variable(struct binder *b, struct node *n, const char *name)
{
	const char *list[BT_VARIABLES];
	const unsigned int count = parts_of(bt_of(b->t)->now, name, list);
	struct node *parts = NULL, **to = &parts;

	for (unsigned int i = 0; i < count; i++)
		if (read_part(b, n, name, list[i], &to))
			return -1;
	if (!parts)
		return 0;
	bt_make_tuple(n, parts);
	return 1;
}

bool bt_is_tuple(const struct bt_probe *p, const char *name, size_t length)
{
	const char *list[BT_VARIABLES];
	char text[2 * BT_NAME];

	text_cut(text, sizeof(text), "%.*s", (int)length, name);
	return parts_of(p, text, list);
}

/* Returns true if the value is made of parts of the variable. */
static bool reads(const struct bt_probe *p, const struct node *n, const char *name, size_t length)
{
	const char *slot = n && n->kind == NODE_SLOT ? p->variables[n->op].name : "";

	if (!n)
		return false;
	if (!strncmp(slot, name, length) && slot[length] == '.')
		return true;
	return reads(p, n->a, name, length) || reads(p, n->b, name, length) ||
	       reads(p, n->c, name, length);
}

/* $NAME.PART = VALUE */
static int set_part(struct binder *b, struct bt_statement **to, size_t at, const char *name,
		    const struct node *value, const struct bt_shape *shape)
{
	const int variable = bt_declare(b, name, strlen(name), at, shape);

	*to = bt_statement(b, BT_SET, at);
	if (!*to || variable < 0)
		return -1;
	(*to)->set.value = (struct node *)(uintptr_t)value;
	(*to)->set.variable = (unsigned int)variable;
	return bt_takes(b, &bt_of(b->t)->now->variables[variable].pointer, value, name);
}

static int set_parts(struct binder *b, struct bt_statement **to, size_t at, const char *name,
		     const struct node *tuple)
{
	const struct bt_probe *now = bt_of(b->t)->now;
	const char *list[BT_VARIABLES];
	const bool known = parts_of(now, name, list);
	unsigned int i = 0;

	for (const struct node *part = tuple->b; part; part = part->b, i++) {
		const char *own = syntax_part_name(part);
		const struct bt_variable *before;
		char text[2 * BT_NAME], number[12];
		struct bt_shape shape;
		int n;

		snprintf(number, sizeof(number), "%u", i);
		n = snprintf(text, sizeof(text), "%s.%s", name, own ? own : number);
		before = part_named(now, text);
		if (bt_shape_of(b, part->a, &shape))
			return -1;
		if (known && (!before || !before->name[n] != (shape.kind != BT_TUPLE)))
			return WRONG_AT(b, at, "%s has other parts elsewhere", name);
		if (n >= BT_NAME)
			return WRONG_AT(b, at, own ? "%s is too long: with its record a name has "
					"%d characters at most" : "this is nested too deeply", text,
					BT_NAME - 1);
		if (shape.kind == BT_TUPLE ? set_parts(b, to, at, text, part->a) :
					     set_part(b, to, at, text, part->a, &shape))
			return -1;
		while (*to)
			to = &(*to)->next;
	}
	return parts_of(now, name, list) == i ? 0 :
	       WRONG_AT(b, at, "%s has other parts elsewhere", name);
}

int bt_set_tuple(struct binder *b, struct bt_statement **to, size_t at, const char *name,
		 size_t length, const struct node *tuple)
{
	const struct bt_probe *now = bt_of(b->t)->now;
	const int whole = bt_variable(now, name, length);
	char text[BT_NAME];

	if (length >= BT_NAME - 4)
		return WRONG_AT(b, at, "names of tuples have %d characters at most", BT_NAME - 6);
	if (whole >= 0 && now->variables[whole].shape.kind != BT_UNSET)
		return WRONG_AT(b, at, "%.*s is a tuple here, and %s elsewhere", (int)length, name,
			      bt_kind_of(&now->variables[whole].shape));
	if (reads(now, tuple, name, length))
		return WRONG_AT(b, at, "a tuple is not made of its own parts: keep them in "
				"variables before");
	text_cut(text, sizeof(text), "%.*s", (int)length, name);
	return set_parts(b, to, at, text, tuple);
}
