// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/profile.h"

#include <string.h>

#include "src/run/options/common.h"
#include "src/run/tools.h"
#include "src/toolkit/recorded/sampling.h"
#include "src/toolkit/stacks/moments.h"
#include "src/toolkit/stacks/stacks.h"
#include "src/toolkit/top.h"

#define CPUS 8191

/* With --by-cgroup, unless stacks are shown. */
struct row {
	struct top_group group;
	int64_t clock, samples;
	double share;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES },
	{ "SAMPLES", "samples", COLUMN_INTEGER, 8, AT(samples),
	  .help = "with --by-cgroup: samples of its tasks" },
	{ "SHARE", "share_percent", COLUMN_REAL, 7, AT(share), .digits = 1, .suffix = "%",
	  .help = "of all samples that are shown" },
	BY_CGROUP_COLUMN(AT(group.text)),
	{ }
};

/* What the functions below read of the options. */
struct profile_options {
	bool by_cgroup, addresses, include_idle, user_stacks_only, kernel_stacks_only, folded,
		heatmap_given, cpu_given, frequency_given;
	int64_t period, duration, frequency;
	const char *annotate, *heatmap;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct profile_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct profile_options, MEMBER)

static const struct option options[] = {
	{ 'p', "pid" },
	{ 'L', "tid" },
	{ 'U', "user-stacks-only", "no stacks of the kernel", OPTION_FLAG, TO(user_stacks_only) },
	{ 'K', "kernel-stacks-only", "no stacks of user space", OPTION_FLAG,
	  .excludes = "user-stacks-only", TO(kernel_stacks_only) },
	{ 'F', "frequency", "samples a second of each CPU", OPTION_NUMBER, "N", 1, 10000, 49,
	  TO(frequency), GIVEN(frequency_given) },
	{ 'c', "period", "a sample every N ns of a CPU's time instead", OPTION_NUMBER, "N",
	  10000, INT32_MAX, .alias = "count", .excludes = "frequency", TO(period) },
	{ 'I', "include-idle", "show idle CPUs as well", OPTION_FLAG, TO(include_idle) },
	{ 'C', "cpu", "this CPU only", OPTION_NUMBER, "CPU", 0, CPUS, GIVEN(cpu_given) },
	{ 0, "heatmap", "a heat map: when within each second samples were taken", OPTION_TEXT,
	  "FILE.svg", .optional = true, TO(heatmap), GIVEN(heatmap_given) },
	{ 0, BY_CGROUP, BY_CGROUP_HELP "; stacks begin with it", OPTION_FLAG,
	  .excludes = "heatmap", TO(by_cgroup) },
	{ 0, "annotate", "with --top: the addresses of this function", OPTION_TEXT, "FUNCTION",
	  TO(annotate) },
	{ 'f', "folded", TO(folded) },
	{ 'd', "delimited" },
	{ 'a', "annotations" },
	{ 's', "offsets" },
	{ 'A', "addresses", TO(addresses) },
	{ 0, "duration", .positional = true, TO(duration) },
	{ }
};

static const struct example examples[] = {
	{ "sonde profile --top", "live, as perf top" },
	{ "sonde profile --by-cgroup --flame=cpu.svg 30", "a flame graph by unit" },
	{ }
};

static bool shows_groups(const struct run *r)
{
	const struct profile_options *o = run_asked(r);

	return o->by_cgroup && !stacks_instead(run_options(r));
}

struct state {
	struct moments moments;
	struct sampling sampling;
};

static struct state *state_of(struct run *r)
{
	return run_state(r);
}

static int check(const struct run *r, struct error *err)
{
	const struct profile_options *o = run_asked(r);
	static const char *const of_stacks[] = {
		"user-stacks-only", "kernel-stacks-only", "delimited", "annotations", "offsets",
		"addresses", "mangled", STACK_STORAGE, "unwind", NULL
	};
	const char *of_stack = option_first(run_options(r), of_stacks);
	const bool annotates = o->annotate != NULL;

	if (shows_groups(r) && of_stack)
		return fail(err, "profile: --%s goes with stacks, which --by-cgroup shows only "
			    "with --folded or --flame", of_stack);
	if (annotates && !common_of(run_options(r))->top_given)
		return fail(err, "profile: --annotate shows the hottest addresses of a function: "
			    "it takes --top");
	if (annotates && o->addresses)
		return fail(err, "profile: --annotate and --addresses exclude each other: with "
			    "--addresses functions have no names");
	return 0;
}

static int prepare(struct run *r, struct error *err)
{
	const struct profile_options *o = run_asked(r);
	struct sampling *s = &state_of(r)->sampling;

	*s = (struct sampling){ .frequency = o->frequency, .period = o->period };
	if (check(r, err) || sampling_prepare(r, s, o->period || o->frequency_given, err))
		return -1;
	if (shows_groups(r))
		run_programs(r, &profile_group_programs);
	/* Without a file there is room for the map alone. */
	run_constant(r, "stacks", !o->heatmap_given || o->heatmap ||
		     common_of(run_options(r))->flame != NULL);
	/* A CPU that has nothing to do has no cycles, and ns are those of a clock. */
	run_constant(r, "cycles", !o->include_idle && !s->period);
	run_constant(r, "busy", !o->include_idle);
	run_constant(r, "one_cpu", o->cpu_given);
	run_constant(r, "kernel_stacks", !o->user_stacks_only);
	run_constant(r, "user_stacks", !o->kernel_stacks_only);
	return 0;
}

static const char *counted_by(const struct run *r)
{
	const struct profile_options *o = run_asked(r);

	if (shows_groups(r))
		return "control group";
	if (o->user_stacks_only)
		return "user stack";
	return o->kernel_stacks_only ? "kernel stack" : "user + kernel stack";
}

static const char *sampled_by(struct run *r)
{
	const struct plan *p = run_plan(r);

	if (state_of(r)->sampling.by)
		return state_of(r)->sampling.by;
	for (unsigned int i = 0; i < p->n_attachments; i++)
		if (p->attachments[i].event->by == BY_CYCLES)
			return "cycles";
	return "clock";
}

static int started(struct run *r, struct error *err)
{
	const struct profile_options *o = run_asked(r);
	const struct sampling *s = &state_of(r)->sampling;
	char until[40] = "... Hit Ctrl-C to end.", often[48];

	(void)err;
	if (o->heatmap_given)
		moments_start(r, &state_of(r)->moments);
	if (common_of(run_options(r))->verbose)
		run_note(r, "samples %s taken by the CPUs' %s", s->by ? "were" : "are",
			 sampled_by(r));
	sampling_notes(r, o->include_idle);
	if (o->folded)
		return 0;
	if (o->duration)
		snprintf(until, sizeof(until), " for %lld secs.", (long long)o->duration);
	if (s->period)
		snprintf(often, sizeof(often), "every %lld ns", (long long)s->period);
	else
		snprintf(often, sizeof(often), "at %lld Hertz", (long long)s->frequency);
	output_line(run_output(r), "%s %s of %s by %s%s", s->by ? "Samples" : "Sampling", often,
		    run_filtered(r) ? "some threads" : s->by ? "the recorded threads" :
		    "all threads", counted_by(r), until);
	return 0;
}

static const struct tool_stacks stacks = { "counts", { { "samples" } } };

static void add(void *arg, const void *key, const void *value)
{
	struct row *row = top_row(arg);

	if (!row)
		return;
	row->group.owner = (int64_t)((const struct profile_group *)key)->owner;
	memcpy(&row->samples, value, sizeof(row->samples));
}

static void merge(void *to, const void *from)
{
	((struct row *)to)->samples += ((const struct row *)from)->samples;
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return (x->group.owner > y->group.owner) - (x->group.owner < y->group.owner);
}

static void print(struct run *r, void *row)
{
	output_row(run_output(r), row);
}

static int show_groups(struct run *r, struct error *err)
{
	struct top t = { .size = sizeof(struct row) };
	int64_t all = 0;

	if (top_take(r, "groups", add, &t, err))
		return -1;
	top_by_cgroup(r, &t, merge);
	top_sort(&t, most_first);
	for (size_t i = 0; i < t.n; i++)
		all += ((struct row *)t.rows)[i].samples;
	for (size_t i = 0; i < t.n; i++) {
		struct row *row = (struct row *)t.rows + i;

		row->clock = run_interval_clock(r);
		row->share = 100.0 * (double)row->samples / (double)all;
	}
	run_table_head(r);
	top_rows(r, &t, SIZE_MAX, print);
	top_free(&t);
	return 0;
}

/* With --heatmap an interval is a column, and stacks are of the whole run all the same. */
static int show(struct run *r, struct error *err)
{
	const struct profile_options *o = run_asked(r);

	if (shows_groups(r))
		return show_groups(r, err);
	if (!o->heatmap_given)
		return stacks_show(r, &stacks, err);
	if (moments_show(r, &state_of(r)->moments, "moments", err))
		return -1;
	return run_stopped(r) && run_shown(r, "stacks") ? stacks_show(r, &stacks, err) : 0;
}

static void cleanup(struct run *r)
{
	moments_free(&state_of(r)->moments);
}

/* support: full (4.9) | full (4.9) | full | no */
TOOL(profile, "CPU", "which functions CPUs execute, sampled, by stack",
	.shape = SHAPE_INTERVALS,
	.programs = &profile_programs,
	.options = options,
	.options_size = sizeof(struct profile_options),
	.columns = columns,
	.tables = true,
	.notes = "A stack has the number of its samples; the most frequent comes last.",
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.stacks = &stacks,
	.seconds = true,
	.state_size = sizeof(struct state),
	.interval_end = show,
	.cleanup = cleanup,
);
