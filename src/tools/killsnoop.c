// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/killsnoop.h"

#include "src/run/tools.h"
#include "src/toolkit/signals.h"

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, .field = "time", .help = "time of day" },
	{ "PID", "pid", COLUMN_INTEGER, -6, .field = "pid",
	  .help = "process that sends the signal" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "its name" },
	{ "CALL", "call", COLUMN_TEXT, -6, .field = "call",
	  .option = "all", .help = "kill, tkill or tgkill" },
	{ "SIG", "signal", COLUMN_INTEGER, -4, .field = "signal",
	  .help = "number of the signal, 0: it only checks the target" },
	{ "TPID", "tpid", COLUMN_INTEGER, -6, .field = "tpid",
	  .help = "target, as in kill(2); with tkill and tgkill a thread" },
	{ "RESULT", "result", COLUMN_INTEGER, 0, .field = "result",
	  .help = "0, or minus the error number" },
	{ }
};

/* What the functions below read of the options. */
struct killsnoop_options {
	bool target_given;
	int64_t target;
	const char *signal;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct killsnoop_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct killsnoop_options, MEMBER)

static const struct option options[] = {
	{ 'x', "failed", "show failures only", OPTION_FLAG },
	{ 'p', "pid" },
	{ 's', "signal", "only these signals: 9, KILL; repeatable", OPTION_TEXT, "SIGNAL,...",
	  .joins = ',', TO(signal) },
	{ 'T', "target", "only signals to this target, as TPID shows it", OPTION_NUMBER, "TPID",
	  INT32_MIN, INT32_MAX, TO(target), GIVEN(target_given) },
	{ 'a', "all", "also show tkill and tgkill, which send to threads", OPTION_FLAG },
	{ }
};

static const struct example examples[] = {
	{ "sonde killsnoop", "senders, signals and targets" },
	{ "sonde killsnoop -x -s 9", "kills that failed" },
	{ "sonde killsnoop -T 181", "senders of signals to a process" },
	{ }
};

/* The signals of --signal, by number. */
struct state {
	bool some, wanted[SIGNALS];
};

static int prepare(struct run *r, struct error *err)
{
	const struct killsnoop_options *o = run_asked(r);
	struct state *s = run_state(r);
	const char *list = o->signal;

	s->some = list;
	while (list && *list) {
		size_t n = strcspn(list, ",");
		int number = signal_number(list, n);

		if (number < 0)
			return fail(err, "killsnoop: --signal: `%.*s` is no signal: it takes a "
				    "number up to %d, or a name such as KILL", (int)n, list,
				    SIGNALS - 1);
		s->wanted[number] = true;
		list += n + (list[n] == ',');
	}
	return 0;
}

static void sent(struct run *r, const struct record *record)
{
	const struct killsnoop_options *o = run_asked(r);
	const struct killsnoop_record *rec = record->bytes;
	const struct state *s = run_state(r);

	if (o->target_given && rec->tpid != o->target)
		return;
	if (s->some && (rec->sig < 0 || rec->sig >= SIGNALS || !s->wanted[rec->sig]))
		return;
	if (run_wanted(r, rec))
		output_row(run_output(r), rec);
}

/* support: bpf: full (4.6) | bpf (4.14): [1] | perf, ftrace: [2] | perf, ftrace: [1] [2] */
TOOL(killsnoop, "processes", "trace kill() calls: senders, signals and targets",
	.shape = SHAPE_EVENTS,
	.programs = &killsnoop_programs,
	.options = options,
	.options_size = sizeof(struct killsnoop_options),
	.columns = columns,
	.parts = RECORD_AS_ROW(killsnoop_record),
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.record = sent,
);
