// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/runqlat.h"

#include "src/run/tools.h"
#include "src/toolkit/tgids.h"

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time",
	  .help = "time of day when the wait ended" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm",
	  .help = "name of the task that waited" },
	{ "TID", "tid", COLUMN_INTEGER, -6, .field = "tid", .help = "thread id of this task" },
	{ "LAT(us)", "lat_us", COLUMN_INTEGER, 14, .field = "latency", .span = SPAN_LENGTH,
	  .help = "how long it waited, in microseconds" },
	{ "PREV COMM", "prev_comm", COLUMN_TEXT, -16, .field = "prev_comm", .role = IS_IDENTITY,
	  .option = "previous", .help = "name of the task that was on the CPU before" },
	{ "PREV TID", "prev_tid", COLUMN_INTEGER, -6, .field = "prev_tid", .role = IS_IDENTITY,
	  .option = "previous", .help = "thread id of that task" },
	{ }
};

/* What the functions below read of the options. */
struct runqslower_options {
	int64_t min_us;
	struct option_list pid;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct runqslower_options, MEMBER)

static const struct option options[] = {
	{ 'P', "previous", "show the task that was on the CPU before", OPTION_FLAG },
	{ 'p', "pid", .excludes = "tid", TO(pid) },
	{ 't', "tid" },
	{ 0, "min-us", "only waits that are longer than this, in microseconds",
	  OPTION_NUMBER, "min_us", 0, INT32_MAX, 10000, .positional = true, TO(min_us) },
	{ }
};

static const struct example examples[] = {
	{ "sonde runqslower", "waits of more than 10 ms for a CPU" },
	{ "sonde runqslower -P 1000", "more than 1 ms, with the task on the CPU" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct runqslower_options *o = run_asked(r);

	(void)err;
	run_constant(r, "slower", 1);
	run_constant(r, "histogram", 0);
	run_constant(r, "needs_tgids", o->pid.n > 0);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct runqslower_options *o = run_asked(r);

	if (o->pid.n > 0 && tgids_fill(r, err))
		return -1;
	output_line(run_output(r), "Tracing run queue latency higher than %lld us",
		    (long long)o->min_us);
	return 0;
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(runqslower, "CPU", "trace tasks that wait long for a CPU",
	.shape = SHAPE_EVENTS,
	.programs = &runqslower_programs,
	.options = options,
	.options_size = sizeof(struct runqslower_options),
	.columns = columns,
	.parts = RECORD_AS_ROW(runqslower_record),
	.notes = "A wait begins when a task is woken up or preempted, and ends when it runs.",
	.examples = examples,
	.prepare = prepare,
	.started = started,
);
