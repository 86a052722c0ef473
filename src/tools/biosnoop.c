// SPDX-License-Identifier: GPL-2.0
/* biosnoop and biotop: the same programs, which tell of each request or sum them up. */
#include "insns/programs/biosnoop.h"

#include <math.h>

#include "src/toolkit/disks.h"
#include "src/tools.h"
#include "src/toolkit/top.h"

static int prepare(struct run *r, bool snoop, struct error *err)
{
	const struct options *o = run_options(r);
	static const char *const filters[] = { "pid", "tid", "uid" };
	bool filtered = option_command(o);

	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++)
		filtered |= option_given(o, filters[i]);
	run_constant(r, "filtered", filtered);
	run_constant(r, "everybody", !filtered);
	run_constant(r, "snoop", snoop);
	run_constant(r, "sum", !snoop);
	run_constant(r, "min_ns", option_number(o, "min") * 1000000);
	return disk_option(r, err);
}

static struct text name_of(const struct disk *d)
{
	return d && *d->name ? text_of(d->name, sizeof(d->name)) : (struct text){ };
}

static void forget_disks(struct run *r)
{
	disks_free(run_state(r));
}

/* biosnoop */

struct row {
	int64_t time, clock, pid, sector, bytes;
	double queued, latency;
	struct text comm, disk, type, flags, pattern;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -11, AT(time), .digits = 6, .unless = "timestamp",
	  .help = "when it was done, in seconds since the first line" },
	{ "TIMESTAMP", "time", COLUMN_CLOCK, -12, AT(clock), .digits = 3, .option = "timestamp",
	  .help = "the same as the time of day" },
	{ "COMM", "comm", COLUMN_TEXT, -14, AT(comm), .help = "name of the task that made the request" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .help = "its process id" },
	{ "DISK", "disk", COLUMN_TEXT, -9, AT(disk), .help = "the whole disk, of a partition too" },
	{ "T", "type", COLUMN_TEXT, -1, AT(type), .help = "R read, W write, D discard, F flush" },
	{ "FLAGS", "flags", COLUMN_TEXT, 0, AT(flags), .readers = FOR_MACHINES },
	{ "SECTOR", "sector", COLUMN_INTEGER, -10, AT(sector), .help = "where on the disk, in 512 bytes" },
	{ "BYTES", "bytes", COLUMN_INTEGER, -7, AT(bytes), .help = "its size" },
	{ "P", "pattern", COLUMN_TEXT, -1, AT(pattern), .option = "pattern",
	  .help = "S sequential, R random: begins where the one before ended" },
	{ "QUE(ms)", "que_ms", COLUMN_REAL, 7, AT(queued), .digits = 2, .option = "queue", .readers = FOR_PEOPLE,
	  .help = "time before it was issued" },
	{ "QUE(ms)", "que_ms", COLUMN_REAL, 7, AT(queued), .digits = 6, .option = "queue", .readers = FOR_MACHINES },
	{ "LAT(ms)", "lat_ms", COLUMN_REAL, 7, AT(latency), .digits = 2, .readers = FOR_PEOPLE,
	  .help = "time from its issue to its end" },
	{ "LAT(ms)", "lat_ms", COLUMN_REAL, 7, AT(latency), .digits = 6, .readers = FOR_MACHINES },
	{ }
};

static const struct option options[] = {
	{ 'Q', "queue", "show the time in the queue", OPTION_FLAG },
	{ 'd', "disk", "this disk only", OPTION_TEXT, "DISK" },
	{ 'P', "pattern", "show whether it is sequential or random", OPTION_FLAG },
	{ 'm', "min", "only what takes at least this long", OPTION_NUMBER, "MS", 0, INT32_MAX },
	{ 't', "timestamp", "show the time of day", OPTION_FLAG },
	{ 0, "duration", .positional = true },
	{ }
};

static const struct example examples[] = {
	{ "sonde biosnoop -Q -d sda", "requests to one disk, with their time in the queue" },
	{ "sonde biosnoop -m 100", "which requests take a tenth of a second or more" },
	{ }
};

static int prepare_snoop(struct run *r, struct error *err)
{
	return prepare(r, true, err);
}

static double milliseconds(uint64_t ns)
{
	return ns == BIO_UNKNOWN ? NAN : (double)ns / 1e6;
}

static void done(struct run *r, const struct record *record)
{
	const struct biosnoop_record *rec = record->bytes;
	char type[1], *pattern;
	struct disk *disk;
	struct row row;

	disk = disks_get(run_state(r), rec->dev, rec->time);
	type[0] = (char)rec->operation;
	pattern = disk && disk->next && rec->bytes ? rec->sector == disk->next ? "S" : "R" : NULL;
	if (disk && rec->bytes)
		disk->next = rec->sector + rec->bytes / 512;
	row = (struct row){
		.time = run_since_start(r, rec->time),
		.clock = run_wall_clock(r, rec->time),
		.pid = tgid_of(rec->pid_tgid),
		.sector = rec->bytes ? (int64_t)rec->sector : NOTHING,
		.bytes = (int64_t)rec->bytes,
		.queued = milliseconds(rec->queued),
		.latency = milliseconds(rec->latency),
		.comm = comm_text(rec->comm),
		.disk = name_of(disk),
		.type = text_of(type, 1),
		.flags = text_of(rec->rwbs, sizeof(rec->rwbs)),
		.pattern = pattern ? text_of(pattern, 1) : (struct text){ },
	};
	if (name_matches(r, row.comm))
		output_row(run_output(r), &row);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: [2] | perf, ftrace: [2] */
TOOL(biosnoop, "disks", "trace block I/O: each request, whose it was, and how long it took",
	.shape = SHAPE_EVENTS,
	.programs = &biosnoop_programs,
	.options = options,
	.columns = columns,
	.notes = "What is written later is a kernel task's. -: not known, as the task of a flush, which serves all.",
	.examples = examples,
	.state_size = sizeof(struct disks),
	.prepare = prepare_snoop,
	.record = done,
	.cleanup = forget_disks,
);

/* biotop */

struct top_row {
	int64_t clock, pid, major, minor, requests, kbytes;
	double average;
	struct text comm, disk, type;
	struct biotop_key key;
	struct biotop_sums sums;
};

#undef AT
#define AT(MEMBER) offsetof(struct top_row, MEMBER)

static const struct column top_columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, AT(comm), .help = "name of the task that made the requests" },
	{ "D", "type", COLUMN_TEXT, 1, AT(type), .help = "R read, W write, D discard, F flush" },
	{ "MAJ", "major", COLUMN_INTEGER, -3, AT(major), .help = "major number of the disk" },
	{ "MIN", "minor", COLUMN_INTEGER, -3, AT(minor), .help = "minor number" },
	{ "DISK", "disk", COLUMN_TEXT, -8, AT(disk), .help = "the whole disk, of a partition too" },
	{ "I/O", "io", COLUMN_INTEGER, 5, AT(requests), .help = "requests" },
	{ "Kbytes", "kbytes", COLUMN_INTEGER, 7, AT(kbytes), .help = "their size" },
	{ "AVGms", "avg_ms", COLUMN_REAL, 6, AT(average), .digits = 2, .help = "mean time from issue to end" },
	{ }
};

static const struct option top_options[] = {
	TOP_OPTIONS,
	{ 'p', "pid" },
	{ 'd', "disk", "this disk only", OPTION_TEXT, "DISK" },
	{ }
};

static const struct example top_examples[] = {
	{ "sonde biotop", "each second, who reads and writes most" },
	{ "sonde biotop -C -r 8 5 3", "three tables of 8 rows, of 5 seconds each" },
	{ }
};

static int prepare_top(struct run *r, struct error *err)
{
	return prepare(r, false, err);
}

static void add_sums(void *arg, const void *key, const void *value)
{
	struct top_row *row = top_row(arg);

	if (!row)
		return;
	memcpy(&row->key, key, sizeof(row->key));
	memcpy(&row->sums, value, sizeof(row->sums));
}

static int most_first(const void *a, const void *b)
{
	const struct top_row *x = a, *y = b;

	if (x->sums.bytes != y->sums.bytes)
		return x->sums.bytes < y->sums.bytes ? 1 : -1;
	if (x->sums.requests != y->sums.requests)
		return x->sums.requests < y->sums.requests ? 1 : -1;
	return memcmp(&x->key, &y->key, sizeof(x->key));
}

static void print_top(struct run *r, void *shown)
{
	struct top_row *row = shown;
	const struct biotop_key *k = &row->key;
	char disk[32], type[1] = { (char)k->operation };

	disk_name(k->dev, disk, sizeof(disk));
	row->clock = run_interval_clock(r);
	row->pid = k->pid == UINT32_MAX ? NOTHING : (int64_t)k->pid;
	row->major = k->dev >> 20;
	row->minor = k->dev & 0xfffff;
	row->requests = (int64_t)row->sums.requests;
	row->kbytes = (int64_t)(row->sums.bytes / 1024);
	row->average = row->sums.timed ? (double)row->sums.latency / (double)row->sums.timed / 1e6 : NAN;
	row->comm = comm_text(k->comm);
	row->disk = strcmp(disk, "?") ? text_of(disk, sizeof(disk)) : (struct text){ };
	row->type = text_of(type, 1);
	output_row(run_output(r), row);
}

static int show_top(struct run *r, struct error *err)
{
	struct top t = { .size = sizeof(struct top_row) };

	if (run_take(r, "sums", add_sums, &t, err)) {
		top_free(&t);
		return -1;
	}
	return top_show(r, &t, most_first, print_top, err);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: [2] | perf, ftrace: [2] */
TOOL(biotop, "disks", "who does most block I/O, as top shows it",
	.banner = "Tracing... Hit Ctrl-C to end",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &biotop_programs,
	.options = top_options,
	.columns = top_columns,
	.tables = true,
	.notes = "What is written later is a kernel task's. -: not known, as the task of a flush, which serves all.",
	.examples = top_examples,
	.prepare = prepare_top,
	.interval_end = show_top,
);
