// SPDX-License-Identifier: GPL-2.0
/* numasched and numamove: tasks, and pages of memory, that move between NUMA nodes. */
#include "insns/programs/numasched.h"

#include <stdio.h>
#include <stdlib.h>

#include "compat/base/cpus.h"
#include "src/run/tools.h"
#include "src/toolkit/tgids.h"

#define NODES "/sys/devices/system/node/"

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time", .help = "time of day" },
	{ "PID", "pid", COLUMN_INTEGER, -8, .field = "pid", .help = "process id" },
	{ "TID", "tid", COLUMN_INTEGER, -8, .field = "tid", .help = "thread id" },
	{ "SRC_NID", "src_nid", COLUMN_INTEGER, -8, .field = "source", .role = IS_IDENTITY,
	  .help = "node that the task leaves" },
	{ "DST_NID", "dst_nid", COLUMN_INTEGER, -8, .field = "target", .role = IS_IDENTITY,
	  .help = "node that it goes to" },
	{ "REASON", "reason", COLUMN_TEXT, -6, .field = "reason",
	  .help = "NUMA balancing: move, or swap with another task; else other" },
	{ "COMM", "comm", COLUMN_TEXT, 0, .field = "comm", .help = "name of the task" },
	{ }
};

static const struct option options[] = {
	{ 'p', "pid" },
	{ 't', "tid" },
	{ 'c', "name", .alias = "comm" },
	{ }
};

static const struct example examples[] = {
	{ "sonde numasched", "tasks that move between nodes" },
	{ "sonde numasched -p 181", "threads of one process" },
	{ }
};

/* Puts 1 + node into the map, for each of its CPUs. Returns how many these are, -1 and err. */
static int put_node(struct run *r, uint32_t node, struct error *err)
{
	unsigned int first, last;
	int n = 0;
	char path[64];
	const char *text;
	const uint32_t value = node + 1;

	snprintf(path, sizeof(path), NODES "node%u/cpulist", node);
	text = kernel_text(run_kernel(r), path);
	while (text && cpu_list_range(&text, &first, &last))
		for (uint32_t cpu = first; cpu <= last && cpu < NUMA_CPUS; cpu++, n++)
			if (run_set(r, "nodes", &cpu, &value, err))
				return -1;
	return n;
}

/* `set`: also fills the map. */
static int need_nodes(struct run *r, bool set, struct error *err)
{
	const char *text = kernel_text(run_kernel(r), NODES "online");
	const unsigned int all = cpu_list_count(text);
	unsigned int first, last;

	if (!text)
		return fail(err, "%s: the NUMA nodes are unknown: there is no " NODES "online",
			    run_name(r));
	if (all < 2)
		return fail(err, "%s: this machine has one NUMA node: there is nothing to move "
			    "between", run_name(r));
	while (set && cpu_list_range(&text, &first, &last))
		for (uint32_t node = first; node <= last; node++)
			if (put_node(r, node, err) < 0)
				return -1;
	return 0;
}

static int opened(struct run *r, struct error *err)
{
	return need_nodes(r, true, err);
}

static int started(struct run *r, struct error *err)
{
	return tgids_fill(r, err);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full (3.13) |
 *	    perf, ftrace: full (3.13) */
TOOL(numasched, "CPU", "trace tasks that move between NUMA nodes",
	.shape = SHAPE_EVENTS,
	.programs = &numasched_programs,
	.options = options,
	.columns = columns,
	.parts = RECORD_AS_ROW(numasched_record),
	.notes = "CPUs that come online during the run have no node: moves from and to them are "
		 "not shown.",
	.examples = examples,
	.opened = opened,
	.started = started,
);

struct moved {
	int64_t pages;			/* of /proc/vmstat; -1: unknown */
};

struct move_row {
	int64_t clock, calls, pages;
	double ms;
};

#define AT(MEMBER) offsetof(struct move_row, MEMBER)

static const struct column move_columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -10, AT(clock), .help = "end of the interval" },
	{ "NUMA_migrations", "migrations", COLUMN_INTEGER, 18, AT(calls), .role = IS_COUNT,
	  .help = "calls that move a page, or a larger piece, to the node of its user" },
	{ "NUMA_migrations_ms", "migrations_ms", COLUMN_REAL, 19, AT(ms), .digits = 3,
	  .help = "milliseconds in these calls" },
	{ "PAGES", "pages", COLUMN_INTEGER, 10, AT(pages),
	  .help = "pages that were moved, by the kernel's own count; -: unknown" },
	{ }
};

static const struct example move_examples[] = {
	{ "sonde numamove", "each second" },
	{ "sonde numamove 10 6", "each ten seconds, for a minute" },
	{ }
};

static int64_t pages_migrated(const struct run *r)
{
	static const char name[] = "\nnuma_pages_migrated ";
	char *text = run_is_live(r) ? kernel_read(run_kernel(r), "/proc/vmstat", NULL) : NULL;
	const char *at = text ? strstr(text, name) : NULL;
	const int64_t n = at ? strtoll(at + strlen(name), NULL, 10) : -1;

	free(text);
	return n;
}

static int move_opened(struct run *r, struct error *err)
{
	return run_is_live(r) ? need_nodes(r, false, err) : 0;
}

static int move_started(struct run *r, struct error *err)
{
	struct moved *s = run_state(r);

	(void)err;
	s->pages = pages_migrated(r);
	output_header(run_output(r));
	return 0;
}

static int show_moves(struct run *r, struct error *err)
{
	struct moved *s = run_state(r);
	int64_t counts[NUMA_COUNTS] = { 0 }, pages = pages_migrated(r);
	struct move_row row = { .clock = run_interval_clock(r) };

	if (run_take_counts(r, "counts", counts, NUMA_COUNTS, err))
		return -1;
	row.calls = counts[NUMA_CALLS];
	row.ms = (double)counts[NUMA_NS] / 1e6;
	row.pages = pages < 0 || s->pages < 0 ? NOTHING : pages - s->pages;
	s->pages = pages;
	output_row(run_output(r), &row);
	return 0;
}

/* support: bpf: full (4.1) | no | perf, ftrace: full (3.8) | no */
VARIANT(numamove, numasched, "memory", "count pages that move to the NUMA node of their user",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &numamove_programs,
	.columns = move_columns,
	.examples = move_examples,
	.state_size = sizeof(struct moved),
	.opened = move_opened,
	.started = move_started,
	.interval_end = show_moves,
);
