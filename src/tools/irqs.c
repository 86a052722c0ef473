// SPDX-License-Identifier: GPL-2.0
/*
 * softirqs and hardirqs: the same options and output; their programs differ. softirqslower is
 * softirqs --min.
 */
#include "insns/programs/irqs.h"

#include <stdlib.h>

#include "src/run/options/common.h"
#include "src/run/tools.h"
#include "src/toolkit/hists.h"

struct row {
	int64_t clock, value;
	struct text name;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

/* Columns of slow ones, before and behind those that differ. */
#define SLOW_TIME \
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time", .option = "min", \
	  .help = "time of day when it ended" }
#define SLOW_LAST \
	{ "LAT(us)", "lat_us", COLUMN_INTEGER, -14, .field = "latency", .divisor = 1000, \
	  .span = SPAN_LENGTH, .option = "min", .help = "how long it took" }, \
	{ "CPU", "cpu", COLUMN_INTEGER, -6, .field = "cpu", .span = SPAN_TRACK, .option = "min", \
	  .help = "number of the CPU" }, \
	{ "PID", "pid", COLUMN_INTEGER, 0, .field = "pid", .option = "min", \
	  .readers = FOR_MACHINES }, \
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .option = "min", \
	  .help = "name of the task that was interrupted" }
#define SLOW_SOFTIRQ \
	SLOW_TIME, \
	{ "STAGE", "stage", COLUMN_TEXT, -5, .field = "stage", .option = "min", \
	  .help = "wait: from the request to the beginning; run: from there to the end" }, \
	{ "SOFTIRQ", "softirq", COLUMN_TEXT, -8, .field = "softirq", .role = IS_IDENTITY, \
	  .span = SPAN_NAME, .option = "min", .help = "kind of interrupt" }, \
	SLOW_LAST
#define SLOW_HARDIRQ \
	SLOW_TIME, \
	{ "HARDIRQ", "hardirq", COLUMN_TEXT, -26, .field = "name", .role = IS_IDENTITY, \
	  .span = SPAN_NAME, .option = "min", .help = "name of the handler" }, \
	SLOW_LAST

#define COLUMNS(HEAD, NAME, WIDTH, WHAT, SLOW) { \
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .unless = "min", .readers = FOR_MACHINES, \
	  .help = "end of the interval, in JSON and CSV" }, \
	{ HEAD, NAME, COLUMN_TEXT, WIDTH, AT(name), .role = IS_IDENTITY, .unless = "min", \
	  .help = WHAT }, \
	{ "TOTAL_usecs", "total_usecs", COLUMN_INTEGER, 11, AT(value), \
	  .option = "usecs", .help = "its time, in microseconds" }, \
	{ "TOTAL_nsecs", "total_nsecs", COLUMN_INTEGER, 11, AT(value), \
	  .option = "nanoseconds", .help = "its time, in nanoseconds" }, \
	{ "TOTAL_count", "total_count", COLUMN_INTEGER, 11, AT(value), .role = IS_COUNT, \
	  .option = "events", .help = "how often it ran" }, \
	SLOW, \
	{ } \
}

static const struct column softirq_columns[] =
	COLUMNS("SOFTIRQ", "softirq", -16, "kind of interrupt", SLOW_SOFTIRQ);
static const struct column hardirq_columns[] =
	COLUMNS("HARDIRQ", "hardirq", -26, "name of the handler", SLOW_HARDIRQ);
static const struct column slower_columns[] = { SLOW_SOFTIRQ, { } };

/* What the functions below read of the options. */
struct irqs_options {
	bool events, dist, nanoseconds, min_given, cpu_given;
	int64_t min;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct irqs_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct irqs_options, MEMBER)

#define OPTION_CPU { 'c', "cpu", "only this CPU", OPTION_NUMBER, "CPU", 0, 8191, \
	  GIVEN(cpu_given) }

static const struct option options[] = {
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'N', "nanoseconds", "in nanoseconds, not microseconds", OPTION_FLAG,
	  .excludes = "events", TO(nanoseconds) },
	{ 'C', "events", "count interrupts, not their time", OPTION_FLAG, .alias = "count",
	  TO(events) },
	{ 'd', "dist", "show histograms of the times, not sums", OPTION_FLAG,
	  .excludes = "events", TO(dist) },
	OPTION_CPU,
	{ 0, "min", "a line for each that takes US microseconds or more", OPTION_NUMBER, "US", 0,
	  INT32_MAX, .excludes = "events", TO(min), GIVEN(min_given) },
	{ }
}, slower_options[] = {
	OPTION_CPU,
	{ 0, "min", "only runs of min_us or more; 0: all", OPTION_NUMBER, "min_us", 0,
	  INT32_MAX, 10000, .positional = true, TO(min), GIVEN(min_given) },
	{ }
};

static const struct example softirq_examples[] = {
	{ "sonde softirqs 1 10", "each second, for ten seconds" },
	{ "sonde softirqs -d -c 0", "histograms of CPU 0, until Ctrl-C" },
	{ }
}, slower_examples[] = {
	{ "sonde softirqslower", "waits and runs of 10 ms and more" },
	{ "sonde softirqslower -c 0 500", "of CPU 0, for half a millisecond" },
	{ }
}, hardirq_examples[] = {
	{ "sonde hardirqs 1 10", "each second, for ten seconds" },
	{ "sonde hardirqs -C", "how often each handler ran, until Ctrl-C" },
	{ }
};

/* Each slow one is a line: there is nothing to add up. */
static int check_slower(const struct options *o, const char *tool, struct error *err)
{
	static const char *const sums[] = { "nanoseconds", "dist", "timestamp", NULL };
	const char *of_sums = option_first(o, sums);

	if (of_sums)
		return fail(err, "%s: --min and --%s exclude each other: with --min each slow "
			    "interrupt is a line", tool, of_sums);
	if (common_of(o)->interval_given)
		return fail(err, "%s: --min takes no interval: with --min each slow interrupt is a "
			    "line; --duration ends it after a time", tool);
	return 0;
}

static void prepare_slower(struct run *r)
{
	const struct irqs_options *o = run_asked(r);

	run_constant(r, "min", 1);
	run_constant(r, "min_ns", o->min * 1000);
}

static int prepare(struct run *r, struct error *err)
{
	const struct irqs_options *o = run_asked(r);
	bool events = o->events, dist = o->dist;
	bool slower = o->min_given;

	run_constant(r, "timed", !events && !slower);
	run_constant(r, "sums", !dist || run_is_exact(r));
	run_constant(r, "usecs", !events && !slower && !o->nanoseconds &&
		     !(dist && run_is_exact(r)));
	run_constant(r, "one_cpu", o->cpu_given);
	if (!slower)
		return 0;
	prepare_slower(r);
	return check_slower(run_options(r), run_name(r), err);
}

static int prepare_softirqslower(struct run *r, struct error *err)
{
	const struct irqs_options *o = run_asked(r);

	(void)err;
	run_constant(r, "one_cpu", o->cpu_given);
	prepare_slower(r);
	return 0;
}

static void banner(struct run *r, const char *kind)
{
	const struct irqs_options *o = run_asked(r);

	if (!o->min_given) {
		output_line(run_output(r), "Tracing %s irq event time... Hit Ctrl-C to end.", kind);
		return;
	}
	output_line(run_output(r), "Tracing %s irqs that take %lld us or more... Hit Ctrl-C to "
		    "end.", kind, (long long)o->min);
	output_header(run_output(r));
}

static int softirqs_started(struct run *r, struct error *err)
{
	(void)err;
	banner(r, "soft");
	return 0;
}

static int hardirqs_started(struct run *r, struct error *err)
{
	(void)err;
	banner(r, "hard");
	return 0;
}

static int slower_started(struct run *r, struct error *err)
{
	const struct irqs_options *o = run_asked(r);

	(void)err;
	output_line(run_output(r), "Tracing soft irqs that take %lld us or more... Hit Ctrl-C to "
		    "end.", (long long)o->min);
	return 0;
}

static const char *softirq_name(uint32_t number)
{
	const unsigned int n = sizeof(softirq_names) / sizeof(softirq_names[0]);

	return number < n ? softirq_names[number] : "?";
}

static void add_softirq(void *arg, const void *key, const void *value, uint32_t slots)
{
	uint32_t i;
	uint64_t n;

	memcpy(&i, key, sizeof(i));
	memcpy(&n, value, sizeof(n));
	hists_add_name(arg, softirq_name(i / slots), i % slots, n);
}

static void add_sum(void *arg, const void *key, const void *value)
{
	add_softirq(arg, key, value, 1);
}

static void add_slot(void *arg, const void *key, const void *value)
{
	add_softirq(arg, key, value, SOFTIRQ_SLOTS);
}

/* The sum of a histogram. One without values has none. */
static void add_total(void *arg, const void *key, const void *value)
{
	uint32_t i;
	uint64_t n;

	memcpy(&i, key, sizeof(i));
	memcpy(&n, value, sizeof(n));
	if (n)
		hists_add_name(arg, softirq_name(i), HIST_SLOTS, n);
}

static int least_first(const void *a, const void *b)
{
	const struct hist_group *x = *(struct hist_group *const *)a;
	const struct hist_group *y = *(struct hist_group *const *)b;

	if (x->hist.slots[0] != y->hist.slots[0])
		return x->hist.slots[0] < y->hist.slots[0] ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* "?": a handler that has no name, or whose name could not be read. */
static struct text name_of(const struct hist_group *g)
{
	struct text name = text_of(g->name[0] ? g->name : "?", sizeof(g->name));

	name.cut = name.length == HIST_NAME - 1;
	return name;
}

/* A sum is in its group's first slot. */
static void show_sums(struct run *r, struct hists *h, int64_t clock)
{
	const struct irqs_options *o = run_asked(r);
	int64_t unit = o->nanoseconds || o->events ? 1 : 1000;

	run_table_head(r);
	if (h->n)
		qsort(h->groups, h->n, sizeof(*h->groups), least_first);
	for (unsigned int i = 0; i < h->n; i++) {
		const struct hist_group *g = h->groups[i];
		struct row row = { clock, (int64_t)g->hist.slots[0] / unit, name_of(g) };

		output_row(run_output(r), &row);
	}
}

static void show_hists(struct run *r, const struct hists *h, const char *name)
{
	const struct irqs_options *o = run_asked(r);
	const struct hists_shown shown = {
		.name = "time", .unit = o->nanoseconds ? "nsecs" : "usecs",
	};

	run_interval_head(r);
	for (unsigned int i = 0; i < h->n; i++) {
		struct hist_section section = { .name = name, .value = name_of(h->groups[i]) };

		hists_output(r, &shown, &section, h->groups[i], NULL);
	}
}

static int show(struct run *r, struct hists *h, const char *name, struct error *err)
{
	const struct irqs_options *o = run_asked(r);
	int64_t clock = run_interval_clock(r);

	if (h->failed) {
		hists_free(h);
		return fail(err, "out of memory");
	}
	if (o->dist)
		show_hists(r, h, name);
	else
		show_sums(r, h, clock);
	hists_free(h);
	return 0;
}

static int show_softirqs(struct run *r, struct error *err)
{
	const struct irqs_options *o = run_asked(r);
	bool dist = o->dist;
	struct hists h = { };

	if (o->min_given)
		return 0;
	if (run_take(r, dist ? "hist" : "sums", dist ? add_slot : add_sum, &h, err) ||
	    (dist && run_is_exact(r) && run_take(r, "sums", add_total, &h, err))) {
		hists_free(&h);
		return -1;
	}
	return show(r, &h, "softirq", err);
}

static int show_hardirqs(struct run *r, struct error *err)
{
	const struct irqs_options *o = run_asked(r);
	struct hists h = { };

	if (o->min_given)
		return 0;
	if (hists_take(r, "irqs", &h, err)) {
		hists_free(&h);
		return -1;
	}
	return show(r, &h, "hardirq", err);
}

#define SLOWER_NOTE \
	"The wait is that of the first of several requests. A soft interrupt that was asked for " \
	"before tracing has none."

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(softirqs, "CPU", "how much time soft interrupts take",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &softirqs_programs,
	.options = options,
	.options_size = sizeof(struct irqs_options),
	.columns = softirq_columns,
	.parts = RECORD_AS_ROW(softirq_slow),
	.distribution = "dist",
	.tables = true,
	.notes = "The time of a soft interrupt includes the hard interrupts that occur during it.",
	.examples = softirq_examples,
	.prepare = prepare,
	.started = softirqs_started,
	.interval_end = show_softirqs,
);

VARIANT(softirqslower, softirqs, "CPU", "trace soft interrupts that wait or run for long",
	.shape = SHAPE_EVENTS,
	.programs = &softirqslower_programs,
	.options = slower_options,
	.options_size = sizeof(struct irqs_options),
	.columns = slower_columns,
	.parts = RECORD_AS_ROW(softirq_slow),
	.notes = SLOWER_NOTE,
	.examples = slower_examples,
	.prepare = prepare_softirqslower,
	.started = slower_started,
);

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(hardirqs, "CPU", "how much time interrupt handlers take",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &hardirqs_programs,
	.options = options,
	.options_size = sizeof(struct irqs_options),
	.columns = hardirq_columns,
	.parts = RECORD_AS_ROW(hardirq_slow),
	.distribution = "dist",
	.tables = true,
	.notes = "Where handlers share an interrupt, only the handler of its device is counted.",
	.examples = hardirq_examples,
	.prepare = prepare,
	.started = hardirqs_started,
	.interval_end = show_hardirqs,
);
