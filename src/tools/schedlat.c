// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/schedlat.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "src/run/options/common.h"
#include "src/run/tools.h"
#include "src/toolkit/proc.h"
#include "src/toolkit/top.h"

struct row {
	struct top_group group;
	const struct schedlat_record *record;
	int64_t clock, tid, pid;
	int64_t run;			/* ns */
	uint64_t voluntary, involuntary, moves, delays, delay;
	uint64_t named;			/* stays under the name `comm` */
	uint64_t longest;		/* as in struct schedlat_times; 0: there was no wait */
	int64_t longest_end;		/* ns since the epoch */
	double run_ms, average_ms, max_ms;
	int64_t order;			/* --sort */
	char comm[16];
	struct text name;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES },
	{ "TID", "tid", COLUMN_INTEGER, -7, AT(tid), .unless = "merged", .help = "thread id" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .unless = BY_CGROUP, .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, AT(name), .unless = BY_CGROUP,
	  .help = "name of the task" },
	{ "RUN(ms)", "run_ms", COLUMN_REAL, 10, AT(run_ms), .digits = 3,
	  .help = "time that it was on a CPU" },
	{ "VOL", "voluntary", COLUMN_INTEGER, 7, AT(voluntary), .role = IS_COUNT,
	  .help = "switches: it went to sleep" },
	{ "INVOL", "involuntary", COLUMN_INTEGER, 7, AT(involuntary), .role = IS_COUNT,
	  .help = "switches: it could have run on" },
	{ "MOVES", "moves", COLUMN_INTEGER, 6, AT(moves), .role = IS_COUNT,
	  .help = "times that it came to another CPU" },
	{ "AVG(ms)", "avg_ms", COLUMN_REAL, 9, AT(average_ms), .digits = 3,
	  .help = "mean wait for a CPU" },
	{ "MAX(ms)", "max_ms", COLUMN_REAL, 9, AT(max_ms), .digits = 3,
	  .help = "longest wait for a CPU" },
	{ "MAX END", "max_end", COLUMN_CLOCK, 12, AT(longest_end), .digits = 2,
	  .help = "when that wait ended" },
	BY_CGROUP_COLUMN(AT(group.text)),
	{ }
}, stay_columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -16, .field = "time", .digits = 6,
	  .help = "--timehist: when it left the CPU" },
	{ "CPU", "cpu", COLUMN_INTEGER, 3, .field = "cpu" },
	{ "TID", "tid", COLUMN_INTEGER, -7, .field = "tid" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm" },
	{ "WAIT(ms)", "wait_ms", COLUMN_REAL, 10, .field = "off", .divisor = 1000000, .digits = 3,
	  .span = SPAN_PART, .help = "time off the CPUs before" },
	{ "DELAY(ms)", "delay_ms", COLUMN_REAL, 10, .field = "delay", .divisor = 1000000,
	  .span = SPAN_PART, .digits = 3, .help = "the part of it in which it waited for a CPU" },
	{ "RUN(ms)", "run_ms", COLUMN_REAL, 10, .field = "run", .divisor = 1000000, .digits = 3,
	  .span = SPAN_LENGTH, .help = "time on the CPU" },
	{ }
};

static const struct part parts[] = {
	{ &schedlat_record_layout, AT(record), .pointer = true },
	{ }
};

static const struct option_name orders[] = {
	{ "max", 0 }, { "run", 0 }, { "switch", 0 }, { "avg", 0 }, { "moves", 0 }, { }
};

/* What the functions below read of the options. */
struct schedlat_options {
	bool by_cgroup, timehist, pids;
	const char *name, *sort;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct schedlat_options, MEMBER)

static const struct option options[] = {
	TOP_OPTIONS,
	{ 's', "sort", "sort key (default max)", OPTION_TEXT, "max|run|switch|avg|moves",
	  .names = orders, TO(sort) },
	{ 'p', "pid" },
	{ 't', "tid" },
	{ 'n', "name", "only tasks with TEXT in their name", OPTION_TEXT, "TEXT", TO(name) },
	{ 'P', "pids", "a row for each process, not for each thread", OPTION_FLAG,
	  .excludes = BY_CGROUP, TO(pids) },
	{ 0, BY_CGROUP, BY_CGROUP_HELP, OPTION_FLAG, .excludes = "timehist", TO(by_cgroup) },
	{ 0, "timehist", "a line for each stay on a CPU instead of tables", OPTION_FLAG,
	  .excludes = "pids", TO(timehist) },
	{ }
};

static const struct example examples[] = {
	{ "sonde schedlat 5", "the longest waits in five seconds" },
	{ "sonde schedlat --timehist -p 181", "each stay on a CPU" },
	{ }
};

/* Time of a stay that goes on, which a table has counted: it is told again at its end. */
struct owed {
	uint64_t tid;
	uint64_t since;
	uint64_t ns;
	unsigned int ended;		/* tables since its end */
};
/* The last switch may have been lost: then the time is forgotten. */
#define OWED_TABLES 2

struct state {
	struct top top;
	struct owed *owed;
	size_t n_owed;
};

static int prepare(struct run *r, struct error *err)
{
	const struct schedlat_options *o = run_asked(r);
	bool stays = o->timehist;

	(void)err;
	run_constant(r, "sums", !stays);
	run_constant(r, "merged", o->pids || o->by_cgroup);
	if (stays)
		run_columns(r, stay_columns);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct schedlat_options *o = run_asked(r);

	(void)err;
	if (o->timehist)
		output_heads(run_output(r));
	return 0;
}

static bool name_wanted(const struct run *r, struct text name)
{
	const struct schedlat_options *o = run_asked(r);
	const char *text = o->name;

	return !text || comm_matches(name, text);
}

static void stay(struct run *r, const struct record *record)
{
	const struct schedlat_record *rec = record->bytes;
	const struct row row = { .record = rec };

	if (name_wanted(r, comm_text(rec->comm)))
		output_row(run_output(r), &row);
}

/* Tables. */

static struct row *row_of(struct top *t, int64_t tid)
{
	struct row *rows = t->rows;

	for (size_t i = 0; i < t->n; i++)
		if (rows[i].tid == tid)
			return &rows[i];
	return NULL;
}

static void add(void *arg, const void *k, const void *v)
{
	const struct schedlat_key *key = k;
	const struct schedlat_times *times = v;
	struct row *row = top_row(arg);

	if (!row)
		return;
	row->group.owner = (int64_t)key->owner;
	row->tid = key->tid;
	row->pid = tgid_of(key->pid_tgid);
	row->run = (int64_t)times->run;
	row->voluntary = times->voluntary;
	row->involuntary = times->involuntary;
	row->named = times->voluntary + times->involuntary;
	row->moves = times->moves;
	row->delays = times->delays;
	row->delay = times->delay;
	row->longest = times->longest;
	memcpy(row->comm, key->comm, sizeof(key->comm));
}

/* Rows of a task under several names, or of the threads of a process, become one. */
static int by_tid(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* A task may come to another control group. */
static int by_owner(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->tid != y->tid ? by_tid(a, b) : x->group.owner < y->group.owner ? -1 :
	       x->group.owner > y->group.owner;
}

static int by_pid(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	/* the first thread's name is the process's */
	if ((x->tid == x->pid) != (y->tid == y->pid))
		return x->tid == x->pid ? -1 : 1;
	return by_tid(a, b);
}

/* A task that changed its name has the one of most of its stays. */
static void choose_name(struct row *to, const struct row *from)
{
	if (from->tid != to->tid || from->named < to->named ||
	    (from->named == to->named && memcmp(from->comm, to->comm, sizeof(to->comm)) <= 0))
		return;
	to->named = from->named;
	memcpy(to->comm, from->comm, sizeof(to->comm));
}

static void add_row(void *sum, const void *row)
{
	const struct row *from = row;
	struct row *to = sum;

	choose_name(to, from);
	to->run += from->run;
	to->voluntary += from->voluntary;
	to->involuntary += from->involuntary;
	to->moves += from->moves;
	to->delays += from->delays;
	to->delay += from->delay;
	if (from->longest > to->longest)
		to->longest = from->longest;
}

static void merge(struct top *t, bool pids)
{
	struct row *rows = t->rows;
	size_t n = 0;

	if (t->n)
		qsort(rows, t->n, sizeof(*rows), pids ? by_pid : by_tid);
	for (size_t i = 0; i < t->n; i++) {
		struct row *last = n ? &rows[n - 1] : NULL;

		if (last && (pids && rows[i].pid != NOTHING ? last->pid == rows[i].pid :
			     last->tid == rows[i].tid))
			add_row(last, &rows[i]);
		else
			rows[n++] = rows[i];
	}
	t->n = n;
}

static bool listed(const struct option_list *ids, int64_t id)
{
	for (unsigned int i = 0; i < ids->n; i++)
		if (ids->values[i] == id)
			return true;
	return false;
}

/* Was this task asked for? Of a task that runs only its ids are known; in doubt it was not. */
static bool asked_for(const struct run *r, int64_t tid, int64_t pid)
{
	const struct common_options *o = common_of(run_options(r));

	return !run_filtered(r) || listed(&o->tid, tid) ||
		(pid != NOTHING && listed(&o->pid, pid));
}

static struct owed *owed_of(struct state *s, const struct schedlat_cpu *on)
{
	for (size_t i = 0; i < s->n_owed; i++)
		if (s->owed[i].tid == on->tid && s->owed[i].since == on->since)
			return &s->owed[i];
	if (array_room(&s->owed, s->n_owed, sizeof(*s->owed))) {
		s->top.failed = true;
		return NULL;
	}
	s->owed[s->n_owed] = (struct owed){ .tid = on->tid, .since = on->since };
	return &s->owed[s->n_owed++];
}

/*
 * The time up to now of a task that is on a CPU: a task that nobody takes its CPU from may stay
 * there for minutes, and a table without it would be wrong.
 */
static void add_running(struct run *r, const struct schedlat_cpu *on, uint64_t now)
{
	const struct schedlat_options *o = run_asked(r);
	struct state *s = run_state(r);
	struct row *row = row_of(&s->top, (int64_t)on->tid);
	int64_t pid = row ? row->pid : proc_tgid(r, (int64_t)on->tid);
	struct owed *owed;

	if (on->since >= now || !asked_for(r, (int64_t)on->tid, pid))
		return;
	owed = owed_of(s, on);
	if (!owed)
		return;
	owed->ended = 0;
	if (now - on->since <= owed->ns)
		return;
	/* The row of a task that came to another control group may be of the first one. */
	if (!row || o->by_cgroup) {
		row = top_row(&s->top);
		if (!row)
			return;
		row->tid = (int64_t)on->tid;
		row->group.owner = ~row->tid;
		row->pid = pid;
		memcpy(row->comm, on->comm, sizeof(on->comm));
	}
	row->run += (int64_t)(now - on->since - owed->ns);
	owed->ns = now - on->since;
}

/* Takes what earlier tables have counted off the stays that ended in this interval. */
static void settle(struct state *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_owed; i++) {
		struct owed *owed = &s->owed[i];
		struct row *row = owed->ended ? row_of(&s->top, (int64_t)owed->tid) : NULL;
		uint64_t part = row ? (uint64_t)row->run : 0;

		if (part > owed->ns)
			part = owed->ns;
		if (row) {
			row->run -= (int64_t)part;
			owed->ns -= part;
		}
		if (owed->ns && owed->ended <= OWED_TABLES)
			s->owed[n++] = *owed;
	}
	s->n_owed = n;
}

static void running(struct run *r)
{
	struct state *s = run_state(r);
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct schedlat_cpu on[2];
	uint64_t now;

	for (size_t i = 0; i < s->n_owed; i++)
		s->owed[i].ended++;
	for (uint32_t cpu = 0; run_is_live(r) && cpu < SCHED_CPUS && (long)cpu < cpus; cpu++) {
		if (run_get(r, "cpus", &cpu, &on[0]))
			continue;
		now = run_now(r);
		/* The entry is three numbers: read twice, it is that of one moment. */
		if (run_get(r, "cpus", &cpu, &on[1]) || memcmp(&on[0], &on[1], sizeof(on[0])))
			continue;
		if (on[0].tid && on[0].since)
			add_running(r, &on[0], now);
	}
	settle(s);
}

static int64_t order_of(const struct run *r, const struct row *row)
{
	const struct schedlat_options *o = run_asked(r);
	const char *sort = o->sort;

	if (!sort || !strcmp(sort, "max"))
		return (int64_t)(row->longest >> LONGEST_DELAY_SHIFT);
	if (!strcmp(sort, "run"))
		return row->run;
	if (!strcmp(sort, "switch"))
		return (int64_t)(row->voluntary + row->involuntary);
	if (!strcmp(sort, "moves"))
		return (int64_t)row->moves;
	return row->delays ? (int64_t)(row->delay / row->delays) : 0;
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	if (x->run != y->run)
		return x->run < y->run ? 1 : -1;
	return by_tid(a, b);
}

/* When the longest wait ended: the row has the lowest bits of that time. */
static int64_t longest_end(struct run *r, const struct row *row)
{
	uint64_t now = run_now(r) >> LONGEST_END_SHIFT;
	uint32_t ago = (uint32_t)now - (uint32_t)row->longest;

	if (!row->delays || ago > now)
		return NOTHING;
	return run_wall_clock(r, (now - ago) << LONGEST_END_SHIFT);
}

/* A name is wanted as the row shows it. Other rows are left out. */
static void prepare_rows(struct run *r, struct top *t)
{
	struct row *rows = t->rows;
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (name_wanted(r, comm_text(rows[i].comm)))
			rows[n++] = rows[i];
	}
	t->n = n;
	top_by_cgroup(r, t, add_row);
	for (size_t i = 0; i < t->n; i++)
		rows[i].order = order_of(r, &rows[i]);
}

static void print(struct run *r, void *shown)
{
	struct row *row = shown;
	uint64_t longest = row->longest >> LONGEST_DELAY_SHIFT;

	row->clock = run_interval_clock(r);
	row->name = comm_text(row->comm);
	row->run_ms = (double)row->run / 1e6;
	row->average_ms = row->delays ? (double)row->delay / (double)row->delays / 1e6 : NAN;
	row->max_ms = row->delays ? (double)longest / 1e3 : NAN;
	row->longest_end = longest_end(r, row);
	output_row(run_output(r), row);
}

static int show(struct run *r, struct error *err)
{
	const struct schedlat_options *o = run_asked(r);
	struct state *s = run_state(r);

	if (o->timehist)
		return 0;
	s->top.size = sizeof(struct row);
	if (top_take(r, "times", add, &s->top, err))
		return -1;
	if (o->by_cgroup)
		top_merge(&s->top, by_owner, add_row);
	else
		merge(&s->top, false);
	running(r);
	if (o->pids)
		merge(&s->top, true);
	prepare_rows(r, &s->top);
	return top_show(r, &s->top, most_first, print, err);
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	top_free(&s->top);
	free(s->owed);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(schedlat, "CPU", "how long tasks run and wait for a CPU, as top shows it",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &schedlat_programs,
	.options = options,
	.options_size = sizeof(struct schedlat_options),
	.columns = columns,
	.parts = parts,
	.tables = true,
	.notes = "A wait for a CPU begins when a task is woken up or preempted, and ends when it "
		 "runs.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.started = started,
	.record = stay,
	.interval_end = show,
	.cleanup = cleanup,
);
