// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/threadsnoop.h"

#include <stdio.h>
#include <string.h>

#include "src/lib/output/records.h"
#include "src/lib/symbols/symbols.h"
#include "src/run/tools.h"
#include "src/toolkit/functions/stacked.h"
#include "src/toolkit/stacks/stacks.h"

struct row {
	struct threadsnoop_record record;
	struct text function, module;
	struct stacked stacks;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct part parts[] = {
	{ &threadsnoop_record_layout, AT(record) },
	{ }
};

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, .field = "time", .help = "time of day" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "tgid", .help = "process id" },
	{ "TID", "tid", COLUMN_INTEGER, -7, .field = "tid", .readers = FOR_MACHINES,
	  .help = "id of the thread that makes the other thread, in JSON and CSV" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "name of the task" },
	{ "FUNC", "func", COLUMN_TEXT, 0, AT(function),
	  .help = "function that the new thread executes; its address, if it has no name" },
	{ "MODULE", "module", COLUMN_TEXT, 0, AT(module), .readers = FOR_MACHINES,
	  .help = "file of this function, in JSON and CSV" },
	{ "USER_STACK", "user_stack", COLUMN_TEXT, 0, AT(stacks.user), .readers = FOR_MACHINES,
	  .option = "user-stacks",
	  .help = "functions that make the thread, the oldest first, in JSON and CSV" },
	{ }
};

/* What the functions below read of the options. */
struct threadsnoop_options {
	const char *libc;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct threadsnoop_options, MEMBER)

static const struct option options[] = {
	{ 'p', "pid" },
	{ 'U', "user-stacks", "show the functions that make the thread below each line",
	  OPTION_FLAG },
	{ 'l', "libc", "probe these libraries or programs, and no others", OPTION_TEXT,
	  "PATH,...", .joins = ',', TO(libc) },
	{ }
};

static const struct example examples[] = {
	{ "sonde threadsnoop", "new threads, and their functions" },
	{ "sonde threadsnoop -U -p 181", "new threads of one process" },
	{ }
};

static const char *const functions[] = { "pthread_create", NULL };

static int prepare(struct run *r, struct error *err)
{
	const struct threadsnoop_options *o = run_asked(r);

	return run_binaries(r, "threads", o->libc, functions, err);
}

static struct text text_or_none(const char *s)
{
	return s ? text_of(s, strlen(s)) : (struct text){ };
}

static void record(struct run *r, const struct record *record)
{
	struct symbol symbol = { };
	struct error err = { };
	char address[24];
	struct row row = { };

	if (!run_wanted(r, record->bytes))
		return;
	memcpy(&row.record, record->bytes, sizeof(row.record));
	if (stacks_function(r, row.record.pid_tgid, row.record.time, row.record.start, &symbol,
			    &err)) {
		run_fail(r, &err);
		return;
	}
	snprintf(address, sizeof(address), "0x%llx", (unsigned long long)row.record.start);
	row.function = text_or_none(symbol.name ? symbol.name : address);
	row.module = text_or_none(symbol.module);
	stacked_show(r, record, &row, &row.stacks);
}

/* support: bpf: full (4.6) | bpf: full (4.6) | perf, ftrace: full | perf, ftrace: full */
TOOL(threadsnoop, "processes", "trace new threads: their makers and functions",
	.shape = SHAPE_EVENTS,
	.programs = &threadsnoop_programs,
	.options = options,
	.options_size = sizeof(struct threadsnoop_options),
	.columns = columns,
	.parts = parts,
	.examples = examples,
	.prepare = prepare,
	.record = record,
);
