// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/stackcount.h"

#include "src/functions/named.h"
#include "src/stacks/stacks.h"
#include "src/tools.h"

#define CPUS 8191

static const struct option options[] = {
	OPTION_PATTERN("FUNCTION, LIBRARY:FUNCTION, t:SYSTEM:EVENT or u:LIBRARY:PROBE; with * ? "
		       "[...]"),
	OPTION_REGEXP,
	{ 'p', "pid" },
	{ 'c', "cpu", "this CPU only", OPTION_NUMBER, "N", 0, CPUS, -1 },
	{ 'i', "interval", "seconds between sums", OPTION_NUMBER, "SECONDS", 1, INT32_MAX },
	{ 'D', "duration" },
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'P', "perpid", "with -K: count each process by itself",
	  OPTION_FLAG },
	{ 'U', "user-stacks-only", "no stacks of the kernel", OPTION_FLAG },
	{ 'K', "kernel-stacks-only", "no stacks of user space", OPTION_FLAG,
	  .excludes = "user-stacks-only" },
	{ 's', "offsets" },
	{ 'v', "addresses" },
	{ 'd', "delimited" },
	{ 'f', "folded" },
	{ }
};

static const struct example examples[] = {
	{ "sonde stackcount ip_output", "who sends packets" },
	{ "sonde stackcount t:block:block_rq_issue", "who has disks work" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct options *o = run_options(r);
	bool user = !option_number(o, "kernel-stacks-only");

	run_constant(r, "one_cpu", option_number(o, "cpu") >= 0);
	run_constant(r, "kernel_stacks", !option_number(o, "user-stacks-only"));
	run_constant(r, "user_stacks", user);
	/* What an address of user space is called only its process knows. */
	run_constant(r, "by_process", user || option_number(o, "perpid"));
	return named_prepare(r, run_state(r), &stackcount_programs, err);
}

static int started(struct run *r, struct error *err)
{
	(void)err;
	named_banner(r, run_state(r), "Tracing");
	return 0;
}

static const struct tool_stacks stacks = { "counts", { { "count" } } };

static int show(struct run *r, struct error *err)
{
	if (option_number(run_options(r), "timestamp"))
		run_interval_head(r);
	return stacks_show(r, &stacks, err);
}

/* support: bpf: full (4.6) | bpf: full (4.7) | perf: full | perf: full */
TOOL(stackcount, "functions", "who calls functions, and how often, by stack",
	.asks = "vfs_read",
	.also = "functions of programs",
	.asks_tracepoint = "t:sched:sched_switch",
	.shape = SHAPE_INTERVALS,
	.programs = &stackcount_programs,
	.options = options,
	.tables = true,
	.notes = "A stack has its count; the most frequent comes last.",
	.examples = examples,
	.state_size = sizeof(struct named),
	.prepare = prepare,
	.started = started,
	.stacks = &stacks,
	.interval_end = show,
	.cleanup = named_cleanup,
);
