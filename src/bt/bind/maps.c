// SPDX-License-Identifier: GPL-2.0
/* Maps of a script: what each holds, by all its uses. */

#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/bt/passes.h"
#include "src/bt/show/brackets.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/types/types.h"

/* What a map of each kind holds, for messages. */
static const char *const holds[] = {
	[BT_VALUES] = "values", [BT_COUNT] = "count()", [BT_SUM] = "sum()", [BT_MIN] = "min()",
	[BT_MAX] = "max()", [BT_AVG] = "avg()", [BT_STATS] = "stats()", [BT_HIST] = "hist()",
	[BT_LHIST] = "lhist()", [BT_SERIES] = "tseries()",
};

static int settle(const struct source *s, struct bt_map *m, enum bt_map_kind kind, size_t at,
		  struct error *err)
{
	if (m->kind == kind)
		return 0;
	if (m->kind == BT_UNKNOWN) {
		m->kind = kind;
		m->at = at;
		((struct bt *)s->front)->unsettled = true;
		return 0;
	}
	if (kind == BT_VALUES)
		return source_error(s, at, err, "%s holds %s already: give values a map of their "
				    "own", m->name, holds[m->kind]);
	return source_error(s, at, err, "%s holds %s already: give %s a map of its own", m->name,
			    holds[m->kind], holds[kind]);
}

int bt_map_is(struct binder *b, struct bt_map *m, enum bt_map_kind kind, size_t at)
{
	m->named = true;
	return settle(&b->t->source, m, kind, at, b->err);
}

void bt_map_changes(struct bt *b, struct bt_map *m)
{
	m->changed_by_kernel |= b->now->when == BT_KERNEL;
	m->changed_by_own |= b->now->when != BT_KERNEL && b->now->when != BT_END;
}

/* ---- keys ---- */

static int join_part(struct binder *b, struct bt_map *m, struct node *key, unsigned int i,
		     const struct bt_shape *shape)
{
	if (shape->kind == BT_STACK && m->keys[i].kind == BT_STACK &&
	    !bt_same_stack(shape, &m->keys[i]))
		return WRONG(b, key, "part %u of the key of %s is another stack here than "
			     "elsewhere: give it a map of its own", i + 1, m->name);
	if (!bt_shape_join(bt_of(b->t), &m->keys[i], shape))
		return WRONG(b, key, "part %u of the key of %s is %s here, and %s elsewhere", i + 1,
			     m->name, bt_kind_of(shape), bt_kind_of(&m->keys[i]));
	if (shape->kind == BT_STACK && m->kind == BT_VALUES)
		return WRONG(b, key, "a stack is the key of an aggregation, not of %s, which is "
			     "looked up: %s[kstack] = count()", m->name, m->name);
	if (shape->kind == BT_STACK && bt_of(b->t)->now->when != BT_KERNEL)
		return WRONG(b, key, "BEGIN, END, interval and iter take no stack as a key");
	if (shape->before != m->keys[i].before || shape->behind != m->keys[i].behind)
		return WRONG(b, key, "part %u of the key of %s is in other brackets elsewhere",
			     i + 1, m->name);
	m->at_events |= !bt_of(b->t)->now->frequency;
	return 0;
}

/* The parts of a key: a tuple is the row of its parts. The brackets around all are left out. */
static int parts_of(struct binder *b, struct node *list, struct bt_value *parts, unsigned int *n)
{
	for (struct node *key = list; key; key = key->b) {
		struct bt_value v = { .node = key->a };

		if (bt_bind_value(b, &v) || bt_widen(b, &v))
			return -1;
		if (v.shape.kind == BT_TUPLE) {
			if (bt_flat(b, v.node, parts, n, BT_KEYS))
				return -1;
			continue;
		}
		if (*n == BT_KEYS)
			return WRONG(b, key, "a key has %d parts at most", BT_KEYS);
		parts[(*n)++] = v;
	}
	return *n && parts[0].shape.before && *parts[0].shape.before == '(' && !list->b ?
	       bt_without_brackets(bt_of(b->t), parts, *n, b->err) : 0;
}

int bt_bind_keys(struct binder *b, struct bt_map *m, struct node *list, size_t at)
{
	struct bt_value parts[BT_KEYS];
	struct node *key = list;
	unsigned int n = 0;

	if (parts_of(b, list, parts, &n))
		return -1;
	if (m->used && n != m->n_keys)
		return source_error(&b->t->source, at, b->err, "%s has %u part%s in its key here, "
				    "and %u elsewhere", m->name, n, n == 1 ? "" : "s", m->n_keys);
	for (unsigned int i = 0; i < n; i++, key = key->b) {
		if (join_part(b, m, key, i, &parts[i].shape))
			return -1;
		key->a = parts[i].node;
		key->faults = parts[i].shape.kind == BT_NUMBER && key->a->faults;
		if (i + 1 < n && !key->b)
			key->b = new_node(b, NODE_KEY, key->at);
		if (i + 1 < n && !key->b)
			return -1;
	}
	m->n_keys = n;
	m->used = m->named = true;
	m->in_kernel |= bt_of(b->t)->now->when == BT_KERNEL;
	return 0;
}

/* ---- reading ---- */

/*
 * Programs can look entries of values up. What they count or sum becomes such a map then; other
 * results are made of parts that only sonde puts together.
 */
static int can_look_up(struct binder *b, struct bt_map *m, size_t at)
{
	const struct source *s = &b->t->source;

	if (bt_has_slots(m) || m->kind == BT_STATS)
		return source_error(s, at, b->err, "an entry of %s is %s, and no number: "
				    "print(%s) shows it", m->name, holds[m->kind], m->name);
	if (bt_of(b->t)->now->when != BT_KERNEL)
		return 0;
	if (m->kind == BT_MIN || m->kind == BT_MAX || m->kind == BT_AVG)
		return source_error(s, at, b->err, "%s holds %s, which BEGIN, END, interval and "
				    "iter can read, and probes can't: each CPU has its own",
				    m->name, holds[m->kind]);
	m->looked_up = true;
	return 0;
}

int bt_bind_entry(struct binder *b, struct bt_map *m, struct node *list, size_t at)
{
	if (can_look_up(b, m, at) || bt_bind_keys(b, m, list, at))
		return -1;
	return bt_has_stacks(m) ? source_error(&b->t->source, at, b->err, "a stack is the key of "
					       "an aggregation, not of %s, which is looked up",
					       m->name) : 0;
}

int bt_count_in_values(struct bt *b, struct error *err)
{
	(void)err;
	for (struct bt_statement *s = b->statements; s; s = s->all)
		if (s->kind == BT_AGGREGATE && s->entry.map->looked_up)
			s->kind = BT_ADD;
	for (struct bt_map *m = b->maps; m; m = m->next)
		if (m->looked_up && m->kind != BT_UNKNOWN)
			m->kind = BT_VALUES;
	return 0;
}

/* If there is no entry, the value is 0 or an empty text. */
static int read_map(struct binder *b, struct node **at)
{
	struct node *n = *at;
	struct bt_map *m = bt_map_of(n);

	m->read = true;
	if (bt_bind_entry(b, m, n->b, n->at))
		return -1;
	bt_type_read(n, &m->value, &m->pointer);
	for (const struct node *key = n->b; key; key = key->b)
		n->faults |= key->faults;
	return m->value.kind == BT_TUPLE ? bt_read_tuple(b, at) : 0;
}

const struct function bt_map_read = { .name = "@", .infer = read_map, .emit = bt_emit_read,
				      .text = bt_emit_map_text, .own = VALUE_MAP };

/* ---- functions ---- */

int bt_without_keys(struct binder *b, const struct node *n)
{
	const struct bt_map *m = bt_map_of(n);

	return m->used && !m->n_keys ?
	       WRONG(b, n, "call to %s() expects a map with explicit keys (non-scalar map)",
		     n->function->name) : 0;
}

static int has_key(struct binder *b, struct node **at)
{
	struct node *n = *at;

	bt_map_of(n)->read = true;
	n->type = c_bool();
	if (bt_is(n, VALUE_HAS_KEY) && n->b && bt_without_keys(b, n))
		return -1;
	return bt_bind_entry(b, bt_map_of(n), n->b, n->at);
}

/* delete() in the place of a value: whether there was such an entry. */
static int deleted(struct binder *b, struct node **at)
{
	bt_map_of(*at)->emptied = true;
	bt_map_changes(bt_of(b->t), bt_map_of(*at));
	return has_key(b, at);
}

const struct function bt_has_key = { .name = "has_key", .infer = has_key, .emit = bt_emit_has_key,
				     .own = VALUE_HAS_KEY };
const struct function bt_deleted = { .name = "delete", .infer = deleted,
				     .emit = bt_emit_deleted, .own = VALUE_DELETED };
