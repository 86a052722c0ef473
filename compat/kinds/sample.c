// SPDX-License-Identifier: GPL-2.0
/* Samples of each CPU: so many a second, or one after so many counts of one of its counters. */
#include <string.h>

#include "compat/base/perf_event.h"
#include "compat/kinds/costs.h"
#include "compat/kinds/find.h"

#define HARDWARE(NAME, ALIAS, CONFIG, PERIOD) \
	{ NAME, ALIAS, true, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##CONFIG, PERIOD }
#define SOFTWARE(NAME, ALIAS, CONFIG, PERIOD) \
	{ NAME, ALIAS, false, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##CONFIG, PERIOD }

static const struct counter counters[] = {
	[BY_CLOCK] = SOFTWARE("cpu-clock", "cpu", CPU_CLOCK, 1000000),
	[BY_CYCLES] = HARDWARE("cycles", "cpu-cycles", CPU_CYCLES, 1000000),
	[BY_CACHE_REFERENCES] = HARDWARE("cache-references", NULL, CACHE_REFERENCES, 1000000),
	[BY_CACHE_MISSES] = HARDWARE("cache-misses", NULL, CACHE_MISSES, 1000000),
	HARDWARE("backend-stalls", NULL, STALLED_CYCLES_BACKEND, 1000000),
	HARDWARE("branch-instructions", "branches", BRANCH_INSTRUCTIONS, 100000),
	HARDWARE("branch-misses", NULL, BRANCH_MISSES, 100000),
	HARDWARE("bus-cycles", NULL, BUS_CYCLES, 100000),
	HARDWARE("frontend-stalls", NULL, STALLED_CYCLES_FRONTEND, 1000000),
	HARDWARE("instructions", NULL, INSTRUCTIONS, 1000000),
	HARDWARE("ref-cycles", NULL, REF_CPU_CYCLES, 1000000),
	SOFTWARE("alignment-faults", NULL, ALIGNMENT_FAULTS, 1),
	SOFTWARE("bpf-output", NULL, BPF_OUTPUT, 1),
	SOFTWARE("context-switches", "cs", CONTEXT_SWITCHES, 1000),
	SOFTWARE("cpu-migrations", NULL, CPU_MIGRATIONS, 1),
	SOFTWARE("dummy", NULL, DUMMY, 1),
	SOFTWARE("emulation-faults", NULL, EMULATION_FAULTS, 1),
	SOFTWARE("major-faults", NULL, PAGE_FAULTS_MAJ, 1),
	SOFTWARE("minor-faults", NULL, PAGE_FAULTS_MIN, 100),
	SOFTWARE("page-faults", "faults", PAGE_FAULTS, 100),
	SOFTWARE("task-clock", NULL, TASK_CLOCK, 1),
};
#define COUNTERS (sizeof(counters) / sizeof(counters[0]))

const struct counter *counter_row(unsigned int i)
{
	return i < COUNTERS ? &counters[i] : NULL;
}

const struct counter *counter_named(const char *name, bool hardware)
{
	for (unsigned int i = 0; i < COUNTERS; i++)
		if (counters[i].hardware == hardware &&
		    (!strcmp(counters[i].name, name) ||
		     (counters[i].alias && !strcmp(counters[i].alias, name))))
			return &counters[i];
	return NULL;
}

void sampled_attr(enum sampled_by by, uint64_t address, uint32_t how, struct perf_event_attr *attr)
{
	if (by == BY_WATCH) {
		attr->type = PERF_TYPE_BREAKPOINT;
		attr->bp_addr = address;
		attr->bp_len = WATCH_LENGTH(how);
		attr->bp_type = WATCH_ACCESSES(how);
		return;
	}
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
	for (unsigned int i = 0; i < COUNTERS; i++)
		if (!strcmp(counters[i].name, b->probe->name))
			b->main->by = (uint8_t)i;
	b->main->period = b->probe->period;
	if (b->probe->watch) {
		b->main->by = BY_WATCH;
		b->main->address = b->probe->watch->address;
		b->main->frequency = WATCH_HOW(b->probe->watch);
	}
	return find(b);
}

/* The kernel takes the time of a task that did not ask for it. */
static const struct event_cost cost = { "each sample interrupts the task that runs on its CPU" };

const struct event_traits sample_traits = { .title = "sample", .timed = true, .cost = &cost };
const struct probe_finder sample_finder = { .event = EVENT_SAMPLE, .find = find };
const struct probe_finder counter_finder = { .event = EVENT_SAMPLE, .find = find_counter };
