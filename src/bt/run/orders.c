// SPDX-License-Identifier: GPL-2.0
/* Orders of a script, in the order in which programs gave them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/bt/run/run.h"
#include "src/lib/output/records.h"

void bt_no_memory(struct bt_run *r)
{
	struct error err = { };

	fail(&err, "out of memory");
	run_fail(r->run, &err);
}

/* ---- maps ---- */

/* Returns true if the engine keeps what is taken of the map. */
static bool stays(const struct bt_map *m)
{
	return m->kind == BT_VALUES || m->kind == BT_SERIES;
}

int bt_take(struct bt_run *r, const struct bt_map *m)
{
	struct bt_taking taking = { r->bt, m->table };
	const uint64_t now = run_now(r->run);
	struct error err = { };
	size_t from;

	if (!m->in_kernel)
		return 0;
	if (stays(m))
		bt_table_clear(m->table);
	from = m->table->n;
	if (bt_slots_take(r, m, bt_table_take, &taking, &err)) {
		run_fail(r->run, &err);
		return -1;
	}
	if (m->table->failed) {
		bt_no_memory(r);
		return -1;
	}
	if ((bt_has_stacks(m) || bt_keeps_stacks(m)) && bt_stacks_taken(r, m, from, now))
		return -1;
	if (r->exports)
		bt_exports_add(r->exports, m, m->table->rows + from, m->table->n - from);
	bt_table_join(m->table);
	return 0;
}

static void show(struct bt_run *r, const struct bt_map *m, uint64_t top, uint64_t divisor)
{
	if (!bt_take(r, m) && bt_show_map(run_output(r->run), r->bt, m, top, divisor))
		bt_no_memory(r);
}

/* print() of a map without a key shows it also if it has no value yet. */
static void show_now(struct bt_run *r, const struct bt_order *o)
{
	static const uint8_t key[sizeof(struct argdist_key)];
	const struct bt_map *m = o->whole.map;
	const bool empty = !m->n_keys && !bt_has_slots(m) &&
			   !bt_take(r, m) && !m->table->n;

	if (empty && !bt_table_row(m->table, key)) {
		bt_no_memory(r);
		return;
	}
	if (!empty || !m->in_kernel)
		show(r, m, o->whole.top, o->whole.divisor);
	else if (bt_show_map(run_output(r->run), r->bt, m, o->whole.top, o->whole.divisor))
		bt_no_memory(r);
	if (empty)
		bt_table_delete(m->table, key);
}

void bt_length_changes(struct bt_run *r, const struct bt_map *m, int by)
{
	const char *lengths = bt_programs.maps[BT_LENGTHS].name;
	struct error err = { };
	uint64_t length = 0;
	uint32_t key;

	if (!m->counted || !by)
		return;
	key = bt_length_by_sonde(m);
	run_get(r->run, lengths, &key, &length);
	length += (uint64_t)(int64_t)by;
	if (run_set(r->run, lengths, &key, &length, &err))
		run_fail(r->run, &err);
}

/* Puts the same value into all entries of the engine's map; NULL: deletes them. */
static void set_all(struct bt_run *r, const struct bt_map *m, const void *cell)
{
	struct error err = { };

	for (size_t i = 0; i < m->table->n; i++) {
		const int was = bt_slots_set(r, m, m->table->rows[i].key, cell, &err);

		if (was < 0) {
			run_fail(r->run, &err);
			return;
		}
		bt_length_changes(r, m, was || cell ? 0 : -1);
	}
}

static void clear(struct bt_run *r, const struct bt_map *m)
{
	if (bt_take(r, m))
		return;
	if (m->in_kernel && stays(m))
		set_all(r, m, NULL);
	bt_table_clear(m->table);
}

static void zero(struct bt_run *r, const struct bt_map *m)
{
	static const struct {
		struct bt_cell cell;
		char text[BT_TEXT_MOST];
	} none = { .cell.present = 1 };
	static const struct bt_point no_point;
	static const struct {
		struct bt_cell cell;
		struct bt_user_stack stack;
	} no_stack = { .cell.present = 1, .stack.number = -EFAULT };
	const void *zeros = m->kind == BT_SERIES ? (const void *)&no_point : bt_keeps_stacks(m) ?
			    (const void *)&no_stack : (const void *)&none;

	if (bt_take(r, m))
		return;
	if (m->in_kernel && stays(m))
		set_all(r, m, zeros);
	bt_table_zero(m->table);
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct bt_map *const *)a)->name,
		      (*(const struct bt_map *const *)b)->name);
}

void bt_orders_end(struct bt_run *r)
{
	const struct bt_map **list;
	size_t n = 0;

	for (const struct bt_map *m = r->bt->maps; m; m = m->next)
		n++;
	list = calloc(n + 1, sizeof(struct bt_map *));
	if (!list) {
		bt_no_memory(r);
		return;
	}
	n = 0;
	for (const struct bt_map *m = r->bt->maps; m; m = m->next)
		list[n++] = m;
	qsort(list, n, sizeof(*list), by_name);
	for (size_t i = 0; i < n; i++)
		show(r, list[i], 0, 0);
	free(list);
}

/* ---- orders ---- */

static void tell_time(struct bt_run *r, const struct bt_order *o, uint64_t time)
{
	char *text = NULL;
	size_t n = 0;
	FILE *to = open_memstream(&text, &n);

	if (to)
		bt_put_time(to, r->run, o->time, run_wall_clock(r->run, time));
	if (!to || fclose(to))
		bt_no_memory(r);
	else
		for (unsigned int turn = 0; output_turn(run_output(r->run), &turn);)
			bt_show_text(run_output(r->run), r->bt, "time", text, n);
	free(text);
}

/* It changes nothing, and shows something to nobody if the script is exported. */
static bool shows(enum bt_order_kind kind)
{
	return kind == BT_PRINTF || kind == BT_PRINT_VALUE || kind == BT_PRINT_MAP ||
	       kind == BT_TIME || kind == BT_CAT || kind == BT_JOIN_PART || kind == BT_JOIN;
}

void bt_order_run(struct bt_run *r, const struct bt_order *o, uint64_t time, uint32_t tid,
		  const struct bt_shown *values)
{
	if (r->exports && shows(o->kind))
		return;
	switch (o->kind) {
	case BT_CAT:
	case BT_SYSTEM:
	case BT_ERRORF:
	case BT_JOIN_PART:
	case BT_JOIN:
		bt_outside(r, o, values, tid);
		break;
	case BT_PRINTF:
	case BT_PRINT_VALUE:
		bt_show_order(run_output(r->run), r->bt, o, values, &r->line);
		break;
	case BT_PRINT_MAP:
		show_now(r, o);
		break;
	case BT_CLEAR:
		clear(r, o->whole.map);
		break;
	case BT_ZERO:
		zero(r, o->whole.map);
		break;
	case BT_TIME:
		tell_time(r, o, time);
		break;
	case BT_LOOP:
		bt_own_loop(r, o->loop, time);
		break;
	case BT_EXIT:
		r->over = true;
		if (o->n)
			run_status(r->run, (uint8_t)values[0].bits);
		run_end(r->run);
		break;
	}
}

static struct bt_shown value_of(struct bt_run *r, const struct bt_order *o, unsigned int i,
				const uint8_t *record)
{
	const struct bt_value *v = &o->values[i];
	struct bt_shown shown = { .shape = v->shape };
	const char *at = (const char *)record + o->offsets[i];

	if (bt_is_literal(v)) {
		shown.text = (struct text){ .s = v->node->text, .length = v->node->length };
		return shown;
	}
	memcpy(&shown.bits, at, sizeof(shown.bits));
	if (v->shape.kind == BT_STACK)
		shown.text = bt_stack_text(r, o, &v->shape, at,
					   ((const struct bt_record *)record)->time);
	if (bt_block_of(&v->shape))
		shown.text = bt_kept_text(at + 8, &v->shape);
	else if (v->shape.kind == BT_TEXT)
		shown.text = read_text(at + 8, (int64_t)shown.bits, v->shape.text.shown,
				       v->shape.size);
	return shown;
}

void bt_order_record(struct bt_run *r, const struct record *record)
{
	const struct bt_record *head = record->bytes;
	struct bt_shown values[BT_ORDER_VALUES];
	const struct bt_order *o;

	if (head->order >= r->bt->n_orders)
		return;
	o = r->bt->orders[head->order];
	if (record->size < o->size)
		return;
	for (unsigned int i = 0; i < o->n; i++)
		values[i] = value_of(r, o, i, record->bytes);
	bt_order_run(r, o, head->time, head->tid, values);
}
