// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/profile.h"

#include "src/stacks/moments.h"
#include "src/stacks/stacks.h"
#include "src/tools.h"

#define CPUS 8191

static const struct option options[] = {
	{ 'p', "pid" },
	{ 'L', "tid" },
	{ 'U', "user-stacks-only", "no stacks of the kernel", OPTION_FLAG },
	{ 'K', "kernel-stacks-only", "no stacks of user space", OPTION_FLAG,
	  .excludes = "user-stacks-only" },
	{ 'F', "frequency", "samples a second of each CPU", OPTION_NUMBER, "N", 1, 10000, 49 },
	{ 'c', "period", "a sample every N ns of a CPU's time instead", OPTION_NUMBER, "N",
	  10000, INT32_MAX, .alias = "count", .excludes = "frequency" },
	{ 'I', "include-idle", "show idle CPUs as well", OPTION_FLAG },
	{ 'C', "cpu", "this CPU only", OPTION_NUMBER, "CPU", 0, CPUS },
	{ 0, "heatmap", "a heat map: when within each second samples were taken", OPTION_TEXT,
	  "FILE.svg", .optional = true },
	{ 0, "annotate", "with --top: the addresses of this function", OPTION_TEXT, "FUNCTION" },
	{ 'f', "folded" },
	{ 'd', "delimited" },
	{ 'a', "annotations" },
	{ 's', "offsets" },
	{ 'A', "addresses" },
	{ 0, "duration", .positional = true },
	{ }
};

static const struct example examples[] = {
	{ "sonde profile --top", "live, as perf top" },
	{ "sonde profile --flame=cpu.svg 30", "a flame graph" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct options *o = run_options(r);
	bool annotates = option_given(o, "annotate");

	if (annotates && !option_given(o, "top"))
		return fail(err, "profile: --annotate shows the hottest addresses of a function: "
			    "it takes --top");
	if (annotates && option_number(o, "addresses"))
		return fail(err, "profile: --annotate and --addresses exclude each other: with "
			    "--addresses functions have no names");

	(void)err;
	/* Without a file there is room for the map alone. */
	run_constant(r, "stacks", !option_given(o, "heatmap") || option_text(o, "heatmap") ||
		     option_given(o, "flame"));
	/* A CPU that has nothing to do has no cycles, and ns are those of a clock. */
	run_constant(r, "cycles", !option_number(o, "include-idle") &&
		     !option_number(o, "period"));
	run_constant(r, "busy", !option_number(o, "include-idle"));
	run_constant(r, "one_cpu", option_given(o, "cpu"));
	run_constant(r, "kernel_stacks", !option_number(o, "user-stacks-only"));
	run_constant(r, "user_stacks", !option_number(o, "kernel-stacks-only"));
	return 0;
}

static const char *which_stacks(const struct options *o)
{
	if (option_number(o, "user-stacks-only"))
		return "user";
	return option_number(o, "kernel-stacks-only") ? "kernel" : "user + kernel";
}

static const char *sampled_by(const struct run *r)
{
	const struct plan *p = run_plan(r);

	for (unsigned int i = 0; i < p->n_attachments; i++)
		if (p->attachments[i].event->by == BY_CYCLES)
			return "cycles";
	return "clock";
}

static int started(struct run *r, struct error *err)
{
	const struct options *o = run_options(r);
	const long long period = option_number(o, "period");
	char until[40] = "... Hit Ctrl-C to end.", often[48];

	(void)err;
	moments_start(r, run_state(r));
	if (option_number(o, "verbose"))
		run_note(r, "samples are taken by the CPUs' %s", sampled_by(r));
	if (option_number(o, "folded"))
		return 0;
	if (option_number(o, "duration"))
		snprintf(until, sizeof(until), " for %lld secs.",
			 (long long)option_number(o, "duration"));
	if (period)
		snprintf(often, sizeof(often), "every %lld ns", period);
	else
		snprintf(often, sizeof(often), "at %lld Hertz",
			 (long long)option_number(o, "frequency"));
	output_line(run_output(r), "Sampling %s of %s by %s stack%s", often,
		    run_filtered(r) ? "some threads" : "all threads", which_stacks(o), until);
	return 0;
}

static const struct tool_stacks stacks = { "counts", { { "samples" } } };

/* With --heatmap an interval is a column, and stacks are of the whole run all the same. */
static int show(struct run *r, struct error *err)
{
	if (!option_given(run_options(r), "heatmap"))
		return stacks_show(r, &stacks, err);
	if (moments_show(r, run_state(r), "moments", err))
		return -1;
	return run_stopped(r) && run_shown(r, "stacks") ? stacks_show(r, &stacks, err) : 0;
}

static void cleanup(struct run *r)
{
	moments_free(run_state(r));
}

/* support: full (4.9) | full (4.9) | full | no */
TOOL(profile, "CPU", "which functions CPUs execute, sampled, by stack",
	.shape = SHAPE_INTERVALS,
	.programs = &profile_programs,
	.options = options,
	.tables = true,
	.notes = "A stack has the number of its samples; the most frequent comes last.",
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.stacks = &stacks,
	.seconds = true,
	.state_size = sizeof(struct moments),
	.interval_end = show,
	.cleanup = cleanup,
);
