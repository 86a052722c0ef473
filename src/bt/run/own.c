// SPDX-License-Identifier: GPL-2.0
/*
 * BEGIN, END and interval, which no kernel runs: sonde's machine runs their programs. Maps of the
 * script are maps of its host, which is here: entries of values are in the engine's map, if an
 * engine has one, and results of own events in sonde's table.
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

#include "backends/vm/vm.h"
#include "compat/base/clock.h"
#include "src/bt/bind/bind.h"
#include "src/bt/emit/own.h"
#include "src/bt/run/items.h"
#include "src/bt/run/run.h"
#include "src/lib/output/records.h"
#include "src/run/stop.h"

#define AT_ONCE 1000			/* late intervals that run before events are read again */
#define SIGNALS_EACH 50000000		/* ns between looks for signals */

/* The rows that a loop goes through, as the map had them when it began. */
struct rows {
	struct bt_row *rows;
	size_t n, next;
};

/* What sonde's machine has, and what its host has for it. */
struct bt_own {
	struct vm *vm;
	struct bt_run *r;
	const struct bt_item *item;	/* of an iterator */
	struct rows *loops;		/* by the loop's number */
	unsigned int n_loops;
	/* the value of the last look-up */
	struct bt_entry entry;
	struct bt_own_row row;
};

/* ---- maps of the script ---- */

/* The row of the key, which a full map has no room for; NULL: there is none. */
static struct bt_row *row_of(const struct bt_map *m, const uint8_t *key)
{
	return m->table->n < m->row.entries || bt_table_find(m->table, key) ?
	       bt_table_row(m->table, key) : NULL;
}

static int set_in_engine(struct bt_run *r, const struct bt_map *m, const uint8_t *key,
			 const struct bt_entry *entry)
{
	struct bt_entry old;
	struct error err;
	const bool was = m->counted && !bt_slots_get(r, m, key, &old);

	if (bt_slots_set(r, m, key, entry, &err))
		return -E2BIG;
	bt_length_changes(r, m, !was);
	return 0;
}

static int set(struct bt_run *r, const struct bt_map *m, const uint8_t *key,
	       const struct bt_entry *entry)
{
	struct bt_row *row;

	if (m->in_kernel)
		return set_in_engine(r, m, key, entry);
	row = row_of(m, key);
	if (!row)
		return -E2BIG;
	row->amount.number = entry->cell.value;
	if (row->text)
		memcpy(row->text, entry->text, bt_text_size(m));
	return 0;
}

/* Programs change the entry at the same time. */
static int step_in_engine(struct bt_run *r, const struct bt_map *m, const uint8_t *key,
			  const struct bt_cell *cell)
{
	struct error err;
	const int made = run_add(r->run, m->name, key, cell, &err);

	if (made < 0 && err.number)
		run_fail(r->run, &err);
	if (made > 0)
		bt_length_changes(r, m, 1);
	return made < 0 ? -E2BIG : 0;
}

/* Returns false if there is no such entry. */
static bool get(struct bt_run *r, const struct bt_map *m, const uint8_t *key,
		struct bt_entry *to)
{
	const struct bt_row *row;

	*to = (struct bt_entry){ };
	if (m->in_kernel && m->kind == BT_VALUES)
		return !bt_slots_get(r, m, key, to);
	row = bt_take(r, m) ? NULL : bt_table_find(m->table, key);
	if (!row)
		return false;
	to->cell = (struct bt_cell){ .value = bt_number_of(m, &row->amount), .present = 1 };
	if (row->text)
		memcpy(to->text, row->text, bt_text_size(m));
	return true;
}

/* Adds to an entry; without one makes it. */
static int step(struct bt_run *r, const struct bt_map *m, const uint8_t *key, uint64_t by)
{
	struct bt_entry entry;

	if (m->in_kernel && m->row.added)
		return step_in_engine(r, m, key, &(struct bt_cell){ .value = by, .present = 1 });
	get(r, m, key, &entry);
	entry.cell.value += by;
	entry.cell.present = 1;
	return set(r, m, key, &entry);
}

static int delete(struct bt_run *r, const struct bt_map *m, const uint8_t *key)
{
	struct bt_entry old;
	struct error err;

	if (!get(r, m, key, &old))
		return -ENOENT;
	if (!m->in_kernel || m->kind != BT_VALUES)
		bt_table_delete(m->table, key);
	else if (!bt_slots_set(r, m, key, NULL, &err))
		bt_length_changes(r, m, -1);
	return 0;
}

/* The number of entries: of a histogram rows of one key are one. */
static uint64_t length_of(struct bt_run *r, const struct bt_map *m)
{
	const struct bt_row *rows;
	uint64_t n = 0;

	if (bt_take(r, m))
		return 0;
	rows = m->table->rows;
	for (size_t i = 0; i < m->table->n; i++)
		n += !i || memcmp(rows[i].key, rows[i - 1].key, bt_key_size(m)) != 0;
	return n;
}

/* ---- results ---- */

/* The slot of a value, as programs number it. */
static uint64_t slot_of(const struct bt_map *m, int64_t value)
{
	unsigned int slot = 0;

	if (m->kind == BT_LHIST)
		return value < m->lhist.min ? 0 :
		       (uint64_t)(((value < m->lhist.max ? value : m->lhist.max) - m->lhist.min) /
				  m->lhist.step + 1);
	if (value < 0)
		return ARGDIST_NEGATIVE;
	while (hist_slot_high(slot) < (uint64_t)value)
		slot++;
	return slot;
}

/* An interval of a series. In the engine's map sonde has entries of its own, as a CPU has. */
static int add_to_series(struct bt_run *r, const struct bt_map *m, uint8_t *key,
			 const struct bt_given *given)
{
	const union bt_amount new = {
		.point = {
			.epoch = given->epoch, .time = given->time, .value = given->value,
			.count = 1,
		},
	};
	const uint64_t slot = given->epoch % m->series.n | (m->in_kernel ? UINT64_MAX << 32 : 0);
	union bt_amount kept = { };
	struct bt_row *row;
	struct error err;

	memcpy(key + bt_key_size(m), &slot, sizeof(slot));
	if (m->in_kernel) {
		if (bt_slots_get(r, m, key, &kept.point))
			kept = (union bt_amount){ };
		bt_amount_add(m, &kept, &new);
		return bt_slots_set(r, m, key, &kept.point, &err) ? -E2BIG : 0;
	}
	row = bt_table_row(m->table, key);
	if (!row)
		return -E2BIG;
	bt_amount_add(m, &row->amount, &new);
	return 0;
}

/* What sonde's own events add to is in the table, beside what is taken of the engine. */
static int add(struct bt_run *r, const struct bt_map *m, const uint8_t *given_key,
	       const struct bt_given *given)
{
	const uint64_t value = given->value;
	union bt_amount amount = { .number = 1 };
	uint8_t key[FRAME_BYTES];
	struct bt_row *row;
	uint64_t slot;

	memcpy(key, given_key, bt_whole_key_size(m));
	if (m->kind == BT_SERIES)
		return add_to_series(r, m, key, given);
	if (m->kind == BT_HIST || m->kind == BT_LHIST) {
		slot = slot_of(m, (int64_t)value);
		memcpy(key + bt_key_size(m), &slot, sizeof(slot));
	}
	if (bt_is_sums(m->kind))
		amount.sums = (struct argdist_sums){
			.count = 1, .low = value & UINT32_MAX, .min = value, .max = value,
			.high = bt_is_signed(&m->value) ? (uint64_t)((int64_t)value >> 32) :
				value >> 32,
		};
	if (r->exports)
		bt_exports_add(r->exports, m, &(struct bt_row){ key, amount, NULL }, 1);
	/* A histogram has a row for each slot; an engine's map has room for what sonde adds. */
	row = m->in_kernel || m->kind == BT_HIST || m->kind == BT_LHIST ?
	      bt_table_row(m->table, key) : row_of(m, key);
	if (!row)
		return -E2BIG;
	bt_amount_add(m, &row->amount, &amount);
	return 0;
}

/* ---- the host ---- */

static const struct bt_map *map_of(const struct bt_own *o, uint64_t number)
{
	const struct bt_map *m = o->r->bt->maps;

	while (m && m->number != number)
		m = m->next;
	return m;
}

static void end_loop(struct rows *l)
{
	bt_rows_free(l->rows, l->n);
	*l = (struct rows){ };
}

/* What the turns do to the map does not change where they go. */
static void begin_loop(struct bt_own *o, const struct bt_map *m, struct rows *l)
{
	end_loop(l);
	if (bt_take(o->r, m) || !bt_sorted_rows(o->r->bt, m, &l->rows, &l->n))
		return;
	end_loop(l);
	bt_no_memory(o->r);
}

static const void *next_row(struct bt_own *o, const struct bt_rows_key *key)
{
	const struct bt_map *m = map_of(o, key->map);
	struct rows *l = &o->loops[key->loop];
	const struct bt_row *row;
	uint64_t number;

	if (key->begins) {
		begin_loop(o, m, l);
		return NULL;
	}
	if (l->next == l->n) {
		end_loop(l);
		return NULL;
	}
	row = &l->rows[l->next++];
	number = bt_number_of(m, &row->amount);
	memcpy(o->row.key, row->key, bt_whole_key_size(m));
	if (row->text)
		memcpy(o->row.value, row->text, bt_text_size(m));
	else
		memcpy(o->row.value, &number, sizeof(number));
	return &o->row;
}

static const void *member(struct bt_own *o, unsigned int row)
{
	const struct bt_member *m = bt_member_row(row);
	char *to = o->entry.text;
	uint64_t number;

	memset(to, 0, sizeof(o->entry.text));
	if (m->text)
		return m->text(o->item, to, sizeof(o->entry.text)) ? to : NULL;
	if (!m->number(o->item, m, &number))
		return NULL;
	return memcpy(to, &number, sizeof(number));
}

static const void *look_up(void *arg, unsigned int map, const void *key)
{
	struct bt_own *o = ((struct bt_run *)arg)->own;
	struct bt_own_key own;

	switch (map) {
	case BT_OWN_ROWS:
		return next_row(o, key);
	case BT_OWN_LENGTHS:
		memcpy(&own, key, sizeof(own));
		o->entry.cell.value = length_of(o->r, map_of(o, own.number));
		return &o->entry.cell;
	case BT_OWN_MEMBERS:
		memcpy(&own, key, sizeof(own));
		return member(o, (unsigned int)own.number);
	default:
		return get(o->r, map_of(o, map - BT_OWN_MAPS), key, &o->entry) ? &o->entry : NULL;
	}
}

static int update(void *arg, unsigned int map, const void *key, const void *value)
{
	struct bt_own *o = ((struct bt_run *)arg)->own;
	const struct bt_map *m = map_of(o, map - BT_OWN_MAPS);
	struct bt_entry entry = { };
	struct bt_given given;
	int result;

	if (m->kind == BT_VALUES) {
		memcpy(&entry, value, sizeof(entry.cell) + bt_text_size(m));
		result = entry.cell.present ? set(o->r, m, key, &entry) :
			 step(o->r, m, key, entry.cell.value);
	} else {
		memcpy(&given, value, sizeof(given));
		result = add(o->r, m, key, &given);
	}
	o->r->full += result != 0;
	return result;
}

static int delete_entry(void *arg, unsigned int map, const void *key)
{
	struct bt_own *o = ((struct bt_run *)arg)->own;

	return delete(o->r, map_of(o, map - BT_OWN_MAPS), key);
}

static const struct vm_host host = { look_up, update, delete_entry };

/* A record of a program is an order, which is carried out at once. */
static void take_order(void *arg, unsigned int output, const void *bytes, uint32_t size)
{
	const struct record record = { .bytes = bytes, .size = size };

	(void)output;
	bt_order_record(arg, &record);
}

/* ---- programs ---- */

/* The record of an own event: what sonde's machine does not tell of the task. */
struct own_record {
	uint32_t uid, gid;
};

static struct input own_inputs[] = {
	{ .name = "time", .kind = INPUT_NUMBER, .place = PLACE_IDENTITY, .size = 8,
	  .identity = IDENTITY_TIME },
	{ .name = "cpu", .kind = INPUT_NUMBER, .place = PLACE_IDENTITY, .size = 4,
	  .identity = IDENTITY_CPU },
	{ .name = "tgid", .kind = INPUT_NUMBER, .place = PLACE_IDENTITY, .size = 4,
	  .identity = IDENTITY_TGID },
	{ .name = "tid", .kind = INPUT_NUMBER, .place = PLACE_IDENTITY, .size = 4,
	  .identity = IDENTITY_TID },
	{ .name = "comm", .kind = INPUT_BYTES, .place = PLACE_IDENTITY, .size = BT_COMM,
	  .identity = IDENTITY_COMM },
	{ .name = "uid", .kind = INPUT_NUMBER, .place = PLACE_RECORD, .size = 4,
	  .offset = offsetof(struct own_record, uid) },
	{ .name = "gid", .kind = INPUT_NUMBER, .place = PLACE_RECORD, .size = 4,
	  .offset = offsetof(struct own_record, gid) },
};

static const struct layout own_layout = {
	.n_inputs = sizeof(own_inputs) / sizeof(own_inputs[0]), .inputs = own_inputs,
};

static int load(struct bt_own *o, const struct bt_action *a, const struct map *maps,
		unsigned int n_maps, struct error *err)
{
	static const struct constant none[] = { { } };
	static const struct filter no_filter;
	const struct bt *b = o->r->bt;
	const struct program p = {
		.hook = b->names[a->probe->first_name].probe, .insns = a->code.insns,
		.n_insns = a->code.n, .file = b->script.file, .may_be_long = true,
	};
	const struct lowering l = {
		.target = TARGET_RING, .own = true, .kernel = b->script.kernel,
		.kind = EVENT_TRACEPOINT, .layout = &own_layout, .filter = &no_filter,
		.options = none, .facts = none, .maps = maps, .n_maps = n_maps,
	};
	struct lowered code;
	int program;

	if (lower(&p, &l, &code, err))
		return -1;
	program = vm_load(o->vm, code.insns, code.n, err);
	lowered_free(&code);
	return program < 0 ? -1 : 0;
}

static int load_all(struct bt_own *o, struct error *err)
{
	const struct bt *b = o->r->bt;
	struct map *maps;
	unsigned int n = BT_OWN_MAPS;
	int result = -1;

	for (const struct bt_map *m = b->maps; m; m = m->next)
		n++;
	maps = calloc(n, sizeof(*maps));
	if (!maps)
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < n; i++)
		maps[i] = bt_own_map(b, i);
	o->vm = vm_new(maps, n, take_order, o->r, err);
	if (o->vm) {
		vm_set_host(o->vm, &host);
		result = 0;
	}
	for (unsigned int i = 0; i < b->n_actions && !result; i++)
		result = load(o, &b->actions[i], maps, n, err);
	free(maps);
	return result;
}

int bt_own_open(struct bt_run *r, struct error *err)
{
	struct bt_own *o = calloc(1, sizeof(*o));

	r->own = o;
	if (!o)
		return fail(err, "out of memory");
	o->r = r;
	if (!r->bt->n_actions)
		return 0;
	for (unsigned int i = 0; i < r->bt->n_actions; i++)
		if (r->bt->actions[i].code.loops > o->n_loops)
			o->n_loops = r->bt->actions[i].code.loops;
	o->loops = calloc(o->n_loops + 1, sizeof(*o->loops));
	return o->loops ? load_all(o, err) : fail(err, "out of memory");
}

void bt_own_free(struct bt_run *r)
{
	if (!r->own)
		return;
	for (unsigned int i = 0; r->own->loops && i < r->own->n_loops; i++)
		end_loop(&r->own->loops[i]);
	free(r->own->loops);
	vm_free(r->own->vm);
	free(r->own);
	r->own = NULL;
}

/* The machine's count since it was asked last. */
static uint64_t failures(struct vm *vm, uint32_t which)
{
	static const uint64_t none;
	uint64_t n = 0;

	vm_get(vm, BT_OWN_FAILURES, &which, &n);
	vm_set(vm, BT_OWN_FAILURES, &which, &none);
	return n;
}

static int program_of(const struct bt *b, const struct bt_probe *p, const struct bt_statement *loop)
{
	int i = 0;

	while (b->actions[i].probe != p || b->actions[i].loop != loop)
		i++;
	return i;
}

static void run_program(struct bt_run *r, int program, uint64_t now, const struct bt_item *item)
{
	const struct own_record record = { .uid = geteuid(), .gid = getegid() };
	char comm[BT_COMM];
	struct sample s = {
		.time = now, .tid = (uint32_t)getpid(), .tgid = (uint32_t)getpid(), .comm = comm,
		.size = sizeof(record), .record = &record,
	};
	struct bt_own *o = r->own;

	prctl(PR_GET_NAME, comm);
	syscall(SYS_getcpu, &s.cpu, NULL, NULL);
	o->item = item;
	vm_run(o->vm, program, &s, NULL, 0);
	r->failures += failures(o->vm, BT_UNREADABLE);
	r->endless += failures(o->vm, BT_ENDLESS);
	for (unsigned int i = 0; i < o->n_loops; i++)
		end_loop(&o->loops[i]);
}

static void run_action(struct bt_run *r, const struct bt_probe *p, const struct bt_item *item)
{
	run_program(r, program_of(r->bt, p, NULL), run_now(r->run), item);
}

void bt_own_loop(struct bt_run *r, const struct bt_statement *s, uint64_t time)
{
	run_program(r, program_of(r->bt, s->probe, s), time, NULL);
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
		if (!p->interval.due)
			p->interval.due = now + p->interval.length;
		if (!next || p->interval.due < next->interval.due)
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
		uint64_t late;

		if (p->when != BT_INTERVAL || p->interval.due >= now)
			continue;
		late = (now - p->interval.due) / p->interval.length;
		p->interval.due += late * p->interval.length;
		r->late += late;
	}
}

int64_t bt_own_due(struct bt_run *r, int64_t now)
{
	struct bt_probe *next = next_interval(r, (uint64_t)now);
	const int64_t look = take_signals(r, now);

	for (int i = 0; i < AT_ONCE && !r->over; i++) {
		if (!next || next->interval.due > (uint64_t)now)
			break;
		run_action(r, next, NULL);
		next->interval.due += next->interval.length;
		next = next_interval(r, (uint64_t)now);
		if (i == AT_ONCE - 1)
			leave_out(r, (uint64_t)now);
	}
	return next && (int64_t)next->interval.due < look ? (int64_t)next->interval.due : look;
}
