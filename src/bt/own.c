// SPDX-License-Identifier: GPL-2.0
/*
 * BEGIN, END and interval, which no kernel runs: sonde evaluates their statements itself, with the
 * operators that constants are computed with.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/bt/parse.h"
#include "src/bt/run.h"
#include "src/lang/functions/functions.h"
#include "src/lang/types/types.h"
#include "src/lib/output/records.h"

#define AT_ONCE 1000			/* late intervals that run before events are read again */

/* An action that runs. */
struct own {
	struct bt_run *r;
	const struct bt_probe *p;
	uint64_t now;
	uint64_t variables[BT_VARIABLES];
	char comm[BT_COMM];
	bool left;			/* return or exit() */
};

static bool value_of(struct own *o, const struct node *n, uint64_t *to);

/* ---- values ---- */

static uint64_t this_cpu(void)
{
	unsigned int cpu = 0;

	syscall(SYS_getcpu, &cpu, NULL, NULL);
	return cpu;
}

/* The inputs that all events have; here they are those of sonde. */
static uint64_t input(const struct own *o, const char *name)
{
	if (!strcmp(name, "time"))
		return o->now;
	if (!strcmp(name, "tgid") || !strcmp(name, "tid"))
		return (uint64_t)getpid();
	if (!strcmp(name, "uid"))
		return geteuid();
	if (!strcmp(name, "gid"))
		return getegid();
	return this_cpu();
}

/* A value that can't be computed is 0, and counted. */
static uint64_t number(struct own *o, const struct node *n)
{
	uint64_t value;

	if (value_of(o, n, &value))
		return value;
	o->r->failures++;
	return 0;
}

/* The key of a map; it has room for bt_whole_key_size(). */
static void key_of(struct own *o, const struct bt_map *m, const struct node *keys, uint8_t *key)
{
	unsigned int i = 0;

	memset(key, 0, bt_whole_key_size(m));
	for (; keys; keys = keys->b, i++) {
		const struct bt_value v = bt_key_part(keys);
		uint8_t *at = key + bt_key_offset(m, i);
		uint64_t bits;

		if (v.is_literal) {
			memcpy(at, v.node->text, v.node->length);
		} else if (v.shape.kind == BT_TEXT) {
			memcpy(at, o->comm, BT_COMM);
		} else {
			bits = number(o, v.node);
			memcpy(at, &bits, sizeof(bits));
		}
	}
}

/* The value of an entry; 0: there is none. */
static uint64_t read_map(struct own *o, const struct bt_map *m, const struct node *keys)
{
	uint8_t key[FRAME_BYTES];
	const struct bt_row *row;
	struct bt_cell cell;

	key_of(o, m, keys, key);
	if (m->in_kernel)
		return run_get(o->r->run, m->name, key, &cell) ? 0 : cell.value;
	row = bt_table_find(m->table, key);
	return row ? row->amount.number : 0;
}

static bool same_text(const struct own *o, const struct node *n)
{
	return n->a->length < BT_COMM ? !strncmp(o->comm, n->a->text, BT_COMM) :
	       !strncmp(o->comm, n->a->text, BT_COMM - 1);
}

static bool logic(struct own *o, const struct node *n, uint64_t *to)
{
	uint64_t side;

	if (!value_of(o, n->a, &side))
		return false;
	if (!side == (n->op == OP_AND)) {
		*to = n->op == OP_OR;
		return true;
	}
	if (!value_of(o, n->b, &side))
		return false;
	*to = side != 0;
	return true;
}

static bool operation(struct own *o, const struct node *n, uint64_t *to)
{
	uint64_t a, b;

	if (n->op == OP_AND || n->op == OP_OR)
		return logic(o, n, to);
	return value_of(o, n->a, &a) && value_of(o, n->b, &b) &&
	       fold(n->op, a, b, &n->a->type, o->p->on->probe.scope.word, to);
}

static bool value_of(struct own *o, const struct node *n, uint64_t *to)
{
	const struct scope *s = &o->p->on->probe.scope;

	switch (n->kind) {
	case NODE_NUMBER:
		*to = n->value;
		return true;
	case NODE_INPUT:
		*to = input(o, s->inputs[n->value].name);
		return true;
	case NODE_SLOT:
		*to = o->variables[-(int64_t)n->value / 8 - 1];
		return true;
	case NODE_CAST:
		if (!value_of(o, n->a, to))
			return false;
		*to = c_convert(*to, &n->type, s->word);
		return true;
	case NODE_CHOICE:
		return value_of(o, n->a, to) && value_of(o, *to ? n->b : n->c, to);
	case NODE_BINARY:
		return operation(o, n, to);
	case NODE_CALL:
		*to = n->function == &text_same ? same_text(o, n) :
		      read_map(o, bt_map_of(n), n->b);
		return true;
	default:
		return false;		/* memory: names of it are refused here */
	}
}

/* ---- maps ---- */

static void write_map(struct own *o, const struct bt_map *m, const uint8_t *key, uint64_t value)
{
	const struct bt_cell cell = { value, 1 };
	struct bt_row *row;
	struct error err;

	if (m->in_kernel) {
		o->r->full += run_set(o->r->run, m->name, key, &cell, &err) != 0;
		return;
	}
	row = m->table->n < BT_ENTRIES || bt_table_find(m->table, key) ?
	      bt_table_row(m->table, key) : NULL;
	if (row)
		row->amount.number = value;
	else
		o->r->full++;
}

static void store(struct own *o, const struct bt_statement *s)
{
	uint8_t key[FRAME_BYTES];

	key_of(o, s->map, s->keys, key);
	write_map(o, s->map, key, number(o, s->value));
}

static void add(struct own *o, const struct bt_statement *s)
{
	const uint64_t before = read_map(o, s->map, s->keys);
	uint8_t key[FRAME_BYTES];

	key_of(o, s->map, s->keys, key);
	write_map(o, s->map, key, before + number(o, s->value));
}

static void delete(struct own *o, const struct bt_statement *s)
{
	uint8_t key[FRAME_BYTES];
	struct error err;

	key_of(o, s->map, s->keys, key);
	if (s->map->in_kernel)
		run_set(o->r->run, s->map->name, key, NULL, &err);
	else
		bt_table_delete(s->map->table, key);
}

/* The slot of a value, as programs number it. */
static uint64_t slot_of(const struct bt_map *m, int64_t value)
{
	unsigned int slot = 0;

	if (m->kind == BT_LHIST)
		return value < m->min ? 0 :
		       (uint64_t)(((value < m->max ? value : m->max) - m->min) / m->step + 1);
	if (value < 0)
		return ARGDIST_NEGATIVE;
	while (hist_slot_high(slot) < (uint64_t)value)
		slot++;
	return slot;
}

/* What sonde's own events add to is in the table, beside what is taken of the engine. */
static void aggregate(struct own *o, const struct bt_statement *s)
{
	const struct bt_map *m = s->map;
	uint8_t key[FRAME_BYTES];
	union bt_amount amount = { .number = 1 };
	uint64_t value = 0, slot;
	struct bt_row *row;

	if (s->value && !value_of(o, s->value, &value)) {
		o->r->failures++;
		return;
	}
	key_of(o, m, s->keys, key);
	if (m->kind == BT_HIST || m->kind == BT_LHIST) {
		slot = slot_of(m, (int64_t)value);
		memcpy(key + bt_key_size(m), &slot, sizeof(slot));
	}
	if (bt_is_sums(m->kind))
		amount.sums = (struct argdist_sums){
			.count = 1, .low = value & UINT32_MAX, .min = value, .max = value,
			.high = m->is_signed ? (uint64_t)((int64_t)value >> 32) : value >> 32,
		};
	row = bt_table_row(m->table, key);
	if (row)
		bt_amount_add(m, &row->amount, &amount);
	else
		o->r->full++;
}

/* ---- statements ---- */

static struct bt_shown shown_of(struct own *o, const struct bt_value *v)
{
	struct bt_shown shown = { .shape = v->shape };

	if (v->is_literal)
		shown.text = (struct text){ .s = v->node->text, .length = v->node->length };
	else if (v->shape.kind == BT_TEXT)
		shown.text = text_of(o->comm, BT_COMM);
	else
		shown.bits = number(o, v->node);
	return shown;
}

static void order(struct own *o, const struct bt_statement *s)
{
	struct bt_shown values[BT_ORDER_VALUES];

	for (unsigned int i = 0; i < s->order->n; i++)
		values[i] = shown_of(o, &s->order->values[i]);
	bt_order_run(o->r, s->order, o->now, values);
	o->left |= s->order->kind == BT_EXIT;
}

static void set(struct own *o, const struct bt_statement *s)
{
	o->variables[s->variable] = number(o, s->value);
}

static void leave(struct own *o, const struct bt_statement *s)
{
	(void)s;
	o->left = true;
}

static void statements(struct own *o, const struct bt_statement *s);

static void condition(struct own *o, const struct bt_statement *s)
{
	statements(o, number(o, s->value) ? s->then : s->otherwise);
}

static void (*const kinds[])(struct own *o, const struct bt_statement *s) = {
	[BT_IF] = condition, [BT_SET] = set, [BT_STORE] = store, [BT_ADD] = add,
	[BT_DELETE] = delete, [BT_AGGREGATE] = aggregate, [BT_ORDER] = order,
	[BT_RETURN] = leave,
};

static void statements(struct own *o, const struct bt_statement *s)
{
	for (; s && !o->left; s = s->next)
		kinds[s->kind](o, s);
}

/* ---- events ---- */

static void run_action(struct bt_run *r, const struct bt_probe *p)
{
	struct own o = { .r = r, .p = p, .now = run_now(r->run) };

	prctl(PR_GET_NAME, o.comm);
	if (!p->on->predicate || number(&o, p->on->predicate))
		statements(&o, p->statements);
}

void bt_own_run(struct bt_run *r, enum bt_when when)
{
	for (const struct bt_probe *p = r->bt->probes; p; p = p->next)
		if (p->when == when && (when == BT_END || !r->over))
			run_action(r, p);
}

/* The interval that is due first; of several at the same time the first one of the script. */
static struct bt_probe *next_interval(const struct bt_run *r, uint64_t now)
{
	struct bt_probe *next = NULL;

	for (struct bt_probe *p = r->bt->probes; p; p = p->next) {
		if (p->when != BT_INTERVAL)
			continue;
		if (!p->due)
			p->due = now + p->period;
		if (!next || p->due < next->due)
			next = p;
	}
	return next;
}

int64_t bt_own_due(struct bt_run *r, int64_t now)
{
	struct bt_probe *next = next_interval(r, (uint64_t)now);

	for (int i = 0; next && next->due <= (uint64_t)now && !r->over && i < AT_ONCE; i++) {
		run_action(r, next);
		next->due += next->period;
		next = next_interval(r, (uint64_t)now);
	}
	return next ? (int64_t)next->due : INT64_MAX;
}
