// SPDX-License-Identifier: GPL-2.0
/* BEGIN, END and interval, which no kernel runs: sonde runs their statements itself. */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "compat/base/clock.h"
#include "src/bt/run/own.h"
#include "src/lib/output/records.h"
#include "src/stop.h"

#define AT_ONCE 1000			/* late intervals that run before events are read again */
#define TURNS_SURE (1 << 25)		/* of the loops of END, once sonde was told to end */
#define GRACE 2000000000		/* ns for an action during which sonde is told to end */
#define SIGNALS_EACH 50000000		/* ns between looks for signals */

/* ---- maps ---- */

/* The row of the key, which a full map has no room for; NULL: there is none. */
static struct bt_row *row_of(const struct bt_map *m, const uint8_t *key)
{
	return m->table->n < m->row.entries || bt_table_find(m->table, key) ?
	       bt_table_row(m->table, key) : NULL;
}

static void write_map(struct own *o, const struct bt_map *m, const uint8_t *key,
		      struct bt_entry *entry)
{
	struct bt_entry old;
	struct bt_row *row;
	struct error err;
	bool was;

	entry->cell.present = 1;
	if (m->in_kernel) {
		was = m->counted && !bt_slots_get(o->r, m, key, &old);
		if (bt_slots_set(o->r, m, key, entry, &err))
			o->r->full++;
		else
			bt_length_changes(o->r, m, !was);
		return;
	}
	row = row_of(m, key);
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
			bt_own_text(o, part->a, at, s->map->parts[i].size);
			continue;
		}
		bits = bt_own_number(o, part->a);
		memcpy(at, &bits, sizeof(bits));
	}
}

static void store(struct own *o, const struct bt_statement *s)
{
	const unsigned int text = bt_text_size(s->map);
	struct bt_entry entry = { };
	uint8_t key[FRAME_BYTES];

	bt_own_key(o, s->map, s->keys, key);
	if (s->row)
		row(o, s, entry.text);
	else if (text)
		bt_own_text(o, s->value, entry.text, text);
	else
		entry.cell.value = bt_own_number(o, s->value);
	write_map(o, s->map, key, &entry);
}

static void add(struct own *o, const struct bt_statement *s)
{
	const struct node old = { .value = (uint64_t)(uintptr_t)s->map, .b = s->keys };
	struct bt_entry entry;
	uint8_t key[FRAME_BYTES];

	bt_own_read_map(o, &old, &entry);
	bt_own_key(o, s->map, s->keys, key);
	entry.cell.value += s->value ? bt_own_number(o, s->value) : 1;
	write_map(o, s->map, key, &entry);
}

static void delete(struct own *o, const struct bt_statement *s)
{
	bt_own_remove(o, s->map, s->keys);
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
	const uint64_t epoch = bt_own_number(o, s->limit);
	const union bt_amount new = {
		.point = {
			.epoch = epoch, .time = bt_own_number(o, s->time), .value = value,
			.count = 1,
		},
	};
	uint64_t slot = epoch % m->intervals | (m->in_kernel ? UINT64_MAX << 32 : 0);
	union bt_amount kept = { };
	uint8_t key[FRAME_BYTES];
	struct bt_row *row;
	struct error err;

	bt_own_key(o, m, s->keys, key);
	memcpy(key + bt_key_size(m), &slot, sizeof(slot));
	if (m->in_kernel) {
		if (bt_slots_get(o->r, m, key, &kept.point))
			kept = (union bt_amount){ };
		bt_amount_add(m, &kept, &new);
		o->r->full += bt_slots_set(o->r, m, key, &kept.point, &err) != 0;
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

	if (s->value && !bt_own_value(o, s->value, &value)) {
		o->r->failures++;
		return;
	}
	if (m->kind == BT_SERIES) {
		add_to_series(o, s, value);
		return;
	}
	bt_own_key(o, m, s->keys, key);
	if (m->kind == BT_HIST || m->kind == BT_LHIST) {
		slot = slot_of(m, (int64_t)value);
		memcpy(key + bt_key_size(m), &slot, sizeof(slot));
	}
	if (bt_is_sums(m->kind))
		amount.sums = (struct argdist_sums){
			.count = 1, .low = value & UINT32_MAX, .min = value, .max = value,
			.high = m->value.is_signed ? (uint64_t)((int64_t)value >> 32) : value >> 32,
		};
	/* A histogram has a row for each slot; an engine's map has room for what sonde adds. */
	row = m->in_kernel || m->kind == BT_HIST || m->kind == BT_LHIST ?
	      bt_table_row(m->table, key) : row_of(m, key);
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
		bt_own_text(o, v->node, text, v->shape.size);
		shown.text = bt_kept_text(text, &v->shape);
	} else if (v->shape.kind == BT_STACK) {
		bt_own_text(o, v->node, text, v->shape.size);
		shown.text = bt_stack_text(o->r, order, &v->shape, text, o->now);
	} else {
		shown.bits = bt_own_number(o, v->node);
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
		bt_own_text(o, s->value, text, v->shape.size);
		memcpy(at, text, v->shape.size);
		return;
	}
	bits = bt_own_number(o, s->value);
	memcpy(at, &bits, sizeof(bits));
}

static void leave(struct own *o, const struct bt_statement *s)
{
	(void)s;
	o->left = true;
}

static void condition(struct own *o, const struct bt_statement *s)
{
	bt_own_statements(o, bt_own_number(o, s->value) ? s->then : s->otherwise);
}

/* Returns true if loops have to end. What begins after the signal, END, has longer. */
static bool out_of_time(struct own *o)
{
	const uint64_t now = stop_signals == o->signals ? 0 : monotonic_ns();

	o->turns++;
	if (!now)
		return stop_signal && o->turns > TURNS_SURE;
	if (!o->end)
		o->end = now + GRACE;
	return now >= o->end;
}

/* One turn of a loop. Returns false if it was the last one. */
static bool turn(struct own *o, const struct bt_statement *s)
{
	bool goes_on;

	if (out_of_time(o)) {
		o->r->endless++;
		o->left = true;
		return false;
	}
	bt_own_statements(o, s->then);
	goes_on = !o->left && o->jump != BT_BREAK;
	o->jump = BT_IF;
	return goes_on;
}

static void unroll(struct own *o, const struct bt_statement *s)
{
	for (uint64_t i = 0; i < s->value->value && !o->left && o->jump == BT_IF; i++)
		bt_own_statements(o, s->then);
}

static void repeat(struct own *o, const struct bt_statement *s)
{
	while (bt_own_number(o, s->value) && turn(o, s))
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
	int64_t i = (int64_t)bt_own_number(o, s->value);
	const int64_t end = (int64_t)bt_own_number(o, s->limit);

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
		bt_own_statements(o, bt_inner_statements(n));
	else if (n->type.base != C_TEXT)
		bt_own_value(o, n, &unused);
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

void bt_own_statements(struct own *o, const struct bt_statement *s)
{
	for (; s && !o->left && o->jump == BT_IF; s = s->next)
		kinds[s->kind](o, s);
}

/* ---- events ---- */

static void run_action(struct bt_run *r, const struct bt_probe *p, const struct bt_item *item)
{
	struct own o = { .r = r, .p = p, .now = run_now(r->run), .item = item,
			 .signals = stop_signals };

	prctl(PR_GET_NAME, o.comm);
	if (!p->on->predicate || bt_own_number(&o, p->on->predicate))
		bt_own_statements(&o, p->statements);
}

void bt_own_loop(struct bt_run *r, const struct bt_statement *s, uint64_t time)
{
	struct own o = { .r = r, .p = s->probe, .now = time,
			 .signals = stop_signals };

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

int bt_own_walk(struct bt_run *r, struct error *err)
{
	int result = 0;

	for (const struct bt_probe *p = r->bt->probes; p && !r->over && !result; p = p->next) {
		if (p->when == BT_WALKED)
			result = bt_walk((enum bt_walk)p->walk, each_item,
					 &(struct walking){ r, p }, &r->unread, err);
		else if (p->on->probe.iterator)
			result = run_walk(r->run, p->on->hook, err);
	}
	return result;
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

/* Leaves out all but the last of the turns that are late, so that other intervals have theirs. */
static void leave_out(struct bt_run *r, uint64_t now)
{
	for (struct bt_probe *p = r->bt->probes; p; p = p->next) {
		const uint64_t late = p->when == BT_INTERVAL && p->due < now ?
				      (now - p->due) / p->period : 0;

		p->due += late * p->period;
		r->late += late;
	}
}

int64_t bt_own_due(struct bt_run *r, int64_t now)
{
	struct bt_probe *next = next_interval(r, (uint64_t)now);
	const int64_t look = take_signals(r, now);

	for (int i = 0; next && next->due <= (uint64_t)now && !r->over && i < AT_ONCE; i++) {
		run_action(r, next, NULL);
		next->due += next->period;
		next = next_interval(r, (uint64_t)now);
		if (i == AT_ONCE - 1)
			leave_out(r, (uint64_t)now);
	}
	return next && (int64_t)next->due < look ? (int64_t)next->due : look;
}
