// SPDX-License-Identifier: GPL-2.0
#include "src/run/tools.h"
#include "src/toolkit/stacks/offcpu.h"

static const struct offcpu_tool how = {
	.waker = true, .until_woken = true,
	.banner = "Tracing blocked time (us)",
};

static const struct example examples[] = {
	{ "sonde wakeuptime 5", "all threads, five seconds" },
	{ "sonde wakeuptime -f -p 181 30 >out.folded", "for a flame graph" },
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
TOOL(wakeuptime, "CPU", "time that threads sleep, by the stacks of their wakers",
	.shape = SHAPE_INTERVALS,
	.programs = &wakeuptime_programs,
	.options = offcpu_options,
	.options_size = sizeof(struct offcpu_options),
	.tables = true,
	.notes = "A waker's stack has the time that the threads it woke had slept; the longest "
		 "comes last.",
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.interval_end = offcpu_show,
	.stacks = &offcpu_stacks,
);
