// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/bashreadline.h"

#include "src/run/tools.h"

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, .field = "time", .help = "time of day" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .help = "process id of the shell" },
	{ "COMM", "comm", COLUMN_TEXT, 0, .field = "comm", .readers = FOR_MACHINES,
	  .help = "its name, in JSON and CSV" },
	{ "COMMAND", "command", COLUMN_TEXT, 0, .field = "line",
	  .help = "the line as it was typed, -: could not be read" },
	{ }
};

/* What the functions below read of the options. */
struct bashreadline_options {
	const char *shared;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct bashreadline_options, MEMBER)

static const struct option options[] = {
	{ 's', "shared", "only this shell or library", OPTION_TEXT, "PATH", TO(shared) },
	{ }
};

static const struct example examples[] = {
	{ "sonde bashreadline", "lines typed into every bash" },
	{ "sonde bashreadline -s /opt/bin/bash", "lines typed into this one" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct bashreadline_options *o = run_asked(r);
	static const char *const functions[] = { "readline", "readline_internal_teardown", NULL };
	const char *path = o->shared;

	if (path && run_binaries(r, "libreadline", "", NULL, err))
		return -1;
	return run_binaries(r, "bash", path, functions, err);
}

/* Is the task bash? The library's function returns to other programs too. */
static bool is_bash(struct text comm)
{
	static const char *const names[] = { "bash", "rbash", "sh" };

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (comm.length == strlen(names[i]) && !memcmp(comm.s, names[i], comm.length))
			return true;
	return !comm.s;
}

static void typed(struct run *r, const struct record *record)
{
	const struct bashreadline_record *rec = record->bytes;

	if (run_wanted(r, rec) && (!rec->library || is_bash(comm_text(rec->comm))))
		output_row(run_output(r), rec);
}

/* support: bpf: full (4.6) | bpf: full (4.6) | perf, ftrace (3.14): [2] [11] |
 *	    perf, ftrace (3.14): [2] [11] */
TOOL(bashreadline, "processes", "print lines typed into every bash",
	.shape = SHAPE_EVENTS,
	.programs = &bashreadline_programs,
	.options = options,
	.options_size = sizeof(struct bashreadline_options),
	.columns = columns,
	.parts = RECORD_AS_ROW(bashreadline_record),
	.examples = examples,
	.prepare = prepare,
	.record = typed,
);
