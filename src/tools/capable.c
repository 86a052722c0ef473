// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/capable.h"

#include "src/tools.h"

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, .field = "time", .help = "time of day" },
	{ "UID", "uid", COLUMN_INTEGER, -6, .field = "uid", .help = "user id" },
	{ "PID", "pid", COLUMN_INTEGER, -6, .field = "pid", .help = "process id" },
	{ "TID", "tid", COLUMN_INTEGER, -6, .field = "tid",
	  .option = "extra", .help = "thread id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "name of the task" },
	{ "CAP", "cap", COLUMN_INTEGER, -4, .field = "cap", .help = "number of the capability" },
	{ "NAME", "name", COLUMN_TEXT, -20, .field = "cap",
	  .help = "its name, -: newer than sonde" },
	{ "AUDIT", "audit", COLUMN_INTEGER, -6, .field = "audit",
	  .help = "1: a refusal is audited, 0: it is not, -: not known" },
	{ "INSETID", "insetid", COLUMN_INTEGER, 0, .field = "insetid",
	  .option = "extra", .help = "1: setuid(2) or the like asks" },
	{ }
};

static const struct option options[] = {
	{ 'v', "all", "show checks that are not audited too", OPTION_FLAG },
	{ 'x', "extra", "show the columns TID and INSETID", OPTION_FLAG },
	{ 0, "unique", "show each capability of a process once", OPTION_FLAG },
	{ 'p', "pid" },
	{ }
};

static const struct example examples[] = {
	{ "sonde capable", "checks of capabilities" },
	{ "sonde capable --unique --exec ./server", "what a program requires" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	(void)err;
	run_constant(r, "audited", !option_number(run_options(r), "all"));
	return 0;
}

/* support: bpf: full (4.4) | bpf: [15] (6.18) | perf, ftrace: [2] |
 *	    perf, ftrace (6.18): [2] [15] */
TOOL(capable, "processes", "trace checks of capabilities: who asks for which privilege",
	.shape = SHAPE_EVENTS,
	.programs = &capable_programs,
	.options = options,
	.columns = columns,
	.parts = RECORD_AS_ROW(capable_record),
	.examples = examples,
	.prepare = prepare,
);
