// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/runqlen.h"

#include <math.h>
#include <stdio.h>

#include "src/toolkit/hists.h"
#include "src/tools.h"

/* Occupancy; lengths are shown as histograms. */
struct row {
	int64_t clock, cpu, samples;
	double occupied;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES,
	  .help = "end of the interval; this column and the next with -O, in JSON and CSV" },
	{ "CPU", "cpu", COLUMN_INTEGER, -3, AT(cpu),
	  .option = "cpus", .readers = FOR_MACHINES, .help = "number of the CPU" },
	{ "RUNQOCC", "runqocc_percent", COLUMN_REAL, 8, AT(occupied), .digits = 2,
	  .readers = FOR_MACHINES, .help = "samples that found waiting tasks, in percent" },
	{ "SAMPLES", "samples", COLUMN_INTEGER, 8, AT(samples), .readers = FOR_MACHINES,
	  .help = "how many samples there were" },
	{ }
};

static const struct option options[] = {
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'O', "runqocc", "show how often tasks waited, not how many", OPTION_FLAG },
	{ 'C', "cpus", "show each CPU by itself", OPTION_FLAG },
	{ 'f', "frequency", "samples a second", OPTION_NUMBER, "N", 1, 10000, 99 },
	{ }
};

static const struct example examples[] = {
	{ "sonde runqlen 1 10", "each second, for ten seconds" },
	{ "sonde runqlen -CO 5", "how often tasks waited, by CPU" },
	{ }
};

static void show_occupancy(struct run *r, const struct hist_group *g, int64_t clock)
{
	bool text = output_for_people(run_output(r));
	struct row row = { .clock = clock, .cpu = (int64_t)g->id };
	double occupied;

	for (int i = 0; i < HIST_SLOTS; i++)
		row.samples += (int64_t)g->hist.slots[i];
	occupied = 100.0 * (double)(row.samples - (int64_t)g->hist.slots[0]);
	occupied = row.samples ? occupied / (double)row.samples : NAN;
	row.occupied = occupied;
	if (!text)
		output_row(run_output(r), &row);
	else if (isnan(occupied))
		output_line(run_output(r), "runqocc: - (no samples)");
	else if (option_number(run_options(r), "cpus"))
		output_line(run_output(r), "runqocc, CPU %-3d %6.2f%%", (int)g->id, occupied);
	else
		output_line(run_output(r), "runqocc: %0.2f%%", occupied);
}

static void show_lengths(struct run *r, const struct hist_group *g, int64_t clock)
{
	struct hist_section section = { .name = "cpu", .is_number = true };
	bool cpus = option_number(run_options(r), "cpus");
	unsigned int n = HIST_SLOTS;
	char value[24];

	snprintf(value, sizeof(value), "%llu", (unsigned long long)g->id);
	section.value = text_of(value, sizeof(value));
	while (n > 1 && !g->hist.slots[n - 1])
		n--;
	output_linear(run_output(r), "runqlen", "runqlen", cpus ? &section : NULL, clock,
		      g->hist.slots, n, 0, 1);
}

/* All CPUs as one. */
static void sum(const struct hists *h, struct hist_group *all)
{
	for (unsigned int i = 0; i < h->n; i++)
		for (int slot = 0; slot < HIST_SLOTS; slot++)
			all->hist.slots[slot] += h->groups[i]->hist.slots[slot];
}

static int show(struct run *r, struct error *err)
{
	const struct options *o = run_options(r);
	bool occupancy = option_number(o, "runqocc"), cpus = option_number(o, "cpus");
	int64_t clock = run_interval_clock(r);
	struct hist_group all = { };
	struct hists h = { };

	if (hists_take(r, "hists", &h, err)) {
		hists_free(&h);
		return -1;
	}
	run_interval_head(r);
	if (occupancy && !output_for_people(run_output(r)))
		output_heads(run_output(r));
	sum(&h, &all);
	for (unsigned int i = 0; i < (cpus ? h.n : 1); i++)
		(occupancy ? show_occupancy : show_lengths)(r, cpus ? h.groups[i] : &all, clock);
	hists_free(&h);
	return 0;
}

/* support: bpf, with BTF (4.9) | bpf, with BTF (4.9) | no | no */
TOOL(runqlen, "CPU", "how many tasks wait for a CPU, sampled, as a histogram",
	.banner = "Sampling run queue length... Hit Ctrl-C to end.",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &runqlen_programs,
	.options = options,
	.columns = columns,
	.distribution = "!runqocc",
	.tables = true,
	.notes = "The running task is not counted. --unclaimed shows idle CPUs beside tasks that "
		 "wait: it is `sonde cpuunclaimed`.",
	.examples = examples,
	.interval_end = show,
);
