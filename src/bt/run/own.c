// SPDX-License-Identifier: GPL-2.0
/*
 * BEGIN, END and interval, which no kernel runs: sonde evaluates their statements itself, with the
 * operators that constants are computed with.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "compat/kernel/kcore.h"
#include "src/bt/parse.h"
#include "src/bt/run/items.h"
#include "src/bt/run/run.h"
#include "src/lang/functions/functions.h"
#include "src/lang/types/types.h"
#include "src/lib/output/records.h"

#define AT_ONCE 1000			/* late intervals that run before events are read again */
#define TURNS_MOST 1000000		/* of the loops of an action */
#define SIGNALS_EACH 50000000		/* ns between looks for signals */

/* An action that runs. */
struct own {
	struct bt_run *r;
	const struct bt_probe *p;
	uint64_t now;
	uint8_t stack[FRAME_BYTES];	/* variables, where a program has them */
	char comm[BT_COMM];
	bool left;			/* return or exit() */
	enum bt_kind jump;		/* BT_BREAK or BT_CONTINUE; BT_IF: none */
	uint64_t turns;			/* of all its loops */
	const struct bt_item *item;	/* of an iterator */
};

static bool value_of(struct own *o, const struct node *n, uint64_t *to);
static void text_of_node(struct own *o, const struct node *n, char *to, unsigned int size);
static bool same_text(struct own *o, const struct node *n);
static void statements(struct own *o, const struct bt_statement *s);

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
		uint8_t *at = key + bt_key_offset(m, i);
		uint64_t bits;

		if (m->keys[i].kind == BT_TEXT) {
			text_of_node(o, keys->a, (char *)at, m->keys[i].size);
		} else {
			bits = number(o, keys->a);
			memcpy(at, &bits, sizeof(bits));
		}
	}
}

/* An entry of a map of values. */
struct entry {
	struct bt_cell cell;
	char text[BT_TEXT_MOST];
};

/* What is read where there is none: zeros, or no stack. */
static struct entry no_entry(const struct bt_map *m)
{
	static const int32_t no_stack = -EFAULT;
	struct entry none = { };

	if (bt_keeps_stacks(m))
		memcpy(none.text, &no_stack, sizeof(no_stack));
	return none;
}

/* Returns true if there is such an entry. */
static bool read_map(struct own *o, const struct node *n, struct entry *to)
{
	const struct bt_map *m = bt_map_of(n);
	uint8_t key[FRAME_BYTES];
	const struct bt_row *row;

	key_of(o, m, n->b, key);
	*to = no_entry(m);
	if (m->in_kernel && m->kind == BT_VALUES) {
		if (!run_get(o->r->run, m->name, key, to))
			return true;
		*to = no_entry(m);
		return false;
	}
	row = bt_take(o->r, m) ? NULL : bt_table_find(m->table, key);
	if (!row)
		return false;
	to->cell.value = bt_number_of(m, &row->amount);
	if (row->text)
		memcpy(to->text, row->text, bt_text_size(m));
	return true;
}

/* The number of entries: of a histogram rows of one key are one. */
static uint64_t length_of(struct own *o, const struct bt_map *m)
{
	const struct bt_row *rows;
	uint64_t n = 0;

	if (bt_take(o->r, m))
		return 0;
	rows = m->table->rows;
	for (size_t i = 0; i < m->table->n; i++)
		n += !i || memcmp(rows[i].key, rows[i - 1].key, bt_key_size(m)) != 0;
	return n;
}

static void remove_entry(struct own *o, const struct bt_map *m, const struct node *keys)
{
	uint8_t key[FRAME_BYTES];
	struct error err;

	key_of(o, m, keys, key);
	if (m->in_kernel && m->kind == BT_VALUES)
		bt_length_changes(o->r, m, run_set(o->r->run, m->name, key, NULL, &err) ? 0 : -1);
	else if (!bt_take(o->r, m))
		bt_table_delete(m->table, key);
}

/* Returns true if there was such an entry. */
static bool deleted(struct own *o, const struct node *n)
{
	struct entry entry;
	const bool was = read_map(o, n, &entry);

	remove_entry(o, bt_map_of(n), n->b);
	return was;
}

/* A function of maps or texts. */
static uint64_t call(struct own *o, const struct node *n)
{
	char text[BT_TEXT_MOST + 1], other[BT_TEXT_MOST + 1] = "";
	struct entry entry;

	if (n->function->here)
		return n->function->here();
	if (n->function->of_text) {
		text_of_node(o, n->a, text, sizeof(text));
		if (n->b)
			text_of_node(o, n->b, other, sizeof(other));
		return n->function->of_text(n, text, other);
	}
	if (n->function == &bt_same)
		return same_text(o, n);
	if (n->function == &bt_len)
		return length_of(o, bt_map_of(n));
	if (n->function == &bt_has_key)
		return read_map(o, n, &entry);
	if (n->function == &bt_deleted)
		return deleted(o, n);
	read_map(o, n, &entry);
	return entry.cell.value;
}

/* Blocks of numbers alone: memory is refused here. */
static void block_of_node(struct own *o, const struct node *n, char *to)
{
	char *at = to + bt_block_at(n);
	uint64_t bits = n->a ? number(o, n->a) : 0;

	if (at > to)
		memcpy(to, &bits, sizeof(bits));
	for (const struct node *part = n->b; part; part = part->b) {
		bits = number(o, part->a);
		bt_number_to(at, bits, (unsigned int)part->value);
		at += part->value;
	}
}

/* A text in the kernel's memory; of one that can't be read all letters up to there. */
static void text_in_memory(struct own *o, const struct node *n, char *to, unsigned int size)
{
	const struct text_node text = text_of_call(n);
	const uint64_t length = n->b ? number(o, n->b) : text.limit ? text.limit + 1U : size;
	uint64_t address = 0;
	int error = text.way == TEXT_USER || !text.address ||
		    !value_of(o, text.address, &address);

	for (unsigned int i = 0; i + 1 < size && i + 1 < length && !error; i++) {
		error = kcore_read(address + i, to + i, 1);
		if (error || !to[i])
			break;
	}
	o->r->failures += error != 0;
}

/* `to`: `size` bytes, with zeros behind the text. */
static void text_of_node(struct own *o, const struct node *n, char *to, unsigned int size)
{
	const unsigned int kept = n->type.bytes < size ? n->type.bytes : size;
	char whole[BT_TEXT_MOST];
	struct entry entry;
	uint64_t yes;

	memset(to, 0, size);
	if (n->kind == NODE_TEXT) {
		memcpy(to, n->text, n->length);
	} else if (n->kind == NODE_SLOT) {
		memcpy(to, o->stack + FRAME_BYTES + (int64_t)n->value, kept);
	} else if (n->kind == NODE_CHOICE) {
		yes = number(o, n->a);
		text_of_node(o, yes ? n->b : n->c, to, size);
	} else if (n->function == &bt_inner) {
		statements(o, bt_inner_statements(n));
		text_of_node(o, n->a, to, size);
	} else if (n->function == &bt_slice) {
		text_of_node(o, n->a, whole, sizeof(whole));
		memcpy(to, whole + n->value, n->length);
	} else if (n->function == &bt_block_function) {
		block_of_node(o, n, to);
	} else if (n->function == &bt_map_read) {
		read_map(o, n, &entry);
		memcpy(to, entry.text, kept);
	} else if (n->function == &bt_of_item) {
		o->r->failures += !bt_member_row((unsigned int)n->value)->text(o->item, to, size);
	} else if (text_of_call(n).way == TEXT_BYTES) {
		memcpy(to, o->comm, BT_COMM);
	} else {
		text_in_memory(o, n, to, size);
	}
}

static bool same_text(struct own *o, const struct node *n)
{
	char a[BT_TEXT_MOST], b[BT_TEXT_MOST];

	text_of_node(o, n->a, a, sizeof(a));
	text_of_node(o, n->b, b, sizeof(b));
	return !memcmp(a, b, n->value ? n->value : sizeof(a));
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

static bool called(struct own *o, const struct node *n, uint64_t *to)
{
	const struct bt_member *member;
	char bytes[BT_TEXT_MOST];

	if (n->function == &bt_inner)
		statements(o, bt_inner_statements(n));
	if (n->function == &bt_of_item) {
		member = bt_member_row((unsigned int)n->value);
		return member->number(o->item, member, to);
	}
	if (n->function == &bt_shown_number || n->function == &bt_inner)
		return value_of(o, n->a, to);
	if (n->function == bt_number_functions) {	/* bswap() */
		if (!value_of(o, n->a, to))
			return false;
		*to = bt_swapped(*to, n->type.size);
		return true;
	}
	if (n->function == &bt_element) {
		text_of_node(o, n->a, bytes, sizeof(bytes));
		*to = bt_number_in(bytes + n->value, &n->type);
		return true;
	}
	*to = call(o, n);
	return true;
}

/* Memory of the kernel: that of user space has no process here. */
static bool memory(struct own *o, const struct node *n, uint64_t *to)
{
	const unsigned int word = o->p->on->probe.scope.word, size = c_size(&n->type, word);
	union {
		uint8_t b;
		uint16_t h;
		uint32_t w;
		uint64_t dw;
	} bytes = { };
	uint64_t address;

	if (!value_of(o, n->a, &address) || kcore_read(address, &bytes, size))
		return false;
	*to = c_convert(size == 1 ? bytes.b : size == 2 ? bytes.h : size == 4 ? bytes.w : bytes.dw,
			&n->type, word);
	return true;
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
		memcpy(to, o->stack + FRAME_BYTES + (int64_t)n->value, sizeof(*to));
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
	case NODE_FOLLOW:
		return !n->a->type.user && memory(o, n, to);
	case NODE_CALL:
		return called(o, n, to);
	default:
		return false;		/* of events: names of it are refused here */
	}
}

/* ---- maps ---- */

static void write_map(struct own *o, const struct bt_map *m, const uint8_t *key,
		      struct entry *entry)
{
	struct entry old;
	struct bt_row *row;
	struct error err;
	bool was;

	entry->cell.present = 1;
	if (m->in_kernel) {
		was = m->counted && !run_get(o->r->run, m->name, key, &old);
		if (run_set(o->r->run, m->name, key, entry, &err))
			o->r->full++;
		else
			bt_length_changes(o->r, m, !was);
		return;
	}
	row = m->table->n < m->row.entries || bt_table_find(m->table, key) ?
	      bt_table_row(m->table, key) : NULL;
	if (!row) {
		o->r->full++;
		return;
	}
	row->amount.number = entry->cell.value;
	if (row->text)
		memcpy(row->text, entry->text, bt_text_size(m));
}

/* The parts of a tuple. */
static void row(struct own *o, const struct bt_statement *s, char *to)
{
	unsigned int i = 0;
	uint64_t bits;

	for (const struct node *part = s->row; part; part = part->b, i++) {
		char *at = to + bt_part_offset(s->map, i);

		if (s->map->parts[i].kind == BT_TEXT) {
			text_of_node(o, part->a, at, s->map->parts[i].size);
			continue;
		}
		bits = number(o, part->a);
		memcpy(at, &bits, sizeof(bits));
	}
}

static void store(struct own *o, const struct bt_statement *s)
{
	const unsigned int text = bt_text_size(s->map);
	struct entry entry = { };
	uint8_t key[FRAME_BYTES];

	key_of(o, s->map, s->keys, key);
	if (s->row)
		row(o, s, entry.text);
	else if (text)
		text_of_node(o, s->value, entry.text, text);
	else
		entry.cell.value = number(o, s->value);
	write_map(o, s->map, key, &entry);
}

static void add(struct own *o, const struct bt_statement *s)
{
	const struct node old = { .value = (uint64_t)(uintptr_t)s->map, .b = s->keys };
	struct entry entry;
	uint8_t key[FRAME_BYTES];

	read_map(o, &old, &entry);
	key_of(o, s->map, s->keys, key);
	entry.cell.value += s->value ? number(o, s->value) : 1;
	write_map(o, s->map, key, &entry);
}

static void delete(struct own *o, const struct bt_statement *s)
{
	remove_entry(o, s->map, s->keys);
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

/* An interval of a series. In the engine's map sonde has entries of its own, as a CPU has. */
static void add_to_series(struct own *o, const struct bt_statement *s, uint64_t value)
{
	const struct bt_map *m = s->map;
	const uint64_t epoch = number(o, s->limit);
	const union bt_amount new = {
		.point = { .epoch = epoch, .time = number(o, s->time), .value = value, .count = 1 },
	};
	uint64_t slot = epoch % m->intervals | (m->in_kernel ? UINT64_MAX << 32 : 0);
	union bt_amount kept = { };
	uint8_t key[FRAME_BYTES];
	struct bt_row *row;
	struct error err;

	key_of(o, m, s->keys, key);
	memcpy(key + bt_key_size(m), &slot, sizeof(slot));
	if (m->in_kernel) {
		if (run_get(o->r->run, m->name, key, &kept.point))
			kept = (union bt_amount){ };
		bt_amount_add(m, &kept, &new);
		o->r->full += run_set(o->r->run, m->name, key, &kept.point, &err) != 0;
		return;
	}
	row = bt_table_row(m->table, key);
	if (row)
		bt_amount_add(m, &row->amount, &new);
	else
		o->r->full++;
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
	if (m->kind == BT_SERIES) {
		add_to_series(o, s, value);
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
			.high = m->value.is_signed ? (uint64_t)((int64_t)value >> 32) : value >> 32,
		};
	row = bt_table_row(m->table, key);
	if (row)
		bt_amount_add(m, &row->amount, &amount);
	else
		o->r->full++;
}

/* ---- statements ---- */

/* `text`: BT_TEXT_MOST bytes, which stay as long as the value is shown. */
static struct bt_shown shown_of(struct own *o, const struct bt_order *order,
				const struct bt_value *v, char *text)
{
	struct bt_shown shown = { .shape = v->shape };

	if (bt_is_literal(v)) {
		shown.text = (struct text){ .s = v->node->text, .length = v->node->length };
	} else if (v->shape.kind == BT_TEXT) {
		text_of_node(o, v->node, text, v->shape.size);
		shown.text = bt_kept_text(text, &v->shape);
	} else if (v->shape.kind == BT_STACK) {
		text_of_node(o, v->node, text, v->shape.size);
		shown.text = bt_stack_text(o->r, order, &v->shape, text, o->now);
	} else {
		shown.bits = number(o, v->node);
	}
	return shown;
}

static void order(struct own *o, const struct bt_statement *s)
{
	struct bt_shown values[BT_ORDER_VALUES];
	char texts[BT_ORDER_VALUES][BT_TEXT_MOST];

	for (unsigned int i = 0; i < s->order->n; i++)
		values[i] = shown_of(o, s->order, &s->order->values[i], texts[i]);
	bt_order_run(o->r, s->order, o->now, 0, values);
	o->left |= s->order->kind == BT_EXIT;
}

static void set(struct own *o, const struct bt_statement *s)
{
	const struct bt_variable *v = &o->p->variables[s->variable];
	uint8_t *at = o->stack + FRAME_BYTES + bt_variable_at(o->p, s->variable);
	char text[BT_TEXT_MOST];
	uint64_t bits;

	if (v->shape.kind == BT_TEXT || v->shape.kind == BT_STACK) {
		text_of_node(o, s->value, text, v->shape.size);
		memcpy(at, text, v->shape.size);
		return;
	}
	bits = number(o, s->value);
	memcpy(at, &bits, sizeof(bits));
}

static void leave(struct own *o, const struct bt_statement *s)
{
	(void)s;
	o->left = true;
}

static void condition(struct own *o, const struct bt_statement *s)
{
	statements(o, number(o, s->value) ? s->then : s->otherwise);
}

/* One turn of a loop. Returns false if it was the last one. */
static bool turn(struct own *o, const struct bt_statement *s)
{
	bool goes_on;

	if (++o->turns > TURNS_MOST) {
		o->r->endless++;
		o->left = true;
		return false;
	}
	statements(o, s->then);
	goes_on = !o->left && o->jump != BT_BREAK;
	o->jump = BT_IF;
	return goes_on;
}

static void unroll(struct own *o, const struct bt_statement *s)
{
	for (uint64_t i = 0; i < s->value->value && !o->left && o->jump == BT_IF; i++)
		statements(o, s->then);
}

static void repeat(struct own *o, const struct bt_statement *s)
{
	while (number(o, s->value) && turn(o, s))
		;
}

static void keep(struct own *o, unsigned int variable, const void *bytes, size_t size)
{
	const size_t room = o->p->variables[variable].shape.size;
	uint8_t *at = o->stack + FRAME_BYTES + bt_variable_at(o->p, variable);

	memset(at, 0, room);
	memcpy(at, bytes, size < room ? size : room);
}

static void range(struct own *o, const struct bt_statement *s)
{
	int64_t i = (int64_t)number(o, s->value);
	const int64_t end = (int64_t)number(o, s->limit);

	for (; i < end; i++) {
		keep(o, s->variable, &i, sizeof(i));
		if (!turn(o, s))
			break;
	}
}

/* What the turns do to the map does not change where they go. */
static void each(struct own *o, const struct bt_statement *s)
{
	const struct bt_map *m = s->map;
	struct bt_row *rows = NULL;
	struct error err = { };
	size_t n = 0;
	bool goes_on = true;

	if (bt_take(o->r, m))
		return;
	if (bt_sorted_rows(o->r->bt, m, &rows, &n)) {
		fail(&err, "out of memory");
		run_fail(o->r->run, &err);
		goes_on = false;
	}
	for (size_t i = 0; i < n && goes_on; i++) {
		const uint64_t bits = bt_number_of(m, &rows[i].amount);

		for (unsigned int k = 0; k < m->n_keys; k++)
			keep(o, s->parts[k], rows[i].key + bt_key_offset(m, k), m->keys[k].size);
		for (unsigned int k = 0; m->value.kind == BT_TUPLE && k < m->n_parts; k++)
			keep(o, s->parts[m->n_keys + k], rows[i].text + bt_part_offset(m, k),
			     m->parts[k].size);
		if (m->value.kind == BT_TUPLE)
			;
		else if (rows[i].text)
			keep(o, s->parts[m->n_keys], rows[i].text, bt_text_size(m));
		else
			keep(o, s->parts[m->n_keys], &bits, sizeof(bits));
		goes_on = turn(o, s);
	}
	bt_rows_free(rows, n);
}

/* A value that only does something. */
static void evaluate(struct own *o, const struct bt_statement *s)
{
	const struct node *n = s->value;
	struct node *const *first = NULL;
	uint64_t unused;

	if (n->kind == NODE_CALL && n->function == &bt_tuple)
		first = bt_innermost((struct node *)(uintptr_t)n);
	n = first ? *first : n;
	if (n->kind == NODE_CALL && n->function == &bt_inner)
		statements(o, bt_inner_statements(n));
	else if (n->type.base != C_TEXT)
		value_of(o, n, &unused);
}

static void jump(struct own *o, const struct bt_statement *s)
{
	o->jump = s->kind;
}

static void (*const kinds[])(struct own *o, const struct bt_statement *s) = {
	[BT_IF] = condition, [BT_SET] = set, [BT_STORE] = store, [BT_ADD] = add,
	[BT_DELETE] = delete, [BT_AGGREGATE] = aggregate, [BT_ORDER] = order,
	[BT_RETURN] = leave, [BT_UNROLL] = unroll, [BT_WHILE] = repeat, [BT_FOR] = range,
	[BT_EACH] = each, [BT_BREAK] = jump, [BT_CONTINUE] = jump, [BT_VALUE] = evaluate,
};

static void statements(struct own *o, const struct bt_statement *s)
{
	for (; s && !o->left && o->jump == BT_IF; s = s->next)
		kinds[s->kind](o, s);
}

/* ---- events ---- */

static void run_action(struct bt_run *r, const struct bt_probe *p, const struct bt_item *item)
{
	struct own o = { .r = r, .p = p, .now = run_now(r->run), .item = item };

	prctl(PR_GET_NAME, o.comm);
	if (!p->on->predicate || number(&o, p->on->predicate))
		statements(&o, p->statements);
}

void bt_own_loop(struct bt_run *r, const struct bt_statement *s, uint64_t time)
{
	struct own o = { .r = r, .p = s->probe, .now = time };

	each(&o, s);
}

void bt_own_run(struct bt_run *r, enum bt_when when)
{
	for (const struct bt_probe *p = r->bt->probes; p; p = p->next)
		if (p->when == when && (when == BT_END || !r->over))
			run_action(r, p, NULL);
}

struct walking {
	struct bt_run *r;
	const struct bt_probe *p;
};

static bool each_item(void *arg, const struct bt_item *item)
{
	const struct walking *w = arg;

	run_action(w->r, w->p, item);
	return !w->r->over;
}

void bt_own_walk(struct bt_run *r)
{
	for (const struct bt_probe *p = r->bt->probes; p; p = p->next)
		if (p->when == BT_WALKED && !r->over)
			r->unread += bt_walk((enum bt_walk)p->walk, each_item,
					     &(struct walking){ r, p });
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

static bool awaits_signals(const struct bt_run *r)
{
	const struct bt_probe *p = r->bt->probes;

	while (p && p->when != BT_SIGNALLED)
		p = p->next;
	return p;
}

static void set_of_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGUSR1);
}

void bt_own_signals(const struct bt_run *r)
{
	sigset_t set;

	set_of_signals(&set);
	if (awaits_signals(r))
		sigprocmask(SIG_BLOCK, &set, NULL);
}

/* Takes the signals that have come since. Returns when to look again. */
static int64_t take_signals(struct bt_run *r, int64_t now)
{
	const struct timespec none = { };
	sigset_t set;

	if (!awaits_signals(r))
		return INT64_MAX;
	set_of_signals(&set);
	while (!r->over && sigtimedwait(&set, NULL, &none) == SIGUSR1)
		bt_own_run(r, BT_SIGNALLED);
	return now + SIGNALS_EACH;
}

int64_t bt_own_due(struct bt_run *r, int64_t now)
{
	struct bt_probe *next = next_interval(r, (uint64_t)now);
	const int64_t look = take_signals(r, now);

	for (int i = 0; next && next->due <= (uint64_t)now && !r->over && i < AT_ONCE; i++) {
		run_action(r, next, NULL);
		next->due += next->period;
		next = next_interval(r, (uint64_t)now);
	}
	return next && (int64_t)next->due < look ? (int64_t)next->due : look;
}
