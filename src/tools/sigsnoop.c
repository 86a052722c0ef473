// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/sigsnoop.h"

#include <signal.h>
#include <stdio.h>

#include "insns/programs/killsnoop.h"
#include "src/run/tools.h"
#include "src/toolkit/signals.h"
#include "src/toolkit/tgids.h"

/* What became of a signal, by the kernel's numbers (include/trace/events/signal.h). */
static const char *const results[] = {
	"delivered", "ignored", "pending", "overflow", "info lost"
};

struct row {
	const struct sigsnoop_record *record;
	int64_t pid, sender_tid, target, target_tid;
	struct text comm, target_comm, name, code, call, result;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, .field = "time", .help = "time of day" },
	{ "EVENT", "event", COLUMN_TEXT, -9, .field = "event", .option = "delivered",
	  .help = "generate: it was sent; deliver: its target takes it" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid),
	  .help = "process that sent it; -: an interrupt, or unknown" },
	{ "TID", "tid", COLUMN_INTEGER, -7, AT(sender_tid), .option = "threads",
	  .help = "thread that sent it" },
	{ "COMM", "comm", COLUMN_TEXT, -16, AT(comm), .help = "name of this task" },
	{ "CALL", "call", COLUMN_TEXT, -6, AT(call), .option = "kill",
	  .help = "kill, tkill or tgkill" },
	{ "SIG", "signal", COLUMN_INTEGER, -4, .field = "signal", .unless = "name",
	  .help = "number of the signal" },
	{ "SIG", "signal", COLUMN_TEXT, -12, AT(name), .option = "name",
	  .help = "its name" },
	{ "TPID", "tpid", COLUMN_INTEGER, -7, AT(target),
	  .help = "process that it is for; with -k as in kill(2)" },
	{ "TTID", "ttid", COLUMN_INTEGER, -7, AT(target_tid), .option = "threads",
	  .help = "thread that it is for, -: any" },
	{ "TCOMM", "tcomm", COLUMN_TEXT, -16, AT(target_comm), .unless = "kill",
	  .help = "name of the target" },
	{ "CODE", "code", COLUMN_TEXT, -14, AT(code), .unless = "kill",
	  .help = "why, as si_code in sigaction(2): SI_USER, SI_KERNEL, SEGV_MAPERR" },
	{ "RESULT", "result", COLUMN_TEXT, 0, AT(result), .unless = "kill",
	  .help = "delivered, ignored, pending, overflow; of a deliver: default, handler" },
	{ "RESULT", "result", COLUMN_INTEGER, 0, .field = "result", .option = "kill",
	  .help = "with -k: 0, or minus the error number" },
	{ }
};

static const struct part parts[] = {
	{ &sigsnoop_record_layout, AT(record), .pointer = true },
	{ }
};

/* What the functions below read of the options. */
struct sigsnoop_options {
	bool kill;
	const char *signal;
	struct option_list target;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct sigsnoop_options, MEMBER)

static const struct option options[] = {
	{ 'x', "failed", "only signals that were not delivered; with -k only calls that failed",
	  OPTION_FLAG, .excludes = "delivered" },
	{ 'k', "kill", "show the calls kill, tkill and tgkill instead of signals", OPTION_FLAG,
	  .excludes = "delivered", TO(kill) },
	{ 'p', "pid" },
	{ 't', "target", "only signals for these processes", OPTION_LIST, "PID,...", 1, 4194304,
	  0, TO(target) },
	{ 's', "signal", "only these signals: 9, KILL, RTMIN+1; all but this one: '!CHLD'",
	  OPTION_TEXT, "SIGNAL,...", .joins = ',', TO(signal) },
	{ 'n', "name", "show names of signals, not numbers", OPTION_FLAG },
	{ 'd', "delivered", "also show when a task takes a signal, and its action",
	  OPTION_FLAG },
	{ 'T', "threads", "show the threads that send signals, and get them", OPTION_FLAG },
	{ }
};

static const struct example examples[] = {
	{ "sonde sigsnoop -n -s '!CHLD'", "all signals but ends of children" },
	{ "sonde sigsnoop -d -t 181", "signals of a process, and its actions" },
	{ }
};

struct state {
	bool wanted[SIGNALS];		/* signals to show, by number */
	bool any;			/* all are shown, also numbers beyond these */
};

static int signal_of(const char *list, size_t n, struct error *err)
{
	int number = signal_number(list, n);

	if (number < 0)
		fail(err, "sigsnoop: --signal: `%.*s` is no signal: it takes a number up to %d, or "
		     "a name such as KILL or RTMIN+1", (int)n, list, SIGNALS - 1);
	return number;
}

/* The first word decides what the list begins with: nothing, or with a `!` all signals. */
static int read_signals(struct state *s, const char *list, struct error *err)
{
	s->any = !list || !*list;
	for (int i = 0; i < SIGNALS; i++)
		s->wanted[i] = s->any || *list == '!';
	while (list && *list) {
		size_t n = strcspn(list, ",");
		bool not = *list == '!';
		int number = signal_of(list + not, n - not, err);

		if (number < 0)
			return -1;
		s->wanted[number] = !not;
		list += n + (list[n] == ',');
	}
	return 0;
}

static int prepare(struct run *r, struct error *err)
{
	const struct sigsnoop_options *o = run_asked(r);

	run_constant(r, "generate", !o->kill);
	if (o->kill && o->target.n > 0)
		return fail(err, "sigsnoop: --target does not go with --kill: a call may name a "
			    "group of processes; leave out one of them");
	return read_signals(run_state(r), o->signal, err);
}

static int started(struct run *r, struct error *err)
{
	const struct sigsnoop_options *o = run_asked(r);

	return o->kill ? 0 : tgids_fill(r, err);
}

static bool target_wanted(const struct run *r, int64_t target)
{
	const struct sigsnoop_options *o = run_asked(r);

	for (unsigned int i = 0; i < o->target.n; i++)
		if (o->target.values[i] == target)
			return true;
	return !o->target.n;
}

/* With --kill this is what the call names: below 0 it is a group. */
static int64_t target_of(const struct sigsnoop_record *rec)
{
	return rec->tgid ? (int64_t)rec->tgid : (int64_t)rec->tid;
}

static bool wanted(struct run *r, const struct sigsnoop_record *rec, int64_t target)
{
	const struct state *s = run_state(r);

	if (!s->any && (rec->sig < 0 || rec->sig >= SIGNALS || !s->wanted[rec->sig]))
		return false;
	return rec->event == SIGNAL_CALL || target_wanted(r, target);
}

/*
 * Returns true if the current task sent the signal: then it made a system call, or ended, or it
 * is the target itself. Timers and I/O send signals from interrupts, and the task that these
 * interrupt has nothing to do with them.
 */
static bool sender_is_current(const struct sigsnoop_record *rec)
{
	return rec->event != SIGNAL_DELIVER && !signal_from_interrupt(rec->sig, rec->code);
}

/*
 * Nobody asked for the sender of a signal that an interrupt sends: it is shown if the user asked
 * for no tasks, also if sonde itself was interrupted.
 */
static bool sender_wanted(struct run *r, const struct sigsnoop_record *rec)
{
	if (rec->event == SIGNAL_GENERATE && !sender_is_current(rec))
		return !run_filtered(r);
	return run_wanted(r, rec);
}

static struct text word(const char *s)
{
	return s ? text_of(s, strlen(s)) : (struct text){ };
}

static const char *result_of(const struct sigsnoop_record *rec)
{
	size_t n = (size_t)rec->result;

	if (rec->event == SIGNAL_DELIVER)
		return !rec->handler ? "default" : rec->handler == 1 ? "ignored" : "handler";
	return n < sizeof(results) / sizeof(results[0]) ? results[n] : NULL;
}

static void show(struct run *r, const struct record *record)
{
	const struct sigsnoop_record *rec = record->bytes;
	char name[SIGNAL_NAME], code[SIGNAL_CODE];
	bool deliver = rec->event == SIGNAL_DELIVER;
	int64_t target = deliver ? tgid_of(rec->pid_tgid) : target_of(rec);
	struct row row = {
		.record = rec, .pid = NOTHING, .sender_tid = NOTHING,
		.target = target, .target_tid = NOTHING,
	};

	if (!wanted(r, rec, target) || !sender_wanted(r, rec))
		return;
	if (sender_is_current(rec)) {
		row.pid = tgid_of(rec->pid_tgid);
		row.sender_tid = (int64_t)(uint32_t)rec->pid_tgid;
		row.comm = comm_text(rec->comm);
	}
	if (deliver || (rec->event == SIGNAL_GENERATE && !rec->group) || rec->call)
		row.target_tid = rec->tid;
	row.target_comm = comm_text(deliver ? rec->comm : rec->target_comm);
	row.name = word(signal_full_name(rec->sig, name));
	row.code = word(signal_code(rec->sig, rec->code, code));
	row.call = word(rec->call < sizeof(kill_calls) / sizeof(kill_calls[0]) ?
			kill_calls[rec->call] : NULL);
	row.result = word(result_of(rec));
	output_row(run_output(r), &row);
}

/* support: bpf: full (4.7) | bpf: full (4.7); -k: [1] | perf, ftrace: [2] | perf, ftrace: [2] */
TOOL(sigsnoop, "processes", "trace signals: senders, targets, reasons and results",
	.shape = SHAPE_EVENTS,
	.programs = &sigsnoop_programs,
	.options = options,
	.options_size = sizeof(struct sigsnoop_options),
	.columns = columns,
	.parts = parts,
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.started = started,
	.record = show,
);
