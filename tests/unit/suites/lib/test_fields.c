// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of what is in records, keys and values: those of all tools, and how a field becomes a
 * cell.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "insns/path.h"
#include "src/run/run.h"
#include "tests/unit/helpers/formats.h"
#include "tests/unit/helpers/hook_inputs.h"
#include "tests/unit/helpers/literals.h"
#include "tests/unit/helpers/memory_output.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/unit.h"

/* "HOOK:INPUT": some kernel has it. */
static bool is_input(const char *name)
{
	const char *colon = strchr(name, ':');
	char hook[64];

	snprintf(hook, sizeof(hook), "%.*s", (int)strcspn(name, ":"), name);
	return colon && hook_has_input(hook_by_name(hook), colon + 1);
}

/* Names differ, all is within the struct, and only one member has two names: that of two ids. */
static void check_layout(const char *tool, const struct record_layout *l)
{
	for (unsigned int i = 0; i < l->n_kinds; i++) {
		ck_assert_msg(l->kinds[i] && l->kinds[i]->least >= l->least, "%s: kind %u of %s",
			      tool, i, l->name);
		check_layout(tool, l->kinds[i]);
	}
	for (const struct record_field *f = l->fields; f->name; f++) {
		ck_assert_msg(f->offset + f->size <= l->size, "%s: %s.%s is not in it", tool,
			      l->name, f->name);
		ck_assert_msg(layout_field(l, f->name) == f, "%s: %s.%s is there twice", tool,
			      l->name, f->name);
		ck_assert_msg(!f->input || is_input(f->input),
			      "%s: %s.%s: no hook has the input %s", tool, l->name, f->name,
			      f->input);
		for (const struct record_field *g = l->fields; g != f; g++) {
			bool apart = g->offset + g->size <= f->offset ||
				f->offset + f->size <= g->offset;
			bool ids = f->offset == g->offset && f->type == FIELD_TID &&
				g->type == FIELD_TGID;

			ck_assert_msg(apart || ids, "%s: %s.%s and .%s overlap", tool, l->name,
				      g->name, f->name);
		}
	}
}

/* Is a record of this layout, or of one of its kinds, so long: whole, or without its text? */
static bool has_size(const struct record_layout *l, uint32_t size)
{
	if (!l->n_kinds)
		return size == l->size || size == l->least;
	for (unsigned int i = 0; i < l->n_kinds; i++)
		if (has_size(l->kinds[i], size))
			return true;
	return false;
}

/* What a program puts into an output is as long as its records' layout says. */
static void check_output_sizes(const struct tool *t, const struct program_set *set,
			       const struct map *m)
{
	for (const struct program *p = set->programs; p->hook; p++)
		for (unsigned int i = 0; i < p->n_insns; i++)
			if (p->insns[i].symbol == SYM_OUTPUT && !strcmp(p->insns[i].name, m->name))
				ck_assert_msg(has_size(m->value, (uint32_t)p->insns[i].bpf.imm),
					      "%s: %s has records of %d bytes",
					      t->name, m->name, p->insns[i].bpf.imm);
}

static void check_map(const struct tool *t, const struct program_set *set, const struct map *m)
{
	ck_assert_msg(m->value || m->kind != MAP_OUTPUT, "%s: nobody knows what is in %s", t->name,
		      m->name);
	ck_assert_msg(m->key || m->kind == MAP_OUTPUT || m->role != ROLE_RESULT,
		      "%s: nobody knows what is in a key of %s", t->name, m->name);
	ck_assert_msg(strcmp(m->name, "hists") || layout_field(m->key, "slot"),
		      "%s: no slot is in a key of %s", t->name, m->name);
	ck_assert_msg(m->value || m->role != ROLE_RESULT || m->value_size == 8,
		      "%s: nobody knows what is in a value of %s", t->name, m->name);
	if (m->key) {
		check_layout(t->name, m->key);
		ck_assert_msg(m->key->size == m->key_size, "%s: key of %s", t->name, m->name);
	}
	if (m->value)
		check_layout(t->name, m->value);
	if (m->value && m->kind == MAP_OUTPUT)
		check_output_sizes(t, set, m);
	else if (m->value)
		ck_assert_msg(m->value->size == m->value_size, "%s: value of %s", t->name, m->name);
}

START_TEST(layouts)
{
	for (const struct tool *const *t = tools; *t; t++) {
		for (const struct program_set *s = NULL; (s = tool_set_after(*t, s));)
			for (const struct map *m = s->maps; m && m->name; m++)
				check_map(*t, s, m);
		for (const struct part *p = (*t)->parts; p && p->layout; p++)
			check_layout((*t)->name, p->layout);
	}
}
END_TEST

/* Each column that names a field can show it. */
START_TEST(columns)
{
	for (const struct tool *const *t = tools; *t; t++)
		for (const struct column *c = (*t)->columns; c && c->head; c++) {
			struct column one[] = { *c, { } };
			struct output_source source = { .columns = one, .parts = (*t)->parts,
							.shown = shown_if_same };
			struct output *o;

			one[0].option = one[0].unless = NULL;
			o = output_new(stderr, c->readers == FOR_MACHINES ? OUTPUT_JSON :
				       OUTPUT_TEXT, &source);
			ck_assert_msg(o, "%s: %s can't show the field %s", (*t)->name, c->name,
				      c->field);
			output_free(o);
		}
}
END_TEST

static const struct map *map_of(const struct tool *t, const char *name)
{
	for (const struct program_set *s = NULL; (s = tool_set_after(t, s));)
		for (const struct map *m = s->maps; m && m->name; m++)
			if (!strcmp(m->name, name))
				return m;
	return NULL;
}

/* Stacks and who has them: src/toolkit/stacks would leave out those with another name. */
static void check_stacks(const struct tool *t)
{
	static const char read[] = " comm kernel_stack user_stack "
		"waker_comm waker_kernel_stack waker_user_stack ";
	static const unsigned int types = 1U << FIELD_STACK | 1U << FIELD_COMM;
	const struct tool_stacks *s = t->stacks;
	const struct map *m = map_of(t, s->map);
	const struct record_layout *key = s->key ? s->key : m->key,
				   *value = s->value ? s->value : m->value;
	char name[64];

	for (const struct record_field *f = key->fields; f->name; f++) {
		snprintf(name, sizeof(name), " %s ", f->name);
		ck_assert_msg(!(types >> f->type & 1) || strstr(read, name),
			      "%s: %s.%s: nobody reads it", t->name, key->name, f->name);
	}
	ck_assert_msg(!layout_field(key, "user_stack") || layout_field(key, "tgid"),
		      "%s: %s has no tgid, and user_stack no names", t->name, key->name);
	ck_assert_msg(!layout_field(key, "waker_user_stack") || layout_field(key, "waker_tgid"),
		      "%s: %s has no waker_tgid", t->name, key->name);
	for (int i = 0; i < STACK_VALUES && s->values[i].unit; i++)
		ck_assert_msg(!s->values[i].field || layout_field(value, s->values[i].field),
			      "%s: there is no %s.%s", t->name, value->name, s->values[i].field);
}

START_TEST(stacks)
{
	for (const struct tool *const *t = tools; *t; t++)
		if ((*t)->stacks)
			check_stacks(*t);
}
END_TEST

static bool is_field(const struct record_layout *l, const char *name)
{
	for (unsigned int i = 0; l && i < l->n_kinds; i++)
		if (is_field(l->kinds[i], name))
			return true;
	return l && layout_field(l, name);
}

/* Has some tool a record, key or value with such a field? */
static bool some_field(const char *name)
{
	for (const struct tool *const *t = tools; *t; t++) {
		for (const struct program_set *s = NULL; (s = tool_set_after(*t, s));)
			for (const struct map *m = s->maps; m && m->name; m++)
				if (is_field(m->key, name) || is_field(m->value, name))
					return true;
		for (const struct part *p = (*t)->parts; p && p->layout; p++)
			if (is_field(p->layout, name))
				return true;
		if ((*t)->stacks && (is_field((*t)->stacks->key, name) ||
				     is_field((*t)->stacks->value, name)))
			return true;
	}
	return false;
}

static void check_read(const char *path, const char *name, const char *second)
{
	(void)second;
	ck_assert_msg(some_field(name), "%s reads %s, which is no field", path, name);
}

/* A name that nothing has would be a value that is missing. */
START_TEST(reads)
{
	ck_assert_uint_ge(literals_of("layout_field", check_read), 15);
}
END_TEST

/* Records of two structs, which come through one output. */
enum { SAMPLE_SHORT, SAMPLE_TEXT };

struct sample_head {
	uint64_t time;
	uint32_t type;
};

struct sample_short {
	uint64_t time;
	uint32_t type;
	uint32_t number;
	uint64_t other;
};

struct sample_text {
	uint64_t time;
	uint32_t type;
	int32_t length;
	char text[8];
};

RECORD_LAYOUT(sample_short,
	FIELD_OF(sample_short, time, TIME),
	FIELD_OF(sample_short, number, NUMBER),
	FIELD_OF(sample_short, other, NUMBER));
RECORD_LAYOUT_TEXT(sample_text, text,
	FIELD_OF(sample_text, time, TIME));
static const struct record_layout *const sample_kinds[] = {
	[SAMPLE_SHORT] = &sample_short_layout, [SAMPLE_TEXT] = &sample_text_layout,
};
RECORD_LAYOUT_KINDS(sample_head, type, sample_kinds);

static const struct {
	uint32_t type, size;
	const struct record_layout *layout;
} sizes[] = {
	{ SAMPLE_SHORT, sizeof(struct sample_short), &sample_short_layout },
	/* perf pads them */
	{ SAMPLE_SHORT, sizeof(struct sample_short) + 4, &sample_short_layout },
	{ SAMPLE_SHORT, sizeof(struct sample_short) - 1, NULL },
	{ SAMPLE_TEXT, sizeof(struct sample_text), &sample_text_layout },
	{ SAMPLE_TEXT, offsetof(struct sample_text, text), &sample_text_layout },
	{ SAMPLE_TEXT, offsetof(struct sample_text, text) - 1, NULL },
	{ SAMPLE_TEXT + 1, sizeof(struct sample_text), NULL },
	{ UINT32_MAX, sizeof(struct sample_text), NULL },
	{ SAMPLE_SHORT, 0, NULL },
};

START_TEST(kinds_of_records)
{
	struct sample_head head = { .type = sizes[_i].type };

	check_layout("sample", &sample_head_layout);
	ck_assert_ptr_eq(layout_of(&sample_head_layout, &head, sizes[_i].size), sizes[_i].layout);
}
END_TEST

/* A record with a field of every type. */
static const char *const kinds[] = { "zero", NULL, "two" };

struct sample_record {
	uint64_t time, pid_tgid, latency;
	int32_t ret;
	uint32_t audit;
	uint16_t port;
	uint8_t kind;
	int8_t delta;
	uint32_t family;
	uint8_t local[16], remote[16], mapped[16];
	char comm[16], disk[4];
	struct path_name path;
};

RECORD_LAYOUT(sample_record,
	FIELD_OF(sample_record, time, TIME),
	FIELD_AS(sample_record, pid_tgid, "pid", TGID),
	FIELD_AS(sample_record, pid_tgid, "tid", TID),
	FIELD_OF(sample_record, latency, NUMBER, .unit = "ns"),
	FIELD_OF(sample_record, ret, NUMBER),
	FIELD_OF(sample_record, audit, NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_OF(sample_record, port, NUMBER, .input = "tcp.accept:port"),
	FIELD_OF(sample_record, kind, NUMBER, FIELD_NAMES(kinds)),
	FIELD_OF(sample_record, delta, NUMBER),
	FIELD_OF(sample_record, local, ADDRESS, .input = "tcp.accept:saddr6",
		 FIELD_FAMILY(sample_record, family)),
	FIELD_OF(sample_record, remote, END, FIELD_FAMILY(sample_record, family)),
	FIELD_OF(sample_record, mapped, MAPPED),
	FIELD_OF(sample_record, comm, COMM),
	FIELD_OF(sample_record, disk, CHARS),
	FIELD_OF(sample_record, path, PATH));

#define SHOWS(NAME, TYPE, FIELD, ...) { NAME, NAME, TYPE, 0, .field = FIELD, ##__VA_ARGS__ }

static const struct column sample_columns[] = {
	SHOWS("s", COLUMN_SECONDS, "time", .digits = 3), SHOWS("clock", COLUMN_CLOCK, "time"),
	SHOWS("pid", COLUMN_INTEGER, "pid"), SHOWS("tid", COLUMN_INTEGER, "tid"),
	SHOWS("us", COLUMN_INTEGER, "latency", .divisor = 1000),
	SHOWS("ms", COLUMN_REAL, "latency", .digits = 3, .divisor = 1000000),
	SHOWS("lat", COLUMN_SECONDS, "latency", .digits = 4),
	SHOWS("ret", COLUMN_INTEGER, "ret"), SHOWS("audit", COLUMN_OCTAL, "audit"),
	SHOWS("port", COLUMN_INTEGER, "port"), SHOWS("kind", COLUMN_TEXT, "kind"),
	SHOWS("half", COLUMN_INTEGER, "delta", .divisor = 2),
	SHOWS("local", COLUMN_ADDRESS, "local"), SHOWS("remote", COLUMN_ADDRESS, "remote"),
	SHOWS("mapped", COLUMN_ADDRESS, "mapped"), SHOWS("comm", COLUMN_TEXT, "comm"),
	SHOWS("disk", COLUMN_TEXT, "disk"), SHOWS("path", COLUMN_TEXT, "path"), { }
};

static const struct {
	struct sample_record record;
	bool known;
	const char *expected;
} samples[] = {
	{ { .time = 5000000000, .pid_tgid = 7ULL << 32 | 8, .latency = 1234567, .ret = -2,
	    .audit = 8, .port = 65535, .kind = 2,
	    .delta = -3, .family = AF_INET, .local = { 10, 0, 0, 1 }, .remote = { 10, 0, 0, 2 },
	    .mapped = { [10] = 0xff, 0xff, 192, 0, 2, 1 }, .comm = "sixteen letters!",
	    .disk = "sda", .path = { 4, "a b" } }, true,
	  "3.000,00:00:05,7,8,1234,1.235,0.0012,-2,10,65535,two,-1,10.0.0.1,10.0.0.2,192.0.2.1,"
	  "sixteen letters!,sda,a b\n" },
	{ { .time = 2000000000, .pid_tgid = UINT64_MAX, .audit = UINT32_MAX, .port = 1, .kind = 1,
	    .family = AF_INET6,
	    .local = { [15] = 1 }, .disk = "full", .path = { -EFAULT, "x" } }, false,
	  "0.000,00:00:02,,4294967295,0,0.000,0.0000,0,,,,0,,,,,full,\n" },
	{ { .kind = 3, .family = AF_INET6, .local = { [15] = 1 }, .path = { 1, "" } }, true,
	  "-2.000,00:00:00,0,0,0,0.000,0.0000,0,0,0,,0,::1,,,,\"\",\"\"\n" },
};

static bool sample_known(void *arg, const char *input)
{
	ck_assert(!strcmp(input, "tcp.accept:port") || !strcmp(input, "tcp.accept:saddr6"));
	return *(const bool *)arg;
}

static int64_t since_two(void *arg, uint64_t time)
{
	(void)arg;
	return (int64_t)time - 2000000000;
}

static int64_t same_clock(void *arg, uint64_t time)
{
	(void)arg;
	return (int64_t)time;
}

/* Of a row that is the record, and of one that points to it. */
START_TEST(cells)
{
	static const struct part pointed[] = { { &sample_record_layout, 8, .pointer = true }, { } };
	struct {
		uint64_t other;
		const struct sample_record *record;
	} row = { 0, &samples[_i / 2].record };
	struct output_source source = {
		.columns = sample_columns, .parts = _i % 2 ? pointed : RECORD_AS_ROW(sample_record),
		.shown = shown_if_same, .known = sample_known, .since_start = since_two,
		.wall_clock = same_clock, .arg = (void *)&samples[_i / 2].known,
	};
	size_t size;
	char *s;
	FILE *file = open_memstream(&s, &size);
	struct output *o;

	o = output_new(file, OUTPUT_CSV, &source);
	output_row(o, _i % 2 ? (const void *)&row : row.record);
	check_output(o, file, &s, samples[_i / 2].expected);
}
END_TEST

/* A field that is not there, and one that can't be shown so. */
START_TEST(mistakes)
{
	static const struct column wrong[][2] = {
		{ SHOWS("a", COLUMN_INTEGER, "no_such") }, { SHOWS("a", COLUMN_INTEGER, "comm") },
		{ SHOWS("a", COLUMN_REAL, "time") }, { SHOWS("a", COLUMN_ADDRESS, "path") },
	};
	struct output_source source = {
		.columns = wrong[_i], .parts = RECORD_AS_ROW(sample_record), .shown = shown_if_same,
	};

	ck_assert_ptr_null(output_new(stderr, OUTPUT_TEXT, &source));
}
END_TEST

/* Only what came through the output of the rows, and whole, is a row. */
START_TEST(rows_of_an_output)
{
	static const struct column columns[] = { SHOWS("ret", COLUMN_INTEGER, "ret"), { } };
	const struct tool tool = {
		.name = "sample", .columns = columns, .parts = RECORD_AS_ROW(sample_record),
	};
	struct map outputs[] = {
		{ "others", MAP_OUTPUT, .value = &sample_head_layout },
		{ "rows", MAP_OUTPUT, .value = &sample_record_layout },
	};
	struct output_source source = {
		.columns = columns, .parts = tool.parts, .shown = shown_if_same,
	};
	struct run r = { .tool = &tool, .plan.plan = { .n_maps = 2, .maps = outputs } };
	struct sample_record record = { .ret = 1 };
	size_t size;
	char *s;
	FILE *file = open_memstream(&s, &size);

	r.output = output_new(file, OUTPUT_CSV, &source);
	run_record(&r, 0, &record, sizeof(record));
	run_record(&r, 1, &record, sizeof(record) - 1);
	record.ret = 2;
	run_record(&r, 1, &record, sizeof(record));
	check_output(r.output, file, &s, "2\n");
}
END_TEST

Suite *suite_fields(void)
{
	Suite *suite = suite_create("fields");

	add_tests(suite, "layouts", layouts, 1);
	add_tests(suite, "columns", columns, 1);
	add_tests(suite, "stacks", stacks, 1);
	add_tests(suite, "reads", reads, 1);
	add_tests(suite, "cells", cells, 2 * (int)(sizeof(samples) / sizeof(samples[0])));
	add_tests(suite, "mistakes", mistakes, 4);
	add_tests(suite, "kinds of records", kinds_of_records,
		  (int)(sizeof(sizes) / sizeof(sizes[0])));
	add_tests(suite, "rows of an output", rows_of_an_output, 1);
	return suite;
}
