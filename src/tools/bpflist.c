// SPDX-License-Identifier: GPL-2.0
/* BPF programs, maps and links that the kernel has, who holds them, and what programs cost. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/listing/bpf_objects.h"
#include "src/run/tools.h"

#define COMM 65

/* A process with its objects, or an object with the first process that has it open. */
struct row {
	int64_t clock, pid, count, id, uid, key, value, entries, program, runs, others;
	struct text comm, type, name, place;
	double kb, us, cpu;
	char names[COMM + 16 + 24];
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, 0, AT(clock), .option = "measured",
	  .readers = FOR_MACHINES, .help = "time of day at the interval's end, in JSON and CSV" },
	{ "ID", "id", COLUMN_INTEGER, -6, AT(id), .role = IS_IDENTITY, .option = "objects",
	  .help = "its number" },
	{ "TYPE", "type", COLUMN_TEXT, -22, AT(type), .role = IS_IDENTITY, .option = "objects",
	  .help = "its type, as libbpf names it" },
	{ "NAME", "name", COLUMN_TEXT, -16, AT(name), .option = "objects", .unless = "links",
	  .help = "its name, -: none" },
	{ "UID", "uid", COLUMN_INTEGER, -6, AT(uid), .option = "programs",
	  .help = "user that loaded it" },
	{ "KEY", "key_bytes", COLUMN_INTEGER, -5, AT(key), .option = "maps",
	  .help = "bytes of a key" },
	{ "VALUE", "value_bytes", COLUMN_INTEGER, -6, AT(value), .option = "maps",
	  .help = "bytes of a value" },
	{ "ENTRIES", "entries", COLUMN_INTEGER, -9, AT(entries), .role = IS_COUNT, .option = "maps",
	  .help = "entries at most" },
	{ "PROG", "prog", COLUMN_INTEGER, -6, AT(program), .role = IS_IDENTITY, .option = "linked",
	  .help = "id of its program" },
	{ "KB", "kb", COLUMN_REAL, -8, AT(kb), .digits = 0, .option = "sized",
	  .help = "memory that the kernel charges for it" },
	{ "RUNS", "runs", COLUMN_INTEGER, -9, AT(runs), .role = IS_COUNT, .option = "measured",
	  .help = "runs in the interval" },
	{ "us/RUN", "us_per_run", COLUMN_REAL, -8, AT(us), .digits = 3, .unit = IN_US,
	  .option = "measured", .help = "microseconds of a run, -: none" },
	{ "CPU%", "cpu_percent", COLUMN_REAL, -7, AT(cpu), .digits = 3, .option = "measured",
	  .help = "share of one CPU" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid),
	  .help = "process that has it open, -: none has" },
	{ "COMM", "comm", COLUMN_TEXT, -16, AT(comm), .help = "its name" },
	{ "TYPE", "type", COLUMN_TEXT, -6, AT(type), .role = IS_IDENTITY, .option = "counts",
	  .unless = "probes", .help = "prog, map or link" },
	{ "TYPE", "type", COLUMN_TEXT, -14, AT(type), .role = IS_IDENTITY, .option = "probes",
	  .help = "prog, map or link, or kprobe, uprobe, tracepoint and the like" },
	{ "COUNT", "count", COLUMN_INTEGER, 0, AT(count), .option = "counts",
	  .help = "how many of this type" },
	{ "PLACE", "place", COLUMN_TEXT, 0, AT(place), .option = "places",
	  .help = "where a program runs: a function of the kernel, FILE:OFFSET, a tracepoint" },
	{ "OTHERS", "others", COLUMN_INTEGER, 0, AT(others), .role = IS_COUNT, .option = "objects",
	  .help = "how many other processes have it open" },
	{ }
};

/* What the functions below read of the options. */
struct bpflist_options {
	bool top, time, maps, links, programs, interval_given;
	int64_t probes, interval;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct bpflist_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct bpflist_options, MEMBER)

static const struct option options[] = {
	{ 'P', "programs", "list programs", OPTION_FLAG, .excludes = "maps", TO(programs) },
	{ 'M', "maps", "list maps", OPTION_FLAG, .excludes = "links", TO(maps) },
	{ 'L', "links", "list links", OPTION_FLAG, .excludes = "programs", TO(links) },
	{ 't', "time", "show how often programs run, and the costs", OPTION_FLAG,
	  .excludes = "maps", TO(time) },
	{ 0, "top", "the same again and again, until Ctrl-C", OPTION_FLAG, .excludes = "maps",
	  TO(top) },
	{ 'v', "probes", "also count kprobes, uprobes and tracepoints; -vv: list them",
	  OPTION_FLAG, TO(probes) },
	{ 'i', "interval", "seconds to measure for", OPTION_NUMBER, "SECONDS", 1, 86400, 1,
	  TO(interval), GIVEN(interval_given) },
	{ }
};

static const struct example examples[] = {
	{ "sonde bpflist", "which processes use BPF" },
	{ "sonde bpflist --top", "costs of BPF programs, each second" },
	{ }
};

struct found {
	struct bpf_object *objects;
	struct bpf_holder *holders;	/* each process once for each object */
	struct bpf_holder *events;	/* perf events with programs: each descriptor */
	int n, n_holders, n_events;
	unsigned int denied;		/* processes that this user may not look into */
};

static int by_holder(const void *a, const void *b)
{
	const struct bpf_holder *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->id == y->id ? 0 : x->id < y->id ? -1 : 1;
}

static int by_event(const void *a, const void *b)
{
	const struct bpf_holder *x = a, *y = b;
	int order;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	order = strcmp(x->event, y->event);
	return order ? order : x->fd < y->fd ? -1 : 1;
}

static int keep_events(struct found *f, struct error *err)
{
	f->events = calloc((size_t)f->n_holders + 1, sizeof(*f->events));
	if (!f->events)
		return fail(err, "out of memory");
	for (int i = 0; i < f->n_holders; i++)
		if (f->holders[i].event)
			f->events[f->n_events++] = f->holders[i];
	qsort(f->events, (size_t)f->n_events, sizeof(*f->events), by_event);
	return 0;
}

static int find_holders(struct found *f, struct error *err)
{
	int n = 0;

	f->n_holders = bpf_holders(&f->holders, &f->denied, err);
	if (f->n_holders < 0 || keep_events(f, err))
		return -1;
	if (f->n_holders)
		qsort(f->holders, (size_t)f->n_holders, sizeof(*f->holders), by_holder);
	for (int i = 0; i < f->n_holders; i++)
		if (!f->holders[i].id || !n ||
		    by_holder(&f->holders[i], &f->holders[n - 1]))
			f->holders[n++] = f->holders[i];
	f->n_holders = n;
	return 0;
}

static void found_free(struct found *f)
{
	free(f->objects);
	free(f->holders);
	free(f->events);
	*f = (struct found){ };
}

static struct text comm_of(int64_t pid, char comm[COMM])
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/%lld/comm", (long long)pid);
	return file_line(path, comm, COMM) ? text_of(comm, COMM) : (struct text){ };
}

static bool is_held(const struct found *f, const struct bpf_object *o)
{
	for (int i = 0; i < f->n_holders; i++)
		if (f->holders[i].kind == o->kind && f->holders[i].id == o->id)
			return true;
	return false;
}

static const char *const kind_names[BPF_KINDS] = { "prog", "map", "link" };

static void show_count(struct run *r, int64_t pid, const char *type, int64_t count)
{
	char comm[COMM];
	struct row row = { .pid = pid, .count = count, .type = text_of(type, 16) };

	if (pid != NOTHING)
		row.comm = comm_of(pid, comm);
	output_row(run_output(r), &row);
}

static void show_place(struct run *r, const struct bpf_holder *h)
{
	char comm[COMM], place[512];
	struct row row = { .pid = h->pid, .type = text_of(h->event, 16), .program = h->id };

	bpf_event_place(h, place, sizeof(place));
	row.comm = comm_of(h->pid, comm);
	if (*place)
		row.place = text_of(place, sizeof(place));
	output_row(run_output(r), &row);
}

/* A row for each perf event that has a program with -vv, else for each process and type. */
static void show_events(struct run *r, const struct found *f, bool each)
{
	for (int i = 0, n = 1; i < f->n_events; i++, n++) {
		const struct bpf_holder *h = &f->events[i];

		if (each) {
			show_place(r, h);
			continue;
		}
		if (i + 1 < f->n_events && h[1].pid == h->pid && h[1].event == h->event)
			continue;
		show_count(r, h->pid, h->event, n);
		n = 0;
	}
}

/* A row for each process and kind. */
static void show_held(struct run *r, const struct found *f)
{
	for (int i = 0, n = 1; i < f->n_holders; i++, n++) {
		const struct bpf_holder *h = &f->holders[i];

		if (i + 1 < f->n_holders && h[1].pid == h->pid && h[1].kind == h->kind)
			continue;
		show_count(r, h->pid, kind_names[h->kind], n);
		n = 0;
	}
}

/* A row for each kind that nobody has open. */
static void show_others(struct run *r, struct found *f)
{
	struct error why;

	for (enum bpf_kind kind = 0; kind < BPF_KINDS; kind++) {
		int64_t alone = 0;

		f->n = bpf_objects(kind, &f->objects, &why);
		if (f->n < 0 && kind == BPF_KIND_PROGRAM)
			run_note(r, "objects that no process has open are missing: %s", why.text);
		for (int i = 0; i < f->n; i++)
			alone += !is_held(f, &f->objects[i]);
		if (alone)
			show_count(r, NOTHING, kind_names[kind], alone);
		free(f->objects);
		f->objects = NULL;
	}
}

static int by_process(struct run *r, struct error *err)
{
	const struct bpflist_options *o = run_asked(r);
	const unsigned int events = o->probes;
	struct found f = { };
	const int result = find_holders(&f, err);

	if (!result && f.denied)
		run_note(r, "%u processes are missing, because only root may look into them",
			 f.denied);
	if (!result && events < 2)
		show_held(r, &f);
	if (!result && events)
		show_events(r, &f, events > 1);
	if (!result && events < 2)
		show_others(r, &f);
	found_free(&f);
	return result;
}

static void fill(struct row *row, const struct found *f, const struct bpf_object *o)
{
	const char *type = bpf_type_name(o->kind, o->type);
	int64_t holders = 0;

	*row = (struct row){ .id = o->id, .uid = o->uid, .key = o->key_size, .pid = NOTHING,
			     .value = o->value_size, .entries = o->entries,
			     .program = o->program ? o->program : NOTHING,
			     .kb = o->has_memory ? (double)o->memory / 1024 : NAN };
	if (!type)
		snprintf(row->names, 24, "%u", o->type);
	row->type = type ? text_of(type, strlen(type)) : text_of(row->names, 24);
	memcpy(row->names + 24, o->name, sizeof(o->name));
	row->name = comm_text(row->names + 24);
	for (int i = 0; i < f->n_holders; i++) {
		const struct bpf_holder *h = &f->holders[i];

		if (h->kind != o->kind || h->id != o->id)
			continue;
		if (!holders++) {
			row->pid = h->pid;
			row->comm = comm_of(h->pid, row->names + 40);
		}
	}
	row->others = holders ? holders - 1 : 0;
}

static int find(struct found *f, enum bpf_kind kind, struct error *err)
{
	struct error why;

	f->n = bpf_objects(kind, &f->objects, &why);
	if (f->n < 0)
		return fail_with(err, why.number, "bpflist: %s", why.text);
	return find_holders(f, err);
}

static int list_objects(struct run *r, enum bpf_kind kind, struct error *err)
{
	struct found f = { };
	struct row row;
	int result = find(&f, kind, err);

	for (int i = 0; !result && i < f.n; i++) {
		fill(&row, &f, &f.objects[i]);
		output_row(run_output(r), &row);
	}
	found_free(&f);
	return result;
}

struct cost {
	const struct bpf_object *program;
	uint64_t runs, ns;
};

static int by_cost(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->program->id < y->program->id ? -1 : 1;
}

/* What each program has done since `before`; a program that is new since then began with 0. */
static int show_costs(struct run *r, const struct found *before, const struct found *f, int64_t ns,
		      struct error *err)
{
	struct cost *costs = calloc((size_t)f->n + 1, sizeof(*costs));
	int64_t clock = clock_ns(CLOCK_REALTIME);

	if (!costs)
		return fail(err, "out of memory");
	for (int i = 0, j = 0; i < f->n; i++) {
		const struct bpf_object *o = &f->objects[i];

		costs[i] = (struct cost){ o, o->runs, o->run_ns };
		while (j < before->n && before->objects[j].id < o->id)
			j++;
		if (j < before->n && before->objects[j].id == o->id) {
			costs[i].runs -= before->objects[j].runs;
			costs[i].ns -= before->objects[j].run_ns;
		}
	}
	qsort(costs, (size_t)f->n, sizeof(*costs), by_cost);
	for (int i = 0; i < f->n; i++) {
		struct row row;

		fill(&row, f, costs[i].program);
		row.clock = clock;
		row.runs = (int64_t)costs[i].runs;
		row.us = row.runs ? (double)costs[i].ns / 1e3 / (double)row.runs : NAN;
		row.cpu = 100 * (double)costs[i].ns / (double)ns;
		output_row(run_output(r), &row);
	}
	free(costs);
	return 0;
}

static int measure(struct run *r, struct error *err)
{
	const struct bpflist_options *o = run_asked(r);
	const volatile sig_atomic_t *stop = kernel_stop(run_kernel(r));
	int64_t seconds = o->interval;
	bool again = o->top;
	struct found before = { }, now = { };
	struct error why;
	int fd = bpf_statistics(&why), result;
	int64_t began;

	if (fd == -2)
		return fail_with(err, why.number, "bpflist: %s", why.text);
	began = clock_ns(CLOCK_MONOTONIC);
	result = find(&before, BPF_KIND_PROGRAM, err);
	while (!result) {
		int64_t ended;

		sleep((unsigned int)seconds);	/* a signal ends it */
		ended = clock_ns(CLOCK_MONOTONIC);
		result = find(&now, BPF_KIND_PROGRAM, err);
		output_heads(run_output(r));
		if (!result)
			result = show_costs(r, &before, &now, ended - began, err);
		found_free(&before);
		before = now;
		now = (struct found){ };
		began = ended;
		if (!again || (stop && *stop))
			break;
		if (output_flush(run_output(r)))
			break;			/* nobody reads any more */
		output_line(run_output(r), "%s", "");
	}
	found_free(&before);
	found_free(&now);
	if (fd >= 0)
		close(fd);
	return result;
}

static int prepare(struct run *r, struct error *err)
{
	const struct bpflist_options *o = run_asked(r);
	bool measured = o->time || o->top;
	bool maps = o->maps, links = o->links, objects;
	const unsigned int times = o->probes;

	if (measured && links)
		return fail(err, "bpflist: --links and --time exclude each other: programs run, "
			    "and links do not");
	if (o->interval_given && !measured)
		return fail(err, "bpflist: --interval is the time to measure for: it takes --time "
			    "or --top");
	objects = measured || maps || links || o->programs;
	if (objects && times)
		return fail(err, "bpflist: --probes goes with counts, or alone as -vv: without "
			    "it programs, maps and links are listed");
	run_constant(r, "measured", measured);
	run_constant(r, "objects", objects);
	run_constant(r, "counts", !objects && times < 2);
	run_constant(r, "linked", links || times > 1);
	run_constant(r, "places", times > 1);
	run_constant(r, "sized", !measured && (maps || o->programs));
	return 0;
}

static int list(struct run *r, struct error *err)
{
	const struct bpflist_options *o = run_asked(r);

	if (o->time || o->top)
		return measure(r, err);
	output_header(run_output(r));
	if (o->programs)
		return list_objects(r, BPF_KIND_PROGRAM, err);
	if (o->maps)
		return list_objects(r, BPF_KIND_MAP, err);
	if (o->links)
		return list_objects(r, BPF_KIND_LINK, err);
	return by_process(r, err);
}

static const struct program programs[] = { { } };
static const struct map maps[] = { { } };
static const struct program_set none = { programs, maps };

/* support: full (5.8) | full (5.8) | full (5.8) | full (5.8) */
TOOL(bpflist, "functions", "list BPF programs, maps and links: holders and costs",
	.shape = SHAPE_INTERVALS,
	.programs = &none,
	.options = options,
	.options_size = sizeof(struct bpflist_options),
	.columns = columns,
	.notes = "It traces nothing. Programs that were loaded by others are listed as well.",
	.examples = examples,
	.prepare = prepare,
	.list = list,
);
