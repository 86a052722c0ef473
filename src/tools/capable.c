// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/capable.h"

#include <string.h>

#include "src/run/tools.h"
#include "src/toolkit/functions/stacked.h"

struct row {
	struct capable_record record;
	struct stacked stacks;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, .field = "time", .help = "time of day" },
	{ "UID", "uid", COLUMN_INTEGER, -6, .field = "uid", .help = "user id" },
	{ "PID", "pid", COLUMN_INTEGER, -6, .field = "tgid", .help = "process id" },
	{ "TID", "tid", COLUMN_INTEGER, -6, .field = "tid",
	  .option = "extra", .help = "thread id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "name of the task" },
	{ "CAP", "cap", COLUMN_INTEGER, -4, .field = "cap", .role = IS_LABEL,
	  .help = "number of the capability" },
	{ "NAME", "name", COLUMN_TEXT, -20, .field = "cap",
	  .help = "its name, -: newer than sonde" },
	{ "AUDIT", "audit", COLUMN_INTEGER, -6, .field = "audit", .role = IS_LABEL,
	  .help = "1: a refusal is audited, 0: it is not, -: not known" },
	{ "INSETID", "insetid", COLUMN_INTEGER, 0, .field = "insetid", .role = IS_LABEL,
	  .option = "extra", .help = "1: setuid(2) or the like asks" },
	STACKED_COLUMNS(AT(stacks.kernel), AT(stacks.user), "kernel-stacks", "user-stacks"),
	{ }
};

static const struct part parts[] = { { &capable_record_layout, AT(record) }, { } };

/* What the functions below read of the options. */
struct capable_options {
	bool all, kernel_stacks, user_stacks;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct capable_options, MEMBER)

static const struct option options[] = {
	{ 'v', "all", "show checks that are not audited too", OPTION_FLAG, TO(all) },
	{ 'x', "extra", "show the columns TID and INSETID", OPTION_FLAG },
	{ 0, "unique", "show each capability of a process once", OPTION_FLAG },
	{ 'p', "pid" },
	{ 'K', "kernel-stacks", "show the kernel's stack of each check", OPTION_FLAG,
	  TO(kernel_stacks) },
	{ 'U', "user-stacks", "show the stack of user space", OPTION_FLAG, TO(user_stacks) },
	{ 0, "offsets" },
	{ 0, "addresses" },
	{ 0, "folded" },
	{ }
};

static const struct example examples[] = {
	{ "sonde capable", "checks of capabilities" },
	{ "sonde capable -K -U -p 181", "checks, with their stacks" },
	{ "sonde capable --unique --exec ./server", "capabilities of a program" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct capable_options *o = run_asked(r);

	(void)err;
	run_constant(r, "audited", !o->all);
	return 0;
}

static void checked(struct run *r, const struct record *record)
{
	const struct capable_options *o = run_asked(r);
	struct row row = { };

	memcpy(&row.record, record->bytes, sizeof(row.record));
	if (!run_wanted(r, &row.record))
		return;
	if (o->kernel_stacks || o->user_stacks)
		stacked_show(r, record, &row, &row.stacks);
	else
		output_row(run_output(r), &row);
}

/* support: bpf: full (4.4) | bpf: [15] (6.18) | perf, ftrace: [2] |
 *	    perf, ftrace (6.18): [2] [15] */
TOOL(capable, "processes", "trace checks of capabilities: tasks and privileges",
	.shape = SHAPE_EVENTS,
	.programs = &capable_programs,
	.options = options,
	.options_size = sizeof(struct capable_options),
	.columns = columns,
	.parts = parts,
	.examples = examples,
	.prepare = prepare,
	.record = checked,
);
