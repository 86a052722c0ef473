// SPDX-License-Identifier: GPL-2.0
#include "src/run/tools.h"
#include "src/toolkit/stacks/offcpu.h"

static const struct offcpu_tool how = {
	.sleeper = true, .banner = "Tracing off-CPU time (us)",
};

static const struct example examples[] = {
	{ "sonde offcputime 5", "all threads, five seconds" },
	{ "sonde offcputime -f -p 181 30 >out.folded", "for a flame graph" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	return offcpu_prepare(r, &how, err);
}

static int started(struct run *r, struct error *err)
{
	return offcpu_started(r, &how, err);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(offcputime, "CPU", "where threads wait, and for how long, by stack",
	.shape = SHAPE_INTERVALS,
	.programs = &offcputime_programs,
	.options = offcpu_options,
	.options_size = sizeof(struct offcpu_options),
	.tables = true,
	.notes = "A stack has the time that threads were off their CPUs after they left a CPU with "
		 "it; the longest comes last.",
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.interval_end = offcpu_show,
	.stacks = &offcpu_stacks,
);
