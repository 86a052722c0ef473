// SPDX-License-Identifier: GPL-2.0
/* Binding functions that are statements, and functions that only maps have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "src/bt/bind/bind.h"
#include "src/bt/show/shown.h"
#include "src/bt/text/text.h"
#include "src/language/types/types.h"
#include "src/toolkit/signals.h"

#define HIST_BITS 3			/* the slots of programs are no finer */
/* bpftrace's tests of tseries() set it: the map whose value is the time. */
#define CLOCK_OF_TESTS "BPFTRACE_DUMMY_TS_MAP"
#define SIGNALS_SINCE 0x050300		/* LINUX_VERSION_CODE of bpf_send_signal() */

/* Of a stack, with a mark if it was cut: a text, but %d is what scripts have. */
static bool is_length(const struct bt_value *v)
{
	return v->shape.kind == BT_STACK && v->shape.way == BT_STACK_LENGTH;
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
		return WRONG(b, v->node, "this is a text: %%s prints it");
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

static int formatted(struct binder *b, struct bt_statement *s, struct bt_arguments *a,
		     enum bt_order_kind kind)
{
	struct bt_order *o = bt_order_new(b, s, kind);
	size_t at = a->at;

	if (!o)
		return -1;
	if (!is_quoted(b, a))
		return WRONG_AT(b, at, "a format in quotes belongs here: \"%%d\\n\", pid");
	bt_argument(a);
	if (format_text_parse(b->t, &at, BT_WORD, &o->format, b->err) ||
	    format_is_known(b, &o->format))
		return -1;
	for (unsigned int i = 0; i < o->format.n; i++) {
		struct conversion *c = &o->format.list[i];

		if (!a->next)
			return WRONG_AT(b, c->at, "there is no value for this conversion");
		if (value(b, o, a, format_is_text(c) ? NULL : &c->type))
			return -1;
		if (is_length(&o->values[o->n - 1]))
			c->letter = 's';
		if (c->letter != 's' && format_is_text(c) &&
		    o->values[o->n - 1].shape.block != BT_BUFFER)
			return WRONG(b, o->values[o->n - 1].node, "%%r prints bytes: buf("
				     "ADDRESS, LENGTH)");
	}
	if (a->next)
		return WRONG_AT(b, a->at, "the format has no conversion for more values");
	bt_order_lay_out(o);
	return 0;
}

static int print_text(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	return formatted(b, s, a, BT_PRINTF);
}

static int cat(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	return formatted(b, s, a, BT_CAT);
}

static int run_command(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	if (!bt_of(b->t)->unsafe)
		return WRONG_AT(b, s->at, "system() runs commands as root: --unsafe allows it");
	return formatted(b, s, a, BT_SYSTEM);
}

static int complain(struct binder *b, struct bt_statement *s, struct bt_arguments *a,
		    const char *what)
{
	struct error place = { }, behind = { };
	const char *end, *to;

	if (formatted(b, s, a, BT_ERRORF))
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
	text_cut(s->order->place, sizeof(s->order->place), "%.*s%.*s %s: ",
		 (int)(end - place.text), place.text, (int)strcspn(to, " "), to, what);
	return 0;
}

static int error_text(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	return complain(b, s, a, "ERROR");
}

static int warning_text(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	if (complain(b, s, a, "WARNING"))
		return -1;
	s->order->warns = true;
	return 0;
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
	o->map = next_map(b, a);
	if (!o->map)
		return WRONG_AT(b, a->at, "a whole map belongs here: @NAME, without a key");
	bt_argument(a);
	o->map->named = true;
	bt_order_lay_out(o);
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
	struct bt_order *o = bt_order_new(b, s, next_map(b, a) ? BT_PRINT_MAP : BT_PRINT_VALUE);

	if (!o)
		return -1;
	if (o->kind == BT_PRINT_MAP)
		return whole_map(b, o, a) || more_number(b, a, &o->top) ||
		       more_number(b, a, &o->divisor) ? -1 : 0;
	if (value(b, o, a, NULL))
		return -1;
	bt_order_lay_out(o);
	return 0;
}

/* Programs of the kernel still run when sonde carries the order out, but not at the end. */
static int change_map(struct binder *b, struct bt_statement *s, struct bt_arguments *a,
		      enum bt_order_kind kind)
{
	struct bt_order *o = bt_order_new(b, s, kind);

	if (!o || whole_map(b, o, a))
		return -1;
	o->map->changed_by_own |= bt_of(b->t)->now->when != BT_END;
	return 0;
}

static int clear(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	return change_map(b, s, a, BT_CLEAR);
}

static int zero(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	return change_map(b, s, a, BT_ZERO);
}

/* delete(@map[key]), delete(@map), delete(@map, key) */
static int delete(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	const size_t at = a->at;
	const struct node *n;

	s->kind = BT_DELETE;
	if (!is_map(b, a))
		return WRONG_AT(b, at, "an entry of a map belongs here: delete(@map[key])");
	n = bt_argument(a);
	s->map = bt_map_of(n);
	if (bt_copy(b, n->b, &s->keys))
		return -1;
	if (!s->keys && a->next) {
		s->keys = bt_node(b, NODE_KEY, a->next->at);
		if (!s->keys || wanted(b, a, &s->keys->a))
			return -1;
	}
	bt_map_changes(bt_of(b->t), s->map);
	return bt_bind_entry(b, s->map, s->keys, at);
}

/* ---- others ---- */

static int time_of_day(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	struct bt_order *o = bt_order_new(b, s, BT_TIME);
	const size_t at = a->at;

	if (!o)
		return -1;
	bt_order_lay_out(o);
	if (a->next && !is_quoted(b, a))
		return WRONG_AT(b, at, "time() takes a text: time(\"%%H:%%M:%%S\\n\")");
	o->format.text = strdup(a->next ? bt_argument(a)->text : "%H:%M:%S\n");
	if (!o->format.text)
		return fail(b->err, "out of memory");
	return bt_time_known(o->format.text) ? 0 : WRONG_AT(b, at, BT_TIME_LETTERS, "time");
}

static int end(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	const struct c_type type = c_integer(8, true);
	struct bt_order *o = bt_order_new(b, s, BT_EXIT);

	if (!o || (a->next && value(b, o, a, &type)))
		return -1;
	bt_order_lay_out(o);
	return 0;
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
	if (kernel_version_code(bt_of(b->t)->script.kernel) < SIGNALS_SINCE)
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
	{ "printf", print_text }, { "print", print }, { "clear", clear }, { "zero", zero },
	{ "delete", delete }, { "time", time_of_day }, { "exit", end }, { "join", bt_join },
	{ "cat", cat }, { "system", run_command }, { "errorf", error_text },
	{ "warnf", warning_text }, { "signal", send_signal }, { }
};

int bt_call(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	struct bt_arguments a;

	bt_arguments(&a, &from->call.arguments);
	*to = bt_statement(b, BT_ORDER, from->at);
	return !*to || bt_calls[from->call.row].bind(b, *to, &a) || no_more(b, &a) ? -1 : 0;
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

static int bounds(struct binder *b, struct bt_map *m, struct bt_arguments *a, size_t at,
		  bool known)
{
	const int64_t before[] = { m->min, m->max, m->step };

	if (bound(b, a, &m->min) || bound(b, a, &m->max) || bound(b, a, &m->step))
		return -1;
	if (known && (m->min != before[0] || m->max != before[1] || m->step != before[2]))
		return WRONG_AT(b, at, "%s has other bounds elsewhere: give these a map of their "
				"own", m->name);
	if (m->step < 1 || m->max <= m->min || m->max - m->min < m->step)
		return WRONG_AT(b, at, "lhist(VALUE, MIN, MAX, STEP): MIN is below MAX, and a STEP "
				"is between them");
	if ((m->max - m->min) / m->step > 1000)
		return WRONG_AT(b, at, "a histogram has 1000 steps at most: take a larger STEP");
	return 0;
}

/* K of hist(VALUE, K) */
static int power_rows(struct binder *b, struct bt_map *m, struct bt_arguments *a, size_t at,
		      bool known)
{
	const uint8_t before = m->bits;
	const size_t place = a->next ? a->next->at : 0;
	const struct node *n = bt_argument(a);

	if (n && (n->kind != NODE_NUMBER || n->value > HIST_BITS))
		return WRONG_AT(b, place, "hist(VALUE, K) has 2^K rows for each power of two, "
				"and K is 0 to %d", HIST_BITS);
	m->bits = n ? (uint8_t)n->value : 0;
	return known && m->bits != before ?
	       WRONG_AT(b, at, "%s has other rows elsewhere: give these a map of their own",
			m->name) : 0;
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
	n = bt_node(b, NODE_NAME, at);
	more = number_node(b, at, ahead(), type);
	if (!n || !more || bind_identity(b, n, "time", 8))
		return NULL;
	return binary_node(b, at, '+', n, more, type);
}

/* The rest of tseries(), with the time that it goes by. */
static int series(struct binder *b, struct bt_statement *s, struct bt_arguments *a, size_t at,
		  bool known)
{
	s->time = time_now(b, at);
	if (!s->time)
		return *b->err->text ? -1 : fail(b->err, "out of memory");
	return bt_series(b, s, a, at, known);
}

/* What the function has behind its value. */
static int more(struct binder *b, struct bt_statement *s, struct bt_arguments *a, size_t at,
		bool known)
{
	switch (s->map->kind) {
	case BT_LHIST:
		return bounds(b, s->map, a, at, known);
	case BT_HIST:
		return power_rows(b, s->map, a, at, known);
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
	struct bt_shape number = { .kind = BT_NUMBER, .size = 8 };
	struct bt_statement *s = *to = bt_statement(b, BT_AGGREGATE, from->at);
	struct bt_arguments a;
	bool known;

	if (!s || bt_copy(b, from->store.keys, &s->keys))
		return -1;
	s->map = from->store.map;
	known = s->map->kind == kind;
	bt_arguments(&a, &from->store.arguments);
	if (bt_map_is(b, s->map, kind, at))
		return -1;
	if (kind != BT_COUNT) {
		if (wanted(b, &a, &s->value) || bt_bind_number(b, &s->value))
			return -1;
		number.is_signed = c_signed(&s->value->type);
	}
	bt_shape_join(bt_of(b->t), &s->map->value, &number);
	if (more(b, s, &a, at, known))
		return -1;
	if (a.next && kind != BT_COUNT)
		return WRONG_AT(b, a.at, "%s() takes one value here",
				bt_results[from->store.row].name);
	bt_map_changes(bt_of(b->t), s->map);
	return bt_bind_keys(b, s->map, s->keys, at) || no_more(b, &a) ? -1 : 0;
}
