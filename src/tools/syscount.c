// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/syscount.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "src/language/calls/calls.h"
#include "src/lib/output/sink.h"
#include "src/run/tools.h"
#include "src/toolkit/groups/groups.h"
#include "src/toolkit/numbered.h"
#include "src/toolkit/proc.h"

struct row {
	int64_t clock, number, pid, count;
	double time;
	struct text call, comm, cgroup;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES },
	{ "SYSCALL", "syscall", COLUMN_TEXT, -22, AT(call), .role = IS_IDENTITY,
	  .unless = "grouped", .help = "the call, -: not known" },
	{ "NR", "nr", COLUMN_INTEGER, 0, AT(number), .role = IS_LABEL, .unless = "grouped",
	  .readers = FOR_MACHINES },
	{ "PID", "pid", COLUMN_INTEGER, -6, AT(pid),
	  .option = "process", .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, -15, AT(comm),
	  .option = "process", .help = "name of the process" },
	{ "COUNT", "count", COLUMN_INTEGER, 8, AT(count), .help = "calls that returned" },
	{ "TIME (us)", "total_us", COLUMN_REAL, 16, AT(time), .digits = 3,
	  .option = "usecs", .help = "sum of their times, in microseconds (-L)" },
	{ "TIME (ms)", "total_ms", COLUMN_REAL, 16, AT(time), .digits = 6,
	  .option = "msecs", .help = "the same in milliseconds (-L -m)" },
	BY_CGROUP_COLUMN(AT(cgroup)),
	{ }
};

/* What the functions below read of the options. */
struct syscount_options {
	bool by_cgroup, latency, process, milliseconds, list;
	int64_t top;
	const char *error, *syscall;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct syscount_options, MEMBER)

static const struct option options[] = {
	{ 'p', "pid" },
	{ 't', "tid" },
	{ 'c', "ppid", "only children of these processes", OPTION_LIST, "PPID,...", 1, 4194304,
	  0 },
	{ 'i', "interval", "seconds between tables", OPTION_NUMBER, "SECONDS", 1, INT32_MAX, 0,
	  .positional = true },
	{ 'd', "duration" },
	{ 'T', "top", "show this many calls or processes", OPTION_NUMBER, "N", 1, INT32_MAX, 10,
	  TO(top) },
	{ 'x', "failed", "only calls that failed", OPTION_FLAG, .alias = "failures" },
	{ 'e', "errno", "only calls that failed with this error: ENOENT, 2", OPTION_TEXT, "ERRNO",
	  TO(error) },
	{ 'L', "latency", "show the calls' times too, and sort by them", OPTION_FLAG,
	  TO(latency) },
	{ 'm', "milliseconds", "with -L: times in milliseconds, not microseconds", OPTION_FLAG,
	  TO(milliseconds) },
	{ 'P', "process", "count by process, not by call", OPTION_FLAG, TO(process) },
	{ 0, BY_CGROUP, BY_CGROUP_HELP, OPTION_FLAG, .excludes = "process", TO(by_cgroup) },
	{ 'l', "list", "print the names of calls, and end", OPTION_FLAG, TO(list) },
	{ 0, "syscall", "only the call of this name", OPTION_TEXT, "NAME", TO(syscall) },
	{ }
};

static const struct example examples[] = {
	{ "sonde syscount", "which calls there are, until Ctrl-C" },
	{ "sonde syscount -L -p 181 -i 1", "where a process spends its time" },
	{ }
};

struct total {
	uint32_t slot;
	uint64_t tgid;
	const char *group;	/* --by-cgroup; NULL: unknown */
	char comm[16];
	bool first;		/* the name is that of the first thread, which prevails */
	uint64_t named;		/* calls under this name: else the name with most calls prevails */
	uint64_t count, time;
};

/* What an interval counted. */
struct totals {
	struct total *totals;
	size_t n, room;
	bool failed;
	struct groups groups;
};

static int error_number(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (end != text)
		return !*end && n > 0 && n < 4096 ? (int)n : -1;
	return errno_number(text);
}

/* The names of the kernel's own table, and of what only 32-bit tasks can call. */
static void list(struct run *r)
{
	const struct arch *arch = kernel_arch(run_kernel(r));

	for (uint32_t slot = 0; slot < CALL_UNKNOWN; slot++) {
		const char *name = call_name(arch, slot);
		uint32_t before = 0;

		while (name && before < slot && (!call_name(arch, before) ||
						 strcmp(name, call_name(arch, before))))
			before++;
		if (name && before == slot)
			fprintf(sink_out(), "%s\n", name);
	}
}

#define SLOTS_OF_NAME 6

/* The slots of the call that is asked for: 32-bit tasks have it in another one. */
struct asked_slots {
	uint32_t slots[SLOTS_OF_NAME];
	unsigned int n;
};

static void add_slot(void *arg, uint32_t slot)
{
	struct asked_slots *a = arg;

	if (a->n < SLOTS_OF_NAME)
		a->slots[a->n++] = slot;
}

static int ask_for_call(struct run *r, const char *call, struct error *err)
{
	struct asked_slots a = { };
	char name[] = "call_0";

	if (call && !calls_named(kernel_arch(run_kernel(r)), call, add_slot, &a))
		return fail(err, "syscount: --syscall: there is no call `%s`\n--list prints all "
			    "names; a number is taken as well", call);
	for (unsigned int i = 0; i < SLOTS_OF_NAME; i++, name[sizeof(name) - 2]++)
		run_constant(r, name, i < a.n ? a.slots[i] : CALL_SLOTS);
	run_constant(r, "call", call != NULL);
	run_constant(r, "syscall", call != NULL);
	return 0;
}

static void children_constants(struct run *r)
{
	const struct syscount_options *o = run_asked(r);
	const struct arch_tables *tables = &kernel_arch(run_kernel(r))->tables;
	const size_t n = sizeof(tables->makes_task) / sizeof(tables->makes_task[0]);
	char name[] = "makes_task_0";

	for (size_t i = 0; i < n; i++, name[sizeof(name) - 2]++)
		run_constant(r, name, tables->makes_task[i] ? tables->makes_task[i] : -1);
	run_constant(r, "returns", tables->makes_task[0] && !o->latency);
}

static int prepare(struct run *r, struct error *err)
{
	const struct syscount_options *o = run_asked(r);
	const char *text = o->error, *call = o->syscall;
	bool grouped = o->process || o->by_cgroup;
	bool milliseconds = o->milliseconds;
	int number = 0;

	if (o->list) {
		list(r);
		run_end(r);
		return 0;
	}
	if (text) {
		number = error_number(text);
		if (number < 0)
			return fail(err, "syscount: --errno: `%s` is not an error: it takes a "
				    "number, or a name such as ENOENT", text);
		run_constant(r, "failed", 1);
	}
	run_constant(r, "errno", number);
	run_constant(r, "interrupted", number == EINTR);
	if (ask_for_call(r, call, err))
		return -1;
	children_constants(r);
	run_constant(r, "grouped", grouped);
	run_constant(r, "slots", !grouped || call);
	run_constant(r, "by_call", !grouped);
	run_constant(r, "usecs", o->latency && !milliseconds);
	run_constant(r, "msecs", o->latency && milliseconds);
	return 0;
}

static struct total *new_total(struct totals *t)
{
	if (t->n == t->room) {
		size_t room = 2 * t->room + 64;
		struct total *more = realloc(t->totals, room * sizeof(*more));

		if (!more) {
			t->failed = true;
			return NULL;
		}
		t->totals = more;
		t->room = room;
	}
	return memset(&t->totals[t->n++], 0, sizeof(*t->totals));
}

static void add_call(void *arg, const void *key, const void *value)
{
	struct totals *t = arg;
	struct total *at = NULL;
	uint32_t i;
	uint64_t n;

	memcpy(&i, key, sizeof(i));
	memcpy(&n, value, sizeof(n));
	if (!n)
		return;
	for (size_t k = t->n; k-- > 0 && !at;)
		if (t->totals[k].slot == i / 2)
			at = &t->totals[k];
	if (!at && (at = new_total(t)))
		at->slot = i / 2;
	if (at)
		*(i % 2 ? &at->time : &at->count) += n;
}

static void add_process(void *arg, const void *key, const void *value)
{
	const struct syscount_key *k = key;
	struct total *at = new_total(arg);
	uint64_t n;

	memcpy(&n, value, sizeof(n));
	if (!at)
		return;
	at->tgid = k->tgid;
	memcpy(at->comm, k->comm, sizeof(at->comm));
	at->first = k->what & COUNTS_FIRST;
	*(k->what & COUNTS_TIME ? &at->time : &at->count) = n;
	at->named = at->count;
}

static int by_process(const void *a, const void *b)
{
	const struct total *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->tgid != y->tgid)
		return x->tgid < y->tgid ? -1 : 1;
	if (x->first != y->first)
		return x->first ? -1 : 1;
	if (x->named != y->named)
		return x->named < y->named ? 1 : -1;
	return memcmp(x->comm, y->comm, sizeof(x->comm));
}

/* From here on it is the group that tells totals apart. */
static void find_groups(struct run *r, struct totals *t)
{
	for (size_t i = 0; i < t->n; i++) {
		t->totals[i].group = groups_find(r, &t->groups, (int64_t)t->totals[i].tgid);
		t->totals[i].tgid = 0;
	}
}

/* A process may have several names: those of its threads, and the one before an exec. */
static void merge_processes(struct totals *t)
{
	size_t n = 0;

	if (t->n)
		qsort(t->totals, t->n, sizeof(*t->totals), by_process);
	for (size_t i = 0; i < t->n; i++) {
		if (n && t->totals[n - 1].tgid == t->totals[i].tgid &&
		    t->totals[n - 1].group == t->totals[i].group) {
			t->totals[n - 1].count += t->totals[i].count;
			t->totals[n - 1].time += t->totals[i].time;
		} else {
			t->totals[n++] = t->totals[i];
		}
	}
	t->n = n;
}

/* Ties are resolved by what never changes, so that the order is always the same. */
static int most_first(const void *a, const void *b)
{
	const struct total *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? 1 : -1;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	if (x->tgid != y->tgid)
		return x->tgid < y->tgid ? -1 : 1;
	return (int)x->slot - (int)y->slot;
}

static const char *shown_call(struct run *r, uint32_t slot, char *buffer, size_t size)
{
	const struct arch *arch = kernel_arch(run_kernel(r));
	const char *name = call_name(arch, slot);

	if (slot == CALL_UNKNOWN)
		return NULL;
	if (!name)
		call_unnamed(arch, slot, call_number(slot), buffer, size);
	return name ? name : buffer;
}

/*
 * What a process is called. If its first thread made no call, /proc knows the name of that, unless
 * the process is younger than the interval.
 */
static struct text process_name(struct run *r, const struct total *t, int64_t pid,
				char comm[PROC_COMM])
{
	struct text name = { };

	if (!t->first)
		name = proc_comm(r, pid, run_interval_began(r), comm);
	return name.s ? name : comm_text(t->comm);
}

static void show_totals(struct run *r, const struct totals *t)
{
	const struct syscount_options *o = run_asked(r);
	bool process = o->process, cgroup = o->by_cgroup;
	double unit = o->milliseconds ? 1e6 : 1e3;
	char buffer[PROC_COMM];

	for (size_t i = 0; i < t->n && i < (size_t)o->top; i++) {
		const struct total *at = &t->totals[i];
		const char *name = process || cgroup ? NULL :
				   shown_call(r, at->slot, buffer, sizeof(buffer));
		struct row row = {
			.clock = run_interval_clock(r),
			.number = at->slot == CALL_UNKNOWN ? NOTHING : at->slot % CALLS,
			.pid = at->tgid == UINT32_MAX ? NOTHING : (int64_t)at->tgid,
			.count = (int64_t)at->count,
			.time = (double)at->time / unit,
		};

		if (process)
			row.comm = process_name(r, at, row.pid, buffer);
		else if (name)
			row.call = text_of(name, 64);
		for (unsigned int turn = 0; output_turn(run_output(r), &turn);) {
			if (cgroup)
				row.cgroup = group_text(r, at->group);
			output_row(run_output(r), &row);
		}
	}
}

static int show(struct run *r, struct error *err)
{
	const struct syscount_options *o = run_asked(r);
	bool grouped = o->process || o->by_cgroup;
	struct totals t = { };
	int result = grouped ? run_take(r, "processes", add_process, &t, err) :
		     run_take(r, "calls", add_call, &t, err);

	if (!result && t.failed)
		result = fail(err, "out of memory");
	if (!result) {
		if (o->by_cgroup)
			find_groups(r, &t);
		if (grouped)
			merge_processes(&t);
		if (t.n)
			qsort(t.totals, t.n, sizeof(*t.totals), most_first);
		output_line(run_output(r), "[%s]", run_local(r, run_interval_clock(r)).time);
		output_heads(run_output(r));
		show_totals(r, &t);
		output_line(run_output(r), "%s", "");
	}
	groups_free(&t.groups);
	free(t.totals);
	return result;
}

/* support: bpf: full (4.9) | bpf, with BTF: full (4.7) | perf: full | perf: full */
TOOL(syscount, "processes", "count system calls, and how long they take",
	.banner = "Tracing syscalls... Hit Ctrl-C to end.",
	.shape = SHAPE_INTERVALS,
	.programs = &syscount_programs,
	.options = options,
	.options_size = sizeof(struct syscount_options),
	.columns = columns,
	.tables = true,
	.notes = "A call is counted when it returns: exit and exit_group never do.",
	.examples = examples,
	.prepare = prepare,
	.interval_end = show,
);
