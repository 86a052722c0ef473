// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/drsnoop.h"

#include "src/run/tools.h"

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -14, .field = "time", .digits = 9,
	  .option = "timestamp", .help = "seconds since the first line" },
	{ "UID", "uid", COLUMN_INTEGER, -6, .field = "uid",
	  .option = "print-uid", .help = "user id" },
	{ "COMM", "comm", COLUMN_TEXT, -14, .field = "comm", .help = "name of the task" },
	{ "PID", "pid", COLUMN_INTEGER, -6, .field = "pid",
	  .unless = "tid", .help = "process id" },
	{ "TID", "tid", COLUMN_INTEGER, -6, .field = "tid",
	  .option = "tid", .help = "thread id" },
	{ "LAT(ms)", "lat_ms", COLUMN_REAL, 8, .field = "latency", .divisor = 1000000, .digits = 2,
	  .span = SPAN_LENGTH, .help = "ms that reclaim took" },
	{ "PAGES", "pages", COLUMN_INTEGER, 5, .field = "pages", .help = "pages it reclaimed" },
	{ }
};

static const struct option options[] = {
	{ 'T', "timestamp", "show seconds since the first line", OPTION_FLAG },
	{ 'U', "print-uid", "show the user id", OPTION_FLAG },
	{ 'p', "pid" },
	{ 't', "tid" },
	{ 'u', "uid" },
	{ 'd', "duration" },
	{ 'n', "name" },
	{ }
};

static const struct example examples[] = {
	{ "sonde drsnoop", "tasks that have to reclaim memory" },
	{ "sonde drsnoop -T -n java", "tasks of one name, with the time" },
	{ }
};

/* support: bpf (4.7): [18] | bpf (4.7): [18] | perf, ftrace: [2] [18] | perf, ftrace: [2] [18] */
TOOL(drsnoop, "memory", "trace direct reclaim: tasks that wait until memory is free",
	.shape = SHAPE_EVENTS,
	.programs = &drsnoop_programs,
	.options = options,
	.columns = columns,
	.parts = RECORD_AS_ROW(drsnoop_record),
	.notes = "Shows reclaim for the memory of the machine, not for the limit of a control "
		 "group.",
	.examples = examples,
);
