// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/llcstat.h"

#include <math.h>
#include <stdlib.h>

#include "compat/base/array.h"
#include "src/run/tools.h"

struct row {
	int64_t pid, tid, cpu, references, misses;
	double hits;
	struct text comm;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "PID", "pid", COLUMN_INTEGER, -8, AT(pid), .help = "process id; 0: the CPU was idle" },
	{ "TID", "tid", COLUMN_INTEGER, -8, AT(tid), .option = "tid", .help = "thread id" },
	{ "NAME", "comm", COLUMN_TEXT, -16, AT(comm), .help = "name of the task" },
	{ "CPU", "cpu", COLUMN_INTEGER, -4, AT(cpu), .help = "number of the CPU" },
	{ "REFERENCE", "references", COLUMN_INTEGER, 12, AT(references), .role = IS_COUNT,
	  .help = "uses of the last-level cache, about" },
	{ "MISS", "misses", COLUMN_INTEGER, 12, AT(misses), .role = IS_COUNT,
	  .help = "its misses, about" },
	{ "HIT%", "hit_pct", COLUMN_REAL, 7, AT(hits), .digits = 2, .suffix = "%",
	  .help = "percentage of uses that were not misses; -: too few samples" },
	{ }
};

/* What the functions below read of the options. */
struct llcstat_options {
	bool tid;
	int64_t duration, sample_period;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct llcstat_options, MEMBER)

static const struct option options[] = {
	{ 'c', "sample_period", "take one sample in N uses, and one in N misses",
	  OPTION_NUMBER, "N",
	  100, INT32_MAX, 10000, .alias = "sample-period", TO(sample_period) },
	{ 't', "tid", "a line for each thread, not for each process", OPTION_FLAG, TO(tid) },
	{ 'p', "pid" },
	{ 0, "duration", "end after this time", OPTION_NUMBER, "SECONDS", 1, INT32_MAX, 10,
	  .positional = true, TO(duration) },
	{ }
};

static const struct example examples[] = {
	{ "sonde llcstat 20 -c 5000", "for 20 seconds, a sample in 5000" },
	{ "sonde llcstat -t", "by thread" },
	{ }
};

struct count {
	uint32_t tgid, tid, cpu;
	char comm[16];
	uint64_t samples[2];		/* by LLC_REFERENCE and LLC_MISS */
};

struct counts {
	size_t n;
	struct count *list;
	bool failed;
};

static int prepare(struct run *r, struct error *err)
{
	const struct llcstat_options *o = run_asked(r);

	(void)err;
	run_constant(r, "threads", o->tid);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct llcstat_options *o = run_asked(r);

	(void)err;
	output_line(run_output(r), "Running for %lld seconds or hit Ctrl-C to end.",
		    (long long)o->duration);
	return 0;
}

static void add(void *arg, const void *key, const void *value)
{
	const struct llcstat_key *k = key;
	struct counts *c = arg;
	struct count *at;

	if (array_room(&c->list, c->n, sizeof(*c->list))) {
		c->failed = true;
		return;
	}
	at = &c->list[c->n++];
	*at = (struct count){ .tgid = k->tgid, .tid = k->tid, .cpu = k->cpu };
	memcpy(at->comm, k->comm, sizeof(at->comm));
	memcpy(&at->samples[k->what != LLC_REFERENCE], value, sizeof(uint64_t));
}

static int by_task(const void *a, const void *b)
{
	/* Behind its name there are bytes that have no value. */
	return memcmp(a, b, offsetof(struct count, comm) + sizeof(((struct count *)0)->comm));
}

/* Uses and misses of a task on a CPU are one row. */
static void merge(struct counts *c)
{
	size_t n = 0;

	if (c->n)
		qsort(c->list, c->n, sizeof(*c->list), by_task);
	for (size_t i = 0; i < c->n; i++) {
		if (!n || by_task(&c->list[n - 1], &c->list[i])) {
			c->list[n++] = c->list[i];
			continue;
		}
		for (int what = 0; what < 2; what++)
			c->list[n - 1].samples[what] += c->list[i].samples[what];
	}
	c->n = n;
}

static int most_first(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	for (int what = 0; what < 2; what++)
		if (x->samples[what] != y->samples[what])
			return x->samples[what] < y->samples[what] ? 1 : -1;
	return by_task(a, b);
}

/* Both are sampled: with few samples there may be more misses than uses. */
static double hit_rate(const uint64_t samples[2])
{
	if (!samples[LLC_REFERENCE] || samples[LLC_MISS] > samples[LLC_REFERENCE])
		return NAN;
	return 100 * (1 - (double)samples[LLC_MISS] / (double)samples[LLC_REFERENCE]);
}

static void show_counts(struct run *r, const struct counts *c)
{
	const struct llcstat_options *o = run_asked(r);
	int64_t period = o->sample_period;
	uint64_t sums[2] = { };
	char rate[16] = "-";

	for (size_t i = 0; i < c->n; i++) {
		const struct count *at = &c->list[i];
		const struct row row = {
			.pid = at->tgid == UINT32_MAX ? NOTHING : (int64_t)at->tgid,
			.tid = at->tid, .cpu = at->cpu, .comm = comm_text(at->comm),
			.references = (int64_t)at->samples[LLC_REFERENCE] * period,
			.misses = (int64_t)at->samples[LLC_MISS] * period,
			.hits = hit_rate(at->samples),
		};

		sums[0] += at->samples[0];
		sums[1] += at->samples[1];
		output_row(run_output(r), &row);
	}
	if (!isnan(hit_rate(sums)))
		snprintf(rate, sizeof(rate), "%.2f%%", hit_rate(sums));
	output_line(run_output(r), "Total References: %llu Total Misses: %llu Hit Rate: %s",
		    (unsigned long long)sums[LLC_REFERENCE] * (unsigned long long)period,
		    (unsigned long long)sums[LLC_MISS] * (unsigned long long)period, rate);
}

static int show(struct run *r, struct error *err)
{
	struct counts c = { };
	int status = run_take(r, "counts", add, &c, err);

	if (!status && c.failed)
		status = fail(err, "out of memory");
	if (!status) {
		merge(&c);
		if (c.n)
			qsort(c.list, c.n, sizeof(*c.list), most_first);
		output_heads(run_output(r));
		show_counts(r, &c);
	}
	free(c.list);
	return status;
}

/* support: full (4.9) | full (4.9) | full | no */
TOOL(llcstat, "CPU", "uses and misses of the last-level cache, by process, sampled",
	.shape = SHAPE_INTERVALS,
	.programs = &llcstat_programs,
	.options = options,
	.options_size = sizeof(struct llcstat_options),
	.columns = columns,
	.tables = true,
	.notes = "Counts are samples times the period. The CPU must have counters of its cache.",
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.interval_end = show,
);
