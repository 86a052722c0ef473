// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/cpufreq.h"

#include <stdlib.h>
#include <unistd.h>

#include "compat/base/cpus.h"
#include "compat/base/file.h"
#include "src/run/tools.h"
#include "src/toolkit/hists.h"

/* What the functions below read of the options. */
struct cpufreq_options {
	bool cpus;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct cpufreq_options, MEMBER)

static const struct option options[] = {
	{ 'f', "frequency", "samples a second of each CPU", OPTION_NUMBER, "N", 1, 10000, 99 },
	{ 'C', "cpus", "a histogram for each CPU, not for each name", OPTION_FLAG, TO(cpus) },
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

/* Histograms of names or of CPUs, and that of all. */
struct taken {
	bool cpus;
	struct hists hists;
	struct hist all;
};

/* What the CPUs run at when sonde begins. */
static int started(struct run *r, struct error *err)
{
	char *possible = file_text(CPUS_POSSIBLE, 65536, NULL);
	unsigned int n = cpu_list_limit(possible);

	free(possible);
	if (!run_is_live(r))
		return 0;
	for (unsigned int cpu = 0; cpu < n; cpu++) {
		uint64_t khz = cpu_frequency(cpu);
		uint32_t key = cpu;

		if (khz && run_set(r, "now", &key, &khz, err))
			return -1;
	}
	return 0;
}

static void add(void *arg, const void *key, const void *value)
{
	const struct cpufreq_key *k = key;
	char comm[sizeof(k->comm) + 1] = "";
	struct taken *t = arg;
	uint64_t n;

	memcpy(&n, value, sizeof(n));
	if (k->slot >= CPUFREQ_SLOTS)
		return;
	memcpy(comm, k->comm, sizeof(k->comm));
	if (t->cpus)
		hists_add(&t->hists, k->cpu, k->slot, n);
	else
		hists_add_name(&t->hists, comm, k->slot, n);
	t->all.slots[k->slot] += n;
}

static uint64_t samples(const struct hist_group *g)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < CPUFREQ_SLOTS; i++)
		n += g->hist.slots[i];
	return n;
}

static int most_first(const void *a, const void *b)
{
	const struct hist_group *x = *(struct hist_group *const *)a,
				*y = *(struct hist_group *const *)b;
	const uint64_t n = samples(x), m = samples(y);

	return n != m ? n < m ? 1 : -1 : strcmp(x->name, y->name);
}

static void show_hist(struct run *r, const struct hist *h, const struct hist_section *section)
{
	unsigned int first = 0, n = CPUFREQ_SLOTS;

	while (first < n - 1 && !h->slots[first])
		first++;
	while (n > first + 1 && !h->slots[n - 1])
		n--;
	output_linear(run_output(r), "cpufreq", "MHz", section, run_interval_clock(r),
		      h->slots + first, n - first, first * CPUFREQ_STEP_MHZ, CPUFREQ_STEP_MHZ);
}

static int show(struct run *r, struct error *err)
{
	const struct cpufreq_options *o = run_asked(r);
	struct taken t = { .cpus = o->cpus };
	struct hists *h = &t.hists;
	int status = run_take(r, "hists", add, &t, err);

	if (!status && h->failed)
		status = fail(err, "out of memory");
	run_interval_head(r);
	if (!status && !t.cpus && h->n)
		show_hist(r, &t.all, NULL);
	if (h->n && !t.cpus)
		qsort(h->groups, h->n, sizeof(*h->groups), most_first);
	for (unsigned int i = 0; i < h->n && !status; i++) {
		const struct hist_group *g = h->groups[i];
		struct hist_section section = { .name = t.cpus ? "cpu" : "comm",
						.is_number = t.cpus };
		char cpu[24];

		snprintf(cpu, sizeof(cpu), "%llu", (unsigned long long)g->id);
		section.value = t.cpus ? text_of(cpu, sizeof(cpu)) : comm_text(g->name);
		show_hist(r, &g->hist, &section);
	}
	hists_free(h);
	return status;
}

/* support: full (4.9) | full (4.9) | full | no */
TOOL(cpufreq, "CPU", "frequencies of CPUs, sampled, by name of the process",
	.banner = "Sampling CPU freq system-wide & by process. Ctrl-C to end.",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &cpufreq_programs,
	.options = options,
	.options_size = sizeof(struct cpufreq_options),
	.examples = examples,
	.notes = "Idle CPUs are not counted.",
	.started = started,
	.interval_end = show,
);
