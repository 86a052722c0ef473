// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/memleak.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/binaries/binaries.h"
#include "src/lib/memory/mappings.h"
#include "src/lib/memory/sums.h"
#include "src/lib/output/records.h"
#include "src/lib/output/sink.h"
#include "src/run/child.h"
#include "src/run/options/common.h"
#include "src/run/tools.h"
#include "src/toolkit/stacks/stacks.h"

#define MOST_MS 1000000000000
#define MOST_ENTRIES (1 << 26)

struct row {
	int64_t clock, pid, size;
	struct text comm, event, address;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, AT(clock), .help = "time of day" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, AT(comm), .help = "name of the task" },
	{ "EVENT", "event", COLUMN_TEXT, -6, AT(event),
	  .help = "alloc, free; held: not freed" },
	{ "ADDRESS", "address", COLUMN_TEXT, -18, AT(address), .role = IS_IDENTITY,
	  .help = "of the memory; for pages of the kernel, the number of the first" },
	{ "BYTES", "bytes", COLUMN_INTEGER, 12, AT(size), .help = "size in bytes" },
	{ }
};

/* What the functions below read of the options. */
struct memleak_options {
	bool show_allocs, trace, percpu, folded;
	int64_t max_size, min_size, allocations, sample_rate, most, older;
	const char *obj;
	struct option_list pid;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct memleak_options, MEMBER)

static const struct option options[] = {
	{ 'p', "pid", TO(pid) },
	{ 'c', "exec" },
	{ 't', "trace", "show each allocation and each release", OPTION_FLAG, TO(trace) },
	{ 'a', "show-allocs", "show each allocation that was not freed", OPTION_FLAG,
	  TO(show_allocs) },
	{ 'o', "older", "only memory that was not freed for MS milliseconds", OPTION_NUMBER, "MS",
	  0, MOST_MS, 500, TO(older) },
	{ 's', "sample-rate", "follow one of N allocations, chosen at random", OPTION_NUMBER,
	  "N", 1, INT32_MAX, 1, TO(sample_rate) },
	{ 'z', "min-size", "only allocations of at least this size", OPTION_NUMBER, "BYTES", 1,
	  INT64_MAX, 0, TO(min_size) },
	{ 'Z', "max-size", "only allocations of at most this size", OPTION_NUMBER, "BYTES",
	  1, INT64_MAX, 0, TO(max_size) },
	{ 'T', "most", "show the N largest stacks", OPTION_NUMBER, "N", 1, INT32_MAX, 10,
	  .alias = "top", TO(most) },
	{ 'O', "obj", "the allocator is in these libraries or programs", OPTION_TEXT, "PATH,...",
	  .joins = ',', TO(obj) },
	{ 'P', "percpu", "only per-CPU memory of the kernel", OPTION_FLAG, TO(percpu) },
	{ 0, "allocations", "room for N allocations", OPTION_NUMBER, "N", 1,
	  MOST_ENTRIES, 262144, TO(allocations) },
	{ 'f', "folded", TO(folded) },
	{ 0, "wa-missing-free", "does nothing: memory that is allocated again was freed",
	  OPTION_FLAG },
	{ }
};

static const struct example examples[] = {
	{ "sonde memleak -p 181", "memory that a process does not free" },
	{ "sonde memleak -a -c ./program", "memory that a program leaves at its end" },
	{ "sonde memleak 30 1", "the kernel, after 30 seconds" },
	{ }
};

static const struct tool_stacks stacks = {
	"allocs", { { "bytes", "bytes" }, { "allocations", "allocations" } },
	.key = &memleak_stack_layout, .value = &memleak_sum_layout, .state = true, .most = "most",
};

/* A process that has called exec: what it held before is gone. */
struct exec {
	uint32_t tgid;
	uint64_t time;
};

struct state {
	struct program_set set;
	struct map maps[8];
	bool user;			/* of processes; else the kernel's */
	struct mappings mappings;
	struct exec *execs;
	size_t n_execs;
	uint64_t losses, forgotten;	/* how many events, and calls that changed mappings */
	uint64_t unseen;		/* calls whose return was not */
	bool failed;			/* out of memory */
};

/* ---- what is traced ---- */

static const char *const functions[] = {
	"malloc", "calloc", "realloc", "mmap", "_Znwm", "_Znwj", NULL
};

/*
 * A program that has the allocator itself, because it is static, or has one of its own. If all that
 * are traced do, no library is looked for. A command may run others, which need them.
 */
static int add_programs(struct run *r, struct error *err)
{
	char *const *command = option_command(run_options(r));
	const struct memleak_options *o = run_asked(r);
	const struct option_list *pids = &o->pid;
	unsigned int found = 0;
	struct error why;
	char path[PATH_MAX];

	if (!run_is_live(r))
		return 0;
	for (unsigned int i = 0; i < pids->n; i++) {
		snprintf(path, sizeof(path), "/proc/%" PRId64 "/exe", pids->values[i]);
		found += !kernel_binary(run_kernel(r), "heap", path, functions, &why);
	}
	if (command) {
		if (child_file(*command, path))
			kernel_binary(run_kernel(r), "heap", path, functions, &why);
		return 0;
	}
	return found && found == pids->n ?
	       kernel_binary(run_kernel(r), "heap", NULL, functions, err) : 0;
}

static int check_options(struct run *r, const struct state *s, struct error *err)
{
	const struct common_options *common = common_of(run_options(r));
	const struct memleak_options *o = run_asked(r);
	const struct output_format *f = options_format(run_options(r));
	const bool each = o->show_allocs;
	int64_t most = o->max_size;

	if (most && most < o->min_size)
		return fail(err, "%s: --max-size is less than --min-size: no allocation has such "
				 "a size",
			    run_name(r));
	if (s->user && (common->tid.n || common->uid.n))
		return fail(err, "%s: --tid and --uid: any thread may free memory of another "
			    "one; name processes with --pid", run_name(r));
	if (f->one_table && (each || o->trace))
		return fail(err, "%s: --%s and --%s exclude each other: %s is one table, that of "
			    "stacks; take --json instead", run_name(r),
			    each ? "show-allocs" : "trace", f->option, f->title);
	if (s->user && o->percpu)
		return fail(err, "%s: --percpu: only the kernel has such memory, programs have not",
			    run_name(r));
	return 0;
}

/* As many entries as the user wants. */
static void make_maps(struct run *r, struct state *s)
{
	const struct memleak_options *o = run_asked(r);
	unsigned int n = 0;

	for (const struct map *m = s->set.maps; m->name; m++) {
		s->maps[n] = *m;
		if (!strcmp(m->name, "allocs"))
			s->maps[n].entries = (uint32_t)o->allocations;
		n++;
	}
	s->set.maps = s->maps;
}

static int prepare(struct run *r, struct error *err)
{
	const struct memleak_options *o = run_asked(r);
	const char *files = o->obj;
	struct state *s = run_state(r);

	s->user = o->pid.n > 0 || option_command(run_options(r)) || files;
	s->set = s->user ? memleak_user_programs : memleak_programs;
	make_maps(r, s);
	run_programs(r, &s->set);
	run_constant(r, "objects", !o->percpu);
	run_constant(r, "sampled", o->sample_rate > 1);
	run_constant(r, "page_size", sysconf(_SC_PAGESIZE));
	if (check_options(r, s, err))
		return -1;
	if (s->user && files)
		return run_binaries(r, "heap", files, functions, err);
	return s->user ? add_programs(r, err) : 0;
}

static int started(struct run *r, struct error *err)
{
	const struct memleak_options *o = run_asked(r);
	const struct state *s = run_state(r);

	(void)err;
	if (s->user && !run_has_hook(r, "aligned.return"))
		run_note(r, "allocations of posix_memalign() are missing: only a BPF program can "
			    "read where the call stores its address");
	if (!o->folded)
		output_line(run_output(r), "Tracing allocations that %s not freed... Hit Ctrl-C to "
					   "end.",
			    s->user ? "processes have" : "the kernel has");
	if (o->trace)
		run_table_head(r);
	return 0;
}

/* ---- what comes one by one ---- */

static void show_row(struct run *r, uint64_t time, uint32_t tgid, const char *comm,
		     const char *event, uint64_t address, uint64_t size)
{
	char text[24];
	struct row row = {
		.clock = run_wall_clock(r, time), .pid = tgid == UINT32_MAX ? NOTHING : tgid,
		.size = (int64_t)size, .comm = comm_text(comm),
		.event = text_of(event, strlen(event)),
	};

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	row.address = text_of(text, sizeof(text));
	output_row(run_output(r), &row);
}

static bool size_wanted(const struct memleak_options *o, uint64_t size)
{
	int64_t most = o->max_size;

	return size >= (uint64_t)o->min_size && (!most || size <= (uint64_t)most);
}

static bool note_exec(struct state *s, uint32_t tgid, uint64_t time)
{
	size_t i = 0;

	mappings_exec(&s->mappings, tgid, time);
	while (i < s->n_execs && s->execs[i].tgid != tgid)
		i++;
	if (i == s->n_execs) {
		if (array_room(&s->execs, s->n_execs, sizeof(*s->execs)))
			return false;
		s->n_execs++;
	}
	s->execs[i] = (struct exec){ tgid, time };
	return true;
}

static void record(struct run *r, const struct record *record)
{
	struct state *s = run_state(r);
	struct memleak_record of;
	bool done = true;

	memcpy(&of, record->bytes, sizeof(of));
	if (of.kind == MEMLEAK_EXEC)
		done = note_exec(s, (uint32_t)tgid_of(of.pid_tgid), of.time);
	else if (of.kind != MEMLEAK_ALLOC && of.kind != MEMLEAK_FREE)
		done = mappings_call(&s->mappings, &of,
				     size_wanted(run_asked(r), of.kind == MEMLEAK_MREMAP ?
						 of.length : of.size));
	else
		show_row(r, of.time, (uint32_t)tgid_of(of.pid_tgid), of.comm,
			 memleak_kinds[of.kind], of.address, of.size);
	s->failed |= !done;
}

static void held(struct run *r, struct stack_marks *marks)
{
	const struct state *s = run_state(r);

	for (size_t i = 0; i < s->mappings.n; i++)
		stack_marks_add_fields(marks, &memleak_held_layout, &s->mappings.list[i].held);
}

/* ---- what is held ---- */

struct view {
	struct run *r;
	const struct state *s;
	struct sums sums;
	uint64_t until;			/* what is younger is not shown */
	uint32_t process;		/* the last one that was looked for; */
	bool ended;
	bool each;			/* -a */
};

static bool is_gone(const struct state *s, uint32_t tgid, uint64_t time)
{
	for (size_t i = 0; i < s->n_execs; i++)
		if (s->execs[i].tgid == tgid)
			return time < s->execs[i].time;
	return false;
}

/* What a process of the command had when it ended it can't free any more, however young it is. */
static bool has_ended(struct view *v, uint32_t tgid)
{
	if (!option_command(run_options(v->r)) || !run_ids_are_procs(v->r))
		return false;
	if (v->process != tgid) {
		v->process = tgid;
		v->ended = kill((pid_t)tgid, 0) && errno == ESRCH;
	}
	return v->ended;
}

static void add(struct view *v, uint32_t tgid, uint64_t address, const struct memleak_held *held)
{
	if (held->time > v->until && !has_ended(v, tgid))
		return;
	if (v->each)
		show_row(v->r, held->time, tgid, held->comm, "held", address, held->size);
	sums_add(&v->sums, tgid, held);
}

static void add_held(void *arg, const void *key, const void *value)
{
	struct view *v = arg;
	struct memleak_held held;
	struct memleak_key of;

	memcpy(&of, key, sizeof(of));
	memcpy(&held, value, sizeof(held));
	if (!v->s->user)
		add(v, UINT32_MAX, of.address, &held);
	else if (!is_gone(v->s, of.tgid, held.time))
		add(v, of.tgid, of.address, &held);
}

static void add_mappings(struct view *v)
{
	const struct mappings *m = &v->s->mappings;

	for (size_t i = 0; i < m->n; i++) {
		struct memleak_held held = m->list[i].held;

		held.size = m->list[i].end - m->list[i].start;
		add(v, m->list[i].tgid, m->list[i].start, &held);
	}
}

/*
 * A call that unmapped something may be among the events that were lost. The engine forgets what
 * waits in its maps itself, where that was at stake.
 */
static void heed_losses(struct run *r, struct state *s, uint64_t now)
{
	const struct engine_stats stats = run_stats(r);
	uint64_t lost;

	lost = stats.lost + stats.late;
	if (lost == s->losses)
		return;
	s->losses = lost;
	s->forgotten += s->mappings.n;
	mappings_forget(&s->mappings, now);
}

static void add_unseen(void *arg, const void *key, const void *value)
{
	struct state *s = arg;
	uint64_t n;

	(void)key;
	memcpy(&n, value, sizeof(n));
	s->unseen += n;
}

static void show_head(struct run *r, const struct view *v)
{
	const struct memleak_options *o = run_asked(r);

	if (!o->folded)
		output_line(run_output(r), "[%s] Top %" PRId64 " stacks with outstanding "
			"allocations:",
			    run_local(r, run_interval_clock(r)).time, o->most);
	if (v->each)
		output_heads(run_output(r));
}

static int look(struct run *r, struct view *v, struct stack_list *list, struct error *err)
{
	struct state *s = run_state(r);

	if ((s->user && run_take(r, "unseen", add_unseen, s, err)) ||
	    run_take(r, stacks.map, add_held, v, err))
		return -1;
	add_mappings(v);
	for (size_t i = 0; i < v->sums.n; i++)
		stack_list_add(list, &v->sums.list[i].stack, &v->sums.list[i].sum);
	if (s->failed || v->sums.failed)
		return fail(err, "out of memory");
	return stack_list_print(list, err);
}

static int show(struct run *r, struct error *err)
{
	const struct memleak_options *o = run_asked(r);
	const uint64_t older = (uint64_t)o->older * 1000000;
	const uint64_t stopped = run_stopped(r), now = stopped ? stopped : run_now(r);
	struct state *s = run_state(r);
	struct stack_list *list = stack_list_new(r, &stacks);
	struct view v = {
		/* where the rings have a clock of their own, what has just come may be of later */
		.r = r, .s = s, .until = !older ? UINT64_MAX : now > older ? now - older : 0,
		.each = o->show_allocs,
	};
	int result = list ? 0 : fail(err, "out of memory");

	heed_losses(r, s, now);
	show_head(r, &v);
	if (!result)
		result = look(r, &v, list, err);
	sums_free(&v.sums);
	stack_list_free(list);
	return result;
}

static void finish(struct run *r)
{
	const struct state *s = run_state(r);

	if (s->unseen)
		fprintf(sink_err(), "sonde: %s: the returns of %llu calls were not seen: their "
				    "allocations are missing\n", run_name(r),
			(unsigned long long)s->unseen);
	if (s->losses && s->user)
		fprintf(sink_err(), "sonde: %s: events were lost: earlier allocations are not "
				    "known any more, %llu mappings among them\n", run_name(r),
			(unsigned long long)s->forgotten);
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	if (!s)
		return;
	mappings_free(&s->mappings);
	free(s->execs);
}

/* support: bpf: full (4.6) | bpf: full (4.7) | perf, ftrace: [2] | perf, ftrace: [2] */
TOOL(memleak, "memory", "memory that is not freed, by the stack that allocated it",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 5,
	.programs = &memleak_programs,
	.options = options,
	.options_size = sizeof(struct memleak_options),
	.columns = columns,
	.tables = true,
	.notes = "Without -p, -c or -O it shows the kernel's memory. The last stack has most "
		 "bytes that were not freed.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.started = started,
	.record = record,
	.held = held,
	.stacks = &stacks,
	.interval_end = show,
	.finish = finish,
	.cleanup = cleanup,
);
