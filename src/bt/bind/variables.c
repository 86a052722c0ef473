// SPDX-License-Identifier: GPL-2.0
/* Variables of an action: which one a name is, and what it becomes by all that it gets. */
#include <string.h>

#include "src/bt/bind/bind.h"

int bt_nearness(const struct bt_probe *p, const struct bt_variable *v)
{
	if (!v->scope)
		return 0;
	for (unsigned int i = p->n_scopes; i; i--)
		if (p->scopes[i - 1] == v->scope)
			return (int)i;
	return -1;
}

int bt_variable(const struct bt_probe *p, const char *name, size_t length)
{
	int found = -1, nearest = -1;

	for (unsigned int i = 0; i < p->n_variables; i++) {
		const struct bt_variable *v = &p->variables[i];

		if (strlen(v->name) != length || memcmp(v->name, name, length) ||
		    bt_nearness(p, v) <= nearest)
			continue;
		found = (int)i;
		nearest = bt_nearness(p, v);
	}
	return found;
}

void bt_read_variable(struct binder *b, struct node *n, const struct bt_variable *v)
{
	const struct bt_probe *now = bt_of(b->t)->now;

	/* More inputs than a probe may have are read where the variable points. */
	if (v->is && b->s->needs.n_inputs < INPUTS_MOST / 2) {
		n->kind = v->is->kind;
		n->value = v->is->value;
		n->a = v->is->a;
		n->type = v->is->type;
		return;
	}
	n->kind = NODE_SLOT;
	n->op = (uint8_t)(v - now->variables);
	n->value = (uint64_t)(int64_t)bt_variable_at(now, n->op);
	bt_type_read(n, &v->shape, &v->pointer);
}

int bt_read(const struct bt_probe *p, const char *name, size_t length)
{
	const char *dot = memchr(name, '.', length);
	const int i = bt_variable(p, name, length);
	int tuple;

	if ((i >= 0 && p->variables[i].assigned) || !dot)
		return i;
	tuple = bt_variable(p, name, (size_t)(dot - name));
	return tuple >= 0 && p->variables[tuple].open ? tuple : i;
}

static int new_variable(struct binder *b, const char *name, size_t length, size_t at,
			uint16_t scope)
{
	struct bt_probe *now = bt_of(b->t)->now;

	if (length >= BT_NAME || now->n_variables == BT_VARIABLES)
		return WRONG_AT(b, at, "an action has %d variables "
				"at most, with names of up to %d characters", BT_VARIABLES,
				BT_NAME - 2);
	memcpy(now->variables[now->n_variables].name, name, length);
	now->variables[now->n_variables].shape.size = 8;
	now->variables[now->n_variables].scope = scope;
	now->variables[now->n_variables].declared.base = C_VOID;
	return (int)now->n_variables++;
}

int bt_declare_new(struct binder *b, const char *name, size_t length, size_t at)
{
	const struct bt_probe *now = bt_of(b->t)->now;
	const uint16_t scope = now->scopes[now->n_scopes - 1];
	const int i = bt_variable(now, name, length);

	if (i < 0 || now->variables[i].scope != scope)
		return new_variable(b, name, length, at, scope);
	return !now->variables[i].assigned ? i :
	       WRONG_AT(b, at, "this block has a %.*s already", (int)length, name);
}

/* Variable number i gets a value of this shape. */
static int gets(struct binder *b, int i, size_t at, const struct bt_shape *shape)
{
	struct bt_variable *v = i < 0 ? NULL : &bt_of(b->t)->now->variables[i];

	if (!v)
		return -1;
	v->assigned = true;
	v->sets += v->sets < 2;
	if (bt_shape_join(bt_of(b->t), &v->shape, shape))
		return i;
	return WRONG_AT(b, at, "%s is %s here, and %s elsewhere", v->name, bt_kind_of(shape),
			bt_kind_of(&v->shape));
}

int bt_declare(struct binder *b, const char *name, size_t length, size_t at,
	       const struct bt_shape *shape)
{
	const int i = bt_variable(bt_of(b->t)->now, name, length);

	return gets(b, i < 0 ? new_variable(b, name, length, at, 0) : i, at, shape);
}

int bt_declare_here(struct binder *b, const char *name, size_t length, size_t at,
		    const struct bt_shape *shape)
{
	const struct bt_probe *now = bt_of(b->t)->now;
	const uint16_t scope = now->scopes[now->n_scopes - 1];
	const int i = bt_variable(now, name, length);

	return gets(b, i < 0 || now->variables[i].scope != scope ?
		    new_variable(b, name, length, at, scope) : i, at, shape);
}
