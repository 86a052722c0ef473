// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/ugc.h"

#include <stdio.h>
#include <string.h>

#include "src/tools.h"

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
	{ "START", "start_s", COLUMN_SECONDS, -8, AT(began), .digits = 3,
	  .help = "seconds from when sonde began to trace until it began" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, 0, .field = "comm", .readers = FOR_MACHINES,
	  .help = "name of the task, in JSON and CSV" },
	{ "TIME(us)", "time_us", COLUMN_REAL, -10, .field = "latency", .divisor = 1000,
	  .digits = 2, .unless = "milliseconds", .help = "microseconds that it took" },
	{ "TIME(ms)", "time_ms", COLUMN_REAL, -10, .field = "latency", .divisor = 1000000,
	  .digits = 2, .option = "milliseconds", .help = "its milliseconds" },
	{ "WHAT", "what", COLUMN_TEXT, 0, .field = "what", .readers = FOR_MACHINES,
	  .help = "the runtime and the part of it, in JSON and CSV" },
	{ "DESCRIPTION", "description", COLUMN_TEXT, 0, AT(description),
	  .help = "what was collected" },
	{ }
};

static const struct option_name languages[] = {
	{ "java", 0 }, { "python", 0 }, { "ruby", 0 }, { }
};

static const struct option options[] = {
	{ 'p', "pid", .positional = true },
	{ 'l', "language", "only this one", OPTION_TEXT, "java|python|ruby", .names = languages },
	{ 'm', "milliseconds", "show milliseconds", OPTION_FLAG },
	{ 'M', "minimum", "only what takes MS milliseconds or more", OPTION_NUMBER, "MS", 0,
	  INT32_MAX },
	{ 'F', "filter", "only where DESCRIPTION has this text", OPTION_TEXT, "TEXT" },
	{ }
};

static const struct example examples[] = {
	{ "sonde ugc 181", "garbage collections of one process" },
	{ "sonde ugc -M 10", "all that take 10 ms and more" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	(void)err;
	run_constant(r, "min", option_number(run_options(r), "minimum") * 1000000);
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
		snprintf(text, size, "%.*s used=%lld->%lld committed=%lld",
			 rec->pool.length > 0 ? PATH_SHOWN : 1,
			 rec->pool.length > 0 ? rec->pool.path : "-", before, after, most);
		break;
	default:
		snprintf(text, size, "%s", before ? "full GC" : "GC");
	}
}

static void collected(struct run *r, const struct record *record)
{
	const struct ugc_record *rec = record->bytes;
	const struct state *s = run_state(r);
	const char *wanted = option_text(run_options(r), "filter");
	char text[PATH_SHOWN + 96];
	const char *language = option_text(run_options(r), "language");
	struct row row;

	describe(rec, text, sizeof(text));
	if (!run_wanted(r, rec) || (wanted && !strstr(text, wanted)))
		return;
	if (language && strncmp(ugc_whats[rec->what], language, strlen(language)))
		return;
	row = (struct row){
		.record = rec, .description = text_of(text, sizeof(text)),
		.began = (int64_t)(rec->time - rec->ns - s->opened),
	};
	output_row(run_output(r), &row);
}

/* support: bpf: full (4.6) | bpf: full (4.6) | perf, ftrace (3.14): [2] [11] |
 *	    perf, ftrace (3.14): [2] [11] */
TOOL(ugc, "memory", "trace garbage collections of Python, Ruby and Java",
	.shape = SHAPE_EVENTS,
	.programs = &ugc_programs,
	.options = options,
	.columns = columns,
	.parts = parts,
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.opened = opened,
	.record = collected,
);
