// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/syncsnoop.h"

#include "src/tools.h"

struct row {
	int64_t time, pid;
	struct text call, comm;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -18, AT(time), .digits = 9, .help = "when it began, on the kernel's clock" },
	{ "CALL", "call", COLUMN_TEXT, -12, AT(call), .help = "the call" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .option = "all", .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, 0, AT(comm), .option = "all", .help = "name of the task" },
	{ "PID", "pid", COLUMN_INTEGER, 0, AT(pid), .option = "json", .unless = "all", .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, 0, AT(comm), .option = "json", .unless = "all", .help = "name of the task" },
	{ }
};

static const struct option options[] = {
	{ 'a', "all", "syncfs, fsync, fdatasync and msync too, and who calls", OPTION_FLAG },
	{ 'p', "pid" },
	{ }
};

static const struct example examples[] = {
	{ "sonde syncsnoop", "each sync() of the system" },
	{ "sonde syncsnoop -a", "and each of a file or file system, by whom" },
	{ }
};

static const char *const calls[] = {
	[CALL_SYNC] = "sync()", [CALL_SYNCFS] = "syncfs()", [CALL_FSYNC] = "fsync()",
	[CALL_FDATASYNC] = "fdatasync()", [CALL_MSYNC] = "msync()",
};

static void synced(struct run *r, const void *record, uint32_t size)
{
	const struct syncsnoop_record *rec = record;
	struct row row;

	if (size < sizeof(*rec) || rec->call >= sizeof(calls) / sizeof(calls[0]))
		return;
	row = (struct row){
		.time = (int64_t)rec->time, .pid = tgid_of(rec->pid_tgid),
		.call = text_of(calls[rec->call], 16), .comm = comm_text(rec->comm),
	};
	if (name_matches(r, row.comm))
		output_row(run_output(r), &row);
}

/* support: bpf: full (4.6) | bpf (4.14): [1] | perf, ftrace: [2] | perf, ftrace: [1] [2] */
TOOL(syncsnoop, "files", "trace sync() calls: when dirty pages are written at once",
	.shape = SHAPE_EVENTS,
	.programs = &syncsnoop_programs,
	.options = options,
	.columns = columns,
	.examples = examples,
	.record = synced,
);
