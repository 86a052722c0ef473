// SPDX-License-Identifier: GPL-2.0
/* Binding functions that are statements, and functions that only maps have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "insns/lower/helpers.h"
#include "src/bt/bind/bind.h"
#include "src/bt/show/show.h"
#include "src/bt/text/text.h"
#include "src/language/types/types.h"
#include "src/toolkit/signals.h"

#define HIST_BITS 3			/* the slots of programs are no finer */
/* bpftrace's tests of tseries() set it: the map whose value is the time. */
#define CLOCK_OF_TESTS "BPFTRACE_DUMMY_TS_MAP"

/* Of a stack, with a mark if it was cut: a text, but %d is what scripts have. */
static bool is_length(const struct bt_value *v)
{
	return v->shape.kind == BT_STACK && v->shape.stack.way == BT_STACK_LENGTH;
}

/* ---- arguments ---- */

/* Returns true if the next argument is a text in quotes. */
static bool is_quoted(const struct binder *b, const struct bt_arguments *a)
{
	return a->next && a->next->a->kind == NODE_TEXT &&
	       b->t->source.text[a->next->at] == '"';
}

/* An argument that has to be there: *to becomes a copy. */
static int wanted(struct binder *b, struct bt_arguments *a, struct node **to)
{
	const struct node *n = bt_argument(a);

	return n ? bt_copy(b, n, to) : WRONG_AT(b, a->at, "a value belongs here");
}

static int no_more(struct binder *b, const struct bt_arguments *a)
{
	return a->next ? WRONG_AT(b, a->at, "')' is missing here") : 0;
}

/* ---- orders with values ---- */

/* A value of an order. `type`: it is converted to this; NULL: it is shown as it is. */
static int value(struct binder *b, struct bt_order *o, struct bt_arguments *a,
		 const struct c_type *type)
{
	struct bt_value *v = &o->values[o->n];

	if (o->n == BT_ORDER_VALUES)
		return WRONG_AT(b, a->at, "there are %d values at most", BT_ORDER_VALUES);
	if (wanted(b, a, &v->node) || bt_bind_value(b, v))
		return -1;
	if (v->shape.kind == BT_TUPLE && o->kind == BT_PRINT_VALUE)
		return bt_flat(b, v->node, o->values, &o->n, BT_ORDER_VALUES);
	if (v->shape.kind == BT_TUPLE)
		return WRONG(b, v->node, "only print() shows a tuple: show its parts");
	o->n++;
	if (is_length(v))
		return 0;
	if (type && v->shape.kind != BT_NUMBER && v->shape.kind != BT_UNSET)
		return WRONG(b, v->node, "this is a string: %%s prints it");
	return type ? convert(b, &v->node, *type) : 0;
}

static int format_is_known(struct binder *b, const struct format_text *f)
{
	for (unsigned int i = 0; i < f->n; i++)
		if (f->list[i].letter == 'K' || f->list[i].letter == 'U')
			return WRONG_AT(b, f->list[i].at, "bpftrace has no %%%c",
					f->list[i].letter);
	return 0;
}

static int formatted(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	struct bt_order *o = s->order;
	size_t at = a->at;

	if (!is_quoted(b, a))
		return WRONG_AT(b, at, "a format in quotes belongs here: \"%%d\\n\", pid");
	bt_argument(a);
	if (format_text_parse(b->t, &at, BT_WORD, &o->text.format, b->err) ||
	    format_is_known(b, &o->text.format))
		return -1;
	for (unsigned int i = 0; i < o->text.format.n; i++) {
		struct conversion *c = &o->text.format.list[i];
		const struct bt_value *v = &o->values[o->n];

		if (!a->next)
			return WRONG_AT(b, c->at, "there is no value for this conversion");
		if (value(b, o, a, format_is_text(c) ? NULL : &c->type))
			return -1;
		if (is_length(v))
			c->letter = 's';
		if (c->letter != 's' && format_is_text(c) && bt_block_of(&v->shape) != BT_BUFFER)
			return WRONG(b, v->node, "%%r prints bytes: buf(ADDRESS, LENGTH)");
	}
	return a->next ? WRONG_AT(b, a->at, "the format has no conversion for more values") : 0;
}

static int run_command(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	return bt_of(b->t)->unsafe ? formatted(b, s, a) :
	       WRONG_AT(b, s->at, "system() runs commands as root: --unsafe allows it");
}

static int complain(struct binder *b, struct bt_statement *s, struct bt_arguments *a,
		    const char *what)
{
	struct error place = { }, behind = { };
	const char *end, *to;

	if (formatted(b, s, a))
		return -1;
	bt_message(&b->t->source, s->at, "", &place);
	bt_message(&b->t->source, a->at, "", &behind);
	/* FILE:LINE:FROM-TO of the first letter, and TO of the bracket behind it */
	end = strstr(place.text, ": ERROR:");
	to = strstr(behind.text, ": ERROR:");
	while (end > place.text && end[-1] != '-')
		end--;
	while (to > behind.text && to[-1] != '-')
		to--;
	text_cut(s->order->text.place, sizeof(s->order->text.place), "%.*s%.*s %s: ",
		 (int)(end - place.text), place.text, (int)strcspn(to, " "), to, what);
	return 0;
}

static int error_text(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	return complain(b, s, a, "ERROR");
}

static int warning_text(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	s->order->text.warns = true;
	return complain(b, s, a, "WARNING");
}

/* ---- maps ---- */

/* Returns true if the next argument is a map, or an entry of one. */
static bool is_map(const struct binder *b, const struct bt_arguments *a)
{
	const struct node *n = a->next ? a->next->a : NULL;

	return n && n->kind == NODE_OWN && n->op == VALUE_MAP &&
	       b->t->source.text[a->next->at] == '@';
}

/* The next argument, if it is a map without a key; else NULL. */
static struct bt_map *next_map(const struct binder *b, const struct bt_arguments *a)
{
	return is_map(b, a) && !a->next->a->b ? bt_map_of(a->next->a) : NULL;
}

static int whole_map(struct binder *b, struct bt_order *o, struct bt_arguments *a)
{
	struct bt_map *m = o->whole.map = next_map(b, a);

	if (!m)
		return WRONG_AT(b, a->at, "a whole map belongs here: @NAME, without a key");
	bt_argument(a);
	m->named = true;
	return 0;
}

/* A number that the script tells; *to stays if there is none. */
static int more_number(struct binder *b, struct bt_arguments *a, uint64_t *to)
{
	const size_t at = a->next ? a->next->at : 0;
	const struct node *n = bt_argument(a);

	if (n && n->kind != NODE_NUMBER)
		return WRONG_AT(b, at, "a number belongs here: print(@map, LARGEST, DIVISOR)");
	*to = n ? n->value : *to;
	return 0;
}

static int print(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	struct bt_order *o = s->order;

	if (!next_map(b, a))
		return value(b, o, a, NULL);
	o->kind = BT_PRINT_MAP;
	return whole_map(b, o, a) || more_number(b, a, &o->whole.top) ||
	       more_number(b, a, &o->whole.divisor) ? -1 : 0;
}

/* Programs of the kernel still run when sonde carries the order out, but not at the end. */
static int change_map(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	if (whole_map(b, s->order, a))
		return -1;
	s->order->whole.map->emptied = true;
	s->order->whole.map->changed_by_own |= bt_of(b->t)->now->when != BT_END;
	return 0;
}

/* delete(@map[key]), delete(@map), delete(@map, key) */
static int delete(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	const size_t at = a->at;
	const struct node *n;
	struct node *key;

	s->kind = BT_DELETE;
	if (!is_map(b, a))
		return WRONG_AT(b, at, "an entry of a map belongs here: delete(@map[key])");
	n = bt_argument(a);
	s->entry.map = bt_map_of(n);
	if (bt_copy(b, n->b, &s->entry.keys))
		return -1;
	if (!s->entry.keys && a->next) {
		key = s->entry.keys = new_node(b, NODE_KEY, a->next->at);
		if (!key || wanted(b, a, &key->a))
			return -1;
	}
	s->entry.map->emptied = true;
	bt_map_changes(bt_of(b->t), s->entry.map);
	return bt_bind_entry(b, s->entry.map, s->entry.keys, at);
}

/* ---- others ---- */

static int time_of_day(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	const size_t at = a->at;

	if (a->next && !is_quoted(b, a))
		return WRONG_AT(b, at, "time() takes a string: time(\"%%H:%%M:%%S\\n\")");
	s->order->time = strdup(a->next ? bt_argument(a)->text : "%H:%M:%S\n");
	if (!s->order->time)
		return fail(b->err, "out of memory");
	return bt_time_known(s->order->time) ? 0 : WRONG_AT(b, at, BT_TIME_LETTERS, "time");
}

static int end(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	const struct c_type type = c_integer(8, true);

	return a->next ? value(b, s->order, a, &type) : 0;
}

/* signal(9), signal("KILL"), signal("SIGKILL") */
static int send_signal(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	const bool quoted = is_quoted(b, a);
	int number;

	if (!bt_of(b->t)->unsafe)
		return WRONG_AT(b, s->at, "signal() disturbs programs that are traced: --unsafe "
				"allows it");
	if (bt_of(b->t)->now->when != BT_KERNEL)
		return WRONG_AT(b, s->at, "signals go to the task that runs, and BEGIN, END, "
				"interval and iter have none: they are sonde's own");
	if (!helper_in(bt_of(b->t)->script.kernel, BPF_FUNC_send_signal))
		return WRONG_AT(b, s->at, "BPF programs of this kernel send no signals (since "
				"5.3)");
	s->kind = BT_SIGNAL;
	note_bpf(b, &(struct node){ .at = (uint32_t)s->at }, "only BPF programs send signals");
	if (wanted(b, a, &s->value))
		return -1;
	if (!quoted)
		return bt_bind_number(b, &s->value);
	number = signal_number(s->value->text, s->value->length);
	if (number <= 0)
		return WRONG(b, s->value, "there is no signal `%s`", s->value->text);
	make_number(s->value, (uint64_t)number, c_integer(8, true));
	return 0;
}

const struct bt_call_row bt_calls[] = {
	{ "printf", formatted, BT_PRINTF }, { "print", print, BT_PRINT_VALUE },
	{ "clear", change_map, BT_CLEAR }, { "zero", change_map, BT_ZERO },
	{ "delete", delete, -1 }, { "time", time_of_day, BT_TIME }, { "exit", end, BT_EXIT },
	{ "join", bt_join, -1 }, { "cat", formatted, BT_CAT },
	{ "system", run_command, BT_SYSTEM }, { "errorf", error_text, BT_ERRORF },
	{ "warnf", warning_text, BT_ERRORF }, { "signal", send_signal, -1 }, { }
};

int bt_call(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	const struct bt_call_row *row = &bt_calls[from->call.row];
	struct bt_statement *s = *to = bt_statement(b, BT_ORDER, from->at);
	struct bt_arguments a;

	bt_arguments(&a, &from->call.arguments);
	if (!s)
		return -1;
	if (row->order >= 0) {
		s->order = bt_order_new(b, (enum bt_order_kind)row->order);
		if (!s->order)
			return -1;
	}
	if (row->bind(b, s, &a) || no_more(b, &a))
		return -1;
	if (row->order >= 0)
		bt_order_lay_out(s->order);
	return 0;
}

/* ---- functions of maps ---- */

const struct bt_result_row bt_results[] = {
	{ "count", BT_COUNT }, { "sum", BT_SUM }, { "min", BT_MIN }, { "max", BT_MAX },
	{ "avg", BT_AVG }, { "stats", BT_STATS }, { "hist", BT_HIST }, { "lhist", BT_LHIST },
	{ "tseries", BT_SERIES }, { }
};

/* A bound, which may be negative. */
static int bound(struct binder *b, struct bt_arguments *a, int64_t *to)
{
	struct node *n;

	if (!a->next)
		return WRONG_AT(b, a->at, "lhist() takes a value and three numbers: lhist(VALUE, "
				"MIN, MAX, STEP)");
	if (wanted(b, a, &n) || bind_node(b, &n))
		return -1;
	*to = (int64_t)n->value;
	if (n->kind != NODE_NUMBER || *to != (int32_t)*to)
		return WRONG(b, n, "a bound of lhist() is a number that the script tells, of "
			     "32 bits");
	return 0;
}

static int other_elsewhere(struct binder *b, const struct bt_map *m, size_t at, const char *what)
{
	return WRONG_AT(b, at, "%s has other %s elsewhere: give these a map of their own", m->name,
			what);
}

static int bounds(struct binder *b, struct bt_map *m, struct bt_arguments *a, size_t at,
		  bool known)
{
	const int64_t before[] = { m->lhist.min, m->lhist.max, m->lhist.step };
	int64_t min, max, step;

	if (bound(b, a, &min) || bound(b, a, &max) || bound(b, a, &step))
		return -1;
	m->lhist.min = min;
	m->lhist.max = max;
	m->lhist.step = step;
	if (known && (min != before[0] || max != before[1] || step != before[2]))
		return other_elsewhere(b, m, at, "bounds");
	if (step < 1 || max <= min || max - min < step)
		return WRONG_AT(b, at, "lhist(VALUE, MIN, MAX, STEP): MIN is below MAX, and a STEP "
				"is between them");
	if ((max - min) / step > 1000)
		return WRONG_AT(b, at, "a histogram has 1000 steps at most: take a larger STEP");
	return 0;
}

/* K of hist(VALUE, K) */
static int power_rows(struct binder *b, struct bt_map *m, struct bt_arguments *a, size_t at,
		      bool known)
{
	const uint8_t before = m->hist.bits;
	const size_t place = a->next ? a->next->at : 0;
	const struct node *n = bt_argument(a);

	if (n && (n->kind != NODE_NUMBER || n->value > HIST_BITS))
		return WRONG_AT(b, place, "hist(VALUE, K) has 2^K rows for each power of two, "
				"and K is 0 to %d", HIST_BITS);
	m->hist.bits = n ? (uint8_t)n->value : 0;
	return known && m->hist.bits != before ? other_elsewhere(b, m, at, "rows") : 0;
}

/* What CLOCK_REALTIME is ahead of the clock of events. */
static uint64_t ahead(void)
{
	return (uint64_t)clock_ns(CLOCK_REALTIME) - monotonic_ns();
}

/* The time that the map of tests has; NULL, and err is not set: there is none. */
static struct node *time_of_tests(struct binder *b, size_t at)
{
	const char *name = getenv(CLOCK_OF_TESTS);
	struct node *n;

	for (struct bt_map *m = name ? bt_of(b->t)->maps : NULL; m; m = m->next) {
		if (strcmp(m->name, name))
			continue;
		n = bt_map_read_node(b, at, m, NULL);
		return !n || bind_node(b, &n) ? NULL : n;
	}
	return NULL;
}

static struct node *time_now(struct binder *b, size_t at)
{
	const struct c_type type = c_integer(8, false);
	struct node *n = getenv(CLOCK_OF_TESTS) ? time_of_tests(b, at) : NULL, *more;

	if (n)
		return n;
	n = new_node(b, NODE_NAME, at);
	more = number_node(b, at, ahead(), type);
	if (!n || !more || bind_identity(b, n, "time", 8))
		return NULL;
	return binary_node(b, at, '+', n, more, type);
}

/* The rest of tseries(), with the time that it goes by. */
static int series(struct binder *b, struct bt_statement *s, struct bt_arguments *a, size_t at,
		  bool known)
{
	s->entry.time = time_now(b, at);
	if (!s->entry.time)
		return -1;
	return bt_series(b, s, a, at, known);
}

/* What the function has behind its value. */
static int more(struct binder *b, struct bt_statement *s, struct bt_arguments *a, size_t at,
		bool known)
{
	switch (s->entry.map->kind) {
	case BT_LHIST:
		return bounds(b, s->entry.map, a, at, known);
	case BT_HIST:
		return power_rows(b, s->entry.map, a, at, known);
	case BT_SERIES:
		return series(b, s, a, at, known);
	default:
		return 0;
	}
}

int bt_aggregate(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	const enum bt_map_kind kind = bt_results[from->store.row].kind;
	const size_t at = from->store.function;
	struct bt_shape number = bt_number_shape(false);
	struct bt_statement *s = *to = bt_statement(b, BT_AGGREGATE, from->at);
	struct bt_arguments a;
	bool known;

	if (!s || bt_copy(b, from->store.keys, &s->entry.keys))
		return -1;
	s->entry.map = from->store.map;
	known = s->entry.map->kind == kind;
	bt_arguments(&a, &from->store.arguments);
	if (bt_map_is(b, s->entry.map, kind, at))
		return -1;
	if (kind != BT_COUNT) {
		if (wanted(b, &a, &s->entry.value) || bt_bind_number(b, &s->entry.value))
			return -1;
		number.number.is_signed = c_signed(&s->entry.value->type);
	}
	bt_shape_join(bt_of(b->t), &s->entry.map->value, &number);
	if (more(b, s, &a, at, known))
		return -1;
	if (a.next && kind != BT_COUNT)
		return WRONG_AT(b, a.at, "%s() takes one value here",
				bt_results[from->store.row].name);
	bt_map_changes(bt_of(b->t), s->entry.map);
	return bt_bind_keys(b, s->entry.map, s->entry.keys, at) || no_more(b, &a) ? -1 : 0;
}
