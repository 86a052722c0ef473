// SPDX-License-Identifier: GPL-2.0
/* The pass that gives all values of the actions their types, and maps and variables theirs. */
#include <stdlib.h>

#include "src/bt/bind/bind.h"
#include "src/bt/passes.h"

void bt_statements_free(struct bt *b)
{
	while (b->statements) {
		struct bt_statement *s = b->statements;

		b->statements = s->all;
		free(s);
	}
	while (b->n_orders) {
		bt_order_free(b->orders[--b->n_orders]);
	}
}

static int bind_predicate(struct binder *b, struct bt_probe *of)
{
	if (bt_copy(b, of->action->predicate, &of->on->predicate))
		return -1;
	if (!of->on->predicate)
		return 0;
	of->scopes[of->n_scopes++] = 0;		/* what it assigns is not the action's own block */
	if (bt_bind_number(b, &of->on->predicate))
		return -1;
	of->n_scopes = 0;
	return 0;
}

/* Binds the action of one probe. */
static int bind_action(struct bt *b, struct bt_probe *of, struct error *err)
{
	struct binder binder = { .t = &of->on->probe.tree, .s = &of->on->probe.scope, .err = err };

	b->now = of;
	of->n_scopes = of->last_scope = 0;
	of->loops = 0;
	return bind_predicate(&binder, of) ||
	       bt_block(&binder, of->action->statements, &of->statements) ? -1 : 0;
}

/* Forgets what was bound of the actions, but for what they tell of maps and variables. */
static void forget(struct bt *b)
{
	bt_statements_free(b);
	b->unsettled = false;
	for (struct bt_probe *p = b->probes; p; p = p->next) {
		p->statements = NULL;
		p->on->predicate = NULL;
		tree_free(&p->on->probe.tree);
		p->on->probe.scope = p->clean;
		for (unsigned int i = 0; i < p->n_variables; i++) {
			struct bt_variable *v = &p->variables[i];

			v->assigned = v->open = false;
			v->once = v->sets == 1;
			v->sets = 0;
			v->is = NULL;
		}
	}
}

/*
 * Variables that get no value, or only what maps without values have, become numbers. Returns true
 * if there are such.
 */
static bool make_numbers(struct bt *b)
{
	bool found = false;

	for (struct bt_probe *p = b->probes; p; p = p->next)
		for (unsigned int i = 0; i < p->n_variables; i++) {
			struct bt_variable *v = &p->variables[i];

			if (!v->assigned || v->open || v->shape.kind != BT_UNSET)
				continue;
			v->shape.kind = BT_NUMBER;
			v->shape.number.is_signed = found = true;
		}
	return found;
}

static int bind_actions(struct bt *b, struct error *err)
{
	forget(b);
	for (struct bt_probe *p = b->probes; p; p = p->next)
		if (bind_action(b, p, err))
			return -1;
	return 0;
}

/*
 * What a map or a variable holds may be settled only behind its first use. So the actions are bound
 * again with what is known, until that tells nothing new. Each time kinds become known, or texts
 * longer, which ends.
 */
int bt_types(struct bt *b, struct error *err)
{
	do {
		if (bind_actions(b, err))
			return -1;
	} while (b->unsettled || make_numbers(b));
	return 0;
}
