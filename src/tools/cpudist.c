// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/cpudist.h"

#include <stdio.h>

#include "src/run/tools.h"
#include "src/toolkit/hists.h"

/* What the functions below read of the options. */
struct cpudist_options {
	bool offcpu, pids, tids, milliseconds, extension;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct cpudist_options, MEMBER)

static const struct option options[] = {
	{ 'O', "offcpu", "measure the time off a CPU, not on it", OPTION_FLAG, TO(offcpu) },
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'm', "milliseconds", "in milliseconds, not microseconds", OPTION_FLAG,
	  TO(milliseconds) },
	{ 'P', "pids", "a histogram for each process", OPTION_FLAG, .excludes = "tids", TO(pids) },
	{ 'L', "tids", "a histogram for each thread", OPTION_FLAG, TO(tids) },
	{ 'p', "pid" },
	{ 'I', "include-idle", "count the idle tasks of CPUs too", OPTION_FLAG },
	{ 'e', "extension", "show average, total and count", OPTION_FLAG, TO(extension) },
	{ 'j', "json" },
	{ }
};

static const struct example examples[] = {
	{ "sonde cpudist -p 181 1 10", "one process, each second, for ten seconds" },
	{ "sonde cpudist -O -P", "time off a CPU, by process, until Ctrl-C" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct cpudist_options *o = run_asked(r);

	(void)err;
	run_constant(r, "oncpu", !o->offcpu);
	run_constant(r, "grouped", o->pids || o->tids);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct cpudist_options *o = run_asked(r);

	(void)err;
	output_line(run_output(r), "Tracing %s-CPU time... Hit Ctrl-C to end.",
		    o->offcpu ? "off" : "on");
	return 0;
}

static void section(struct run *r, const struct hist_group *g, struct hist_section *s, char *value)
{
	const struct cpudist_options *o = run_asked(r);
	s->name = o->pids ? "pid" : "tid";
	s->is_number = g->id != CPUDIST_UNKNOWN;
	if (s->is_number)
		snprintf(value, HISTS_VALUE, "%llu", (unsigned long long)g->id);
	else
		strcpy(value, "?");
}

static int show(struct run *r, struct error *err)
{
	const struct cpudist_options *o = run_asked(r);
	struct hists_shown shown = {
		.name = "time", .unit = o->milliseconds ? "msecs" : "usecs",
		.grouped = o->pids || o->tids,
		.totals = o->extension, .section = section,
	};

	return hists_show(r, &shown, err);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(cpudist, "CPU", "how long tasks stay on a CPU, or off it, as a histogram",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &cpudist_programs,
	.options = options,
	.options_size = sizeof(struct cpudist_options),
	.notes = "Each line counts stays of tasks on a CPU, from the switch to a task to the "
		 "switch away from it; with --offcpu times off a CPU, asleep or waiting.",
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.interval_end = show,
);
