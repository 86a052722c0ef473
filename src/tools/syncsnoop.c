// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/syncsnoop.h"

#include "src/run/tools.h"

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -18, .field = "time", .digits = 9,
	  .help = "when it began, in seconds of the kernel's clock" },
	{ "CALL", "call", COLUMN_TEXT, -12, .field = "call", .help = "the call" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid",
	  .option = "all", .help = "process id; in JSON always" },
	{ "COMM", "comm", COLUMN_TEXT, 0, .field = "comm",
	  .option = "all", .help = "name of the task; in JSON always" },
	{ "PID", "pid", COLUMN_INTEGER, 0, .field = "pid",
	  .readers = FOR_OBJECTS, .unless = "all" },
	{ "COMM", "comm", COLUMN_TEXT, 0, .field = "comm",
	  .readers = FOR_OBJECTS, .unless = "all" },
	{ }
};

static const struct option options[] = {
	{ 'a', "all", "also show syncfs, fsync, fdatasync and msync, with PID and COMM",
	  OPTION_FLAG },
	{ 'p', "pid" },
	{ }
};

static const struct example examples[] = {
	{ "sonde syncsnoop", "each sync()" },
	{ "sonde syncsnoop -a", "also the calls for a file or a file system" },
	{ }
};

/* support: bpf: full (4.6) | bpf (4.14): [1] | perf, ftrace: [2] | perf, ftrace: [1] [2] */
TOOL(syncsnoop, "files", "trace sync() calls: when dirty pages are written at once",
	.shape = SHAPE_EVENTS,
	.programs = &syncsnoop_programs,
	.options = options,
	.columns = columns,
	.parts = RECORD_AS_ROW(syncsnoop_record),
	.requests = { REQUEST(FSYNC), "fsyncs", "sync.file_enter", "all" },
	.examples = examples,
);
