// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/exitsnoop.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "compat/user/task_stat.h"
#include "src/run/tools.h"
#include "src/toolkit/proc.h"
#include "src/toolkit/signals.h"

#define CORE_BIT 0x80		/* of a code, as wait(2) has it */

struct row {
	const struct exitsnoop_record *record;
	int64_t age, code, signal, core;
	struct text label, exit;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME-UTC", "time", COLUMN_UTC, -13, .field = "time", .digits = 3,
	  .option = "utc", .help = "time of day in UTC" },
	{ "TIME", "time", COLUMN_CLOCK, -13, .field = "time", .digits = 3,
	  .option = "timestamp", .unless = "utc", .help = "time of day" },
	{ "LABEL", "label", COLUMN_TEXT, -6, AT(label), .option = "label", .help = "as given" },
	{ "PCOMM", "comm", COLUMN_TEXT, -16, .field = "comm", .span = SPAN_NAME,
	  .help = "name of the process, or thread" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .help = "process id" },
	{ "PPID", "ppid", COLUMN_INTEGER, -7, .field = "ppid",
	  .help = "parent process, -: it has ended, or is unknown" },
	{ "TID", "tid", COLUMN_INTEGER, -7, .field = "tid", .help = "thread id" },
	{ "AGE(s)", "age_s", COLUMN_SECONDS, -7, AT(age), .span = SPAN_LENGTH, .digits = 2,
	  .help = "seconds since it was made, -: unknown" },
	{ "EXIT_CODE", "exit", COLUMN_TEXT, 0, AT(exit),
	  .readers = FOR_TABLES,
	  .help = "0, code N, signal N (NAME), -: unknown; core dumped?: it may have" },
	{ "EXIT", "exit_code", COLUMN_INTEGER, 0, AT(code), .role = IS_LABEL,
	  .readers = FOR_OBJECTS, .help = "the code, in JSON; null with a signal" },
	{ "SIGNAL", "signal", COLUMN_INTEGER, 0, AT(signal),
	  .readers = FOR_OBJECTS, .help = "its number, in JSON" },
	{ "CORE", "core_dumped", COLUMN_INTEGER, 0, AT(core), .role = IS_LABEL,
	  .readers = FOR_OBJECTS, .help = "1, 0, or null: unknown, in JSON" },
	{ }
};

static const struct part parts[] = {
	{ &exitsnoop_record_layout, AT(record), .pointer = true },
	{ }
};

/* What the functions below read of the options. */
struct exitsnoop_options {
	const char *label;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct exitsnoop_options, MEMBER)

static const struct option options[] = {
	{ 't', "timestamp", "show the time of day", OPTION_FLAG },
	{ 0, "utc", "show the time of day in UTC", OPTION_FLAG },
	{ 'p', "pid" },
	{ 0, "label", "put a column with this text in each line", OPTION_TEXT, "TEXT", TO(label) },
	{ 'x', "failed", "show only processes that do not end with 0, or may not", OPTION_FLAG },
	{ 0, "per-thread", "a line for each thread, not only for each process", OPTION_FLAG,
	  .alias = "threaded" },
	{ 'j', "json" },
	{ }
};

static const struct example examples[] = {
	{ "sonde exitsnoop -x", "processes that fail, and how" },
	{ "sonde exitsnoop -t --exec make", "children of make, and their lives" },
	{ }
};

/* Threads that were there before tracing began. */
struct seed {
	struct run *r;
	struct error *err;
	int64_t boot;		/* when the kernel booted, in times of records */
	int result;
};

/* Start and parent of a thread, from its stat file. */
static bool read_stat(int threads, uint32_t tid, int64_t boot, struct exitsnoop_task *task)
{
	struct proc_stat stat;
	char path[32];

	snprintf(path, sizeof(path), "%u/stat", tid);
	if (!proc_stat(threads, path, &stat))
		return false;
	boot += (int64_t)stat.ticks * (NS_PER_SECOND / sysconf(_SC_CLK_TCK));
	*task = (struct exitsnoop_task){ .start = (uint64_t)boot, .ppid = stat.ppid };
	return true;
}

/*
 * Counts a thread that is not the first. A BPF program may have seen it end meanwhile: it has taken
 * the thread from the count if it found it in `tasks`, and only then.
 */
static void seed_thread(struct seed *s, uint32_t tid, uint32_t tgid, int threads)
{
	struct exitsnoop_process process = { };
	struct exitsnoop_task known;
	char path[40];

	snprintf(path, sizeof(path), "%u/stat", tid);
	if (!task_lives(threads, path) && !run_get(s->r, "tasks", &tid, &known))
		return;
	if (run_get(s->r, "processes", &tgid, &process)) {
		snprintf(path, sizeof(path), "%u/stat", tgid);
		process.threads = task_lives(threads, path);
	}
	process.threads++;
	s->result = run_set(s->r, "processes", &tgid, &process, s->err);
}

static void seed_start(void *arg, uint32_t tid, uint32_t tgid, int threads)
{
	struct seed *s = arg;
	struct exitsnoop_task task, known;

	if (s->result || !read_stat(threads, tid, s->boot, &task))
		return;
	/* The probes are on: what task.new says is newer than what was read here. */
	if (!run_get(s->r, "tasks", &tid, &known))
		return;
	task.ppid = 0;
	s->result = run_set(s->r, "tasks", &tid, &task, s->err);
	if (tid != tgid && !s->result)
		seed_thread(s, tid, tgid, threads);
}

/* Once all starts are known: the parent, and when it was made. */
static void seed_parent(void *arg, uint32_t tid, uint32_t tgid, int threads)
{
	struct seed *s = arg;
	struct exitsnoop_task task, known, parent;

	if (s->result || tid != tgid || !read_stat(threads, tid, s->boot, &task) ||
	    run_get(s->r, "tasks", &tid, &known) || known.ppid ||
	    run_get(s->r, "tasks", &task.ppid, &parent))
		return;
	known.ppid = task.ppid;
	known.parent_start = parent.start;
	s->result = run_set(s->r, "tasks", &tid, &known, s->err);
}

static void seed_recorded(void *arg, const struct run_task *of)
{
	const struct exitsnoop_task task = { .start = of->began };
	struct exitsnoop_process process = { .threads = 1 };
	struct seed *s = arg;

	if (s->result)
		return;
	s->result = run_set(s->r, "tasks", &of->tid, &task, s->err);
	if (of->tid == of->pid || s->result)
		return;
	run_get(s->r, "processes", &of->pid, &process);
	process.threads++;
	s->result = run_set(s->r, "processes", &of->pid, &process, s->err);
}

static void seed_recorded_parent(void *arg, const struct run_task *of)
{
	struct exitsnoop_task task = { .start = of->began, .ppid = of->ppid }, parent;
	struct seed *s = arg;

	if (s->result || !of->ppid)
		return;
	if (!run_get(s->r, "tasks", &of->ppid, &parent))
		task.parent_start = parent.start;
	s->result = run_set(s->r, "tasks", &of->tid, &task, s->err);
}

static int started(struct run *r, struct error *err)
{
	struct seed s = { r, err, clock_ns(CLOCK_MONOTONIC) - clock_ns(CLOCK_BOOTTIME), 0 };

	if (!run_has_hook(r, "task.new"))
		return 0;
	run_each_recorded(r, seed_recorded, &s);
	run_each_recorded(r, seed_recorded_parent, &s);
	if (!run_ids_are_procs(r))
		return s.result;
	if (proc_each_task(seed_start, &s, err) || proc_each_task(seed_parent, &s, err))
		return -1;
	return s.result;
}

/* The signals that dump core by default. */
static bool may_dump(int number)
{
	static const int dumping[] = {
		SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGXCPU, SIGXFSZ,
		SIGSYS,
	};

	for (size_t i = 0; i < sizeof(dumping) / sizeof(dumping[0]); i++)
		if (dumping[i] == number)
			return true;
	return false;
}

/* The code as text, as in bcc, and as numbers. */
static void decode(const struct exitsnoop_record *rec, struct row *row, char *text, size_t size)
{
	int number = rec->code & 0x7f;
	const char *name = signal_name(number);

	row->code = row->signal = row->core = NOTHING;
	if (!(rec->known & CODE_KNOWN))
		return;
	if (number) {
		row->signal = number;
		if (!(rec->known & CODE_NO_CORE) || !may_dump(number))
			row->core = !!(rec->code & CORE_BIT);
		text_cut(text, size, "signal %d (%s)%s", number, name ? name : "unknown",
			 row->core == NOTHING ? ", core dumped?" :
			 row->core ? ", core dumped" : "");
	} else {
		row->code = rec->code >> 8 & 0xff;
		row->core = 0;
		snprintf(text, size, row->code ? "code %d" : "0", (int)row->code);
	}
	row->exit = text_of(text, size);
}

static void ended(struct run *r, const struct record *record)
{
	const struct exitsnoop_options *o = run_asked(r);
	const struct exitsnoop_record *rec = record->bytes;
	const char *label = o->label;
	char text[64];
	struct row row;

	if (!run_wanted(r, rec))
		return;
	row = (struct row){
		.record = rec,
		/* a recording may have been made to hurt */
		.age = rec->start && rec->start <= rec->time ?
		       (int64_t)(rec->time - rec->start) : NOTHING,
	};
	if (label)
		row.label = (struct text){ .s = label, .length = (uint32_t)strlen(label) };
	decode(rec, &row, text, sizeof(text));
	output_row(run_output(r), &row);
}

/* support: bpf: full (4.7) | bpf (4.14): [7] | perf, ftrace: [2] | perf, ftrace: [2] [7] */
TOOL(exitsnoop, "processes", "trace processes that end: how old, and how they ended",
	.shape = SHAPE_EVENTS,
	.programs = &exitsnoop_programs,
	.options = options,
	.options_size = sizeof(struct exitsnoop_options),
	.columns = columns,
	.parts = parts,
	.examples = examples,
	.started = started,
	.record = ended,
);
