// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/runqlen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "src/run/tools.h"
#include "src/toolkit/hists.h"

#define CPUS 8192
#define STAT_BYTES (16 << 20)

struct state {
	/* ns since boot, as /proc/stat says, now and before this interval; 0: offline */
	uint64_t idle[CPUS], before[CPUS];
};

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
	  .help = "number of samples, with those of idle CPUs that are left out" },
	{ }
};

/* What the functions below read of the options. */
struct runqlen_options {
	bool cpus, runqocc;
	int64_t frequency;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct runqlen_options, MEMBER)

static const struct option options[] = {
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'O', "runqocc", "show how often tasks waited, not how many", OPTION_FLAG, TO(runqocc) },
	{ 'C', "cpus", "show each CPU by itself", OPTION_FLAG, TO(cpus) },
	{ 'f', "frequency", "samples a second", OPTION_NUMBER, "N", 1, 10000, 99, TO(frequency) },
	{ }
};

static const struct example examples[] = {
	{ "sonde runqlen 1 10", "each second, for ten seconds" },
	{ "sonde runqlen -CO 5", "how often tasks waited, by CPU" },
	{ }
};

static uint64_t samples_of(const struct hist_group *g)
{
	uint64_t n = 0;

	for (int i = 0; i < HIST_SLOTS; i++)
		n += g->hist.slots[i];
	return n;
}

static void show_occupancy(struct run *r, const struct hist_group *g, int64_t clock)
{
	const struct runqlen_options *o = run_asked(r);
	struct row row = {
		.clock = clock, .cpu = (int64_t)g->id, .samples = (int64_t)samples_of(g),
	};
	double occupied;

	occupied = 100.0 * (double)(row.samples - (int64_t)g->hist.slots[0]);
	occupied = row.samples ? occupied / (double)row.samples : NAN;
	row.occupied = occupied;
	output_row(run_output(r), &row);
	if (isnan(occupied))
		output_line(run_output(r), "runqocc: - (no samples)");
	else if (o->cpus)
		output_line(run_output(r), "runqocc, CPU %-3d %6.2f%%", (int)g->id, occupied);
	else
		output_line(run_output(r), "runqocc: %0.2f%%", occupied);
}

static void show_lengths(struct run *r, const struct hist_group *g, int64_t clock)
{
	const struct runqlen_options *o = run_asked(r);
	struct hist_section section = { .name = "cpu", .is_number = true };
	bool cpus = o->cpus;
	unsigned int n = HIST_SLOTS;
	char value[24];

	snprintf(value, sizeof(value), "%llu", (unsigned long long)g->id);
	section.value = text_of(value, sizeof(value));
	while (n > 1 && !g->hist.slots[n - 1])
		n--;
	output_linear(run_output(r), "runqlen", "runqlen", cpus ? &section : NULL, clock,
		      g->hist.slots, n, 0, 1);
}

/* Reads how long each CPU was idle since boot; waiting for a disk is idleness, too. */
static void read_idle(uint64_t idle[CPUS])
{
	const uint64_t tick = NS_PER_SECOND / (uint64_t)sysconf(_SC_CLK_TCK);
	uint64_t cpu, sleeps, waits;
	char *text = file_text("/proc/stat", STAT_BYTES, NULL);

	memset(idle, 0, CPUS * sizeof(*idle));
	for (const char *at = text, *end; at && (end = strchr(at, '\n')); at = end + 1)
		if (scan_text(&at, "cpu") && scan_number(&at, CPUS - 1, &cpu) &&
		    scan_text(&at, " ") && scan_pass(&at, 3) &&
		    scan_number(&at, UINT64_MAX, &sleeps) && scan_text(&at, " ") &&
		    scan_number(&at, UINT64_MAX, &waits))
			idle[cpu] = (sleeps + waits) * tick;
	free(text);
}

/*
 * Some kernels take no samples of a CPU while it is idle. So of the samples that are missing in
 * this interval, those count that belong to the CPU's idle time: nobody waited there. The ends of
 * an interval may make two more or fewer.
 */
static void add_idle(struct run *r, struct hists *h)
{
	const struct runqlen_options *o = run_asked(r);
	const double frequency = (double)o->frequency / NS_PER_SECOND;
	const double all = frequency * (double)run_interval_length(r);
	struct state *s = run_state(r);

	if (!run_is_live(r))
		return;
	memcpy(s->before, s->idle, sizeof(s->before));
	read_idle(s->idle);
	for (uint64_t cpu = 0; cpu < CPUS; cpu++) {
		const double idle = frequency * (double)(s->idle[cpu] - s->before[cpu]);
		double missing;

		if (!s->before[cpu] || s->idle[cpu] <= s->before[cpu])
			continue;
		missing = all;
		for (unsigned int i = 0; i < h->n; i++)
			if (h->groups[i]->id == cpu)
				missing -= (double)samples_of(h->groups[i]);
		if (missing > 2)
			hists_add(h, cpu, 0, (uint64_t)(idle < missing ? idle : missing));
	}
}

static int started(struct run *r, struct error *err)
{
	struct state *s = run_state(r);

	(void)err;
	read_idle(s->idle);
	return 0;
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
	const struct runqlen_options *o = run_asked(r);
	bool occupancy = o->runqocc, cpus = o->cpus;
	int64_t clock = run_interval_clock(r);
	struct hist_group all = { };
	struct hists h = { };

	if (hists_take(r, "hists", &h, err)) {
		hists_free(&h);
		return -1;
	}
	add_idle(r, &h);
	if (h.failed) {
		hists_free(&h);
		return fail(err, "out of memory");
	}
	run_interval_head(r);
	if (occupancy)
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
	.options_size = sizeof(struct runqlen_options),
	.columns = columns,
	.distribution = "!runqocc",
	.tables = true,
	.notes = "The running task is not counted. --unclaimed shows idle CPUs beside tasks that "
		 "wait: it is `sonde cpuunclaimed`.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.started = started,
	.interval_end = show,
);
