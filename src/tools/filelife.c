// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/filelife.h"

#include "src/run/tools.h"

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time", .help = "time of day" },
	{ "PID", "pid", COLUMN_INTEGER, -6, .field = "pid",
	  .help = "process that removed the file" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "name of its task" },
	{ "AGE(s)", "age_s", COLUMN_SECONDS, -7, .field = "age", .span = SPAN_LENGTH, .digits = 2,
	  .help = "seconds since the file was made" },
	{ "FILE", "file", COLUMN_TEXT, 0, .field = "file", .span = SPAN_NAME,
	  .help = "name of the file, without its directory" },
	{ }
};

static const struct option options[] = {
	{ 'p', "pid" },
	{ }
};

static const struct example examples[] = {
	{ "sonde filelife", "files that live only while it runs" },
	{ "sonde filelife -p 181", "files that one process removes" },
	{ }
};

/* support: bpf: full (4.6) | no | perf, ftrace: full | no */
TOOL(filelife, "files", "trace files that are removed soon: how long they lived",
	.shape = SHAPE_EVENTS,
	.programs = &filelife_programs,
	.options = options,
	.columns = columns,
	.parts = RECORD_AS_ROW(filelife_record),
	.notes = "Files that were made before tracing began, or by mknod(2), are not shown.",
	.examples = examples,
);
