// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/funccount.h"

#include <stdlib.h>

#include "src/run/tools.h"
#include "src/toolkit/functions/named.h"

struct row {
	int64_t clock, count;
	struct text function;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES },
	{ "FUNC", "func", COLUMN_TEXT, -36, AT(function), .role = IS_IDENTITY,
	  .help = "the function or tracepoint" },
	{ "COUNT", "count", COLUMN_INTEGER, 8, AT(count), .help = "number of its hits" },
	{ }
};

/* What the functions below read of the options. */
struct funccount_options {
	int64_t cpu;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct funccount_options, MEMBER)

static const struct option options[] = {
	OPTION_PATTERN("NAME, LIBRARY:NAME, /FILE:NAME, t:SYSTEM:EVENT, u:LIBRARY:PROBE; with * ? "
		       "[...]"),
	{ 'p', "pid" },
	{ 'i', "interval", "seconds between tables", OPTION_NUMBER, "SECONDS", 1, INT32_MAX, 0 },
	{ 'd', "duration", .positional = 2 },
	{ 'T', "timestamp", "show the time of day above each table", OPTION_FLAG },
	OPTION_REGEXP,
	{ 'c', "cpu", "only on this CPU", OPTION_NUMBER, "CPU", 0, 8191, -1, TO(cpu) },
	{ 'D', "dump" },
	{ }
};

static const struct example examples[] = {
	{ "sonde funccount 'vfs_*'", "functions of the kernel" },
	{ "sonde funccount -i 1 c:malloc", "calls of malloc() each second" },
	{ "sonde funccount 't:block:*'", "block I/O" },
	{ }
};

struct state {
	struct named named;
	struct map maps[2];
	uint64_t *counts;		/* of the interval, by the numbers of the names */
	unsigned int *order;
};

static int prepare(struct run *r, struct error *err)
{
	const struct funccount_options *o = run_asked(r);
	struct state *s = run_state(r);

	if (named_prepare(r, &s->named, &funccount_programs, err))
		return -1;
	/* Room for each name. */
	s->maps[0] = funccount_programs.maps[0];
	s->maps[0].entries = s->named.patterns.n;
	s->named.set.maps = s->maps;
	s->counts = calloc(s->named.patterns.n, sizeof(*s->counts));
	s->order = calloc(s->named.patterns.n, sizeof(*s->order));
	if (!s->counts || !s->order)
		return fail(err, "out of memory");
	run_constant(r, "on_cpu", o->cpu >= 0);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct state *s = run_state(r);

	(void)err;
	named_banner(r, &s->named, "Tracing");
	return 0;
}

static void add(void *arg, const void *key, const void *value)
{
	struct state *s = arg;
	uint32_t i;
	uint64_t n;

	memcpy(&i, key, sizeof(i));
	memcpy(&n, value, sizeof(n));
	if (i < s->named.patterns.n)
		s->counts[i] += n;
}

/* The most at the end, where the prompt is; of the same count in the order of their names. */
static int by_count(const void *a, const void *b, void *arg)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;
	const struct state *s = arg;

	if (s->counts[x] != s->counts[y])
		return s->counts[x] < s->counts[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int show(struct run *r, struct error *err)
{
	struct state *s = run_state(r);
	unsigned int n = 0;

	memset(s->counts, 0, s->named.patterns.n * sizeof(*s->counts));
	if (run_take(r, "counts", add, s, err))
		return -1;
	for (unsigned int i = 0; i < s->named.patterns.n; i++)
		if (s->counts[i])
			s->order[n++] = i;
	qsort_r(s->order, n, sizeof(*s->order), by_count, s);
	run_table_head(r);
	for (unsigned int i = 0; i < n; i++) {
		const char *name = s->named.patterns.names[s->order[i]];
		struct row row = {
			.clock = run_interval_clock(r), .count = (int64_t)s->counts[s->order[i]],
			.function = text_of(name, strlen(name)),
		};

		output_row(run_output(r), &row);
	}
	return 0;
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	if (!s)
		return;
	free(s->counts);
	free(s->order);
	named_free(&s->named);
}

/* support: bpf: full (4.1) | bpf: full (4.1) | perf, ftrace: full | perf, ftrace: full */
TOOL(funccount, "functions", "count calls of functions, and hits of tracepoints",
	.asks = "vfs_read",
	.also = "functions of programs",
	.asks_tracepoint = "t:sched:sched_switch",
	.shape = SHAPE_INTERVALS,
	.programs = &funccount_programs,
	.options = options,
	.options_size = sizeof(struct funccount_options),
	.columns = columns,
	.tables = true,
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.started = started,
	.interval_end = show,
	.cleanup = cleanup,
);
