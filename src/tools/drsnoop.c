// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/drsnoop.h"

#include "src/tools.h"

struct row {
	int64_t time, uid, pid, tid, pages;
	double latency;
	struct text comm;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -14, AT(time), .digits = 9, .option = "timestamp",
	  .help = "seconds since the first line" },
	{ "UID", "uid", COLUMN_INTEGER, -6, AT(uid), .option = "print-uid", .help = "user id" },
	{ "COMM", "comm", COLUMN_TEXT, -14, AT(comm), .help = "name of the task" },
	{ "PID", "pid", COLUMN_INTEGER, -6, AT(pid), .unless = "tid", .help = "process id" },
	{ "TID", "tid", COLUMN_INTEGER, -6, AT(tid), .option = "tid", .help = "thread id" },
	{ "LAT(ms)", "lat_ms", COLUMN_REAL, 8, AT(latency), .digits = 2, .help = "how long it was held up" },
	{ "PAGES", "pages", COLUMN_INTEGER, 5, AT(pages), .help = "pages it got free" },
	{ }
};

static const struct option options[] = {
	{ 'T', "timestamp", "show the time", OPTION_FLAG },
	{ 'U', "print-uid", "show the user id", OPTION_FLAG },
	{ 'p', "pid" },
	{ 't', "tid" },
	{ 'u', "uid" },
	{ 'd', "duration" },
	{ 'n', "name" },
	{ }
};

static const struct example examples[] = {
	{ "sonde drsnoop", "tasks that have to get memory free before they are given some" },
	{ "sonde drsnoop -T -n java", "those of one name, with the time" },
	{ }
};

static void reclaimed(struct run *r, const void *record, uint32_t size)
{
	const struct drsnoop_record *rec = record;
	struct row row;

	if (size < sizeof(*rec))
		return;
	row = (struct row){
		.time = run_since_start(r, rec->time), .pid = tgid_of(rec->pid_tgid), .tid = tid_of(rec->pid_tgid),
		.uid = run_has_input(r, "reclaim.end", "uid") ? (int64_t)rec->uid : NOTHING,
		.latency = (double)rec->latency / 1e6, .pages = (int64_t)rec->pages, .comm = comm_text(rec->comm),
	};
	if (name_matches(r, row.comm))
		output_row(run_output(r), &row);
}

/* support: bpf (4.7): [18] | bpf (4.7): [18] | perf, ftrace: [2] [18] | perf, ftrace: [2] [18] */
TOOL(drsnoop, "memory", "trace direct reclaim: tasks that wait until memory is free",
	.shape = SHAPE_EVENTS,
	.programs = &drsnoop_programs,
	.options = options,
	.columns = columns,
	.notes = "Of the whole machine's memory; what a cgroup's limit makes its tasks do is not shown.",
	.examples = examples,
	.record = reclaimed,
);
