// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/stacksnoop.h"

#include "src/lib/output/records.h"
#include "src/run/tools.h"
#include "src/toolkit/functions/named.h"
#include "src/toolkit/functions/stacked.h"

struct row {
	struct stacksnoop_record record;
	struct text function;
	struct stacked stacks;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct part parts[] = {
	{ &stacksnoop_record_layout, AT(record) },
	{ }
};

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -18, .field = "time", .digits = 9,
	  .help = "seconds since the first row" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .option = "task",
	  .readers = FOR_ASKED, .help = "name of the task" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "tgid", .option = "task",
	  .readers = FOR_ASKED, .help = "process id" },
	{ "TID", "tid", COLUMN_INTEGER, -7, .field = "tid",
	  .readers = FOR_MACHINES, .help = "thread id, in JSON and CSV" },
	{ "CPU", "cpu", COLUMN_INTEGER, -3, .field = "cpu", .option = "task",
	  .readers = FOR_ASKED, .help = "CPU on which it was hit" },
	{ "FUNC", "func", COLUMN_TEXT, 0, AT(function),
	  .help = "the function or tracepoint that was hit" },
	STACKED_COLUMNS(AT(stacks.kernel), AT(stacks.user), "kernel_stacks", "user_stacks"),
	{ }
};

/* What the functions below read of the options. */
struct stacksnoop_options {
	bool task, user_stacks_only, kernel_stacks_only;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct stacksnoop_options, MEMBER)

static const struct option options[] = {
	OPTION_PATTERN("FUNCTION, LIBRARY:FUNCTION, t:SYSTEM:EVENT or u:LIBRARY:PROBE; with * ? "
		       "[...]"),
	OPTION_REGEXP,
	{ 'p', "pid" },
	{ 'd', "duration" },
	{ 'v', "task", "show the task and its CPU too", OPTION_FLAG, TO(task) },
	{ 'U', "user-stacks-only", "no stacks of the kernel", OPTION_FLAG, TO(user_stacks_only) },
	{ 'K', "kernel-stacks-only", "no stacks of user space", OPTION_FLAG,
	  .excludes = "user-stacks-only", TO(kernel_stacks_only) },
	{ 's', "offsets" },
	{ 'A', "addresses" },
	{ 'f', "folded" },
	{ }
};

static const struct example examples[] = {
	{ "sonde stacksnoop -v ext4_sync_fs", "callers that sync a file system" },
	{ "sonde stacksnoop -p 181 c:abort", "where a program gives up" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct stacksnoop_options *o = run_asked(r);

	run_constant(r, "kernel_stacks", !o->user_stacks_only);
	run_constant(r, "user_stacks", !o->kernel_stacks_only);
	return named_prepare(r, run_state(r), &stacksnoop_programs, err);
}

static int started(struct run *r, struct error *err)
{
	(void)err;
	named_notes(r, run_state(r));
	return 0;
}

static void record(struct run *r, const struct record *record)
{
	struct row row;

	if (!run_wanted(r, record->bytes))
		return;
	memcpy(&row.record, record->bytes, sizeof(row.record));
	row.function = named_text(run_state(r), row.record.function);
	stacked_show(r, record, &row, &row.stacks);
}

/* support: bpf: full (4.6) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(stacksnoop, "functions", "trace calls of functions: each with its stack, as it happens",
	.asks = "vfs_read",
	.also = "functions of programs",
	.asks_tracepoint = "t:sched:sched_switch",
	.shape = SHAPE_EVENTS,
	.programs = &stacksnoop_programs,
	.options = options,
	.options_size = sizeof(struct stacksnoop_options),
	.columns = columns,
	.parts = parts,
	.notes = "Below each row are the functions that led there, the newest first.",
	.examples = examples,
	.state_size = sizeof(struct named),
	.prepare = prepare,
	.started = started,
	.record = record,
	.cleanup = named_cleanup,
);
