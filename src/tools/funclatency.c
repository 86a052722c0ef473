// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/funclatency.h"

#include "compat/base/text.h"
#include "src/run/tools.h"
#include "src/toolkit/functions/named.h"
#include "src/toolkit/hists.h"

/* What the functions below read of the options. */
struct funclatency_options {
	bool between, milliseconds, microseconds, functions;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct funclatency_options, MEMBER)

static const struct option options[] = {
	OPTION_PATTERN("FUNCTION or LIBRARY:FUNCTION; * stands for anything"),
	{ 'p', "pid" },
	{ 'i', "interval", "seconds between histograms", OPTION_NUMBER, "SECONDS", 1, INT32_MAX },
	{ 'd', "duration" },
	OPTION_REGEXP,
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'u', "microseconds", "in microseconds, not nanoseconds", OPTION_FLAG,
	  .excludes = "milliseconds", TO(microseconds) },
	{ 'm', "milliseconds", "in milliseconds", OPTION_FLAG, TO(milliseconds) },
	{ 'F', "functions", "a histogram for each function", OPTION_FLAG, .alias = "function",
	  TO(functions) },
	{ 'l', "level", "only calls within fewer than N other traced calls", OPTION_NUMBER, "N", 1,
	  FUNC_LEVELS },
	{ 0, "between", "the time from each call to the next one, not of the calls", OPTION_FLAG,
	  .excludes = "level", TO(between) },
	{ }
};

static const struct example examples[] = {
	{ "sonde funclatency -u vfs_read", "how long reads take, in us" },
	{ "sonde funclatency --between vfs_write", "from call to call" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct funclatency_options *o = run_asked(r);

	return o->between ?
	       named_prepare(r, run_state(r), &funcinterval_programs, err) :
	       named_calls(r, run_state(r), &funclatency_programs, err);
}

static int started(struct run *r, struct error *err)
{
	(void)err;
	named_banner(r, run_state(r), "Tracing");
	return 0;
}

static void section(struct run *r, const struct hist_group *g, struct hist_section *s, char *value)
{
	const struct named *n = run_state(r);
	unsigned int tgid = (unsigned int)g->id;
	char name[104];

	text_cut(name, sizeof(name), "%s", named_name(n, g->id >> 32));
	*s = (struct hist_section){ .name = "function", .head = "Function" };
	if (named_in_user_space(n))
		text_cut(value, HISTS_VALUE, "%s [%u]", name, tgid);
	else
		text_cut(value, HISTS_VALUE, "%s", name);
}

static int show(struct run *r, struct error *err)
{
	const struct funclatency_options *o = run_asked(r);
	bool ms = o->milliseconds, us = o->microseconds;
	const struct hists_shown shown = {
		.name = o->between ? "interval" : "latency",
		.unit = ms ? "msecs" : us ? "usecs" : "nsecs",
		.grouped = o->functions, .totals = true,
		.divisor = ms ? 1000000 : us ? 1000 : 1, .section = section,
	};

	return hists_show(r, &shown, err);
}

/* support: bpf: full (4.1) | bpf: full (4.1) | perf, ftrace: full | perf, ftrace: full */
TOOL(funclatency, "functions", "how long functions take, as a histogram",
	.asks = "vfs_read",
	.also = "functions of programs",
	.shape = SHAPE_INTERVALS,
	.programs = &funclatency_programs,
	.options = options,
	.options_size = sizeof(struct funclatency_options),
	.examples = examples,
	.notes = "A call is timed from its beginning to its return, including waiting.",
	.state_size = sizeof(struct named),
	.prepare = prepare,
	.started = started,
	.interval_end = show,
	.cleanup = named_cleanup,
);
