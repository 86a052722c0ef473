// SPDX-License-Identifier: GPL-2.0
/* Which of the samples that were recorded serve an event of the plan. */
#include "compat/kinds/recorded_sample.h"

#include <string.h>

#include "compat/base/perf_event.h"
#include "compat/base/text.h"
#include "compat/kinds/kinds.h"

static const struct counter *counter_of(const struct recorded_event *e)
{
	const struct counter *c = NULL;

	for (unsigned int i = 0; (c = counter_row(i)); i++)
		if (c->type == e->type && c->config == e->config)
			break;
	return c;
}

const char *recorded_counter(const struct recorded_event *samples)
{
	const struct counter *c = counter_of(samples);

	return c ? c->name : "a counter that sonde does not know";
}

/* Cycles after so many of which a sample was taken tell no time. */
static bool tells_time(const struct recorded_event *e)
{
	return e->by_frequency || e->type == PERF_TYPE_SOFTWARE;
}

static const struct recorded_event *find(const struct recording *recording, uint32_t type,
					 uint64_t config, bool of_time)
{
	unsigned int n;
	const struct recorded_event *e = recording_events(recording, &n);

	for (; n; n--, e++)
		if (!e->name && e->rate && e->type == type && e->config == config &&
		    (!of_time || tells_time(e)))
			return e;
	return NULL;
}

const struct recorded_event *recorded_cpu_time(const struct recording *recording)
{
	static const struct {
		uint32_t type;
		uint64_t config;
	} kinds[] = {
		{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	};
	const struct recorded_event *e = NULL;

	for (unsigned int i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && !e; i++)
		e = find(recording, kinds[i].type, kinds[i].config, true);
	return e;
}

/* "at 99 Hertz", "one in 1000000", "one in 1000000 ns" */
static void how_often(char *to, size_t size, uint64_t rate, bool by_frequency, const char *unit)
{
	if (by_frequency)
		text_cut(to, size, "at %llu Hertz", (unsigned long long)rate);
	else
		text_cut(to, size, "one in %llu%s", (unsigned long long)rate, unit);
}

static int check_rate(const struct recorded_event *found, const struct event *e, const char *name,
		      struct error *err)
{
	const uint64_t rate = e->period ? e->period : e->frequency;
	const char *unit = e->by == BY_CLOCK ? " ns" : "";
	char wanted[80], has[80];

	if (found->rate == rate && found->by_frequency == !e->period)
		return 0;
	how_often(wanted, sizeof(wanted), rate, !e->period, unit);
	how_often(has, sizeof(has), found->rate, found->by_frequency, unit);
	return fail(err, "it needs samples of %s %s, and those of the recording are %s", name,
		    wanted, has);
}

int recorded_samples_for(const struct recording *recording, const struct event *e,
			 struct error *err)
{
	const bool of_time = !e->period || e->by == BY_CLOCK;
	const struct counter *c = of_time ? NULL : counter_row(e->by);
	const struct recorded_event *found = of_time ? recorded_cpu_time(recording) :
					     c ? find(recording, c->type, c->config, false) : NULL;
	unsigned int n;

	if (!found && of_time)
		return fail(err, "it needs samples of CPU time, and the recording has none: `perf "
				 "record -a -g -F 99` takes them");
	if (!found)
		return fail(err, "it needs samples of %s, and the recording has none: `perf record "
				 "-a -e %s -c %u` takes them", e->name, c ? c->name : e->name,
			    e->period);
	return check_rate(found, e, recorded_counter(found), err) ? -1 :
	       (int)(found - recording_events(recording, &n));
}
