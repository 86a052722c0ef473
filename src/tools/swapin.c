// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/swapin.h"

#include "src/run/tools.h"
#include "src/toolkit/top.h"

struct row {
	struct swapin_key key;
	int64_t clock, pid, count;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "name of the task" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .help = "process id" },
	{ "COUNT", "count", COLUMN_INTEGER, -5, AT(count), .help = "reads from swap" },
	{ }
};

static const struct part parts[] = { { &swapin_key_layout, AT(key) }, { } };

static const struct option options[] = {
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'p', "pid" },
	{ }
};

static const struct example examples[] = {
	{ "sonde swapin", "processes that read from swap, each second" },
	{ "sonde swapin -T 5 12", "for a minute, with the time" },
	{ }
};

static void add(void *arg, const void *key, const void *value)
{
	struct row *row = top_row(arg);

	if (!row)
		return;
	memcpy(&row->key, key, sizeof(row->key));
	memcpy(&row->count, value, sizeof(row->count));
	row->pid = row->key.tgid == UINT32_MAX ? NOTHING : row->key.tgid;
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return memcmp(&x->key.tgid, &y->key.tgid, sizeof(x->key) - sizeof(x->key.epoch));
}

static int show(struct run *r, struct error *err)
{
	struct top t = { .size = sizeof(struct row) };
	int result = top_take(r, "reads", add, &t, err);
	struct row *rows = t.rows;

	if (!result) {
		run_table_head(r);
		top_sort(&t, most_first);
	}
	for (size_t i = 0; i < t.n && !result; i++) {
		rows[i].clock = run_interval_clock(r);
		output_row(run_output(r), &rows[i]);
	}
	top_free(&t);
	return result;
}

/* support: bpf: full (4.6) | no | perf, ftrace: full | no */
TOOL(swapin, "memory", "count reads from swap by process",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &swapin_programs,
	.options = options,
	.columns = columns,
	.parts = parts,
	.tables = true,
	.examples = examples,
	.interval_end = show,
);
