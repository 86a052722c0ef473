// SPDX-License-Identifier: GPL-2.0
#include "src/commands/stat/shares.h"

#include "src/commands/stat/names.h"

struct stat_count stat_scale(const struct stat_event *e, const struct stat_state *state,
			     const struct stat_reading *reading)
{
	struct stat_count c = {
		.event = e,
		.enabled = reading->enabled,
		.running = reading->running,
		.noise = -1,
	};

	if (!state->opened && state->error) {
		c.state = STAT_NOT_SUPPORTED;
	} else if (!reading->enabled || !reading->running) {
		c.state = STAT_NOT_COUNTED;
	} else {
		c.exact = reading->value;
		c.value = (double)reading->value;
		c.scaled = reading->running < reading->enabled;
		if (c.scaled)
			c.value = c.value * (double)reading->enabled / (double)reading->running;
	}
	return c;
}

/* An event by its numbers. */
struct number {
	uint32_t type;
	uint64_t config;
};
#define HW(NAME) { PERF_TYPE_HARDWARE, PERF_COUNT_HW_##NAME }
#define CACHE(NAME, RESULT) { PERF_TYPE_HW_CACHE, STAT_CACHE(NAME, READ, RESULT) }

/* What is shown beside an event: its share of another one. */
static const struct {
	struct number part, whole;
	enum stat_share_kind kind;
	const char *unit;
} shares[] = {
	{ HW(INSTRUCTIONS), HW(CPU_CYCLES), SHARE_RATIO, "insn per cycle" },
	{ HW(BRANCH_MISSES), HW(BRANCH_INSTRUCTIONS), SHARE_PERCENT, "of all branches" },
	{ HW(CACHE_MISSES), HW(CACHE_REFERENCES), SHARE_PERCENT, "of all cache refs" },
	{ HW(STALLED_CYCLES_FRONTEND), HW(CPU_CYCLES), SHARE_PERCENT, "frontend cycles idle" },
	{ HW(STALLED_CYCLES_BACKEND), HW(CPU_CYCLES), SHARE_PERCENT, "backend cycles idle" },
	{ CACHE(L1D, MISS), CACHE(L1D, ACCESS), SHARE_PERCENT, "of all L1-dcache accesses" },
	{ CACHE(L1I, MISS), CACHE(L1I, ACCESS), SHARE_PERCENT, "of all L1-icache accesses" },
	{ CACHE(LL, MISS), CACHE(LL, ACCESS), SHARE_PERCENT, "of all LL-cache accesses" },
	{ CACHE(DTLB, MISS), CACHE(DTLB, ACCESS), SHARE_PERCENT, "of all dTLB cache accesses" },
	{ CACHE(ITLB, MISS), CACHE(ITLB, ACCESS), SHARE_PERCENT, "of all iTLB cache accesses" },
	{ CACHE(BPU, MISS), CACHE(BPU, ACCESS), SHARE_PERCENT, "of all branches" },
	{ CACHE(NODE, MISS), CACHE(NODE, ACCESS), SHARE_PERCENT, "of all node accesses" },
};

#define PMU_SHIFT 32			/* a kind of CPUs, above the number */

static bool is_number(const struct stat_event *e, const struct number *n)
{
	return e->attr.type == n->type && (e->attr.config & UINT32_MAX) == n->config &&
		!e->scale;
}

/* The same CPUs, and the same of their modes: else one is no share of the other. */
static bool comparable(const struct stat_event *a, const struct stat_event *b)
{
	return a->attr.config >> PMU_SHIFT == b->attr.config >> PMU_SHIFT &&
		a->attr.exclude_user == b->attr.exclude_user &&
		a->attr.exclude_kernel == b->attr.exclude_kernel &&
		a->attr.exclude_hv == b->attr.exclude_hv &&
		a->attr.exclude_idle == b->attr.exclude_idle &&
		a->attr.exclude_host == b->attr.exclude_host &&
		a->attr.exclude_guest == b->attr.exclude_guest;
}

static struct stat_share share(enum stat_share_kind kind, double part, double whole,
			       const char *unit)
{
	if (!(whole > 0))
		return (struct stat_share){ };
	return (struct stat_share){ kind, part / whole * (kind == SHARE_PERCENT ? 100 : 1), unit };
}

static struct stat_share share_of_event(const struct stat_count *counts, unsigned int n,
					unsigned int i)
{
	const struct stat_event *e = counts[i].event;

	for (unsigned int row = 0; row < sizeof(shares) / sizeof(shares[0]); row++) {
		if (!is_number(e, &shares[row].part))
			continue;
		for (unsigned int j = 0; j < n; j++)
			if (counts[j].state == STAT_COUNTED &&
			    is_number(counts[j].event, &shares[row].whole) &&
			    comparable(e, counts[j].event))
				return share(shares[row].kind, counts[i].value, counts[j].value,
					     shares[row].unit);
	}
	return (struct stat_share){ };
}

/* Of a second on a CPU: there is one if such a clock was counted beside. */
static struct stat_share rate(const struct stat_count *count, double clock_ns)
{
	static const struct { double above; const char *unit; } units[] = {
		{ 1e9, "G/sec" }, { 1e6, "M/sec" }, { 1e3, "K/sec" }, { 1, "/sec" },
	};
	static const struct number cycles = HW(CPU_CYCLES);
	double each = count->value / clock_ns * 1e9;
	unsigned int i = 0;

	if (is_number(count->event, &cycles))
		return share(SHARE_RATIO, count->value, clock_ns, "GHz");
	while (units[i].above > 1 && each <= units[i].above)
		i++;
	return share(SHARE_RATE, each, units[i].above, units[i].unit);
}

struct stat_share stat_share_of(const struct stat_count *counts, unsigned int n, unsigned int i,
				double elapsed_ns)
{
	const struct stat_count *count = &counts[i];
	struct stat_share found;
	unsigned int j = 0;

	if (count->state != STAT_COUNTED)
		return (struct stat_share){ };
	if (count->event->clock)
		return share(SHARE_RATIO, count->value, elapsed_ns, "CPUs utilized");
	found = share_of_event(counts, n, i);
	if (found.kind || count->event->scale || *count->event->unit)
		return found;
	while (j < n && !(counts[j].event->clock && counts[j].state == STAT_COUNTED))
		j++;
	return j < n && counts[j].value > 0 ? rate(count, counts[j].value) :
		(struct stat_share){ };
}
