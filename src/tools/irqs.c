// SPDX-License-Identifier: GPL-2.0
/* softirqs and hardirqs: the same options and output; their programs differ. */
#include "insns/programs/irqs.h"

#include <stdlib.h>

#include "src/toolkit/hists.h"
#include "src/tools.h"

struct row {
	int64_t clock, value;
	struct text name;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

#define COLUMNS(HEAD, NAME, WIDTH, WHAT) { \
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES, \
	  .help = "end of the interval, in JSON and CSV" }, \
	{ HEAD, NAME, COLUMN_TEXT, WIDTH, AT(name), .help = WHAT }, \
	{ "TOTAL_usecs", "total_usecs", COLUMN_INTEGER, 11, AT(value), \
	  .option = "usecs", .help = "its time, in microseconds" }, \
	{ "TOTAL_nsecs", "total_nsecs", COLUMN_INTEGER, 11, AT(value), \
	  .option = "nanoseconds", .help = "its time, in nanoseconds" }, \
	{ "TOTAL_count", "total_count", COLUMN_INTEGER, 11, AT(value), \
	  .option = "events", .help = "how often it ran" }, \
	{ } \
}

static const struct column softirq_columns[] =
	COLUMNS("SOFTIRQ", "softirq", -16, "kind of interrupt");
static const struct column hardirq_columns[] =
	COLUMNS("HARDIRQ", "hardirq", -26, "name of the handler");

static const struct option options[] = {
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'N', "nanoseconds", "in nanoseconds, not microseconds", OPTION_FLAG,
	  .excludes = "events" },
	{ 'C', "events", "count interrupts, not their time", OPTION_FLAG, .alias = "count" },
	{ 'd', "dist", "show histograms of the times, not sums", OPTION_FLAG,
	  .excludes = "events" },
	{ 'c', "cpu", "only this CPU", OPTION_NUMBER, "CPU", 0, 8191 },
	{ }
};

static const struct example softirq_examples[] = {
	{ "sonde softirqs 1 10", "each second, for ten seconds" },
	{ "sonde softirqs -d -c 0", "histograms of CPU 0, until Ctrl-C" },
	{ }
}, hardirq_examples[] = {
	{ "sonde hardirqs 1 10", "each second, for ten seconds" },
	{ "sonde hardirqs -C", "how often each handler ran, until Ctrl-C" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct options *o = run_options(r);
	bool events = option_number(o, "events"), dist = option_number(o, "dist");

	(void)err;
	run_constant(r, "timed", !events);
	run_constant(r, "sums", !dist);
	run_constant(r, "usecs", !events && !option_number(o, "nanoseconds"));
	run_constant(r, "one_cpu", option_given(o, "cpu"));
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
	const struct options *o = run_options(r);
	int64_t unit = option_number(o, "nanoseconds") || option_number(o, "events") ? 1 : 1000;

	run_table_head(r);
	if (h->n)
		qsort(h->groups, h->n, sizeof(*h->groups), least_first);
	for (unsigned int i = 0; i < h->n; i++) {
		const struct hist_group *g = h->groups[i];
		struct row row = { clock, (int64_t)g->hist.slots[0] / unit, name_of(g) };

		output_row(run_output(r), &row);
	}
}

static void show_hists(struct run *r, const struct hists *h, const char *name, int64_t clock)
{
	const char *unit = option_number(run_options(r), "nanoseconds") ? "nsecs" : "usecs";

	run_interval_head(r);
	for (unsigned int i = 0; i < h->n; i++) {
		struct hist_section section = { .name = name, .value = name_of(h->groups[i]) };

		output_hist(run_output(r), "time", unit, &section, clock, &h->groups[i]->hist,
			    NULL);
	}
}

static int show(struct run *r, struct hists *h, const char *name, struct error *err)
{
	int64_t clock = run_interval_clock(r);

	if (h->failed) {
		hists_free(h);
		return fail(err, "out of memory");
	}
	if (option_number(run_options(r), "dist"))
		show_hists(r, h, name, clock);
	else
		show_sums(r, h, clock);
	hists_free(h);
	return 0;
}

static int show_softirqs(struct run *r, struct error *err)
{
	bool dist = option_number(run_options(r), "dist");
	struct hists h = { };

	if (run_take(r, dist ? "hist" : "sums", dist ? add_slot : add_sum, &h, err)) {
		hists_free(&h);
		return -1;
	}
	return show(r, &h, "softirq", err);
}

static int show_hardirqs(struct run *r, struct error *err)
{
	struct hists h = { };

	if (hists_take(r, "irqs", &h, err)) {
		hists_free(&h);
		return -1;
	}
	return show(r, &h, "hardirq", err);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(softirqs, "CPU", "how much time soft interrupts take",
	.banner = "Tracing soft irq event time... Hit Ctrl-C to end.",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &softirqs_programs,
	.options = options,
	.columns = softirq_columns,
	.distribution = "dist",
	.tables = true,
	.notes = "The time of a soft interrupt includes the hard interrupts that occur during it.",
	.examples = softirq_examples,
	.prepare = prepare,
	.interval_end = show_softirqs,
);

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(hardirqs, "CPU", "how much time interrupt handlers take",
	.banner = "Tracing hard irq event time... Hit Ctrl-C to end.",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &hardirqs_programs,
	.options = options,
	.columns = hardirq_columns,
	.distribution = "dist",
	.tables = true,
	.notes = "Where handlers share an interrupt, only the handler of its device is counted.",
	.examples = hardirq_examples,
	.prepare = prepare,
	.interval_end = show_hardirqs,
);
