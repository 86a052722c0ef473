// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/gethostlatency.h"

#include "src/run/tools.h"

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, .field = "time", .help = "time of day of the return" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "name of the task" },
	{ "LATms", "lat_ms", COLUMN_REAL, 10, .field = "latency", .divisor = 1000000, .digits = 2,
	  .span = SPAN_LENGTH, .help = "milliseconds that it took" },
	{ "CALL", "call", COLUMN_TEXT, 0, .field = "call",
	  .readers = FOR_MACHINES, .help = "the function, in JSON and CSV" },
	{ "HOST", "host", COLUMN_TEXT, 0, .field = "host", .span = SPAN_NAME, .role = IS_IDENTITY,
	  .help = "the name or address that was looked up" },
	{ }
};

/* What the functions below read of the options. */
struct gethostlatency_options {
	const char *libc;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct gethostlatency_options, MEMBER)

static const struct option options[] = {
	{ 'p', "pid" },
	{ 'l', "libc", "only these C libraries; repeatable", OPTION_TEXT, "PATH,...",
	  .joins = ',', TO(libc) },
	{ }
};

static const struct example examples[] = {
	{ "sonde gethostlatency", "look-ups of hosts, and their times" },
	{ "sonde gethostlatency -p 181", "of one process" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct gethostlatency_options *o = run_asked(r);
	const char *files = o->libc;

	return run_binaries(r, "libc", files, gethostlatency_calls, err);
}

/* support: bpf: full (4.6) | bpf: full (4.6) | perf, ftrace (3.14): [2] [11] |
 *	    perf, ftrace (3.14): [2] [11] */
TOOL(gethostlatency, "network", "trace look-ups of host names: tasks, hosts and times",
	.shape = SHAPE_EVENTS,
	.programs = &gethostlatency_programs,
	.options = options,
	.options_size = sizeof(struct gethostlatency_options),
	.columns = columns,
	.parts = RECORD_AS_ROW(gethostlatency_record),
	.examples = examples,
	.prepare = prepare,
);
