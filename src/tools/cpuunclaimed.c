// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/cpuunclaimed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/cpus.h"
#include "compat/base/file.h"
#include "compat/base/strbuf.h"
#include "src/run/tools.h"

#define CPUS 8192
#define FREQUENCY 99		/* not in step with what happens each hundredth of a second */

struct row {
	int64_t clock, moments;
	double busy, unclaimed;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES },
	{ "%CPU", "cpu_percent", COLUMN_REAL, 6, AT(busy), .digits = 2, .readers = FOR_MACHINES,
	  .help = "share of CPUs that had a task" },
	{ "UNCLAIMED", "unclaimed_percent", COLUMN_REAL, 6, AT(unclaimed), .digits = 2,
	  .readers = FOR_MACHINES,
	  .help = "share of CPUs that were idle although tasks waited for others" },
	{ "SAMPLES", "samples", COLUMN_INTEGER, 8, AT(moments), .readers = FOR_MACHINES,
	  .help = "moments at which all CPUs were looked at" },
	{ }
};

/* What the functions below read of the options. */
struct cpuunclaimed_options {
	bool lengths, timestamp;
	int64_t frequency;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct cpuunclaimed_options, MEMBER)

static const struct option options[] = {
	{ 'j', "lengths", "print the tasks on each CPU at each moment, separated by commas",
	  OPTION_FLAG, TO(lengths) },
	{ 'J', "json" },
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG, TO(timestamp) },
	{ 'f', "frequency", "samples a second of each CPU", OPTION_NUMBER, "N", 1, 10000,
	  FREQUENCY, TO(frequency) },
	{ }
};

static const struct example examples[] = {
	{ "sonde cpuunclaimed", "each second" },
	{ "sonde cpuunclaimed -T 5 12", "each five seconds, for a minute" },
	{ }
};

/* The last sample of a CPU. */
struct sample {
	uint64_t time;			/* 0: none */
	uint32_t tasks;
};

struct state {
	struct sample samples[CPUS];
	bool online[CPUS];		/* as the kernel's list says; none for a file of records */
	uint32_t n;			/* CPUs, up to the last one online or with a sample */
	uint64_t period;		/* ns */
	uint64_t next;			/* the next moment; 0: there was no sample yet */
	/* sums over the moments of an interval */
	uint64_t moments, cpus, busy, unclaimed;
};

static void read_online(struct run *r, struct state *s)
{
	unsigned int first, last;
	char text[4096];
	const char *at = text;

	if (!run_is_live(r) || file_read(CPUS_ONLINE, text, sizeof(text)) <= 0)
		return;
	memset(s->online, 0, sizeof(s->online));
	while (cpu_list_range(&at, &first, &last) && last < CPUS) {
		memset(s->online + first, true, last - first + 1);
		if (last >= s->n)
			s->n = last + 1;
	}
}

static int prepare(struct run *r, struct error *err)
{
	const struct cpuunclaimed_options *o = run_asked(r);
	struct state *s = run_state(r);

	(void)err;
	read_online(r, s);
	s->period = NS_PER_SECOND / (uint64_t)o->frequency;
	return 0;
}

static bool is_fresh(const struct state *s, const struct sample *c)
{
	return c->time && c->time + 2 * s->period > s->next;
}

/* Some kernels take no samples of a CPU that is idle: it is online, and silent. */
static bool is_online(const struct state *s, uint32_t cpu)
{
	return s->online[cpu] || is_fresh(s, &s->samples[cpu]);
}

static uint32_t tasks_on(const struct state *s, uint32_t cpu)
{
	return is_fresh(s, &s->samples[cpu]) ? s->samples[cpu].tasks : 0;
}

static void print_lengths(struct run *r, const struct state *s)
{
	struct strbuf list = { };
	char *line;

	for (uint32_t i = 0; i < s->n; i++)
		if (is_online(s, i))
			strbuf_addf(&list, ",%u", tasks_on(s, i));
		else
			strbuf_add(&list, ",", 1);
	line = strbuf_take(&list);
	if (line)
		output_line(run_output(r), "%llu%s", (unsigned long long)s->next, line);
	free(line);
}

/* An idle CPU could have taken a task that waits for another one. */
static void look(struct run *r, struct state *s)
{
	const struct cpuunclaimed_options *o = run_asked(r);
	uint64_t idle = 0, waiting = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		const uint32_t tasks = tasks_on(s, i);

		if (!is_online(s, i))
			continue;
		s->cpus++;
		s->busy += tasks > 0;
		idle += !tasks;
		waiting += tasks ? tasks - 1 : 0;
	}
	s->unclaimed += idle < waiting ? idle : waiting;
	s->moments++;
	if (o->lengths)
		print_lengths(r, s);
}

/*
 * CPUs are sampled one after the other. So each period begins a moment: what each CPU had last is
 * taken, which is less than a period old.
 */
static void sample(struct run *r, const struct record *record)
{
	const struct unclaimed_record *rec = record->bytes;
	struct state *s = run_state(r);

	if (rec->cpu >= CPUS)
		return;
	if (!s->next)
		s->next = rec->time + s->period;
	while (rec->time >= s->next) {
		/* after a gap the CPUs' last samples are too old */
		if (rec->time < s->next + 2 * s->period)
			look(r, s);
		s->next += s->period;
	}
	s->samples[rec->cpu] = (struct sample){ rec->time, rec->tasks };
	if (rec->cpu >= s->n)
		s->n = rec->cpu + 1;
}

static int started(struct run *r, struct error *err)
{
	const struct cpuunclaimed_options *o = run_asked(r);
	struct strbuf heads = { };
	char *line;

	if (!o->lengths) {
		output_line(run_output(r), "Sampling run queues... Hit Ctrl-C to end.");
		return 0;
	}
	for (long i = 0; i < sysconf(_SC_NPROCESSORS_CONF); i++)
		strbuf_addf(&heads, ",CPU%ld", i);
	line = strbuf_take(&heads);
	if (!line)
		return fail(err, "out of memory");
	output_line(run_output(r), "TIMESTAMP_ns%s", line);
	free(line);
	return 0;
}

static int show(struct run *r, struct error *err)
{
	const struct cpuunclaimed_options *o = run_asked(r);
	struct state *s = run_state(r);
	double cpus = (double)s->cpus;
	struct row row = {
		.clock = run_interval_clock(r), .moments = (int64_t)s->moments,
		.busy = s->cpus ? 100.0 * (double)s->busy / cpus : NAN,
		.unclaimed = s->cpus ? 100.0 * (double)s->unclaimed / cpus : NAN,
	};
	const struct date date = run_local(r, row.clock);
	bool time = o->timestamp;
	const char *clock = time ? date.time : "";

	(void)err;
	output_row(run_output(r), &row);
	if (o->lengths)
		;
	else if (s->cpus)
		output_line(run_output(r), "%s%s%%CPU %6.2f%%, unclaimed idle %0.2f%%", clock,
			    time ? " " : "", row.busy, row.unclaimed);
	else
		output_line(run_output(r), "%s%s%%CPU - (no samples)", clock, time ? " " : "");
	s->moments = s->cpus = s->busy = s->unclaimed = 0;
	read_online(r, s);
	return 0;
}

/* support: bpf, with BTF (4.9) | bpf, with BTF (4.9) | no | no */
VARIANT(cpuunclaimed, runqlen, "CPU", "CPUs that are idle while tasks wait for others, sampled",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &cpuunclaimed_programs,
	.options = options,
	.options_size = sizeof(struct cpuunclaimed_options),
	.columns = columns,
	.tables = true,
	.notes = "An idle CPU is unclaimed as long as a task waits for another CPU.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.started = started,
	.record = sample,
	.interval_end = show,
);
