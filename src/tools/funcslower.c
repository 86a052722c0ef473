// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/funcslower.h"

#include <stdio.h>

#include "compat/base/strbuf.h"
#include "src/lib/output/records.h"
#include "src/run/tools.h"
#include "src/toolkit/functions/named.h"
#include "src/toolkit/functions/stacked.h"

struct row {
	struct funcslower_record record;
	struct text function, arguments, retval;
	struct stacked stacks;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct part parts[] = {
	{ &funcslower_record_layout, AT(record) },
	{ }
};

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time", .option = "time",
	  .help = "time of day of the return" },
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -10, .field = "time", .digits = 3,
	  .option = "timestamp", .help = "the same in seconds since the first row" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "name of the task" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "tgid", .help = "process id" },
	{ "TID", "tid", COLUMN_INTEGER, -7, .field = "tid",
	  .readers = FOR_MACHINES, .help = "thread id, in JSON and CSV" },
	{ "LAT(ms)", "lat_ms", COLUMN_REAL, 9, .field = "latency", .divisor = 1000000, .digits = 2,
	  .span = SPAN_LENGTH, .unless = "min-us", .help = "milliseconds that the call took" },
	{ "LAT(us)", "lat_us", COLUMN_REAL, 9, .field = "latency", .divisor = 1000, .digits = 2,
	  .span = SPAN_LENGTH, .option = "min-us", .help = "its microseconds" },
	{ "RVAL", "retval", COLUMN_TEXT, 18, AT(retval),
	  .help = "the returned value: the whole register" },
	{ "FUNC", "func", COLUMN_TEXT, -24, AT(function), .span = SPAN_NAME,
	  .help = "the function" },
	{ "ARGS", "args", COLUMN_TEXT, 0, AT(arguments), .option = "arguments",
	  .help = "its first arguments" },
	STACKED_COLUMNS(AT(stacks.kernel), AT(stacks.user), "kernel-stacks", "user-stacks"),
	{ }
};

/* What the functions below read of the options. */
struct funcslower_options {
	bool kernel_stacks, user_stacks, min_us_given, min_ms_given;
	int64_t min_us, min_ms, arguments;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct funcslower_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct funcslower_options, MEMBER)

static const struct option options[] = {
	OPTION_PATTERNS("FUNCTION or LIBRARY:FUNCTION; * stands for anything"),
	OPTION_REGEXP,
	{ 'p', "pid" },
	{ 'm', "min-ms", "only calls that take MS milliseconds or more; 0: all (default 1)",
	  OPTION_NUMBER, "MS", 0, INT32_MAX, 0, .excludes = "min-us",
	  TO(min_ms), GIVEN(min_ms_given) },
	{ 'u', "min-us", "only calls that take US microseconds or more", OPTION_NUMBER, "US", 0,
	  INT32_MAX, TO(min_us), GIVEN(min_us_given) },
	{ 'a', "arguments", "show the first N arguments", OPTION_NUMBER, "N", 1, FUNC_ARGUMENTS,
	  TO(arguments) },
	{ 'd', "duration" },
	{ 'T', "time", "show the time of day", OPTION_FLAG },
	{ 't', "timestamp", "show seconds since the first row", OPTION_FLAG },
	{ 'K', "kernel-stacks", "show the kernel's stack of each call", OPTION_FLAG,
	  TO(kernel_stacks) },
	{ 'U', "user-stacks", "show the stack of user space", OPTION_FLAG, TO(user_stacks) },
	{ 's', "offsets" },
	{ 'A', "addresses" },
	{ 'f', "folded" },
	{ }
};

static const struct example examples[] = {
	{ "sonde funcslower -m 10 vfs_read", "reads that take 10 ms and more" },
	{ "sonde funcslower -u 100 -a 2 -U c:open", "slow opens, with stacks" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct funcslower_options *o = run_asked(r);
	int64_t us = o->min_us_given ? o->min_us : o->min_ms_given ? o->min_ms * 1000 : 1000;
	char name[24];

	for (int i = 1; i <= FUNC_ARGUMENTS; i++) {
		snprintf(name, sizeof(name), "argument%d", i);
		run_constant(r, name, o->arguments >= i);
	}
	run_constant(r, "min", us * 1000);
	return named_calls(r, run_state(r), &funcslower_programs, err);
}

static int started(struct run *r, struct error *err)
{
	const struct funcslower_options *o = run_asked(r);
	bool us = o->min_us_given, ms = o->min_ms_given;

	(void)err;
	output_line(run_output(r), "Tracing function calls slower than %lld %s... Hit Ctrl-C to "
		    "end.", us ? (long long)o->min_us :
		    ms ? (long long)o->min_ms : 1LL, us ? "us" : "ms");
	named_notes(r, run_state(r));
	return 0;
}

/* Those that this machine hands over in registers, which are all that is looked at. */
static void arguments(struct run *r, const struct funcslower_record *record, char *text,
		      size_t size)
{
	const struct funcslower_options *o = run_asked(r);
	int64_t n = o->arguments;
	struct strbuf list = strbuf_over(text, size);

	for (int i = 0; i < n; i++) {
		char input[8];
		bool known;

		snprintf(input, sizeof(input), "arg%d", i + 1);
		known = run_has_input(r, "function.hit", input);
		strbuf_addf(&list, known ? "%s0x%llx" : "%s?", i ? " " : "",
			    (unsigned long long)record->args[i]);
	}
}

static void record(struct run *r, const struct record *record)
{
	const struct funcslower_options *o = run_asked(r);
	char args[FUNC_ARGUMENTS * 20], retval[20];
	struct row row;

	if (!run_wanted(r, record->bytes))
		return;
	memcpy(&row.record, record->bytes, sizeof(row.record));
	row.function = named_text(run_state(r), row.record.function);
	arguments(r, &row.record, args, sizeof(args));
	row.arguments = text_of(args, sizeof(args));
	snprintf(retval, sizeof(retval), "0x%llx", (unsigned long long)row.record.retval);
	row.retval = text_of(retval, sizeof(retval));
	if (o->kernel_stacks || o->user_stacks)
		stacked_show(r, record, &row, &row.stacks);
	else
		output_row(run_output(r), &row);
}

/* support: bpf: full (4.6) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(funcslower, "functions", "trace slow calls of functions, with arguments and stacks",
	.asks = "vfs_read",
	.also = "functions of programs",
	.shape = SHAPE_EVENTS,
	.programs = &funcslower_programs,
	.options = options,
	.options_size = sizeof(struct funcslower_options),
	.columns = columns,
	.parts = parts,
	.notes = "A call is timed from its beginning to its return, including waiting.",
	.examples = examples,
	.state_size = sizeof(struct named),
	.prepare = prepare,
	.started = started,
	.record = record,
	.cleanup = named_cleanup,
);
