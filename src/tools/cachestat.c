// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/cachestat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compat/base/scan.h"
#include "src/run/tools.h"
#include "src/toolkit/top.h"

struct row {
	int64_t clock, pid, uid, hits, misses, dirties;
	double ratio, buffers, cached;
	struct text comm;
};

/* What an interval counted of a process. */
struct process {
	struct cachestat_process key;
	int64_t counts[CACHE_COUNTS];
	struct row row;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock),
	  .option = "timestamp", .unless = "by-process", .help = "time of day" },
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock),
	  .option = "by-process", .readers = FOR_MACHINES },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .option = "by-process", .help = "process id" },
	{ "UID", "uid", COLUMN_INTEGER, -6, AT(uid), .option = "by-process", .help = "its user" },
	{ "COMM", "comm", COLUMN_TEXT, -16, AT(comm), .option = "by-process",
	  .help = "name of the task" },
	{ "HITS", "hits", COLUMN_INTEGER, 8, AT(hits), .unit = IN_PAGES,
	  .help = "pages found in the cache" },
	{ "MISSES", "misses", COLUMN_INTEGER, 8, AT(misses), .unit = IN_PAGES,
	  .help = "pages that were not in the cache, and were read" },
	{ "DIRTIES", "dirties", COLUMN_INTEGER, 8, AT(dirties), .unit = IN_PAGES,
	  .help = "pages that became dirty" },
	{ "HITRATIO", "hit_percent", COLUMN_REAL, 8, AT(ratio), .digits = 2, .suffix = "%",
	  .help = "HITS in percent of HITS and MISSES" },
	{ "BUFFERS_MB", "buffers_mb", COLUMN_REAL, 12, AT(buffers), .level = true,
	  .unless = "by-process",
	  .help = "Buffers of /proc/meminfo, in units of 1048576 bytes" },
	{ "CACHED_MB", "cached_mb", COLUMN_REAL, 10, AT(cached), .level = true,
	  .unless = "by-process",
	  .help = "Cached of it" },
	{ }
};

static const struct option_name sorts[] = { { "hits", 0 }, { "misses", 0 }, { "dirties", 0 }, { } };

/* What the functions below read of the options. */
struct cachestat_options {
	bool by_process, timestamp;
	const char *sort;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct cachestat_options, MEMBER)

static const struct option options[] = {
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG, TO(timestamp) },
	{ 0, "by-process", "a table of processes, as top shows it", OPTION_FLAG, TO(by_process) },
	{ 'p', "pid" },
	TOP_OPTIONS,
	{ 's', "sort", "the column to sort by (default hits)", OPTION_TEXT, "hits|misses|dirties",
	  .names = sorts, TO(sort) },
	{ }
};

static const struct example examples[] = {
	{ "sonde cachestat", "page cache hits and misses, each second" },
	{ "sonde cachestat --by-process", "by process, as top shows it" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	static const char *const of_tables[] = { "noclear", "maxrows", "sort", NULL };
	const struct cachestat_options *o = run_asked(r);
	const char *of_table = option_first(run_options(r), of_tables);
	bool by_process = o->by_process;

	run_constant(r, "tasks", by_process || run_filtered(r));
	run_constant(r, "sums", !by_process);
	if (of_table && !by_process)
		return fail(err, "cachestat: --%s goes with --by-process: without it each interval "
			    "is a line", of_table);
	return by_process && o->timestamp ?
	       fail(err, "cachestat: --timestamp and --by-process exclude each other: the time is "
		    "above each table") : 0;
}

static int started(struct run *r, struct error *err)
{
	const struct cachestat_options *o = run_asked(r);

	(void)err;
	if (!o->by_process)
		output_header(run_output(r));
	return 0;
}

static void read_meminfo(const struct run *r, struct row *row)
{
	FILE *f = run_is_live(r) ? fopen("/proc/meminfo", "re") : NULL;
	char *line = NULL;
	size_t size = 0;
	uint64_t kb;

	row->buffers = row->cached = NAN;
	while (f && getline(&line, &size, f) > 0) {
		const char *at = line;
		double *mb = scan_text(&at, "Buffers: ") ? &row->buffers :
			     scan_text(&at, "Cached: ") ? &row->cached : NULL;

		if (mb && scan_number(&at, UINT64_MAX, &kb))
			*mb = (double)kb / 1024;
	}
	free(line);
	if (f)
		fclose(f);
}

/*
 * Where the kernel tells what a page is added for, these are the misses, and all other accesses are
 * hits. Elsewhere pages added to the cache include those that are written: if pages became dirty,
 * nobody knows how many of them were added just then. There accesses include buffers that become
 * dirty. A column shows nothing if this kernel lacks the probe of one of its counters: 0 would be
 * wrong. A metric that lacks such intervals would be wrong, too: there is none.
 */
static struct row row_of(struct run *r, const int64_t counts[CACHE_COUNTS])
{
	bool exact = run_has_input(r, "cache.add", "gfp");
	bool access = run_has_hook(r, "cache.access") &&
		      (exact || run_has_hook(r, "cache.buffer"));
	bool add_dirty = run_has_hook(r, "cache.add") && run_has_hook(r, "cache.dirty");
	struct row row = {
		.clock = run_interval_clock(r), .hits = NOTHING, .misses = NOTHING,
		.dirties = NOTHING, .ratio = NAN,
	};
	int64_t total = counts[CACHE_ACCESS] - (exact ? 0 : counts[CACHE_BUFFER]);

	if (run_has_hook(r, "cache.dirty"))
		row.dirties = counts[CACHE_DIRTY];
	if (!exact && (!add_dirty || run_metrics(r) || (counts[CACHE_ADD] && counts[CACHE_DIRTY])))
		return row;
	row.misses = counts[CACHE_ADD];
	if (!access)
		return row;
	row.hits = total > row.misses ? total - row.misses : 0;
	total = row.hits + row.misses;
	row.ratio = total ? 100.0 * (double)row.hits / (double)total : 0;
	return row;
}

static int show_sums(struct run *r, struct error *err)
{
	int64_t counts[CACHE_COUNTS] = { };
	struct row row;

	if (run_take_counts(r, "counts", counts, CACHE_COUNTS, err))
		return -1;
	row = row_of(r, counts);
	read_meminfo(r, &row);
	output_row(run_output(r), &row);
	return 0;
}

/* ---- by process ---- */

static void add_process(void *arg, const void *key, const void *value)
{
	struct process *p = top_row(arg);

	if (!p)
		return;
	memcpy(&p->key, key, sizeof(p->key));
	if (p->key.counter < CACHE_COUNTS)
		memcpy(&p->counts[p->key.counter], value, sizeof(p->counts[0]));
	p->key.counter = p->key.epoch = 0;
}

static int by_task(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct cachestat_process));
}

static void merge(void *to, const void *row)
{
	for (int c = 0; c < CACHE_COUNTS; c++)
		((struct process *)to)->counts[c] += ((const struct process *)row)->counts[c];
}

/* The counters of a process become one row, in which the tasks of different names stay apart. */
static void make_rows(struct run *r, struct top *t)
{
	bool uid = run_has_input(r, "cache.access", "uid") || run_has_input(r, "cache.add", "uid");
	struct process *list;

	top_merge(t, by_task, merge);
	list = t->rows;
	for (size_t i = 0; i < t->n; i++) {
		list[i].row = row_of(r, list[i].counts);
		list[i].row.pid = list[i].key.tgid == UINT32_MAX ? NOTHING : list[i].key.tgid;
		list[i].row.uid = uid ? list[i].key.uid : NOTHING;
	}
}

static int most_first(const void *a, const void *b, size_t column)
{
	const struct process *x = a, *y = b;
	int64_t of_x, of_y;

	memcpy(&of_x, (const char *)&x->row + column, sizeof(of_x));
	memcpy(&of_y, (const char *)&y->row + column, sizeof(of_y));
	if (of_x != of_y)
		return of_x < of_y ? 1 : -1;
	if (x->counts[CACHE_ADD] != y->counts[CACHE_ADD])
		return x->counts[CACHE_ADD] < y->counts[CACHE_ADD] ? 1 : -1;
	return by_task(a, b);
}

static int by_hits(const void *a, const void *b)
{
	return most_first(a, b, AT(hits));
}

static int by_misses(const void *a, const void *b)
{
	return most_first(a, b, AT(misses));
}

static int by_dirties(const void *a, const void *b)
{
	return most_first(a, b, AT(dirties));
}

static void print(struct run *r, void *shown)
{
	struct process *p = shown;

	p->row.comm = comm_text(p->key.comm);
	output_row(run_output(r), &p->row);
}

static int show_processes(struct run *r, struct error *err)
{
	const struct cachestat_options *o = run_asked(r);
	const char *sort = o->sort;
	struct top t = { .size = sizeof(struct process) };

	if (top_take(r, "processes", add_process, &t, err))
		return -1;
	make_rows(r, &t);
	return top_show(r, &t, !sort || !strcmp(sort, "hits") ? by_hits :
			!strcmp(sort, "misses") ? by_misses : by_dirties, print, err);
}

static int show(struct run *r, struct error *err)
{
	const struct cachestat_options *o = run_asked(r);

	return o->by_process ? show_processes(r, err) : show_sums(r, err);
}

/* support: bpf: full (4.1) | bpf (4.7): [5] | perf, ftrace: full | perf, ftrace: [5] */
TOOL(cachestat, "memory", "count page cache hits, misses and dirtied pages",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &cachestat_programs,
	.options = options,
	.options_size = sizeof(struct cachestat_options),
	.columns = columns,
	.tables = true,
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.interval_end = show,
);
