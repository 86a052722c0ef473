// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/cpufreq.h"

#include <stdlib.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/cpus.h"
#include "compat/base/file.h"
#include "src/tools.h"

static const struct option options[] = {
	{ 'f', "frequency", "samples a second of each CPU", OPTION_NUMBER, "N", 1, 10000, 99 },
	{ 'C', "cpus", "a histogram for each CPU, not for each name", OPTION_FLAG },
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'p', "pid" },
	{ 'd', "duration" },
	{ }
};

static const struct example examples[] = {
	{ "sonde cpufreq -d 30", "for half a minute: all, then by name" },
	{ "sonde cpufreq -C 10", "each CPU, every ten seconds" },
	{ }
};

/* A histogram: of all, of a name or of a CPU. */
struct group {
	uint32_t cpu;
	char comm[16];
	uint64_t samples;
	uint64_t slots[CPUFREQ_SLOTS];
};

struct groups {
	bool cpus;
	size_t n;
	struct group *list;
	struct group all;
	bool failed;
};

/* What the CPUs run at when sonde begins. */
static int started(struct run *r, struct error *err)
{
	char *possible = file_text(CPUS_POSSIBLE, 65536, NULL);
	unsigned int n = cpu_list_limit(possible);

	free(possible);
	if (!kernel_live(run_kernel(r)))
		return 0;
	for (unsigned int cpu = 0; cpu < n; cpu++) {
		uint64_t khz = cpu_frequency(cpu);
		uint32_t key = cpu;

		if (khz && run_set(r, "now", &key, &khz, err))
			return -1;
	}
	return 0;
}

static struct group *group_of(struct groups *g, const struct cpufreq_key *key)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->cpus ? g->list[i].cpu == key->cpu :
		    !memcmp(g->list[i].comm, key->comm, sizeof(key->comm)))
			return &g->list[i];
	if (array_room(&g->list, g->n, sizeof(*g->list))) {
		g->failed = true;
		return NULL;
	}
	g->list[g->n] = (struct group){ .cpu = key->cpu };
	memcpy(g->list[g->n].comm, key->comm, sizeof(key->comm));
	return &g->list[g->n++];
}

static void add(void *arg, const void *key, const void *value)
{
	const struct cpufreq_key *k = key;
	struct groups *g = arg;
	struct group *of = group_of(g, k);
	uint64_t n;

	memcpy(&n, value, sizeof(n));
	if (!of || k->slot >= CPUFREQ_SLOTS)
		return;
	of->slots[k->slot] += n;
	of->samples += n;
	g->all.slots[k->slot] += n;
	g->all.samples += n;
}

static int by_cpu(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static int most_first(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return memcmp(x->comm, y->comm, sizeof(x->comm));
}

static void show_group(struct run *r, const struct group *g, const struct hist_section *section)
{
	unsigned int first = 0, n = CPUFREQ_SLOTS;

	while (first < n - 1 && !g->slots[first])
		first++;
	while (n > first + 1 && !g->slots[n - 1])
		n--;
	output_linear(run_output(r), "cpufreq", "MHz", section, run_interval_clock(r),
		      g->slots + first, n - first, first * CPUFREQ_STEP_MHZ, CPUFREQ_STEP_MHZ);
}

static int show(struct run *r, struct error *err)
{
	struct groups g = { .cpus = option_number(run_options(r), "cpus") };
	int status = run_take(r, "hists", add, &g, err);

	if (!status && g.failed)
		status = fail(err, "out of memory");
	run_interval_head(r);
	if (!status && !g.cpus && g.all.samples)
		show_group(r, &g.all, NULL);
	if (g.n)
		qsort(g.list, g.n, sizeof(*g.list), g.cpus ? by_cpu : most_first);
	for (size_t i = 0; i < g.n && !status; i++) {
		struct hist_section section = { .name = g.cpus ? "cpu" : "comm",
						.is_number = g.cpus };
		char cpu[16];

		snprintf(cpu, sizeof(cpu), "%u", g.list[i].cpu);
		section.value = g.cpus ? text_of(cpu, sizeof(cpu)) : comm_text(g.list[i].comm);
		show_group(r, &g.list[i], &section);
	}
	free(g.list);
	return status;
}

/* support: full (4.9) | full (4.9) | full | no */
TOOL(cpufreq, "CPU", "what frequency CPUs run at, sampled, by name of the process",
	.banner = "Sampling CPU freq system-wide & by process. Ctrl-C to end.",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &cpufreq_programs,
	.options = options,
	.examples = examples,
	.notes = "CPUs that have nothing to do are not counted.",
	.started = started,
	.interval_end = show,
);
