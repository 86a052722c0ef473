// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/wqlat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/kernel/kallsyms.h"
#include "src/lib/symbols/symbols.h"
#include "src/run/tools.h"
#include "src/toolkit/hists.h"
#include "src/toolkit/stacks/stacks.h"
#include "src/toolkit/top.h"

#define FUNCTION_TEXT 128

struct state {
	struct symbols *symbols;	/* names of functions of the kernel */
};

struct row {
	struct wqlat_sums sums;
	uint64_t function;
	int64_t clock;
	double run_us, longest_run_us, average_run_us, longest_wait_us, average_wait_us;
	int64_t order;			/* --sort */
	struct text name;
	char text[FUNCTION_TEXT];
};

#define AT(MEMBER) offsetof(struct row, MEMBER)
#define US(HEAD, NAME, WIDTH, MEMBER, HELP) \
	{ HEAD, NAME, COLUMN_REAL, WIDTH, AT(MEMBER), .digits = 1, .help = HELP }

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES,
	  .help = "end of the interval, in JSON and CSV" },
	{ "RUNS", "runs", COLUMN_INTEGER, 7, .field = "runs", .role = IS_COUNT,
	  .help = "works that ended" },
	US("RUN(us)", "run_us", 12, run_us, "time that they ran"),
	US("RUN_AVG", "run_avg_us", 10, average_run_us, "mean of these times"),
	US("RUN_MAX", "run_max_us", 10, longest_run_us, "the longest of them"),
	US("WAIT_AVG", "wait_avg_us", 10, average_wait_us,
	   "mean time from queueing to the beginning; -: unknown"),
	US("WAIT_MAX", "wait_max_us", 10, longest_wait_us, "the longest of these"),
	{ "FUNCTION", "function", COLUMN_TEXT, 0, AT(name), .role = IS_IDENTITY,
	  .help = "function of the work" },
	{ }
};

static const struct part parts[] = { { &wqlat_sums_layout, AT(sums) }, { } };

static const struct option_name orders[] = {
	{ "run", 0 }, { "runs", 0 }, { "maxrun", 0 }, { "wait", 0 }, { "maxwait", 0 }, { }
};

/* What the functions below read of the options. */
struct wqlat_options {
	bool hist, workqueues, nanoseconds, runs, functions, maxrows_given;
	int64_t maxrows;
	const char *function, *sort, *workqueue;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct wqlat_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct wqlat_options, MEMBER)

static const struct option options[] = {
	{ 'H', "hist", "a histogram of the waits", OPTION_FLAG, TO(hist) },
	{ 'R', "runs", "with -H: of the times that works ran", OPTION_FLAG, TO(runs) },
	{ 'F', "functions", "with -H: a histogram for each function", OPTION_FLAG, TO(functions) },
	{ 'W', "workqueues", "a histogram for each workqueue", OPTION_FLAG,
	  .excludes = "functions", TO(workqueues) },
	{ 'N', "nanoseconds", "a histogram in nanoseconds", OPTION_FLAG, TO(nanoseconds) },
	{ 'w', "workqueue", "only this workqueue", OPTION_TEXT, "NAME", .alias = "wqname",
	  TO(workqueue) },
	{ 'f', "function", "only this function", OPTION_TEXT, "FUNCTION", .local = true,
	  TO(function) },
	{ 'S', "sort", "sort key (default run)", OPTION_TEXT,
	  "run|runs|maxrun|wait|maxwait", .names = orders, TO(sort) },
	{ 'n', "maxrows", "rows of a table; 0: all", OPTION_NUMBER, "N", 0, INT32_MAX,
	  TO(maxrows), GIVEN(maxrows_given) },
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ }
};

static const struct example examples[] = {
	{ "sonde wqlat 5", "work of kworkers, each five seconds" },
	{ "sonde wqlat -H -F", "histograms of waits, by function" },
	{ }
};

/* Histograms, because the user asked for them, or for what only these have. */
static bool shows_hists(const struct wqlat_options *o)
{
	return o->hist || o->workqueues || o->nanoseconds;
}

/* The name that programs compare, in quarters. */
static int want_queue(struct run *r, const char *name, struct error *err)
{
	static const char *const quarters[] = { "quarter0", "quarter1", "quarter2", "quarter3" };
	char queue[WQLAT_QUEUE] = "";
	int64_t quarter;

	if (name && strlen(name) >= sizeof(queue))
		return fail(err, "--workqueue: a workqueue's name has at most %zu characters",
			    sizeof(queue) - 1);
	memcpy(queue, name ? name : "", name ? strlen(name) : 0);
	for (size_t i = 0; i < 4; i++) {
		memcpy(&quarter, queue + i * sizeof(quarter), sizeof(quarter));
		run_constant(r, quarters[i], quarter);
	}
	return 0;
}

static int prepare(struct run *r, struct error *err)
{
	struct state *state = run_state(r);
	const struct wqlat_options *o = run_asked(r);
	const char *function = o->function;
	bool hist = shows_hists(o);
	uint64_t address = 0;

	if (hist && (o->sort != NULL || o->maxrows_given))
		return fail(err, "%s: --hist shows no table: --sort and --maxrows go without it",
			    run_name(r));
	if (!hist && (o->runs || o->functions))
		return fail(err, "%s: --runs and --functions are of histograms: add --hist",
			    run_name(r));
	if (function && (kallsyms_find(function, &address) <= 0 || !address)) {
		run_unfit(r);
		return fail(err, "--function: the kernel has no function `%s`, or hides its "
			    "address", function);
	}
	if (want_queue(r, o->workqueue, err))
		return -1;
	run_constant(r, "hist", hist);
	run_constant(r, "usecs", !o->nanoseconds);
	run_constant(r, "named", o->workqueues || o->workqueue != NULL);
	state->symbols = run_symbols(r, err);
	if (!state->symbols)
		return -1;
	run_constant(r, "of_function", (int64_t)address);
	run_constant(r, "of_waits", !o->runs);
	return 0;
}

/* Without a name: the address. */
static void put_name(struct run *r, uint64_t address, char *text, size_t size)
{
	const struct state *state = run_state(r);
	struct symbol symbol = { };

	symbols_kernel(state->symbols, address, false, &symbol);
	if (symbol.name && !symbol.offset)
		text_cut(text, size, "%s", symbol.name);
	else
		snprintf(text, size, "0x%llx", (unsigned long long)address);
}

static void add(void *arg, const void *k, const void *v)
{
	struct row *row = top_row(arg);

	if (!row)
		return;
	row->function = ((const struct wqlat_key *)k)->function;
	memcpy(&row->sums, v, sizeof(row->sums));
}

static int by_function(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->function < y->function ? -1 : x->function > y->function;
}

/* What the CPUs counted of a function becomes one row. */
static void merge(void *to, const void *row)
{
	struct wqlat_sums *sums = &((struct row *)to)->sums;
	const struct wqlat_sums *more = &((const struct row *)row)->sums;

	sums->runs += more->runs;
	sums->run += more->run;
	sums->waits += more->waits;
	sums->wait += more->wait;
	if (more->longest_run > sums->longest_run)
		sums->longest_run = more->longest_run;
	if (more->longest_wait > sums->longest_wait)
		sums->longest_wait = more->longest_wait;
}

static int64_t order_of(const char *sort, const struct wqlat_sums *s)
{
	if (!sort || !strcmp(sort, "run"))
		return (int64_t)s->run;
	if (!strcmp(sort, "runs"))
		return (int64_t)s->runs;
	if (!strcmp(sort, "maxrun"))
		return (int64_t)s->longest_run;
	return (int64_t)(!strcmp(sort, "wait") ? s->wait : s->longest_wait);
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	return by_function(a, b);
}

static void print(struct run *r, struct row *row)
{
	const struct wqlat_sums *s = &row->sums;

	row->clock = run_interval_clock(r);
	row->run_us = (double)s->run / 1e3;
	row->longest_run_us = (double)s->longest_run / 1e3;
	row->average_run_us = row->run_us / (double)s->runs;
	row->longest_wait_us = s->waits ? (double)s->longest_wait / 1e3 : NAN;
	row->average_wait_us = s->waits ? (double)s->wait / 1e3 / (double)s->waits : NAN;
	put_name(r, row->function, row->text, sizeof(row->text));
	row->name = text_of(row->text, sizeof(row->text));
	output_row(run_output(r), row);
}

static void show_table(struct run *r, struct top *t)
{
	const struct wqlat_options *o = run_asked(r);
	size_t most = (size_t)o->maxrows;
	struct row *rows;

	top_merge(t, by_function, merge);
	rows = t->rows;
	for (size_t i = 0; i < t->n; i++)
		rows[i].order = order_of(o->sort, &rows[i].sums);
	top_sort(t, most_first);
	run_table_head(r);
	for (size_t i = 0; i < t->n && (!most || i < most); i++)
		print(r, &rows[i]);
}

static void section(struct run *r, const struct hist_group *g, struct hist_section *s, char *value)
{
	const struct wqlat_options *o = run_asked(r);

	if (o->workqueues) {
		*s = (struct hist_section){ .name = "wqname" };
		text_cut(value, HISTS_VALUE, "%s", *g->name ? g->name : "?");
		return;
	}
	*s = (struct hist_section){ .name = "function" };
	put_name(r, g->id, value, HISTS_VALUE);
}

static int show(struct run *r, struct error *err)
{
	const struct wqlat_options *o = run_asked(r);
	const struct hists_shown hists = {
		.name = o->runs ? "run" : "wait",
		.unit = o->nanoseconds ? "nsecs" : "usecs",
		.grouped = o->functions || o->workqueues,
		.groups = o->workqueues ? "queue_hists" : NULL,
		.section = section,
	};
	struct top t = { .size = sizeof(struct row) };
	int result;

	if (shows_hists(o))
		return hists_show(r, &hists, err);
	result = top_take(r, "sums", add, &t, err);
	if (!result)
		show_table(r, &t);
	top_free(&t);
	return result;
}

static void cleanup(struct run *r)
{
	const struct state *state = run_state(r);

	symbols_free(state->symbols);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(wqlat, "CPU", "works of workqueues: how long they wait and run, by function",
	.shape = SHAPE_INTERVALS,
	.banner = "Tracing works of workqueues... Hit Ctrl-C to end.",
	.positionals = 2,
	.programs = &wqlat_programs,
	.options = options,
	.options_size = sizeof(struct wqlat_options),
	.columns = columns,
	.parts = parts,
	.distribution = "hist",
	.tables = true,
	.notes = "A work waits from when it is queued until a worker begins with it.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.interval_end = show,
	.cleanup = cleanup,
);
