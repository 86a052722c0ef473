// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/recorded/sampling.h"

#include "compat/base/perf_event.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/kinds/recorded_sample.h"
#include "src/run/run.h"

/* NULL: the run is of no recording, or of one without samples. */
static const struct recorded_event *recorded(const struct run *r)
{
	return r->recording ? recorded_cpu_time(r->recording) : NULL;
}

static void how_often(char *to, size_t size, const struct sampling *s)
{
	if (s->period)
		text_cut(to, size, "every %lld ns", (long long)s->period);
	else
		text_cut(to, size, "at %lld Hertz", (long long)s->frequency);
}

int sampling_prepare(struct run *r, struct sampling *s, bool given, struct error *err)
{
	const struct recorded_event *e = recorded(r);
	struct sampling was = { };
	char asked[48], has[48];

	if (!e)
		return 0;
	was.by = recorded_counter(e);
	was.frequency = e->by_frequency ? (int64_t)e->rate : s->frequency;
	was.period = e->by_frequency ? 0 : (int64_t)e->rate;
	how_often(asked, sizeof(asked), s);
	how_often(has, sizeof(has), &was);
	if (given && (s->period != was.period || s->frequency != was.frequency))
		return fail(err, "%s: samples %s were asked for, and those of the recording were "
				 "taken %s", r->tool->name, asked, has);
	run_constant(r, "frequency", was.frequency);
	run_constant(r, "period", was.period);
	*s = was;
	return 0;
}

/* Samples by something else than those that are shown. */
static void note_others(const struct run *r, const struct recorded_event *shown)
{
	char list[160];
	struct strbuf others = strbuf_over(list, sizeof(list));
	const struct recorded_event *e;
	unsigned int n;

	for (e = recording_events(r->recording, &n); n; n--, e++) {
		if (e->name || e == shown)
			continue;
		strbuf_between(&others, ", ");
		strbuf_addf(&others, "%s", recorded_counter(e));
	}
	if (others.n)
		run_note(r, "the samples are those of %s; the recording's others are not shown: %s",
			 recorded_counter(shown), list);
}

void sampling_notes(const struct run *r, bool idle)
{
	const struct recorded_event *e = recorded(r);

	if (!e)
		return;
	note_others(r, e);
	if (e->no_kernel)
		run_note(r, "samples in the kernel are missing: perf was told to leave them out");
	if (e->no_user)
		run_note(r, "samples in user space are missing: perf was told to leave them out");
	if (e->no_user_stack)
		run_note(r, "stacks of user space are missing: perf copied them for unwinding "
			    "(`perf record -g` takes stacks)");
	if (idle && e->type != PERF_TYPE_SOFTWARE)
		run_note(r, "idle CPUs are missing: samples were taken by cycles, and they have "
			    "none");
}
