// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/stackcount.h"

#include "src/run/tools.h"
#include "src/toolkit/functions/named.h"
#include "src/toolkit/stacks/stacks.h"

#define CPUS 8191

/* What the functions below read of the options. */
struct stackcount_options {
	bool kernel_stacks_only, user_stacks_only, perpid, timestamp;
	int64_t cpu;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct stackcount_options, MEMBER)

static const struct option options[] = {
	OPTION_PATTERN("FUNCTION, LIBRARY:FUNCTION, t:SYSTEM:EVENT or u:LIBRARY:PROBE; with * ? "
		       "[...]"),
	OPTION_REGEXP,
	{ 'p', "pid" },
	{ 'c', "cpu", "this CPU only", OPTION_NUMBER, "N", 0, CPUS, -1, TO(cpu) },
	{ 'i', "interval", "seconds between sums", OPTION_NUMBER, "SECONDS", 1, INT32_MAX },
	{ 'D', "duration" },
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG, TO(timestamp) },
	{ 'P', "perpid", "with -K: count each process by itself",
	  OPTION_FLAG, TO(perpid) },
	{ 'U', "user-stacks-only", "no stacks of the kernel", OPTION_FLAG, TO(user_stacks_only) },
	{ 'K', "kernel-stacks-only", "no stacks of user space", OPTION_FLAG,
	  .excludes = "user-stacks-only", TO(kernel_stacks_only) },
	{ 's', "offsets" },
	{ 'v', "addresses" },
	{ 'd', "delimited" },
	{ 'f', "folded" },
	{ }
};

static const struct example examples[] = {
	{ "sonde stackcount ip_output", "senders of packets" },
	{ "sonde stackcount t:block:block_rq_issue", "callers of block I/O" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct stackcount_options *o = run_asked(r);
	bool user = !o->kernel_stacks_only;

	run_constant(r, "one_cpu", o->cpu >= 0);
	run_constant(r, "kernel_stacks", !o->user_stacks_only);
	run_constant(r, "user_stacks", user);
	/* What an address of user space is called only its process knows. */
	run_constant(r, "by_process", user || o->perpid);
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
	const struct stackcount_options *o = run_asked(r);

	if (o->timestamp)
		run_interval_head(r);
	return stacks_show(r, &stacks, err);
}

/* support: bpf: full (4.6) | bpf: full (4.7) | perf: full | perf: full */
TOOL(stackcount, "functions", "count callers of functions, by stack",
	.asks = "vfs_read",
	.also = "functions of programs",
	.asks_tracepoint = "t:sched:sched_switch",
	.shape = SHAPE_INTERVALS,
	.programs = &stackcount_programs,
	.options = options,
	.options_size = sizeof(struct stackcount_options),
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
