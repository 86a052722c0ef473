// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/oomkill.h"

#include <inttypes.h>

#include "compat/base/clock.h"
#include "src/toolkit/proc.h"
#include "src/tools.h"

struct row {
	int64_t clock, pid, victim, pages;
	struct text comm, name, loadavg;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, 0, AT(clock), .help = "time of day" },
	{ "PID", "pid", COLUMN_INTEGER, 0, AT(pid), .help = "the process that asked for memory" },
	{ "COMM", "comm", COLUMN_TEXT, 0, AT(comm), .help = "name of its task" },
	{ "VICTIM", "victim", COLUMN_INTEGER, 0, AT(victim), .help = "the process that was killed" },
	{ "VICTIM_COMM", "victim_comm", COLUMN_TEXT, 0, AT(name), .help = "its name" },
	{ "PAGES", "pages", COLUMN_INTEGER, 0, AT(pages), .help = "all memory there was to share out, in pages" },
	{ "LOADAVG", "loadavg", COLUMN_TEXT, 0, AT(loadavg), .help = "/proc/loadavg" },
	{ }
};

static const struct example examples[] = {
	{ "sonde oomkill", "who is killed for want of memory, and who wanted it" },
	{ "sonde oomkill --json", "the same for a program" },
	{ }
};

/* For people, a sentence: what is not known is `-`. */
static void say(struct run *r, const struct row *row)
{
	char pid[24] = "-", pages[24] = "-";

	if (row->pid != NOTHING)
		snprintf(pid, sizeof(pid), "%" PRId64, row->pid);
	if (row->pages != NOTHING)
		snprintf(pages, sizeof(pages), "%" PRId64, row->pages);
	output_line(run_output(r), "%s Triggered by PID %s (\"%.*s\"), OOM kill of PID %" PRId64 " (\"%.*s\"), %s pages, "
		    "loadavg: %.*s", date_local(row->clock).time, pid,
		    row->comm.s ? (int)row->comm.length : 1, row->comm.s ? row->comm.s : "-",
		    row->victim, row->name.s ? (int)row->name.length : 1, row->name.s ? row->name.s : "-", pages,
		    row->loadavg.s ? (int)row->loadavg.length : 1, row->loadavg.s ? row->loadavg.s : "-");
}

static void killed(struct run *r, const struct record *record)
{
	const struct oomkill_record *rec = record->bytes;
	char name[PROC_COMM], loadavg[PROC_LOAD];
	struct row row;

	row = (struct row){
		.clock = run_wall_clock(r, rec->time), .pid = tgid_of(rec->pid_tgid), .victim = rec->victim,
		.pages = rec->pages == OOM_UNKNOWN ? NOTHING : (int64_t)rec->pages,
		.comm = comm_text(rec->comm), .name = comm_text(rec->name),
		.loadavg = load_average(loadavg),
	};
	if (!row.name.s && rec->victim == tid_of(rec->pid_tgid))
		row.name = row.comm;
	else if (!row.name.s)
		row.name = proc_comm(r, row.victim, (int64_t)rec->time, name);	/* it takes a while to end */
	if (!name_matches(r, row.comm))
		return;
	if (output_for_people(run_output(r))) {
		say(r, &row);
		return;
	}
	output_heads(run_output(r));
	output_row(run_output(r), &row);
}

/* support: bpf: full (4.7) [17] | bpf (4.7): [17] | perf, ftrace: full [17] | perf, ftrace: [17] */
TOOL(oomkill, "memory", "trace processes that are killed because no memory is left",
	.banner = "Tracing OOM kills... Hit Ctrl-C to end.",
	.shape = SHAPE_EVENTS,
	.programs = &oomkill_programs,
	.columns = columns,
	.tables = true,
	.examples = examples,
	.record = killed,
);
