// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/statsnoop.h"

#include <errno.h>

#include "src/run/tools.h"

struct row {
	const struct statsnoop_record *record;
	int64_t ret, error;
	struct text path;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -14, .field = "time", .digits = 9,
	  .option = "timestamp", .help = "seconds since the first line" },
	{ "PID", "pid", COLUMN_INTEGER, -6, .field = "pid", .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "name of the task" },
	{ "FD", "ret", COLUMN_INTEGER, 4, AT(ret), .help = "its result, -1: it failed" },
	{ "ERR", "errno", COLUMN_INTEGER, 3, AT(error), .help = "error number, 0: none" },
	{ "PATH", "path", COLUMN_TEXT, 0, AT(path), .span = SPAN_NAME,
	  .help = "as the program gave it, -: could not be read" },
	{ }
};

static const struct part parts[] = {
	{ &statsnoop_record_layout, AT(record), .pointer = true },
	{ }
};

static const struct option options[] = {
	{ 't', "timestamp", "show seconds since the first line", OPTION_FLAG },
	{ 'x', "failed", "show failures only", OPTION_FLAG },
	{ 'p', "pid" },
	{ }
};

static const struct example examples[] = {
	{ "sonde statsnoop -x", "files that are looked for, and missing" },
	{ "sonde statsnoop -t -p 181", "of one process, with the time" },
	{ }
};

static void looked(struct run *r, const struct record *record)
{
	const struct statsnoop_record *rec = record->bytes;
	struct row row;

	if (!run_wanted(r, rec))
		return;
	row = (struct row){
		.record = rec,
		.ret = rec->ret < 0 ? -1 : rec->ret,
		.error = rec->ret < 0 ? -rec->ret : 0,
		.path = read_text(rec->name.path, rec->name.length, PATH_SHOWN, PATH_READ),
	};
	/* ENOENT before the kernel has copied a path: it is empty. */
	if (!row.path.s && rec->ret == -ENOENT)
		row.path = (struct text){ .s = "", .length = 0 };
	output_row(run_output(r), &row);
}

/* support: bpf: full (4.6) | bpf (4.14): [1] | perf, ftrace: [2] |
 *	    no; perf, ftrace from 7.x: [1] [2] */
TOOL(statsnoop, "files", "trace stat() calls: tasks, files and errors",
	.shape = SHAPE_EVENTS,
	.programs = &statsnoop_programs,
	.options = options,
	.columns = columns,
	.parts = parts,
	.requests = { REQUEST(STATX), "stats", "stat.enter" },
	.examples = examples,
	.record = looked,
);
