// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/argdist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/strbuf.h"
#include "insns/combine.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/questions/probes/started.h"
#include "src/language/questions/spec.h"
#include "src/language/types/types.h"
#include "src/lib/output/records.h"
#include "src/lib/wide.h"
#include "src/run/tools.h"
#include "src/toolkit/hists.h"

#define EVENT 2048			/* bytes of the text of an event */

/* What was counted by one key, which is behind it; with -A also the sums. */
struct counted {
	struct argdist_sums sums;
	uint8_t key[];
};

struct table {
	struct spec spec;
	struct counted **rows;		/* kept between intervals with --cumulative */
	size_t n;
	struct hist hist;
	uint64_t negative, total;	/* of `exact`: the sum of the values of hist */
	bool failed;
};

struct argdist {
	struct script script;
	struct table *tables;
	unsigned int n;
};

struct row {
	int64_t clock, count;
	struct text spec, event, values[SPEC_VALUES];
	struct text average, min, max, total;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)
#define VALUE(N) \
	{ "VALUE" #N, "value" #N, COLUMN_TEXT, 0, AT(values[N - 1]), .role = IS_IDENTITY, \
	  .readers = FOR_MACHINES, .option = "value" #N }

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES },
	{ "SPEC", "spec", COLUMN_TEXT, 0, AT(spec), .role = IS_IDENTITY, .readers = FOR_MACHINES },
	{ "COUNT", "count", COLUMN_INTEGER, -10, AT(count), .readers = FOR_MACHINES,
	  .help = "events with these values" },
	{ "EVENT", "event", COLUMN_TEXT, 0, AT(event), .role = IS_IDENTITY, .readers = FOR_MACHINES,
	  .help = "the expressions and their values" },
#define SUM(TITLE, NAME, MEMBER, HELP) \
	{ TITLE, NAME, COLUMN_TEXT, 0, AT(MEMBER), .unit = IN_ANY, .readers = FOR_MACHINES, \
	  .option = "sums", .help = HELP }
	SUM("AVERAGE", "average", average, "with -A: of the first value"),
	SUM("MIN", "min", min, "its minimum"), SUM("MAX", "max", max, "its maximum"),
	SUM("TOTAL", "total", total, "its sum"),
	VALUE(1), VALUE(2), VALUE(3), VALUE(4), VALUE(5), VALUE(6), VALUE(7), VALUE(8),
	{ }
};

/* What the functions below read of the options. */
struct argdist_options {
	bool cumulative;
	int64_t string_size, largest;
	const char *include, *btf;
	const char *specs[ARGDIST_KINDS];	/* one a line; shown in this order */
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct argdist_options, MEMBER)

static const struct option options[] = {
	{ 'C', "counts", "count by values: PROBE(SIGNATURE):TYPE:VALUE:FILTER; repeatable",
	  OPTION_TEXT, "SPEC", .joins = '\n', .alias = "count-spec", TO(specs[ARGDIST_COUNTS]) },
	{ 'H', "histogram", "a histogram of a value; repeatable", OPTION_TEXT, "SPEC",
	  .joins = '\n', TO(specs[ARGDIST_HIST]) },
	{ 'A', "aggregate", "average, minimum, maximum and sum of a value, by the values behind "
	  "it; repeatable", OPTION_TEXT, "SPEC", .joins = '\n', TO(specs[ARGDIST_SUMS]) },
	{ 'p', "pid" },
	{ 't', "tid" },
	{ 'z', "string-size", "count by the first N bytes of a string", OPTION_NUMBER, "N",
	  1, 240, 80, TO(string_size) },
	{ 'i', "interval", "seconds between outputs", OPTION_NUMBER, "SECONDS", 1, INT32_MAX, 1 },
	{ 'd', "duration" },
	{ 'n', "count", "end after N outputs", OPTION_NUMBER, "N", 1, INT32_MAX,
	  .alias = "number" },
	{ 'c', "cumulative", "keep the counts of earlier intervals", OPTION_FLAG, TO(cumulative) },
	{ 'I', "include", "C declarations of structs: FILE.h; repeatable", OPTION_TEXT, "FILE",
	  .joins = '\n', TO(include) },
	{ 0, "btf", "type information (BTF) for a kernel without it; repeatable", OPTION_TEXT,
	  "FILE", .joins = '\n', TO(btf) },
	{ 'T', "largest", "only the N largest counts", OPTION_NUMBER, "N", 1, INT32_MAX,
	  TO(largest) },
	{ }
};

static const struct example examples[] = {
	{ "sonde argdist -C 'p:c:write(int fd):int:fd'", "writes by file" },
	{ "sonde argdist -H 'r::vfs_read()'", "sizes of reads" },
	{ "sonde argdist -A 'r::vfs_read():int,u32:retval,$PID'", "their averages" },
	{ }
};

/* ---- before the engine ---- */

static unsigned int lines_in(const char *text)
{
	unsigned int n = text != NULL;

	for (; text && *text; text++)
		n += *text == '\n';
	return n;
}

/* The specs of one option, one a line. */
static int make_specs(struct run *r, struct argdist *a, enum argdist_map kind, struct error *err)
{
	const struct argdist_options *o = run_asked(r);
	const char *lines = o->specs[kind];
	struct error why = { };
	char *text, *at, *end;

	if (!lines)
		return 0;
	text = script_keep(&a->script, strdup(lines));
	if (!text)
		return fail(err, "out of memory");
	for (at = text; at; at = end) {
		struct table *t = &a->tables[a->n];

		end = strchr(at, '\n');
		if (end)
			*end++ = '\0';
		t->spec.kind = kind;
		t->spec.before = a->n ? &t[-1].spec : NULL;
		a->n++;
		if (spec_make(&a->script, &t->spec, at, a->n - 1, &why)) {
			if (t->spec.on && t->spec.on->probe.missing)
				run_unfit(r);
			return fail_with(err, why.number, "argdist: %s", why.text);
		}
	}
	return 0;
}

/* Returns the number of specs; -1 and err: there are none, or they have different columns. */
static int count_specs(struct run *r, struct error *err)
{
	const struct argdist_options *o = run_asked(r);
	const struct output_format *f = options_format(run_options(r));
	unsigned int n = 0, of_kinds = 0;

	for (unsigned int i = 0; i < ARGDIST_KINDS; i++) {
		const unsigned int lines = lines_in(o->specs[i]);

		n += lines;
		of_kinds += lines != 0;
	}
	if (!n)
		return fail(err, "argdist: it needs a SPEC: -C SPEC, "
			    "-H SPEC or -A SPEC\n`sonde help argdist` lists its options");
	if (of_kinds > 1 && f->one_table)
		return fail(err, "argdist: counts, histograms and sums have different columns: "
			    "with --%s, one of -C, -H and -A", f->option);
	return (int)n;
}

/* Which columns the specs need. */
static void set_columns(struct run *r, const struct argdist *a)
{
	unsigned int most = 0;
	bool sums = false;
	char name[8];

	for (unsigned int i = 0; i < a->n; i++) {
		const struct spec *s = &a->tables[i].spec;

		sums |= s->kind == ARGDIST_SUMS;
		if (s->kind != ARGDIST_HIST && s->n - s->first > most)
			most = s->n - s->first;
	}
	for (unsigned int i = 1; i <= SPEC_VALUES; i++) {
		snprintf(name, sizeof(name), "value%u", i);
		run_constant(r, name, i <= most);
	}
	run_constant(r, "sums", sums);
}

static int prepare(struct run *r, struct error *err)
{
	const struct argdist_options *o = run_asked(r);
	struct argdist *a = run_state(r);
	const int n = count_specs(r, err);
	struct error why = { };

	if (n < 0)
		return -1;
	a->script.functions = lang_functions;
	a->script.file = argdist_programs.programs->file;
	a->script.text_size = (unsigned int)o->string_size;
	if (script_begin(&a->script, run_kernel(r), o->include, o->btf, &why))
		return fail_with(err, why.number, "argdist: %s", why.text);
	probe_files(r, a->script.types);
	a->tables = calloc((unsigned int)n, sizeof(*a->tables));
	if (!a->tables)
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < ARGDIST_KINDS; i++)
		probe_expect(run_kernel(r), o->specs[i]);
	for (unsigned int i = 0; i < ARGDIST_KINDS; i++)
		if (make_specs(r, a, i, err))
			return -1;
	for (unsigned int i = 0; i < a->n; i++)
		if (spec_add(&a->script, &a->tables[i].spec))
			return fail(err, "out of memory");
	set_columns(r, a);
	run_constant(r, "user_space", 1);	/* calls are told apart by their processes, too */
	run_programs(r, &a->script.set);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct argdist *a = run_state(r);
	bool zeros = false;

	(void)err;
	for (unsigned int i = 0; i < a->n; i++) {
		const struct spec *s = &a->tables[i].spec;

		if (s->joined)
			continue;
		probe_started(r, &s->on->probe);
		probe_zeros(r, &s->on->probe, &zeros);
		if (s->calls)
			probe_zeros(r, &s->calls->probe, &zeros);
	}
	return 0;
}

/* ---- what was counted ---- */

/* Nothing of what is behind a text's end tells two keys apart. */
static void clean(const struct spec *s, uint8_t *key)
{
	for (unsigned int i = s->first; i < s->n; i++) {
		const struct lang_value *v = &s->values[i];
		char *text = (char *)key + v->offset + 8;
		int64_t length;
		size_t n;

		memcpy(&length, key + v->offset, sizeof(length));
		if (!v->is_text)
			continue;
		n = length < 0 ? 0 : strnlen(text, v->size);
		memset(text + n, 0, v->size - n);
		length = length < 0 ? -1 : (int64_t)n + 1;
		memcpy(key + v->offset, &length, sizeof(length));
	}
}

static void add(void *arg, const void *key, const void *value)
{
	struct table *t = arg;
	const size_t size = t->spec.statement->key;
	uint32_t unknown;
	struct counted *c = calloc(1, sizeof(*c) + size);

	if (!c || array_room(&t->rows, t->n, sizeof(*t->rows))) {
		free(c);
		t->failed = true;
		return;
	}
	memcpy(&c->sums, value, t->spec.map.value_size);
	memcpy(c->key, key, size);
	/* Whose the sums are makes no row of its own. */
	memcpy(&unknown, c->key + offsetof(struct argdist_key, unknown), sizeof(unknown));
	unknown &= ARGDIST_UNKNOWN;
	memcpy(c->key + offsetof(struct argdist_key, unknown), &unknown, sizeof(unknown));
	clean(&t->spec, c->key);
	t->rows[t->n++] = c;
}

static void add_slot(void *arg, const void *key, const void *value)
{
	struct table *t = arg;
	uint32_t slot;
	uint64_t n;

	memcpy(&slot, key, sizeof(slot));
	memcpy(&n, value, sizeof(n));
	if (slot < HIST_SLOTS)
		t->hist.slots[slot] += n;
	else if (slot == ARGDIST_TOTAL)
		t->total += n;
	else
		t->negative += n;
}

static int by_key(const void *a, const void *b, void *arg)
{
	const struct counted *const *x = a, *const *y = b;
	const struct table *t = arg;

	return memcmp((*x)->key, (*y)->key, t->spec.statement->key);
}

static int by_count(const void *a, const void *b, void *arg)
{
	const struct counted *const *x = a, *const *y = b;

	return (*x)->sums.count != (*y)->sums.count ?
	       (*x)->sums.count < (*y)->sums.count ? -1 : 1 : by_key(a, b, arg);
}

/* Rows of one key become one. */
static void join(struct table *t)
{
	size_t n = 0;

	if (!t->n)
		return;
	qsort_r(t->rows, t->n, sizeof(*t->rows), by_key, t);
	for (size_t i = 1; i < t->n; i++) {
		if (by_key(&t->rows[n], &t->rows[i], t)) {
			t->rows[++n] = t->rows[i];
			continue;
		}
		map_combine(&t->spec.map, &t->rows[n]->sums, &t->rows[i]->sums);
		free(t->rows[i]);
	}
	t->n = n + 1;
	qsort_r(t->rows, t->n, sizeof(*t->rows), by_count, t);
}

static void forget(struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->rows[i]);
	t->n = 0;
	t->hist = (struct hist){ };
	t->negative = t->total = 0;
}

/* ---- printing ---- */

/* A number as text, in `room`, which has 24 bytes. */
static struct text number_text(const struct c_type *type, uint64_t bits, char *room)
{
	snprintf(room, 24, type->pointers ? "0x%llx" : c_signed(type) ? "%lld" : "%llu",
		 (unsigned long long)bits);
	return (struct text){ .s = room, .length = (uint32_t)strlen(room),
			      .is_number = !type->pointers };
}

/* A value as text, in `room`. */
static struct text value_text(const struct spec *s, unsigned int i, const struct counted *c,
			      char room[24])
{
	const struct lang_value *v = &s->values[i];
	const struct c_type *type = &s->shown[i].type;
	uint32_t unknown;
	uint64_t bits;

	memcpy(&unknown, c->key + offsetof(struct argdist_key, unknown), sizeof(unknown));
	memcpy(&bits, c->key + v->offset, sizeof(bits));
	if (v->is_text)
		return read_text((const char *)c->key + v->offset + 8, (int64_t)bits, v->shown,
				 v->size);
	return unknown & 1U << (i - s->first) ? (struct text){ } : number_text(type, bits, room);
}

static struct text plain_text(char *room)
{
	return (struct text){ .s = room, .length = (uint32_t)strlen(room), .is_number = true };
}

/* The sums of a row, in `rooms`. */
static void add_sums(struct row *row, const struct c_type *type, const struct argdist_sums *sums,
		     char rooms[4][WIDE_TEXT])
{
	const struct wide total = wide_of(sums->high, sums->low, c_signed(type));

	wide_quotient_text(total, sums->count, rooms[0]);
	wide_text(total, rooms[1]);
	row->average = plain_text(rooms[0]);
	row->total = plain_text(rooms[1]);
	row->min = number_text(type, sums->min, rooms[2]);
	row->max = number_text(type, sums->max, rooms[3]);
}

static void show_row(struct run *r, const struct spec *s, const struct counted *c)
{
	struct row row = {
		.clock = run_interval_clock(r), .count = (int64_t)c->sums.count,
		.spec = text_of(s->label, strlen(s->label)),
	};
	char numbers[SPEC_VALUES][24], rooms[4][WIDE_TEXT], event[EVENT];
	struct strbuf text = strbuf_over(event, sizeof(event));

	for (unsigned int i = s->first; i < s->n; i++) {
		const struct text t = value_text(s, i, c, numbers[i]);

		row.values[i - s->first] = t;
		strbuf_between(&text, ", ");
		strbuf_addf(&text, "%s = %.*s%s", s->shown[i].name, t.s ? (int)t.length : 7,
			    t.s ? t.s : "(fault)", t.cut ? "..." : "");
	}
	if (s->n == s->first)
		strbuf_addf(&text, "total calls");
	row.event = text_of(event, sizeof(event));
	if (s->kind == ARGDIST_SUMS)
		add_sums(&row, &s->shown[0].type, &c->sums, rooms);
	output_row(run_output(r), &row);
	if (s->kind == ARGDIST_SUMS)
		output_line(run_output(r), "    %-10llu %-14s %-10s %-10s %-14s %s",
			    (unsigned long long)c->sums.count, row.average.s, row.min.s, row.max.s,
			    row.total.s, event);
	else
		output_line(run_output(r), "    %-10llu %s", (unsigned long long)c->sums.count,
			    event);
}

static void show_counts(struct run *r, const struct table *t)
{
	const struct argdist_options *o = run_asked(r);
	const int64_t top = o->largest;

	output_line(run_output(r), "%s", t->spec.label);
	if (t->spec.kind == ARGDIST_SUMS)
		output_line(run_output(r), "    %-10s %-14s %-10s %-10s %-14s %s", "COUNT",
			    "AVERAGE", "MIN", "MAX", "TOTAL", "EVENT");
	else
		output_line(run_output(r), "    %-10s %s", "COUNT", "EVENT");
	for (size_t i = top && (size_t)top < t->n ? t->n - (size_t)top : 0; i < t->n; i++)
		show_row(r, &t->spec, t->rows[i]);
}

static void show_hist(struct run *r, const struct table *t)
{
	const struct spec *s = &t->spec;
	const struct hist_section section = {
		.name = "spec", .value = text_of(s->label, strlen(s->label)),
	};
	const struct hist_group group = { .hist = t->hist, .sum = t->total };
	const struct hists_shown shown = {
		.name = "distribution", .unit = s->shown[0].name, .exact = s->shown[0].name,
	};

	hists_output(r, &shown, &section, &group, NULL);
	if (t->negative)
		run_note(r, "%s: %llu values below 0 are not in the histogram", s->label,
			 (unsigned long long)t->negative);
}

static int show(struct run *r, struct error *err)
{
	const struct argdist_options *o = run_asked(r);
	struct argdist *a = run_state(r);
	const bool cumulative = o->cumulative;

	output_line(run_output(r), "[%s]", run_local(r, run_interval_clock(r)).time);
	for (unsigned int i = 0; i < a->n; i++) {
		struct table *t = &a->tables[i];
		const bool is_hist = t->spec.kind == ARGDIST_HIST;

		if (!cumulative)
			forget(t);
		if (run_take(r, t->spec.map_name, is_hist ? add_slot : add, t, err))
			return -1;
		if (t->failed)
			return fail(err, "out of memory");
		if (is_hist) {
			show_hist(r, t);
			continue;
		}
		join(t);
		show_counts(r, t);
	}
	return 0;
}

static void cleanup(struct run *r)
{
	struct argdist *a = run_state(r);

	for (unsigned int i = 0; a->tables && i < a->n; i++) {
		forget(&a->tables[i]);
		free(a->tables[i].rows);
		spec_free(&a->tables[i].spec);
	}
	free(a->tables);
	script_free(&a->script);
}

/* support: bpf: full (4.6) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(argdist, "functions", "count calls by their arguments, or show these as histograms",
	.asks = "-Cp::vfs_read()",
	.also = "functions of programs",
	.asks_tracepoint = "-Ct:sched:sched_switch()",
	.shape = SHAPE_INTERVALS,
	.programs = &argdist_programs,
	.options = options,
	.options_size = sizeof(struct argdist_options),
	.columns = columns,
	.distribution = "histogram",
	.tables = true,
	.interval = 1,
	.notes = "SPEC is as in bcc's argdist: PROBE(SIGNATURE)[:TYPE,...:VALUE,...[:FILTER]]"
		 "[#LABEL], with the probes and values of trace(8).",
	.examples = examples,
	.state_size = sizeof(struct argdist),
	.prepare = prepare,
	.started = started,
	.interval_end = show,
	.cleanup = cleanup,
);
