// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/systrace.h"

#include <stdio.h>
#include <stdlib.h>

#include "compat/base/array.h"
#include "compat/base/text.h"
#include "compat/expressions/expression.h"
#include "src/language/systrace/arguments.h"
#include "src/run/tools.h"
#include "src/toolkit/numbered.h"

/* A line of a call; or, with --summary, a thread's calls of a kind. */
struct row {
	const struct systrace_record *record;
	int64_t tid, pid, ret, calls, errors;
	double total_ms, least_ms, mean_ms, most_ms;
	struct text comm, name, line, arguments, error_name;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -11, .field = "time", .digits = 6,
	  .option = "lines", .unless = "timestamp",
	  .help = "when the call returned, in seconds since the first line" },
	{ "TIME", "time", COLUMN_CLOCK, -15, .field = "time", .digits = 6,
	  .option = "clock", .help = "the same as the time of day" },
	{ "LAT(ms)", "lat_ms", COLUMN_REAL, 9, .field = "took", .divisor = 1000000, .digits = 3,
	  .option = "lines", .readers = FOR_PEOPLE, .help = "how long it took" },
	{ "LAT(ms)", "lat_ms", COLUMN_REAL, 9, .field = "took", .divisor = 1000000, .digits = 6,
	  .span = SPAN_LENGTH, .option = "lines", .readers = FOR_MACHINES },
	{ "TID", "tid", COLUMN_INTEGER, -7, AT(tid), .help = "thread id" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .readers = FOR_MACHINES },
	{ "COMM", "comm", COLUMN_TEXT, -16, AT(comm), .help = "name of the thread" },
	{ "CALL", "", COLUMN_TEXT, 0, AT(line), .option = "lines", .readers = FOR_PEOPLE,
	  .help = "the call, its arguments and result" },
	{ "SYSCALL", "syscall", COLUMN_TEXT, 0, AT(name), .role = IS_IDENTITY, .option = "lines",
	  .span = SPAN_NAME, .readers = FOR_MACHINES },
	{ "ARGS", "args", COLUMN_TEXT, 0, AT(arguments), .option = "lines",
	  .readers = FOR_MACHINES },
	{ "RET", "ret", COLUMN_INTEGER, 0, AT(ret), .option = "lines", .readers = FOR_MACHINES },
	{ "ERRNO", "errno", COLUMN_TEXT, 0, AT(error_name), .option = "lines",
	  .readers = FOR_MACHINES },
	{ "SYSCALL", "syscall", COLUMN_TEXT, -18, AT(name), .role = IS_IDENTITY,
	  .option = "summary", .help = "the call (-s)" },
	{ "CALLS", "calls", COLUMN_INTEGER, 8, AT(calls), .role = IS_COUNT, .option = "summary",
	  .help = "how many returned" },
	{ "ERRORS", "errors", COLUMN_INTEGER, 7, AT(errors), .role = IS_COUNT, .option = "summary",
	  .help = "how many of these failed" },
	{ "TOTAL(ms)", "total_ms", COLUMN_REAL, 11, AT(total_ms), .digits = 3,
	  .option = "summary", .help = "sum of their times" },
	{ "MIN(ms)", "min_ms", COLUMN_REAL, 9, AT(least_ms), .digits = 3, .option = "summary",
	  .help = "the shortest" },
	{ "AVG(ms)", "avg_ms", COLUMN_REAL, 9, AT(mean_ms), .digits = 3, .option = "summary",
	  .help = "the mean" },
	{ "MAX(ms)", "max_ms", COLUMN_REAL, 9, AT(most_ms), .digits = 3, .option = "summary",
	  .help = "the longest" },
	{ }
};

static const struct part parts[] = {
	{ &systrace_record_layout, AT(record), .pointer = true },
	{ }
};

/* What the functions below read of the options. */
struct systrace_options {
	bool summary, timestamp, failed, max_events_given;
	int64_t min, max_events;
	const char *expr, *name;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct systrace_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct systrace_options, MEMBER)

static const struct option options[] = {
	{ 'e', "expr", "only these calls, by name or number; all but these: '!CALL,...'; with * "
	  "and ?", OPTION_TEXT, "CALL,...", .joins = ',', TO(expr) },
	{ 'p', "pid" },
	{ 't', "tid" },
	{ 'u', "uid" },
	{ 'n', "name", TO(name) },
	{ 's', "summary", "at the end, a table of each thread's calls, and no lines", OPTION_FLAG,
	  TO(summary) },
	{ 'm', "min", "only calls that take MS milliseconds or more", OPTION_NUMBER, "MS", 0,
	  INT32_MAX, TO(min) },
	{ 'x', "failed", "only calls that failed", OPTION_FLAG, .alias = "failure", TO(failed) },
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG, .alias = "time", TO(timestamp) },
	{ 0, "max-events", "end after so many lines", OPTION_NUMBER, "N", 1, INT32_MAX, 0,
	  TO(max_events), GIVEN(max_events_given) },
	{ 0, "exec", .positional = true },
	{ }
};

static const struct example examples[] = {
	{ "sonde systrace -x ls /tmp", "calls of a command that fail" },
	{ "sonde systrace -e 'open*,stat*' -p 181", "files that a process opens" },
	{ }
};

#define PATTERNS 64

/* A word of --expr: a pattern of names, or a number. */
struct wanted {
	struct expression *pattern;	/* NULL: it is a number */
	unsigned int number;
};

struct state {
	struct wanted wanted[PATTERNS];	/* of --expr; none: all calls */
	unsigned int n_wanted;
	bool negated;			/* all calls but these */
	int64_t lines;			/* printed so far */
	char arguments[1024], line[1280];
};

static const char *name_of(struct run *r, uint64_t slot)
{
	return call_name(kernel_arch(run_kernel(r)), (uint32_t)slot);
}

static bool matches(const struct wanted *w, uint32_t slot, const char *name)
{
	if (!w->pattern)
		return slot < CALL_UNKNOWN && call_number(slot) == w->number;
	return name && expression_matches(w->pattern, name);
}

static bool is_wanted(const struct state *s, uint32_t slot, const char *name)
{
	bool found = !s->n_wanted;

	for (unsigned int i = 0; i < s->n_wanted && !found; i++)
		found = matches(&s->wanted[i], slot, name);
	return s->n_wanted ? found != s->negated : true;
}

/* A pattern that no call has is a mistake. */
static int add_wanted(struct run *r, const char *word, struct error *err)
{
	struct state *s = run_state(r);
	struct wanted *w = &s->wanted[s->n_wanted];
	bool number = *word && strspn(word, "0123456789") == strlen(word);
	struct error why;

	if (s->n_wanted == PATTERNS)
		return fail(err, "systrace: -e takes at most %d names", PATTERNS);
	if (number && (strlen(word) > 4 || atoi(word) >= CALLS))
		return fail(err, "systrace: -e: `%s`: numbers of calls are less than %d", word,
			    CALLS);
	w->pattern = number ? NULL : expression_of_glob(word, &why);
	w->number = number ? (unsigned int)atoi(word) : 0;
	if (!number && !w->pattern)
		return fail(err, "systrace: -e: `%s`: %s", word, why.text);
	s->n_wanted++;
	for (uint32_t slot = 0; slot < CALL_UNKNOWN; slot++)
		if (matches(w, slot, name_of(r, slot)))
			return 0;
	return fail(err, "systrace: -e: there is no call `%s`\n`sonde syscount --list` prints all "
		    "names; a number is taken as well", word);
}

static int read_list(struct run *r, const char *list, struct error *err)
{
	struct state *s = run_state(r);
	char word[64];

	s->negated = *list == '!';
	for (list += s->negated; *list;) {
		size_t n = strcspn(list, ",");

		if (*list == '!')
			return fail(err, "systrace: -e: a `!` is only before the whole list, as in "
				    "'!read,write'");
		text_cut(word, sizeof(word), "%.*s", (int)n, list);
		if (add_wanted(r, word, err))
			return -1;
		list += n + (list[n] == ',');
	}
	return 0;
}

static int prepare(struct run *r, struct error *err)
{
	const struct systrace_options *o = run_asked(r);
	const char *list = o->expr;
	bool summary = o->summary;

	run_constant(r, "lines", !summary);
	run_constant(r, "clock", !summary && o->timestamp);
	run_constant(r, "min_ns", o->min * 1000000);
	/* A call that never returns took no time, and did not fail. */
	run_constant(r, "never_returns", !o->min && !o->failed);
	if (summary && o->max_events_given)
		return fail(err, "systrace: --summary prints no lines for --max-events: leave out "
			    "one of them");
	return list ? read_list(r, list, err) : 0;
}

/* The programs look up what to do with a call: nothing, for those that were not asked for. */
static int opened(struct run *r, struct error *err)
{
	const struct state *s = run_state(r);

	for (uint32_t slot = 0; slot < CALL_SLOTS; slot++) {
		uint64_t plan = call_plan(kernel_arch(run_kernel(r)), slot);

		if (!is_wanted(s, slot, name_of(r, slot)))
			continue;
		if (run_set(r, "plans", &slot, &plan, err))
			return -1;
	}
	return 0;
}

/*
 * Errors that programs never see: a signal interrupted the call. The kernel calls it again, or
 * makes it EINTR, unless the task dies.
 */
static const struct {
	const char *name, *meaning;
} restarts[] = {
	{ "ERESTARTSYS", "interrupted; called again if SA_RESTART is set" },
	{ "ERESTARTNOINTR", "interrupted; called again" },
	{ "ERESTARTNOHAND", "interrupted; called again if there is no handler" },
	{ "ENOIOCTLCMD", "no such command" },
	{ "ERESTART_RESTARTBLOCK", "interrupted; the rest is called if there is no handler" },
};

static int restart_of(int64_t ret)
{
	return ret <= -512 && ret > -517 ? (int)(-ret - 512) : -1;
}

/* Calls that return addresses. */
static bool returns_address(const char *name)
{
	static const char *const calls[] = { "mmap", "mmap2", "mremap", "brk", "shmat" };

	for (size_t i = 0; name && i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(calls[i], name))
			return true;
	return false;
}

static struct text word(const char *s)
{
	return s ? text_of(s, strlen(s)) : (struct text){ };
}

static const char *error_of(int64_t ret)
{
	const char *name = errno_name((int)-ret);

	if (!name && restart_of(ret) >= 0)
		name = restarts[restart_of(ret)].name;
	return name;
}

/*
 * What a call returned. A 32-bit task has 32 bits of it, and the kernel's upper half may be zeros:
 * a sigreturn of an interrupted call gives the 32 bits back that were saved.
 */
static int64_t result_of(struct run *r, const struct systrace_call *call, const char *name)
{
	const struct arch *arch = kernel_arch(run_kernel(r));
	bool narrow = call_registers(arch, (uint32_t)call->slot).size == 4;
	int64_t ret = narrow ? (int32_t)call->ret : call->ret;

	return narrow && ret < -4095 && returns_address(name) ? (int64_t)(uint32_t)ret : ret;
}

static bool failed(int64_t ret)
{
	return ret < 0 && ret >= -4095;
}

static void add_result(const struct row *row, const struct systrace_call *call, const char *name,
		       char *to, size_t size)
{
	const char *error = failed(row->ret) ? error_of(row->ret) : NULL;

	if (call->plan & PLAN_NO_RETURN)
		snprintf(to, size, " = ?");
	else if (error)
		text_cut(to, size, " = -1 %s (%s)", error, restart_of(row->ret) >= 0 ?
			 restarts[restart_of(row->ret)].meaning : strerror((int)-row->ret));
	else if (failed(row->ret))
		snprintf(to, size, " = -1 errno %lld", (long long)-row->ret);
	else if (returns_address(name))
		snprintf(to, size, " = %#llx", (unsigned long long)row->ret);
	else
		snprintf(to, size, " = %lld", (long long)row->ret);
}

/* A call's name, or its number where it has no name; with CALL_UNKNOWN 0 is no number. */
static const char *shown_name(struct run *r, uint64_t slot, int64_t id, char *buffer, size_t size)
{
	const char *name = name_of(r, slot);

	if (!name && slot == CALL_UNKNOWN && !id)
		snprintf(buffer, size, "[unknown]");
	else if (!name)
		call_unnamed(kernel_arch(run_kernel(r)), (uint32_t)slot, id, buffer, size);
	return name ? name : buffer;
}

static void show(struct run *r, const struct record *record)
{
	const struct systrace_options *o = run_asked(r);
	const struct systrace_record *rec = record->bytes;
	const struct systrace_call *call = &rec->call;
	struct state *s = run_state(r);
	int64_t most = o->max_events;
	char buffer[32];
	const char *name = shown_name(r, call->slot, call->id, buffer, sizeof(buffer));
	size_t n;
	struct row row = {
		.record = rec, .tid = tid_of(call->pid_tgid), .pid = tgid_of(call->pid_tgid),
		.ret = call->plan & PLAN_NO_RETURN ? NOTHING : result_of(r, call, name),
		.comm = comm_text(call->comm), .name = word(name),
	};

	if (!run_wanted(r, rec) || (most && s->lines == most))
		return;
	arguments_text(rec, kernel_arch(run_kernel(r)), record->size >= sizeof(*rec), s->arguments,
		       sizeof(s->arguments));
	n = (size_t)snprintf(s->line, sizeof(s->line), "%s(%s)", name, s->arguments);
	row.error_name = word(failed(row.ret) ? error_of(row.ret) : NULL);
	add_result(&row, call, name, s->line + n, sizeof(s->line) - n);
	row.arguments = (struct text){ s->arguments, (uint32_t)strlen(s->arguments),
				       .quoted = true };
	row.line = (struct text){ s->line, (uint32_t)strlen(s->line), .quoted = true };
	output_row(run_output(r), &row);
	if (++s->lines == most)
		run_end(r);
}

/* --summary */

struct sum {
	struct systrace_key key;
	struct systrace_sums sums;
};

struct sums {
	struct sum *list;
	size_t n;
	bool failed;
};

static void add_sum(void *arg, const void *key, const void *value)
{
	struct sums *s = arg;

	if (array_room(&s->list, s->n, sizeof(*s->list))) {
		s->failed = true;
		return;
	}
	memcpy(&s->list[s->n].key, key, sizeof(s->list->key));
	memcpy(&s->list[s->n++].sums, value, sizeof(s->list->sums));
}

/* Thread by thread; of each the calls that took most come first. */
static int by_thread(const void *a, const void *b)
{
	const struct sum *x = a, *y = b;
	int order;

	if (x->key.pid_tgid != y->key.pid_tgid)
		return x->key.pid_tgid < y->key.pid_tgid ? -1 : 1;
	order = memcmp(x->key.comm, y->key.comm, sizeof(x->key.comm));
	if (order)
		return order;
	if (x->sums.took != y->sums.took)
		return x->sums.took < y->sums.took ? 1 : -1;
	return (int)x->key.slot - (int)y->key.slot;
}

static int summary(struct run *r, struct error *err)
{
	const struct systrace_options *o = run_asked(r);
	struct sums s = { };
	const char *named = o->name;
	int result;

	if (!o->summary)
		return 0;
	result = run_take(r, "sums", add_sum, &s, err);
	if (!result && s.failed)
		result = fail(err, "out of memory");
	if (s.n)
		qsort(s.list, s.n, sizeof(*s.list), by_thread);
	for (size_t i = 0; !result && i < s.n; i++) {
		const struct sum *at = &s.list[i];
		int64_t number = at->key.slot % CALLS;
		char buffer[32];
		struct row row = {
			.tid = tid_of(at->key.pid_tgid), .pid = tgid_of(at->key.pid_tgid),
			.comm = comm_text(at->key.comm),
			.name = word(shown_name(r, at->key.slot, number, buffer, sizeof(buffer))),
			.calls = (int64_t)at->sums.calls, .errors = (int64_t)at->sums.errors,
			.total_ms = (double)at->sums.took / 1e6,
			.least_ms = (double)at->sums.least / 1e6,
			.mean_ms = (double)at->sums.took / (double)at->sums.calls / 1e6,
			.most_ms = (double)at->sums.most / 1e6,
		};

		if (!named || comm_matches(row.comm, named))
			output_row(run_output(r), &row);
	}
	free(s.list);
	return result;
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	for (unsigned int i = 0; i < s->n_wanted; i++)
		if (s->wanted[i].pattern)
			expression_free(s->wanted[i].pattern);
}

/* support: bpf: full (4.9) | bpf, with BTF: full (4.7) | perf: [2] [19] | perf: [2] [19] */
TOOL(systrace, "processes", "trace system calls: their arguments, results and times",
	.shape = SHAPE_EVENTS,
	.programs = &systrace_programs,
	.options = options,
	.options_size = sizeof(struct systrace_options),
	.columns = columns,
	.parts = parts,
	.notes = "With perf, strings in memory are not read: addresses are shown instead.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.opened = opened,
	.record = show,
	.interval_end = summary,
	.cleanup = cleanup,
);
