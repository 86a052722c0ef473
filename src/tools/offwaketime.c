// SPDX-License-Identifier: GPL-2.0
#include "src/run/tools.h"
#include "src/toolkit/stacks/offcpu.h"

static const struct offcpu_tool how = {
	.sleeper = true, .waker = true,
	.banner = "Tracing off-CPU time (us) and wakers",
};

static const struct example examples[] = {
	{ "sonde offwaketime 5", "all threads, five seconds" },
	{ "sonde offwaketime -f -p 181 30 >out.folded", "for a flame graph" },
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
TOOL(offwaketime, "CPU", "time that threads wait, by their stacks and their wakers'",
	.shape = SHAPE_INTERVALS,
	.programs = &offwaketime_programs,
	.options = offcpu_options,
	.options_size = sizeof(struct offcpu_options),
	.tables = true,
	.notes = "Two stacks have the time that threads were off their CPUs: the stack of the "
		 "thread that waited, and above it, turned round, the stack of its waker.",
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.interval_end = offcpu_show,
	.stacks = &offcpu_stacks,
);
