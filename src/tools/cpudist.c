// SPDX-License-Identifier: GPL-2.0
#include "insns/cpudist.h"

#include <stdio.h>

#include "src/hists.h"
#include "src/tools.h"

static const struct option options[] = {
	{ 'O', "offcpu", "the time off a CPU, not on it", OPTION_FLAG },
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'm', "milliseconds", "in milliseconds, not microseconds", OPTION_FLAG },
	{ 'P', "pids", "a histogram for each process", OPTION_FLAG, .excludes = "tids" },
	{ 'L', "tids", "a histogram for each thread", OPTION_FLAG },
	{ 'p', "pid" },
	{ 'I', "include-idle", "the CPUs' idle tasks too", OPTION_FLAG },
	{ 'e', "extension", "show average, total and count", OPTION_FLAG },
	{ 'j', "json" },
	{ }
};

static const struct example examples[] = {
	{ "sonde cpudist -p 181 1 10", "how long a process stays on a CPU, each second, for ten seconds" },
	{ "sonde cpudist -O -P", "how long each process stays off its CPU, until Ctrl-C" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct options *o = run_options(r);

	(void)err;
	run_constant(r, "oncpu", !option_number(o, "offcpu"));
	run_constant(r, "grouped", option_number(o, "pids") || option_number(o, "tids"));
	return 0;
}

static int started(struct run *r, struct error *err)
{
	(void)err;
	output_line(run_output(r), "Tracing %s-CPU time... Hit Ctrl-C to end.",
		    option_number(run_options(r), "offcpu") ? "off" : "on");
	return 0;
}

static void show_groups(struct run *r, const struct hists *h, const char *unit, int64_t clock)
{
	bool pids = option_number(run_options(r), "pids");

	for (unsigned int i = 0; i < h->n; i++) {
		bool known = h->groups[i]->id != CPUDIST_UNKNOWN;
		struct hist_section section = { .name = pids ? "pid" : "tid", .is_number = known };
		char value[32] = "?";

		if (known)
			snprintf(value, sizeof(value), "%llu", (unsigned long long)h->groups[i]->id);
		section.value = text_of(value, sizeof(value));
		output_hist(run_output(r), "time", unit, &section, clock, &h->groups[i]->hist, NULL);
	}
}

static int show(struct run *r, struct error *err)
{
	static const struct hist empty;
	const struct options *o = run_options(r);
	const char *unit = option_number(o, "milliseconds") ? "msecs" : "usecs";
	bool grouped = option_number(o, "pids") || option_number(o, "tids");
	int64_t clock = run_interval_clock(r);
	struct hist_totals totals = { }, *wanted = option_number(o, "extension") ? &totals : NULL;
	struct hists h = { };
	int result = grouped ? hists_take_groups(r, "hists", &h, err) : hists_take(r, "hist", &h, err);

	run_interval_head(r);
	if (!result && wanted)
		result = hists_take_totals(r, "totals", wanted, err);
	if (!result && grouped)
		show_groups(r, &h, unit, clock);
	if (!result && (!grouped || wanted))
		output_hist(run_output(r), "time", unit, NULL, clock, !grouped && h.n ? &h.groups[0]->hist : &empty,
			    wanted);
	hists_free(&h);
	return result;
}

const struct tool cpudist = {
	.name = "cpudist",
	.group = "CPU",
	.summary = "how long tasks stay on a CPU, or off it, as a histogram",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &cpudist_programs,
	.options = options,
	.notes = "Each line counts how often a task was on a CPU for so long, from the switch to it to the switch away "
		 "from it; with --offcpu how long it was away, whether it slept or waited for a CPU.",
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.interval_end = show,
};
