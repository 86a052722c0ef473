// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/filelife.h"

#include "src/tools.h"

struct row {
	int64_t clock, pid, age;
	struct text comm, file;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .help = "time of day" },
	{ "PID", "pid", COLUMN_INTEGER, -6, AT(pid), .help = "process that removed the file" },
	{ "COMM", "comm", COLUMN_TEXT, -16, AT(comm), .help = "its name" },
	{ "AGE(s)", "age_s", COLUMN_SECONDS, -7, AT(age), .digits = 2, .help = "seconds since the file was made" },
	{ "FILE", "file", COLUMN_TEXT, 0, AT(file), .help = "its name, without the folders" },
	{ }
};

static const struct option options[] = {
	{ 'p', "pid" },
	{ }
};

static const struct example examples[] = {
	{ "sonde filelife", "files that are made and removed while it runs" },
	{ "sonde filelife -p 181", "those that one process removes" },
	{ }
};

static void removed(struct run *r, const void *record, uint32_t size)
{
	const struct filelife_record *rec = record;
	struct row row;

	if (size < sizeof(*rec))
		return;
	row = (struct row){
		.clock = run_wall_clock(r, rec->time), .pid = tgid_of(rec->pid_tgid), .age = (int64_t)rec->age,
		.comm = comm_text(rec->comm),
		.file = read_text(rec->name.path, rec->name.length, PATH_SHOWN, PATH_READ),
	};
	if (name_matches(r, row.comm))
		output_row(run_output(r), &row);
}

/* support: bpf: full (4.6) | no | perf, ftrace: full | no */
TOOL(filelife, "files", "trace files that are removed soon: how long they lived",
	.shape = SHAPE_EVENTS,
	.programs = &filelife_programs,
	.options = options,
	.columns = columns,
	.notes = "Files that were there before are not shown.",
	.examples = examples,
	.record = removed,
);
