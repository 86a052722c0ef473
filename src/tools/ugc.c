// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/ugc.h"

#include <stdio.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/run/options/common.h"
#include "src/run/tools.h"
#include "src/toolkit/hists.h"

struct state {
	uint64_t opened;		/* the engine's time; what is shown began later */
};

struct row {
	const struct ugc_record *record;
	int64_t began;
	struct text description;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct part parts[] = {
	{ &ugc_record_layout, AT(record), .pointer = true },
	{ }
};

static const struct column columns[] = {
	{ "START", "start_s", COLUMN_SECONDS, -8, AT(began), .digits = 3, .role = IS_TIME,
	  .unless = "hist", .help = "seconds from when sonde began to trace until it began" },
	{ "TIME", "time", COLUMN_CLOCK, 0, .field = "time", .readers = FOR_MACHINES,
	  .unless = "hist", .help = "time of day at its end, in JSON and CSV" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .unless = "hist",
	  .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, 0, .field = "comm", .readers = FOR_MACHINES,
	  .unless = "hist",
	  .help = "name of the task, in JSON and CSV" },
	{ "TIME(us)", "time_us", COLUMN_REAL, -10, .field = "latency", .divisor = 1000,
	  .span = SPAN_LENGTH, .digits = 2, .option = "in_us",
	  .help = "microseconds that it took" },
	{ "TIME(ms)", "time_ms", COLUMN_REAL, -10, .field = "latency", .divisor = 1000000,
	  .span = SPAN_LENGTH, .digits = 2, .option = "in_ms", .help = "its milliseconds" },
	{ "WHAT", "what", COLUMN_TEXT, 0, .field = "what", .readers = FOR_MACHINES,
	  .unless = "hist",
	  .help = "the runtime and the part of it, in JSON and CSV" },
	{ "DESCRIPTION", "description", COLUMN_TEXT, 0, AT(description), .unless = "hist",
	  .help = "the collected memory" },
	{ }
};

static const struct option_name languages[] = {
	{ "java", 0 }, { "python", 0 }, { "ruby", 0 }, { }
};

/* What the functions below read of the options. */
struct ugc_options {
	bool hist, milliseconds;
	int64_t minimum, time;
	const char *language, *filter;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct ugc_options, MEMBER)

static const struct option options[] = {
	{ 'p', "pid", .positional = true },
	{ 'l', "language", "only this one", OPTION_TEXT, "java|python|ruby", .names = languages,
	  .bare = true, TO(language) },
	{ 'm', "milliseconds", "show milliseconds", OPTION_FLAG, TO(milliseconds) },
	{ 'M', "minimum", "only events of MS milliseconds or more", OPTION_NUMBER, "MS", 0,
	  INT32_MAX, TO(minimum) },
	{ 'F', "filter", "only where DESCRIPTION has this text", OPTION_TEXT, "TEXT", TO(filter) },
	{ 'H', "hist", "a histogram of the times for each part of a runtime", OPTION_FLAG,
	  .excludes = "filter", TO(hist) },
	{ }
};

static const struct example examples[] = {
	{ "sonde ugc 181", "garbage collections of one process" },
	{ "sonde ugc -M 10", "all that take 10 ms and more" },
	{ }
};

/* Those whose names begin so are beside each other; NULL: all. */
static void want(struct run *r, const char *language)
{
	int first = 0, last = UGC_POOL;

	while (language && strncmp(ugc_whats[first], language, strlen(language)))
		first++;
	while (language && strncmp(ugc_whats[last], language, strlen(language)))
		last--;
	run_constant(r, "first", first);
	run_constant(r, "last", last);
}

static int prepare(struct run *r, struct error *err)
{
	const struct ugc_options *o = run_asked(r);
	const bool hist = o->hist, ms = o->milliseconds;

	if (hist && common_of(run_options(r))->name != NULL)
		return fail(err, "ugc: --hist adds up times without looking at names: take one "
			    "of them");
	run_constant(r, "min", o->minimum * 1000000);
	run_constant(r, "lines", !hist);
	run_constant(r, "pools", 1);
	run_constant(r, "in_us", !hist && !ms);
	run_constant(r, "in_ms", !hist && ms);
	want(r, o->language);
	return 0;
}

static int opened(struct run *r, struct error *err)
{
	struct state *s = run_state(r);

	(void)err;
	s->opened = run_now(r);
	return 0;
}

static void describe(const struct ugc_record *rec, char *text, size_t size)
{
	const long long before = rec->before, after = rec->after, most = rec->most;

	switch (rec->what) {
	case UGC_PYTHON:
		snprintf(text, size, "gen %lld GC collected %lld objects", before, after);
		break;
	case UGC_RUBY_MARK:
		snprintf(text, size, "GC mark stage");
		break;
	case UGC_RUBY_SWEEP:
		snprintf(text, size, "GC sweep stage");
		break;
	case UGC_POOL:
		text_cut(text, size, "%.*s used=%lld->%lld committed=%lld",
			 rec->pool.length > 0 ? PATH_SHOWN : 1,
			 rec->pool.length > 0 ? rec->pool.path : "-", before, after, most);
		break;
	default:
		text_cut(text, size, "%s", before ? "full GC" : "GC");
	}
}

static void collected(struct run *r, const struct record *record)
{
	const struct ugc_options *o = run_asked(r);
	const struct ugc_record *rec = record->bytes;
	const struct state *s = run_state(r);
	const char *wanted = o->filter;
	char text[PATH_SHOWN + 96];
	struct row row;

	describe(rec, text, sizeof(text));
	if (!run_wanted(r, rec) || (wanted && !strstr(text, wanted)))
		return;
	row = (struct row){
		.record = rec, .description = text_of(text, sizeof(text)),
		.began = (int64_t)(rec->time - rec->ns - s->opened),
	};
	output_row(run_output(r), &row);
}

static void section(struct run *r, const struct hist_group *g, struct hist_section *s, char *value)
{
	(void)r;
	*s = (struct hist_section){ .name = "what" };
	text_cut(value, HISTS_VALUE, "%s", ugc_whats[g->id]);
}

static int show(struct run *r, struct error *err)
{
	const struct ugc_options *o = run_asked(r);
	const struct hists_shown hists = {
		.name = "time", .unit = o->milliseconds ? "msecs" : "usecs",
		.grouped = true, .section = section,
	};

	return o->hist ? hists_show(r, &hists, err) : 0;
}

/* support: bpf: full (4.6) | bpf: full (4.6) | perf, ftrace (3.14): [2] [11] |
 *	    perf, ftrace (3.14): [2] [11] */
TOOL(ugc, "memory", "trace garbage collections of Python, Ruby and Java",
	.shape = SHAPE_EVENTS,
	.programs = &ugc_programs,
	.options = options,
	.options_size = sizeof(struct ugc_options),
	.columns = columns,
	.parts = parts,
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.opened = opened,
	.record = collected,
	.distribution = "hist",
	.interval_end = show,
);

static const struct column java_columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time", .help = "time of day at its end" },
	{ "CPU", "cpu", COLUMN_INTEGER, -7, .field = "cpu", .help = "number of the CPU" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .help = "process id" },
	{ "GC TIME", "gc_time_us", COLUMN_INTEGER, -7, .field = "latency", .divisor = 1000,
	  .span = SPAN_LENGTH, .help = "microseconds that it took" },
	{ "COMM", "comm", COLUMN_TEXT, 0, .field = "comm", .readers = FOR_MACHINES,
	  .help = "name of the task, in JSON and CSV" },
	{ }
};

static const struct option java_options[] = {
	{ 'p', "pid" },
	{ 't', "time", "only events of so many microseconds or more", OPTION_NUMBER, "US", 0,
	  INT32_MAX, 1000, TO(time) },
	{ }
};

static const struct example java_examples[] = {
	{ "sonde javagc -p 181", "one process" },
	{ "sonde javagc -t 0", "all, however short" },
	{ }
};

static int java_prepare(struct run *r, struct error *err)
{
	const struct ugc_options *o = run_asked(r);

	(void)err;
	run_constant(r, "min", o->time * 1000);
	run_constant(r, "lines", 1);
	run_constant(r, "pools", 0);
	run_constant(r, "hist", 0);
	run_constant(r, "milliseconds", 0);
	run_constant(r, "first", UGC_JAVA);
	run_constant(r, "last", UGC_JAVA);
	return 0;
}

/* support: bpf: full (4.6) | bpf: full (4.6) | perf, ftrace (3.14): [2] [11] |
 *	    perf, ftrace (3.14): [2] [11] */
VARIANT(javagc, ugc, "memory", "trace garbage collections of Java that take long",
	.shape = SHAPE_EVENTS,
	.programs = &javagc_programs,
	.options = java_options,
	.options_size = sizeof(struct ugc_options),
	.columns = java_columns,
	.parts = RECORD_AS_ROW(ugc_record),
	.notes = "A collection has one line. ugc -l java also shows the pools of its memory.",
	.examples = java_examples,
	.prepare = java_prepare,
);
