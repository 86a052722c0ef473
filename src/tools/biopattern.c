// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/biopattern.h"

#include <stdlib.h>

#include "compat/base/array.h"
#include "src/run/tools.h"
#include "src/toolkit/disks.h"

struct row {
	struct biopattern_key key;
	struct biopattern_counts counts;
	int64_t clock, random, sequential;
	struct text disk, type;
	char name[32], letter;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, AT(clock), .help = "time of day" },
	{ "DISK", "disk", COLUMN_TEXT, -7, AT(disk),
	  .help = "the whole disk, also for a partition" },
	{ "T", "type", COLUMN_TEXT, -1, AT(type), .role = IS_IDENTITY,
	  .help = "R read, W write, D discard" },
	{ "%RND", "random_pct", COLUMN_INTEGER, 5, AT(random),
	  .help = "requests that do not begin where the one before ended, %; -: there was none" },
	{ "%SEQ", "sequential_pct", COLUMN_INTEGER, 5, AT(sequential),
	  .help = "requests that do" },
	{ "COUNT", "count", COLUMN_INTEGER, 8, .field = "requests", .help = "requests" },
	{ "KBYTES", "kbytes", COLUMN_INTEGER, 10, .field = "sectors", .divisor = 2,
	  .help = "their size, in units of 1024 bytes" },
	{ }
};

static const struct part parts[] = {
	{ &biopattern_key_layout, AT(key) },
	{ &biopattern_counts_layout, AT(counts) },
	{ }
};

static const struct option options[] = {
	{ 'd', "disk", "this disk only", OPTION_TEXT, "DISK" },
	{ 'T', "timestamp", "the time of day, which rows always have", OPTION_FLAG },
	{ }
};

static const struct example examples[] = {
	{ "sonde biopattern 1 10", "each second, ten times" },
	{ "sonde biopattern -d sda", "of one disk, until Ctrl-C" },
	{ }
};

struct rows {
	struct row *list;
	size_t n;
	bool failed;
};

static void add_row(void *arg, const void *key, const void *value)
{
	struct rows *rows = arg;
	struct row *row;

	if (array_room(&rows->list, rows->n, sizeof(*rows->list))) {
		rows->failed = true;
		return;
	}
	row = &rows->list[rows->n++];
	memset(row, 0, sizeof(*row));
	memcpy(&row->key, key, sizeof(row->key));
	memcpy(&row->counts, value, sizeof(row->counts));
}

/* By disk, reads before writes. */
static int by_disk(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->key.dev != y->key.dev)
		return x->key.dev < y->key.dev ? -1 : 1;
	return (x->key.operation > y->key.operation) - (x->key.operation < y->key.operation) +
	       2 * ((y->key.operation == 'R') - (x->key.operation == 'R'));
}

static void print(struct run *r, struct row *row)
{
	uint64_t followed = row->counts.sequential + row->counts.random;

	row->clock = run_interval_clock(r);
	disk_name(r, row->key.dev, row->name, sizeof(row->name));
	row->disk = strcmp(row->name, "?") ? text_of(row->name, sizeof(row->name)) :
		(struct text){ };
	row->letter = (char)row->key.operation;
	row->type = text_of(&row->letter, 1);
	row->random = followed ? (int64_t)((200 * row->counts.random + followed) / (2 * followed)) :
		NOTHING;
	row->sequential = followed ? 100 - row->random : NOTHING;
	output_row(run_output(r), row);
}

static int show(struct run *r, struct error *err)
{
	struct rows rows = { };
	int result = run_take(r, "patterns", add_row, &rows, err);

	if (!result && rows.failed)
		result = fail(err, "out of memory");
	if (!result && rows.n)
		qsort(rows.list, rows.n, sizeof(*rows.list), by_disk);
	for (size_t i = 0; !result && i < rows.n; i++)
		print(r, &rows.list[i]);
	free(rows.list);
	return result;
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(biopattern, "disks", "whether disks are accessed at random or in sequence",
	.banner = "Tracing block device I/O requested seeks... Hit Ctrl-C to end.",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &biopattern_programs,
	.options = options,
	.columns = columns,
	.parts = parts,
	.notes = "A request is sequential if it begins where the disk's request of the same type "
		 "before it ended, in the order in which they go to the device.",
	.examples = examples,
	.prepare = disk_option,
	.interval_end = show,
);
