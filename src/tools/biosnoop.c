// SPDX-License-Identifier: GPL-2.0
/* biosnoop and biotop: the same programs, which output each request or sum them up. */
#include "insns/programs/biosnoop.h"

#include <math.h>

#include "compat/expressions/expression.h"
#include "src/run/tools.h"
#include "src/toolkit/disks.h"
#include "src/toolkit/top.h"

#define NOTE \
	"Writes from the page cache belong to a kernel task. A flush serves all tasks: it has no " \
	"task, and shows `-`."

/* What the functions below read of the options. */
struct biosnoop_options {
	bool by_cgroup, start, timestamp;
	int64_t min;
	const char *type;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct biosnoop_options, MEMBER)

static int prepare(struct run *r, bool snoop, struct error *err)
{
	const struct biosnoop_options *o = run_asked(r);
	const bool tasks = run_filtered(r) || o->by_cgroup;

	run_constant(r, "tasks", tasks);
	run_constant(r, "everybody", !tasks);
	run_constant(r, BY_CGROUP, o->by_cgroup);
	run_constant(r, "snoop", snoop);
	run_constant(r, "sum", !snoop);
	run_constant(r, "min_ns", o->min * 1000000);
	return disk_option(r, err);
}

static struct text name_of(const struct disk *d)
{
	return d && *d->name ? text_of(d->name, sizeof(d->name)) : (struct text){ };
}

/* biosnoop */

struct snoop {
	struct disks disks;
	struct expression *types;	/* of --type; NULL: not given */
};

struct row {
	const struct biosnoop_record *record;
	int64_t sector, issued;
	struct text disk, type, pattern;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -11, .field = "time", .digits = 6,
	  .unless = "timestamp", .help = "when it ended, in seconds since the first line" },
	{ "TIMESTAMP", "time", COLUMN_CLOCK, -12, .field = "time", .digits = 3,
	  .option = "timestamp", .help = "when it ended, as the time of day" },
	{ "START(s)", "start_s", COLUMN_SECONDS, -11, AT(issued), .digits = 6, .role = IS_TIME,
	  .option = "start", .unless = "timestamp",
	  .help = "when it was issued, in seconds since the first line" },
	{ "START", "start", COLUMN_CLOCK, -12, AT(issued), .digits = 3,
	  .option = "both", .help = "when it was issued, as the time of day" },
	{ "COMM", "comm", COLUMN_TEXT, -14, .field = "comm",
	  .help = "name of the task that made the request" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .help = "its process id" },
	{ "DISK", "disk", COLUMN_TEXT, -9, AT(disk), .span = SPAN_TRACK,
	  .help = "the whole disk, also for a partition" },
	{ "T", "type", COLUMN_TEXT, -1, AT(type), .help = "R read, W write, D discard, F flush" },
	{ "FLAGS", "flags", COLUMN_TEXT, 0, .field = "flags", .readers = FOR_MACHINES },
	{ "SECTOR", "sector", COLUMN_INTEGER, -10, AT(sector), .unit = IN_SECTORS, .level = true,
	  .help = "its first sector, in units of 512 bytes" },
	{ "BYTES", "bytes", COLUMN_INTEGER, -7, .field = "bytes", .help = "its size" },
	{ "P", "pattern", COLUMN_TEXT, -1, AT(pattern),
	  .option = "pattern",
	  .help = "S sequential: it begins where the last finished one ended, R random" },
	{ "QUE(ms)", "que_ms", COLUMN_REAL, 7, .field = "queued", .divisor = 1000000, .digits = 2,
	  .option = "queue", .readers = FOR_PEOPLE, .help = "ms before it was issued" },
	{ "QUE(ms)", "que_ms", COLUMN_REAL, 7, .field = "queued", .divisor = 1000000, .digits = 6,
	  .span = SPAN_PART, .option = "queue", .readers = FOR_MACHINES },
	{ "LAT(ms)", "lat_ms", COLUMN_REAL, 7, .field = "latency", .divisor = 1000000, .digits = 2,
	  .readers = FOR_PEOPLE, .help = "ms from its issue to its end" },
	{ "LAT(ms)", "lat_ms", COLUMN_REAL, 7, .field = "latency", .divisor = 1000000, .digits = 6,
	  .span = SPAN_LENGTH, .readers = FOR_MACHINES },
	{ }
};

static const struct part parts[] = {
	{ &biosnoop_record_layout, AT(record), .pointer = true },
	{ }
};

static const struct option options[] = {
	{ 'Q', "queue", "show the time in the queue", OPTION_FLAG },
	{ 'd', "disk", "this disk only", OPTION_TEXT, "DISK" },
	{ 'P', "pattern", "show whether requests are sequential or random", OPTION_FLAG },
	{ 'm', "min", "only requests that take MS milliseconds or more", OPTION_NUMBER, "MS", 0,
	  INT32_MAX, TO(min) },
	{ 't', "timestamp", "show the time of day", OPTION_FLAG, TO(timestamp) },
	{ 's', "start", "show when the request was issued, too", OPTION_FLAG, TO(start) },
	{ 'i', "type", "only requests whose letters match, as '*R*' or 'W*'", OPTION_TEXT, "GLOB",
	  TO(type) },
	{ 'p', "pid" },
	{ 'n', "name" },
	{ 0, "duration", .positional = true },
	{ }
};

static const struct example examples[] = {
	{ "sonde biosnoop -Q -d sda", "requests to one disk, and their time queued" },
	{ "sonde biosnoop -m 100", "requests of a tenth of a second and more" },
	{ }
};

static int prepare_snoop(struct run *r, struct error *err)
{
	const struct biosnoop_options *o = run_asked(r);
	const char *type = o->type;
	struct snoop *s = run_state(r);

	run_constant(r, "both", o->start && o->timestamp);
	s->types = type ? expression_of_glob(type, err) : NULL;
	return type && !s->types ? -1 : prepare(r, true, err);
}

static void forget_snoop(struct run *r)
{
	struct snoop *s = run_state(r);

	expression_free(s->types);
	disks_free(&s->disks);
}

/* The letters are those of the kernel's own records: "WS", "RA". */
static bool has_type(struct run *r, const struct biosnoop_record *rec)
{
	const struct snoop *s = run_state(r);
	char letters[sizeof(rec->rwbs) + 1] = "";

	if (!s->types)
		return true;
	memcpy(letters, rec->rwbs, sizeof(rec->rwbs));
	return expression_matches(s->types, letters);
}

/* As the column shows it; nothing if the latency is unknown. */
static int64_t issued_at(struct run *r, const struct biosnoop_record *rec)
{
	const struct biosnoop_options *o = run_asked(r);
	bool clock = o->timestamp;

	if (rec->latency == BIO_UNKNOWN)
		return NOTHING;
	return (clock ? run_wall_clock(r, rec->time) : run_since_start(r, rec->time)) -
	       (int64_t)rec->latency;
}

/* "S": it begins where the disk's last one ended, "R": it does not; NULL: there was none. */
static const char *pattern(struct disk *disk, const struct biosnoop_record *rec)
{
	uint64_t next;

	if (!disk || !rec->bytes)
		return NULL;
	next = disk->next;
	disk->next = rec->sector + rec->bytes / 512;
	return next ? rec->sector == next ? "S" : "R" : NULL;
}

static void done(struct run *r, const struct record *record)
{
	const struct biosnoop_record *rec = record->bytes;
	struct snoop *s = run_state(r);
	struct disk *disk = disks_get(r, &s->disks, rec->dev, rec->time);
	const char *p = pattern(disk, rec);
	char type = (char)rec->operation;
	struct row row;

	if (!has_type(r, rec) || !run_wanted(r, rec))
		return;
	row = (struct row){
		.record = rec,
		.issued = issued_at(r, rec),
		.sector = rec->bytes ? (int64_t)rec->sector : NOTHING,
		.disk = name_of(disk),
		.type = text_of(&type, 1),
		.pattern = p ? text_of(p, 1) : (struct text){ },
	};
	output_row(run_output(r), &row);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: [2] | perf, ftrace: [2] */
TOOL(biosnoop, "disks", "trace block I/O: each request, whose it was, and how long it took",
	.shape = SHAPE_EVENTS,
	.programs = &biosnoop_programs,
	.options = options,
	.options_size = sizeof(struct biosnoop_options),
	.columns = columns,
	.parts = parts,
	.notes = NOTE,
	.examples = examples,
	.state_size = sizeof(struct snoop),
	.prepare = prepare_snoop,
	.record = done,
	.cleanup = forget_snoop,
);

/* biotop */

struct top_row {
	struct top_group group;
	struct biotop_key key;
	struct biotop_sums sums;
	int64_t clock, major, minor;
	int64_t read, written;		/* bytes, then Kbytes */
	double average;
	struct text disk, type;
};

#undef AT
#define AT(MEMBER) offsetof(struct top_row, MEMBER)

static const struct column top_columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .unless = BY_CGROUP,
	  .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .unless = BY_CGROUP,
	  .help = "name of the task that made the requests" },
	{ "D", "type", COLUMN_TEXT, 1, AT(type), .role = IS_IDENTITY, .unless = BY_CGROUP,
	  .help = "R read, W write, D discard, F flush" },
	{ "MAJ", "major", COLUMN_INTEGER, -3, AT(major), .role = IS_IDENTITY, .unless = BY_CGROUP,
	  .help = "major number of the disk" },
	{ "MIN", "minor", COLUMN_INTEGER, -3, AT(minor), .role = IS_IDENTITY, .unless = BY_CGROUP,
	  .help = "minor number" },
	{ "DISK", "disk", COLUMN_TEXT, -8, AT(disk), .unless = BY_CGROUP,
	  .help = "the whole disk, also for a partition" },
	{ "I/O", "io", COLUMN_INTEGER, 5, .field = "requests", .role = IS_COUNT,
	  .help = "requests" },
	{ "Kbytes", "kbytes", COLUMN_INTEGER, 7, .field = "bytes", .divisor = 1024,
	  .help = "their size, in units of 1024 bytes" },
	{ "R_Kb", "read_kb", COLUMN_INTEGER, 7, AT(read), .option = BY_CGROUP,
	  .help = "of reads" },
	{ "W_Kb", "written_kb", COLUMN_INTEGER, 7, AT(written), .option = BY_CGROUP,
	  .help = "of writes" },
	{ "AVGms", "avg_ms", COLUMN_REAL, 6, AT(average), .digits = 2,
	  .help = "mean ms from issue to end" },
	BY_CGROUP_COLUMN(AT(group.text)),
	{ }
};

static const struct part top_parts[] = {
	{ &biotop_key_layout, AT(key) },
	{ &biotop_sums_layout, AT(sums) },
	{ }
};

static const struct option top_options[] = {
	TOP_OPTIONS,
	{ 'p', "pid" },
	{ 'd', "disk", "this disk only", OPTION_TEXT, "DISK" },
	{ 0, BY_CGROUP, BY_CGROUP_HELP, OPTION_FLAG, TO(by_cgroup) },
	{ }
};

static const struct example top_examples[] = {
	{ "sonde biotop", "each second, processes with most I/O" },
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
	row->group.owner = (int64_t)row->key.owner;
	row->read = row->key.operation == 'R' ? (int64_t)row->sums.bytes : 0;
	row->written = row->key.operation == 'W' ? (int64_t)row->sums.bytes : 0;
}

static void merge(void *to, const void *from)
{
	struct top_row *row = to;
	const struct top_row *other = from;

	row->sums.requests += other->sums.requests;
	row->sums.bytes += other->sums.bytes;
	row->sums.timed += other->sums.timed;
	row->sums.latency += other->sums.latency;
	row->read += other->read;
	row->written += other->written;
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
	struct top_row row = *(const struct top_row *)shown;
	const struct biotop_sums *sums = &row.sums;
	char disk[32], type = (char)row.key.operation;

	disk_name(r, row.key.dev, disk, sizeof(disk));
	row.clock = run_interval_clock(r);
	row.major = row.key.dev >> 20;
	row.minor = row.key.dev & 0xfffff;
	row.average = sums->timed ? (double)sums->latency / (double)sums->timed / 1e6 : NAN;
	row.disk = strcmp(disk, "?") ? text_of(disk, sizeof(disk)) : (struct text){ };
	row.type = text_of(&type, 1);
	row.read /= 1024;
	row.written /= 1024;
	output_row(run_output(r), &row);
}

static int show_top(struct run *r, struct error *err)
{
	struct top t = { .size = sizeof(struct top_row), .groups.before = BIO_OWNED };

	if (top_take(r, "sums", add_sums, &t, err))
		return -1;
	top_by_cgroup(r, &t, merge);
	return top_show(r, &t, most_first, print_top, err);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: [2] | perf, ftrace: [2] */
TOOL(biotop, "disks", "processes with most block I/O, as top shows them",
	.banner = "Tracing... Hit Ctrl-C to end",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &biotop_programs,
	.options = top_options,
	.options_size = sizeof(struct biosnoop_options),
	.columns = top_columns,
	.parts = top_parts,
	.tables = true,
	.notes = NOTE,
	.examples = top_examples,
	.prepare = prepare_top,
	.interval_end = show_top,
);
