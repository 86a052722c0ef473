// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/stacks/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/perf/side_band.h"
#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/kernel/doubt.h"
#include "compat/recordings/recording_changes.h"
#include "src/lib/output/records.h"
#include "src/lib/output/sink.h"
#include "src/run/options/common.h"
#include "src/toolkit/proc.h"
#include "src/toolkit/stacks/stacks_internal.h"

/* Records of the side band are handled when they are this old: then all older ones have arrived. */
#define SIDE_BAND_DELAY_NS 10000000

bool stacks_wanted(const struct run *r)
{
	for (const struct map *m = r->programs->maps; m && m->name; m++)
		if (m->kind == MAP_STACKS)
			return true;
	return false;
}

static bool is_traced(const struct run *r, uint32_t tgid)
{
	const struct filter *f = &r->filters.filter;

	for (unsigned int i = 0; i < f->n_processes; i++)
		if (f->processes[i] == tgid)
			return true;
	return !f->n_processes;
}

/*
 * A child of sonde that will be the command has its name before it executes it, but no row shows
 * what it does until then. It may have code where the command has code: no task of that name ran
 * it.
 */
static const char own_name[] = "[sonde]";

static uint32_t *place_of_own(struct stacks *s, uint32_t pid)
{
	for (unsigned int i = 0; i < OWN_MOST; i++)
		if (s->own[i] == pid)
			return &s->own[i];
	return NULL;
}

static void add_own(struct stacks *s, uint32_t pid)
{
	uint32_t *free_place = place_of_own(s, 0);

	if (!free_place)
		return;
	*free_place = pid;
	lives_seed(&s->lives, pid, own_name, true);
}

static void drop_own(struct stacks *s, uint32_t pid)
{
	uint32_t *place = place_of_own(s, pid);

	if (place)
		*place = 0;
}

/* Reads a thread's name from /proc. There it ends with a newline. */
static void seed_name(void *arg, uint32_t tid, uint32_t tgid, int threads)
{
	const struct run *r = arg;
	char path[32], name[PROC_COMM];
	int n;

	if (!is_traced(r, tgid) || place_of_own(stacks_of(r), tgid))
		return;
	snprintf(path, sizeof(path), "%u/comm", tid);
	n = file_begin(threads, path, name, sizeof(name));
	if (n <= 0)
		return;
	name[n - 1] = '\0';
	lives_seed(&stacks_of(r)->lives, tgid, name, tid == tgid);
}

/* It is read more than once. */
static int check_file(const char *path, struct error *err)
{
	struct stat st;

	if (stat(path, &st) || access(path, R_OK))
		return fail_with(err, errno, "can't read %s: %m", path);
	return S_ISREG(st.st_mode) ? 0 :
	       fail(err, "%s is no file: --kallsyms takes a copy of /proc/kallsyms", path);
}

static int check_folder(const char *path, struct error *err)
{
	struct stat st;

	if (stat(path, &st))
		return fail_with(err, errno, "can't read %s: %m", path);
	return S_ISDIR(st.st_mode) ? 0 :
	       fail(err, "%s is no folder: --symfs takes one with a copy of files", path);
}

struct symbols *run_symbols(const struct run *r, struct error *err)
{
	const struct symbols_setup setup = {
		.foreign = !run_ids_are_procs(r),
		.elsewhere = !run_is_live(r),
		.recording = r->recording,
		.kallsyms = common_of(r->options)->kallsyms,
		.symfs = common_of(r->options)->symfs,
		.mangled = common_of(r->options)->mangled,
	};
	struct symbols *symbols;

	if ((setup.kallsyms && check_file(setup.kallsyms, err)) ||
	    (setup.symfs && check_folder(setup.symfs, err)))
		return NULL;
	symbols = symbols_new(&setup);
	if (!symbols)
		fail(err, "out of memory");
	return symbols;
}

static int new_symbols(struct run *r, struct error *err)
{
	struct stacks *s = stacks_of(r);

	symbols_free(s->symbols);
	s->symbols = run_symbols(r, err);
	if (!s->symbols)
		return -1;
	if (!run_is_live(r))
		return 0;
	symbols_seed(s->symbols, r->filters.filter.processes, r->filters.filter.n_processes,
		     monotonic_ns());
	/* Without /proc, threads that were made before have no names. */
	if (s->side_band && proc_each_task(seed_name, r, err) && run_ids_are_procs(r))
		return -1;
	return 0;
}

static int stacks_attach(struct run *r, void **state, struct error *err)
{
	struct error why = { };
	struct stacks *s;

	if (!stacks_wanted(r))
		return 0;
	*state = s = calloc(1, sizeof(*s));
	if (!s)
		return fail(err, "out of memory");
	if (run_ids_are_procs(r))
		s->side_band = side_band_open(r->kernel, SIDE_BAND_OF_MAPPINGS, r->clock,
					      common_of(r->options)->verbose ? sink_err() :
					      NULL, &why);
	if (why.text[0])
		run_note(r, "functions of processes that end while they are traced have no names: "
			 "%s", why.text);
	if (r->recording)
		recording_follow(recording_of(r->kernel));
	if (r->child.pid)
		add_own(s, (uint32_t)r->child.pid);
	if (new_symbols(r, err))
		return -1;
	s->since = run_now(r);
	return 0;
}

static void on_event(void *arg, const struct side_band_event *e)
{
	struct stacks *s = arg;
	const struct symbols_mapping m = {
		.pid = e->pid, .time = e->time,
		.start = e->start, .length = e->end - e->start, .offset = e->offset,
		.major = e->major, .minor = e->minor,
		.inode = e->inode, .generation = e->generation,
		.code = true, .path = e->path,
	};

	switch (e->kind) {
	case SIDE_BAND_MAP:
		symbols_mapped(s->symbols, &m);
		break;
	case SIDE_BAND_EXEC:
		symbols_executed(s->symbols, e->pid, e->time);
		lives_exec(&s->lives, e->pid, e->time, e->path);
		drop_own(s, e->pid);
		break;
	case SIDE_BAND_NAME:
		if (!place_of_own(s, e->pid))
			lives_rename(&s->lives, e->pid, e->path);
		break;
	case SIDE_BAND_FORK:
		symbols_forked(s->symbols, e->parent, e->pid, e->time);
		lives_fork(&s->lives, e->parent, e->pid, e->time);
		if (e->parent == (uint32_t)getpid())
			add_own(s, e->pid);
		break;
	case SIDE_BAND_EXIT:
		symbols_exited(s->symbols, e->pid, e->time);
		lives_end(&s->lives, e->pid, e->time);
		drop_own(s, e->pid);
		break;
	case SIDE_BAND_THREAD:
	case SIDE_BAND_LEFT:
	case SIDE_BAND_NAMESPACES:
	case SIDE_BAND_CGROUP:
		break;
	}
}

/* What was recorded of processes up to a time of the run. */
static void follow_recording(struct run *r, uint64_t until)
{
	struct recording *recording = recording_of(r->kernel);
	const uint64_t now = run_now(r);
	const struct recorded_change *c;

	while ((c = recording_change(recording, until < now ? until : now)))
		stacks_changed(stacks_of(r), c);
}

/*
 * Reads the side band. After a loss all mappings and names may be wrong: they are read from /proc
 * again.
 */
static int follow(struct run *r, uint64_t until, struct error *err)
{
	struct stacks *s = stacks_of(r);

	if (r->recording)
		follow_recording(r, until);
	if (!s->side_band)
		return symbols_check(s->symbols, err);
	if (side_band_read(s->side_band, until, on_event, s, err))
		return -1;
	if (side_band_losses(s->side_band) != s->losses) {
		s->losses = side_band_losses(s->side_band);
		lives_lost(&s->lives, monotonic_ns());
		return new_symbols(r, err);
	}
	symbols_settle(s->symbols);
	return 0;
}

void stacks_learn(struct run *r)
{
	struct error err = { };

	follow(r, UINT64_MAX, &err);
}

int stacks_now(struct run *r, struct error *err)
{
	int result = follow(r, UINT64_MAX, err);

	lives_sort(&stacks_of(r)->lives);
	return result;
}

int stacks_reach(struct run *r, uint64_t time, struct error *err)
{
	struct stacks *s = stacks_of(r);

	if (time <= s->known)
		return 0;
	s->known = r->recording ? run_now(r) : monotonic_ns();
	return follow(r, UINT64_MAX, err);
}

int stacks_at(struct run *r, uint64_t time, struct error *err)
{
	if (stacks_reach(r, time, err))
		return -1;
	/* A record tells its own time and task, so no lives are kept. */
	lives_forget(&stacks_of(r)->lives, UINT64_MAX);
	return 0;
}

void stacks_forget(struct run *r, uint64_t before)
{
	lives_forget(&stacks_of(r)->lives, before);
}

int record_function(struct run *r, uint64_t time, int64_t pid, uint64_t address, bool user,
		    struct stack_frame *f, struct error *err)
{
	struct symbol symbol = { };

	if (stacks_at(r, time, err))
		return -1;
	if (!user)
		symbols_kernel(stacks_of(r)->symbols, address, false, &symbol);
	else if (pid > 0)
		symbols_user(stacks_of(r)->symbols, (uint32_t)pid, time, address, false, &symbol);
	*f = (struct stack_frame){
		.kind = user ? FRAME_USER : FRAME_KERNEL, .name = symbol.name,
		.module = symbol.module, .address = address, .offset = symbol.offset,
	};
	return 0;
}

int stacks_function(struct run *r, uint64_t pid_tgid, uint64_t time, uint64_t address,
		    struct symbol *symbol, struct error *err)
{
	const int64_t pid = tgid_of(pid_tgid);

	if (stacks_at(r, time, err))
		return -1;
	if (pid == NOTHING)
		return 0;
	symbols_want_user(stacks_of(r)->symbols, (uint32_t)pid, time, time, address, false);
	symbols_user(stacks_of(r)->symbols, (uint32_t)pid, time, address, false, symbol);
	return 0;
}

/* The rings of the side band must be read before they overflow. */
static int stacks_poll(struct run *r, struct error *err)
{
	return follow(r, monotonic_ns() - SIDE_BAND_DELAY_NS, err);
}

static int stacks_interval(struct run *r, struct error *err)
{
	return r->tool->stacks && !r->tool->interval_end ? stacks_show(r, r->tool->stacks, err) : 0;
}

static void mark_held(void *arg, struct stack_marks *marks)
{
	struct run *r = arg;

	if (r->tool->held)
		r->tool->held(r, marks);
}

/* Removes unused stacks, to make room for others. */
static int stacks_renew(struct run *r, bool taken, struct error *err)
{
	const struct stack_holders holders = { taken, run_record, r, mark_held };

	return r->backend->renew(r->engine, &holders, err);
}

static void stacks_free(void *state)
{
	struct stacks *s = state;

	side_band_close(s->side_band);
	symbols_free(s->symbols);
	lives_free(&s->lives);
	free(s);
}

static uint64_t absent(const struct run *r, unsigned int kind)
{
	const struct tool_stacks *of = r->tool->stacks;
	uint32_t divisor = of && of->values[0].divisor ? of->values[0].divisor : 1;

	return stacks_of(r)->absent[kind] / divisor;
}

/* The unit of absent(). */
static const char *absent_unit(const struct run *r)
{
	const struct tool_stacks *of = r->tool->stacks;

	if (!of)
		return "events";
	return strcmp(of->values[0].unit, "count") ? of->values[0].unit : "hits";
}

static void stacks_losses(const struct run *r, struct output_end *end)
{
	end->stacks_lost = absent(r, ABSENCE_LOST);
	end->stacks_unrecorded = absent(r, ABSENCE_UNRECORDED);
}

/* A recording has the stacks that it has. */
static const char *how_to_unwind(const struct run *r)
{
	if (!run_is_live(r))
		return "";
	return stacks_unwound(r) ? " (--unwind dwarf finds callers in files that have tables)" :
	       " (--unwind dwarf finds them)";
}

/* Reports the losses, and which names are unknown and why. */
static void stacks_report(struct run *r)
{
	const uint64_t lost = absent(r, ABSENCE_LOST);
	const uint64_t unrecorded = absent(r, ABSENCE_UNRECORDED);
	const struct stacks *s = stacks_of(r);
	const char *lacks;

	if (lost)
		fprintf(sink_err(), "sonde: %s: stacks were lost (%s: %llu): the table had no "
			"place (--stack-storage-size N makes it larger)\n", r->tool->name,
			absent_unit(r), (unsigned long long)lost);
	if (unrecorded)
		fprintf(sink_err(), "sonde: %s: the kernel did not record stacks (%s: %llu)\n",
			r->tool->name, absent_unit(r), (unsigned long long)unrecorded);
	if (s->lonely > s->user / 2)
		fprintf(sink_err(), "sonde: %s: most stacks of user space have one function "
			"only: programs or libraries were built without frame pointers, and "
			"callers are missing%s\n", r->tool->name, how_to_unwind(r));
	if (s->several)
		fprintf(sink_err(), "sonde: %s: some functions of user space are unknown: within "
			"an interval their process mapped other code at the same address, or ran "
			"another program (shorter intervals help)\n", r->tool->name);
	if (s->losses)
		fprintf(sink_err(), "sonde: %s: mappings of processes were lost: functions of "
				    "processes that have ended have no names\n", r->tool->name);
	lacks = symbols_kernel_lack(s->symbols);
	if (lacks)
		fprintf(sink_err(), "sonde: %s: functions of the kernel have no names: %s\n",
			r->tool->name, lacks);
	lacks = symbols_files_lack(s->symbols);
	if (lacks)
		fprintf(sink_err(), "sonde: %s: some functions of user space have no names: "
				    "%s\n",
			r->tool->name, lacks);
	lacks = r->recording && s->user ? recording_changes_lack(r->recording) : NULL;
	if (lacks)
		fprintf(sink_err(), "sonde: %s: %s\n", r->tool->name, lacks);
	lacks = common_of(r->options)->verbose ? NULL : symbols_unread(s->symbols);
	if (lacks)
		fprintf(sink_err(), "sonde: %s: names of functions are missing: %s\n",
			r->tool->name, lacks);
	lacks = common_of(r->options)->verbose ? symbols_lacks(s->symbols) : NULL;
	if (lacks)
		fprintf(sink_err(), "%s%s", lacks, lacks[0] && lacks[strlen(lacks) - 1] != '\n' ?
			"\n" : "");
}

const struct run_listener stacks_listener = {
	.request = stacks_request, .open = stacks_open, .attach = stacks_attach,
	.poll = stacks_poll, .interval = stacks_interval, .renew = stacks_renew,
	.losses = stacks_losses, .report = stacks_report, .free = stacks_free,
};
