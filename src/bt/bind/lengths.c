// SPDX-License-Identifier: GPL-2.0
/* len() of a map. Kernels tell programs no lengths, so they and sonde count entries. */
#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/bt/emit/own.h"
#include "src/bt/passes.h"
#include "src/language/types/types.h"

/*
 * Returns true if sonde may make entries while programs do, and can't tell who made one. Who adds
 * to an entry knows it.
 */
static bool is_uncounted(const struct bt_statement *s)
{
	const bool beside = s->probe->when == BT_INTERVAL || s->probe->when == BT_SIGNALLED;

	return s->kind == BT_ORDER ? s->order->kind == BT_ZERO && s->order->whole.map->counted :
	       beside && s->kind == BT_STORE && s->entry.map->counted;
}

int bt_check_lengths(struct bt *b, struct error *err)
{
	for (const struct bt_statement *s = b->statements; s; s = s->all)
		if (is_uncounted(s))
			return BT_WRONG(b, s->at, err, "a probe asks for the length of this map, "
					"which is counted where probes, BEGIN and END change it: "
					"ask for it in interval, or change the map in a probe");
	return 0;
}

/* Programs count the entries of maps that they look up. */
static int count_entries(struct binder *b, const struct node *n, struct bt_map *m)
{
	if (bt_has_stacks(m) || bt_has_slots(m) || (bt_is_sums(m->kind) && m->kind != BT_SUM))
		return WRONG(b, n, "only BEGIN, END, interval and iter can ask for the length of "
			     "%s: its entries have parts that sonde puts together", m->name);
	m->looked_up = m->in_kernel = true;
	if (!m->counted)
		m->counted = ++bt_of(b->t)->n_lengths;
	return 0;
}

/* The map has one value, a stack: its length. */
static int of_stack(struct binder *b, struct node **at)
{
	struct node *n = *at, *read = bt_map_read_node(b, n->at, bt_map_of(n), NULL);

	if (!read)
		return -1;
	n->function = bt_of(b->t)->builtins->values[VALUE_KEPT_LENGTH];
	n->a = read;
	return n->function->infer(b, at);
}

static int len(struct binder *b, struct node **at);

/* Of sonde's own events. */
static const struct function own_len = { .name = "len", .infer = len, .emit = bt_own_length };

static int len(struct binder *b, struct node **at)
{
	struct node *n = *at;
	struct bt_map *m = bt_map_of(n);

	m->named = m->read = true;
	if (m->used && !m->n_keys && bt_keeps_stacks(m))
		return of_stack(b, at);
	if (bt_without_keys(b, n))
		return -1;
	n->type = c_integer(8, true);
	if (bt_of(b->t)->now->when == BT_KERNEL)
		return count_entries(b, n, m);
	n->function = &own_len;
	return 0;
}

const struct function bt_len = { .name = "len", .infer = len, .emit = bt_emit_length };
