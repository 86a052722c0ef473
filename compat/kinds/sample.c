// SPDX-License-Identifier: GPL-2.0
/* Samples of each CPU: so many a second, or one after so many counts of one of its counters. */
#include <string.h>

#include "compat/base/perf_event.h"
#include "compat/kinds/costs.h"
#include "compat/kinds/find.h"

static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
} counters[] = {
	[BY_CLOCK] = { "clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	[BY_CYCLES] = { "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	[BY_CACHE_REFERENCES] = { "cache-references", PERF_TYPE_HARDWARE,
				  PERF_COUNT_HW_CACHE_REFERENCES },
	[BY_CACHE_MISSES] = { "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
};

void sampled_attr(enum sampled_by by, struct perf_event_attr *attr)
{
	attr->type = counters[by].type;
	attr->config = counters[by].config;
}

static int find(struct builder *b)
{
	if (b->target == TARGET_BPF && !kernel_has(b->k, FEATURE_BPF_SAMPLE))
		return not_served(b->refusal, b->hook,
			      "this kernel takes no BPF programs on samples (since 4.9)");
	b->main->name = b->probe->name;
	return 0;
}

static int find_counter(struct builder *b)
{
	for (enum sampled_by by = BY_CYCLES; by <= BY_CACHE_MISSES; by++)
		if (!strcmp(counters[by].name, b->probe->name))
			b->main->by = by;
	return find(b);
}

/* The kernel takes the time of a task that did not ask for it. */
static const struct event_cost cost = { "each sample interrupts the task that runs on its CPU" };

const struct event_traits sample_traits = { .title = "sample", .timed = true, .cost = &cost };
const struct probe_finder sample_finder = { .event = EVENT_SAMPLE, .find = find };
const struct probe_finder counter_finder = { .event = EVENT_SAMPLE, .find = find_counter };
