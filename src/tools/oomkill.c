// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/oomkill.h"

#include <inttypes.h>

#include "src/run/tools.h"
#include "src/toolkit/proc.h"

struct row {
	const struct oomkill_record *record;
	struct text name, loadavg;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, 0, .field = "time",
	  .help = "time of day when the victim was chosen" },
	{ "PID", "pid", COLUMN_INTEGER, 0, .field = "pid",
	  .help = "process that asked for memory" },
	{ "COMM", "comm", COLUMN_TEXT, 0, .field = "comm", .help = "name of the task that asked" },
	{ "VICTIM", "victim", COLUMN_INTEGER, 0, .field = "victim", .role = IS_IDENTITY,
	  .help = "process that was killed" },
	{ "VICTIM_COMM", "victim_comm", COLUMN_TEXT, 0, AT(name), .role = IS_IDENTITY,
	  .help = "name of the victim" },
	{ "PAGES", "pages", COLUMN_INTEGER, 0, .field = "pages", .level = true,
	  .help = "size of the memory that ran out, in pages" },
	{ "LOADAVG", "loadavg", COLUMN_TEXT, 0, AT(loadavg), .help = "text of /proc/loadavg" },
	{ }
};

static const struct part parts[] = {
	{ &oomkill_record_layout, AT(record), .pointer = true },
	{ }
};

static const struct example examples[] = {
	{ "sonde oomkill", "processes that the kernel kills" },
	{ "sonde oomkill --json", "the same for a program" },
	{ }
};

/* A text within a sentence: `-` if it is not known. */
#define SHOWN(TEXT) (TEXT).s ? (int)(TEXT).length : 1, (TEXT).s ? (TEXT).s : "-"

/* For people, a sentence. */
static void say(struct run *r, const struct row *row)
{
	const struct oomkill_record *rec = row->record;
	struct text comm = comm_text(rec->comm);
	char pid[24] = "-", pages[24] = "-";

	if (tgid_of(rec->pid_tgid) != NOTHING)
		snprintf(pid, sizeof(pid), "%" PRId64, tgid_of(rec->pid_tgid));
	if (rec->pages != OOM_UNKNOWN)
		snprintf(pages, sizeof(pages), "%" PRIu64, rec->pages);
	output_line(run_output(r), "%s Triggered by PID %s (\"%.*s\"), OOM kill of PID %" PRIu32
		    " (\"%.*s\"), %s pages, loadavg: %.*s",
		    run_local(r, run_wall_clock(r, rec->time)).time, pid, SHOWN(comm),
		    rec->victim, SHOWN(row->name), pages, SHOWN(row->loadavg));
}

/* /proc knows a victim for a short while: it takes time to end. */
static struct text victim_name(const struct run *r, const struct oomkill_record *rec,
			       char name[PROC_COMM])
{
	if (rec->name[0])
		return comm_text(rec->name);
	if (rec->victim == tid_of(rec->pid_tgid))
		return comm_text(rec->comm);
	return proc_comm(r, rec->victim, (int64_t)rec->time, name);
}

static void killed(struct run *r, const struct record *record)
{
	const struct oomkill_record *rec = record->bytes;
	char name[PROC_COMM], loadavg[PROC_LOAD];
	struct row row;

	if (!run_wanted(r, rec))
		return;
	row = (struct row){
		.record = rec,
		.name = victim_name(r, rec, name),
		.loadavg = load_average(r, loadavg),
	};
	for (unsigned int turn = 0; output_turn(run_output(r), &turn);) {
		if (output_for_people(run_output(r))) {
			say(r, &row);
			continue;
		}
		output_heads(run_output(r));
		output_row(run_output(r), &row);
	}
}

/* support: bpf: full (4.7) [17] | bpf (4.7): [17] | perf, ftrace: full [17] | perf, ftrace: [17] */
TOOL(oomkill, "memory", "trace processes that are killed because no memory is left",
	.banner = "Tracing OOM kills... Hit Ctrl-C to end.",
	.shape = SHAPE_EVENTS,
	.programs = &oomkill_programs,
	.columns = columns,
	.parts = parts,
	.tables = true,
	.examples = examples,
	.record = killed,
);
