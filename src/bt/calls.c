// SPDX-License-Identifier: GPL-2.0
/* Functions that are statements, and functions that only maps have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compat/base/array.h"
#include "compat/base/clock.h"
#include "src/bt/parse.h"
#include "src/bt/show/shown.h"
#include "src/bt/text/text.h"
#include "src/language/types/types.h"
#include "src/lib/options/words.h"
#include "src/toolkit/signals.h"

#define HIST_BITS 3			/* the slots of programs are no finer */
/* bpftrace's tests of tseries() set it: the map whose value is the time. */
#define CLOCK_OF_TESTS "BPFTRACE_DUMMY_TS_MAP"
#define SIGNALS_SINCE 0x050300		/* LINUX_VERSION_CODE of bpf_send_signal() */

/* ---- orders ---- */

struct bt_order *bt_order_new(struct parser *p, struct bt_statement *s, enum bt_order_kind kind)
{
	struct bt *b = bt_of(p->t);
	struct bt_order *o = calloc(1, sizeof(*o));

	if (!o || array_room(&b->orders, b->n_orders, sizeof(struct bt_order *))) {
		free(o);
		fail(p->err, "out of memory");
		return NULL;
	}
	o->kind = kind;
	o->number = b->n_orders;
	o->sampled = b->now->frequency;
	s->order = b->orders[b->n_orders++] = o;
	return o;
}

void bt_order_lay_out(struct bt_order *o)
{
	o->size = sizeof(struct bt_record);
	for (unsigned int i = 0; i < o->n; i++) {
		const struct bt_value *v = &o->values[i];

		o->offsets[i] = (uint16_t)o->size;
		if (!bt_is_literal(v))
			o->size += v->shape.size + (v->shape.kind == BT_TEXT ? 8U : 0);
	}
}

/* Of a stack, with a mark if it was cut: a text, but %d is what scripts have. */
static bool is_length(const struct bt_value *v)
{
	return v->shape.kind == BT_STACK && v->shape.way == BT_STACK_LENGTH;
}

/* A value of an order. `type`: it is converted to this; NULL: it is shown as it is. */
static int value(struct parser *p, struct bt_order *o, const struct c_type *type)
{
	struct binder b = bt_binder(p);
	struct bt_value *v = &o->values[o->n];

	if (o->n == BT_ORDER_VALUES)
		return NOT_HERE(p, "there are %d values at most", BT_ORDER_VALUES);
	v->node = parser_expression(p);
	if (!v->node || bt_bind_value(&b, v))
		return -1;
	if (v->shape.kind == BT_TUPLE && o->kind == BT_PRINT_VALUE)
		return bt_flat(&b, v->node, o->values, &o->n, BT_ORDER_VALUES);
	if (v->shape.kind == BT_TUPLE)
		return NOT_AT(p, v->node->at, "only print() shows a tuple: show its parts");
	o->n++;
	if (is_length(v))
		return 0;
	if (type && v->shape.kind != BT_NUMBER && v->shape.kind != BT_UNSET)
		return NOT_AT(p, v->node->at, "this is a text: %%s prints it");
	return type ? convert(&b, &v->node, *type) : 0;
}

static int format_is_known(struct parser *p, const struct format_text *f)
{
	for (unsigned int i = 0; i < f->n; i++)
		if (f->list[i].letter == 'K' || f->list[i].letter == 'U')
			return NOT_AT(p, f->list[i].at, "bpftrace has no %%%c", f->list[i].letter);
	return 0;
}

static int formatted(struct parser *p, struct bt_statement *s, enum bt_order_kind kind)
{
	struct bt_order *o = bt_order_new(p, s, kind);
	size_t at = p->now.at;

	if (!o)
		return -1;
	if (p->now.kind != TOKEN_TEXT)
		return NOT_HERE(p, "a format in quotes belongs here: \"%%d\\n\", pid");
	if (format_text_parse(p->t, &at, 8, &o->format, p->err) || format_is_known(p, &o->format) ||
	    parser_step(p))
		return -1;
	for (unsigned int i = 0; i < o->format.n; i++) {
		struct conversion *c = &o->format.list[i];

		if (!parser_is(p, ','))
			return NOT_AT(p, c->at, "there is no value for this conversion");
		if (parser_step(p) || value(p, o, format_is_text(c) ? NULL : &c->type))
			return -1;
		if (is_length(&o->values[o->n - 1]))
			c->letter = 's';
		if (c->letter != 's' && format_is_text(c) &&
		    o->values[o->n - 1].shape.block != BT_BUFFER)
			return NOT_AT(p, o->values[o->n - 1].node->at, "%%r prints bytes: buf("
				      "ADDRESS, LENGTH)");
	}
	if (parser_is(p, ','))
		return NOT_HERE(p, "the format has no conversion for more values");
	bt_order_lay_out(o);
	return 0;
}

static int print_text(struct parser *p, struct bt_statement *s)
{
	return formatted(p, s, BT_PRINTF);
}

static int cat(struct parser *p, struct bt_statement *s)
{
	return formatted(p, s, BT_CAT);
}

static int run_command(struct parser *p, struct bt_statement *s)
{
	if (!bt_of(p->t)->unsafe)
		return NOT_AT(p, s->at, "system() runs commands as root: --unsafe allows it");
	return formatted(p, s, BT_SYSTEM);
}

static int complain(struct parser *p, struct bt_statement *s, const char *what)
{
	struct error place = { }, behind = { };
	const char *end, *to;

	if (formatted(p, s, BT_ERRORF))
		return -1;
	bt_message(&p->t->source, s->at, "", &place);
	bt_message(&p->t->source, p->now.at, "", &behind);
	/* FILE:LINE:FROM-TO of the first letter, and TO of the bracket behind it */
	end = strstr(place.text, ": ERROR:");
	to = strstr(behind.text, ": ERROR:");
	while (end > place.text && end[-1] != '-')
		end--;
	while (to > behind.text && to[-1] != '-')
		to--;
	snprintf(s->order->place, sizeof(s->order->place), "%.*s%.*s %s: ",
		 (int)(end - place.text), place.text, (int)strcspn(to, " "), to, what);
	return 0;
}

static int error_text(struct parser *p, struct bt_statement *s)
{
	return complain(p, s, "ERROR");
}

static int warning_text(struct parser *p, struct bt_statement *s)
{
	if (complain(p, s, "WARNING"))
		return -1;
	s->order->warns = true;
	return 0;
}

/* `, NUMBER`; *to stays if there is none. */
static int more_number(struct parser *p, uint64_t *to)
{
	if (!parser_is(p, ','))
		return 0;
	if (parser_step(p))
		return -1;
	if (p->now.kind != TOKEN_NUMBER)
		return NOT_HERE(p, "a number belongs here: print(@map, LARGEST, DIVISOR)");
	*to = p->now.value;
	return parser_step(p);
}

/* Returns true if the token is a map without a key. */
static bool is_whole_map(const struct parser *p)
{
	struct token behind;

	return p->now.kind == TOKEN_NAME && *parser_text(p) == '@' &&
	       !token_next(&p->t->source, p->now.at + p->now.length, &behind, NULL) &&
	       behind.kind == TOKEN_OPERATOR && (behind.op == ',' || behind.op == ')');
}

static int whole_map(struct parser *p, struct bt_order *o)
{
	struct node *keys;

	if (!is_whole_map(p))
		return NOT_HERE(p, "a whole map belongs here: @NAME, without a key");
	bt_order_lay_out(o);
	return bt_map(p, &o->map, &keys);
}

static int print(struct parser *p, struct bt_statement *s)
{
	struct bt_order *o = bt_order_new(p, s, is_whole_map(p) ? BT_PRINT_MAP : BT_PRINT_VALUE);

	if (!o)
		return -1;
	if (o->kind == BT_PRINT_MAP)
		return whole_map(p, o) || more_number(p, &o->top) || more_number(p, &o->divisor) ?
		       -1 : 0;
	if (value(p, o, NULL))
		return -1;
	bt_order_lay_out(o);
	return 0;
}

/* Programs of the kernel still run when sonde carries the order out, but not at the end. */
static int change_map(struct parser *p, struct bt_statement *s, enum bt_order_kind kind)
{
	struct bt_order *o = bt_order_new(p, s, kind);

	if (!o || whole_map(p, o))
		return -1;
	o->map->changed_by_own |= bt_of(p->t)->now->when != BT_END;
	return 0;
}

static int clear(struct parser *p, struct bt_statement *s)
{
	return change_map(p, s, BT_CLEAR);
}

static int zero(struct parser *p, struct bt_statement *s)
{
	return change_map(p, s, BT_ZERO);
}

static int time_of_day(struct parser *p, struct bt_statement *s)
{
	struct bt_order *o = bt_order_new(p, s, BT_TIME);
	struct node *n;

	if (!o)
		return -1;
	bt_order_lay_out(o);
	if (parser_is(p, ')')) {
		o->format.text = strdup("%H:%M:%S\n");
		return o->format.text ? 0 : fail(p->err, "out of memory");
	}
	if (p->now.kind != TOKEN_TEXT)
		return NOT_HERE(p, "time() takes a text: time(\"%%H:%%M:%%S\\n\")");
	n = parser_literal(p);
	o->format.text = n ? strdup(n->text) : NULL;
	if (!o->format.text)
		return n ? fail(p->err, "out of memory") : -1;
	return bt_time_known(n->text) ? 0 : NOT_AT(p, n->at, BT_TIME_LETTERS, "time");
}

static int end(struct parser *p, struct bt_statement *s)
{
	const struct c_type type = c_integer(8, true);
	struct bt_order *o = bt_order_new(p, s, BT_EXIT);

	if (!o || (!parser_is(p, ')') && value(p, o, &type)))
		return -1;
	bt_order_lay_out(o);
	return 0;
}

/* delete(@map[key]), delete(@map), delete(@map, key) */
static int delete(struct parser *p, struct bt_statement *s)
{
	struct binder b = bt_binder(p);
	const size_t at = p->now.at;

	s->kind = BT_DELETE;
	if (bt_entry(p, &s->map, &s->keys, "delete(@map[key])"))
		return -1;
	bt_map_changes(bt_of(p->t), s->map);
	return bt_bind_entry(&b, s->map, s->keys, at);
}

/* signal(9), signal("KILL"), signal("SIGKILL") */
static int send_signal(struct parser *p, struct bt_statement *s)
{
	struct binder b = bt_binder(p);
	struct node *n;
	int number;

	if (!bt_of(p->t)->unsafe)
		return NOT_AT(p, s->at, "signal() disturbs programs that are traced: --unsafe "
			      "allows it");
	if (bt_of(p->t)->now->when != BT_KERNEL)
		return NOT_AT(p, s->at, "signals go to the task that runs, and BEGIN, END, "
			      "interval and iter have none: they are sonde's own");
	if (kernel_version_code(bt_of(p->t)->script.kernel) < SIGNALS_SINCE)
		return NOT_AT(p, s->at, "BPF programs of this kernel send no signals (since 5.3)");
	s->kind = BT_SIGNAL;
	note_bpf(&b, &(struct node){ .at = (uint32_t)s->at }, "only BPF programs send signals");
	if (p->now.kind != TOKEN_TEXT) {
		s->value = parser_expression(p);
		return s->value ? bt_bind_number(p, &s->value) : -1;
	}
	n = parser_literal(p);
	if (!n)
		return -1;
	number = signal_number(n->text, n->length);
	if (number <= 0)
		return NOT_AT(p, n->at, "there is no signal `%s`", n->text);
	make_number(n, (uint64_t)number, c_integer(8, true));
	s->value = n;
	return 0;
}

static const struct {
	const char *name;
	int (*read)(struct parser *p, struct bt_statement *s);	/* what is between ( and ) */
} functions[] = {
	{ "printf", print_text }, { "print", print }, { "clear", clear }, { "zero", zero },
	{ "delete", delete }, { "time", time_of_day }, { "exit", end }, { "join", bt_join },
	{ "cat", cat }, { "system", run_command }, { "errorf", error_text },
	{ "warnf", warning_text }, { "signal", send_signal },
};

/* bpftrace's statements that are not here, and what does instead. */
static const char *const missing[][2] = {
	{ "override", "sonde changes no results of functions: the kernel's fault injection "
	  "(/sys/kernel/debug/fail_function) does" },
	{ "signal_thread", "signal() sends one to the process" },
	{ "debugf", "printf() prints the text" },
	{ "fail", "errorf() and exit() say and end it" },
	{ "assert", "if, errorf() and exit() do the same" },
	{ "skboutput", "tcpdump writes packets into files" },
	{ "unwatch", "a watchpoint stays to the end" },
	{ "write_user", "sonde changes no memory" },
};

static int unknown(struct parser *p)
{
	struct nearest near = { .word = parser_text(p), .length = p->now.length };
	const int length = (int)p->now.length;

	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (parser_is_word(p, missing[i][0]))
			return NOT_HERE(p, "%s() is not in sonde's language: %s", missing[i][0],
					missing[i][1]);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		nearest_of(&near, functions[i].name);
	if (near.name)
		return NOT_HERE(p, "there is no statement `%.*s`; did you mean %s?", length,
				near.word, near.name);
	return NOT_HERE(p, "there is no statement `%.*s`; there are printf, print, clear, zero, "
			"delete, time, exit, if, let and return", length, near.word);
}

bool bt_has_bracket(const struct parser *p)
{
	const char *behind = parser_text(p) + p->now.length;

	return behind[strspn(behind, BT_BLANKS)] == '(';
}

bool bt_is_call(const struct parser *p)
{
	if (p->now.kind != TOKEN_NAME || !bt_has_bracket(p))
		return false;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (parser_is_word(p, functions[i].name))
			return true;
	return false;
}

int bt_call(struct parser *p, struct bt_statement **to)
{
	size_t i = 0;
	struct bt_statement *s;

	while (i < sizeof(functions) / sizeof(functions[0]) &&
	       !parser_is_word(p, functions[i].name))
		i++;
	if (i == sizeof(functions) / sizeof(functions[0]))
		return unknown(p);
	s = bt_statement(p, BT_ORDER);
	if (!s || parser_step(p) || parser_expect(p, '(') || functions[i].read(p, s))
		return -1;
	*to = s;
	return parser_expect(p, ')');
}

/* ---- functions of maps ---- */

static const struct {
	const char *name;
	enum bt_map_kind kind;
} aggregates[] = {
	{ "count", BT_COUNT }, { "sum", BT_SUM }, { "min", BT_MIN }, { "max", BT_MAX },
	{ "avg", BT_AVG }, { "stats", BT_STATS }, { "hist", BT_HIST }, { "lhist", BT_LHIST },
	{ "tseries", BT_SERIES },
};

/* `, NUMBER`, which may be negative. */
static int bound(struct parser *p, int64_t *to)
{
	struct node *n;
	struct binder b = bt_binder(p);

	if (!parser_is(p, ','))
		return NOT_HERE(p, "lhist() takes a value and three numbers: lhist(VALUE, MIN, "
				"MAX, STEP)");
	if (parser_step(p))
		return -1;
	n = parser_expression(p);
	if (!n || bind_node(&b, &n))
		return -1;
	*to = (int64_t)n->value;
	if (n->kind != NODE_NUMBER || *to != (int32_t)*to)
		return NOT_AT(p, n->at, "a bound of lhist() is a number that the script tells, of "
			      "32 bits");
	return 0;
}

static int bounds(struct parser *p, struct bt_map *m, size_t at, bool known)
{
	const int64_t before[] = { m->min, m->max, m->step };

	if (bound(p, &m->min) || bound(p, &m->max) || bound(p, &m->step))
		return -1;
	if (known && (m->min != before[0] || m->max != before[1] || m->step != before[2]))
		return NOT_AT(p, at, "%s has other bounds elsewhere: give these a map of their own",
			      m->name);
	if (m->step < 1 || m->max <= m->min || m->max - m->min < m->step)
		return NOT_AT(p, at, "lhist(VALUE, MIN, MAX, STEP): MIN is below MAX, and a STEP "
			      "is between them");
	if ((m->max - m->min) / m->step > 1000)
		return NOT_AT(p, at, "a histogram has 1000 steps at most: take a larger STEP");
	return 0;
}

/* `, K` of hist(VALUE, K) */
static int power_rows(struct parser *p, struct bt_map *m, size_t at, bool known)
{
	const uint8_t before = m->bits;
	uint64_t bits = 0;

	if (parser_is(p, ',')) {
		if (parser_step(p))
			return -1;
		if (p->now.kind != TOKEN_NUMBER || p->now.value > HIST_BITS)
			return NOT_HERE(p, "hist(VALUE, K) has 2^K rows for each power of two, "
					"and K is 0 to %d", HIST_BITS);
		bits = p->now.value;
		if (parser_step(p))
			return -1;
	}
	m->bits = (uint8_t)bits;
	return known && m->bits != before ?
	       NOT_AT(p, at, "%s has other rows elsewhere: give these a map of their own",
		      m->name) : 0;
}

/* What CLOCK_REALTIME is ahead of the clock of events. */
static uint64_t ahead(void)
{
	return (uint64_t)clock_ns(CLOCK_REALTIME) - monotonic_ns();
}

/* The time that the map of tests has; NULL, and err is not set: there is none. */
static struct node *time_of_tests(struct parser *p)
{
	const char *name = getenv(CLOCK_OF_TESTS);
	struct binder b = bt_binder(p);
	struct node *n;

	for (struct bt_map *m = name ? bt_of(p->t)->maps : NULL; m; m = m->next) {
		if (strcmp(m->name, name))
			continue;
		n = parser_node(p, NODE_CALL, p->now.at);
		if (!n)
			return NULL;
		n->function = &bt_map_read;
		n->value = (uint64_t)(uintptr_t)m;
		return bind_node(&b, &n) ? NULL : n;
	}
	return NULL;
}

static struct node *time_now(struct parser *p)
{
	const struct c_type type = c_integer(8, false);
	struct binder b = bt_binder(p);
	struct node *n = getenv(CLOCK_OF_TESTS) ? time_of_tests(p) : NULL, *more;

	if (n)
		return n;
	n = parser_node(p, NODE_NAME, p->now.at);
	more = number_node(&b, p->now.at, ahead(), type);
	if (!n || !more || bind_identity(&b, n, "time", 8))
		return NULL;
	return binary_node(&b, p->now.at, '+', n, more, type);
}

/* The rest of tseries(), with the time that it goes by. */
static int series(struct parser *p, struct bt_statement *s, size_t at, bool known)
{
	s->time = time_now(p);
	if (!s->time)
		return *p->err->text ? -1 : fail(p->err, "out of memory");
	return bt_series(p, s, at, known);
}

int bt_aggregate(struct parser *p, struct bt_statement *s, bool *is)
{
	struct bt_shape number = { .kind = BT_NUMBER, .size = 8 };
	struct binder b = bt_binder(p);
	const size_t at = p->now.at;
	size_t i = 0;
	bool known;

	while (i < sizeof(aggregates) / sizeof(aggregates[0]) &&
	       !parser_is_word(p, aggregates[i].name))
		i++;
	*is = i < sizeof(aggregates) / sizeof(aggregates[0]);
	if (!*is)
		return 0;
	s->kind = BT_AGGREGATE;
	known = s->map->kind == aggregates[i].kind;
	if (bt_map_is(p, s->map, aggregates[i].kind, at) || parser_step(p) || parser_expect(p, '('))
		return -1;
	if (aggregates[i].kind != BT_COUNT) {
		s->value = parser_expression(p);
		if (!s->value || bt_bind_number(p, &s->value))
			return -1;
		number.is_signed = c_signed(&s->value->type);
	}
	bt_shape_join(bt_of(p->t), &s->map->value, &number);
	if ((aggregates[i].kind == BT_LHIST && bounds(p, s->map, at, known)) ||
	    (aggregates[i].kind == BT_HIST && power_rows(p, s->map, at, known)) ||
	    (aggregates[i].kind == BT_SERIES && series(p, s, at, known)))
		return -1;
	if (parser_is(p, ','))
		return NOT_HERE(p, "%s() takes one value here", aggregates[i].name);
	bt_map_changes(bt_of(p->t), s->map);
	return bt_bind_keys(&b, s->map, s->keys, at) ? -1 : parser_expect(p, ')');
}
