// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/compactsnoop.h"

#include <math.h>
#include <stdio.h>

#include "src/language/event_text/number_names.h"
#include "src/run/tools.h"
#include "src/toolkit/functions/stacked.h"

#define NUMBER_TEXT 24

struct state {
	struct number_names zones, statuses;	/* the kernel's names */
};

struct row {
	struct compactsnoop_record record;
	int64_t node, order, min, low, high, free;
	double index;
	struct text zone, mode, status;
	struct stacked stacks;
	char zone_text[NUMBER_TEXT], status_text[NUMBER_TEXT];
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -14, .field = "time", .digits = 9,
	  .option = "timestamp", .help = "seconds since the first line" },
	{ "COMM", "comm", COLUMN_TEXT, -14, .field = "comm", .help = "name of the task" },
	{ "PID", "pid", COLUMN_INTEGER, -6, .field = "tgid", .help = "process id" },
	{ "NODE", "node", COLUMN_INTEGER, -4, AT(node), .role = IS_IDENTITY,
	  .help = "NUMA node of the zone" },
	{ "ZONE", "zone", COLUMN_TEXT, -12, AT(zone), .help = "zone of memory; -: unknown" },
	{ "ORDER", "order", COLUMN_INTEGER, -5, AT(order), .role = IS_LABEL,
	  .help = "2^order pages are wanted; -: as many as possible" },
	{ "MODE", "mode", COLUMN_TEXT, -7, AT(mode), .help = "sync: waits for writing; async" },
	{ "FRAGIDX", "frag_index", COLUMN_REAL, -8, AT(index), .digits = 3, .unit = IN_RATIO,
	  .option = "extended",
	  .help = "how fragmented it is, from -1 to 1; -: the kernel did not ask" },
#define PAGES(HEAD, NAME, MEMBER, HELP) \
	{ HEAD, NAME, COLUMN_INTEGER, -8, AT(MEMBER), .level = true, .option = "extended", \
	  .help = HELP }
	PAGES("MIN", "min_pages", min, "pages: of the lowest watermark"),
	PAGES("LOW", "low_pages", low, "of the low one"),
	PAGES("HIGH", "high_pages", high, "of the high one"),
	PAGES("FREE", "free_pages", free, "that were free at first"),
	{ "LAT(ms)", "lat_ms", COLUMN_REAL, 9, .field = "latency", .divisor = 1000000, .digits = 3,
	  .span = SPAN_LENGTH, .help = "ms that it took" },
	{ "STATUS", "status", COLUMN_TEXT, -16, AT(status), .help = "why it ended" },
	STACKED_COLUMNS(AT(stacks.kernel), AT(stacks.user), "kernel-stacks", "never"),
	{ }
};

static const struct part parts[] = { { &compactsnoop_record_layout, AT(record) }, { } };

/* What the functions below read of the options. */
struct compactsnoop_options {
	bool extended, kernel_stacks;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct compactsnoop_options, MEMBER)

static const struct option options[] = {
	{ 'T', "timestamp", "show seconds since the first line", OPTION_FLAG },
	{ 'p', "pid" },
	{ 'd', "duration" },
	{ 'K', "kernel-stacks", "show the kernel's stack of each", OPTION_FLAG,
	  TO(kernel_stacks) },
	{ 'e', "extended", "show watermarks, free pages and fragmentation of the zone",
	  OPTION_FLAG, .alias = "extended_fields", TO(extended) },
	{ 's', "offsets" },
	{ 'A', "addresses" },
	{ }
};

static const struct example examples[] = {
	{ "sonde compactsnoop", "tasks that compact memory" },
	{ "sonde compactsnoop -T -K", "with the time, and the kernel's stacks" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct compactsnoop_options *o = run_asked(r);
	struct kernel *k = run_kernel(r);
	const struct format *look = kernel_format(k, "compaction", "mm_compaction_finished");
	const struct format *end = kernel_format(k, "compaction", "mm_compaction_end");
	struct state *s = run_state(r);

	if (o->extended && kernel_arch(k)->word != 8) {
		run_unfit(r);
		return fail(err, "compactsnoop: --extended reads watermarks of 64-bit kernels "
			    "only");
	}
	if ((look && number_names_read(&s->zones, look, "idx")) ||
	    (end && number_names_read(&s->statuses, end, "status")))
		return fail(err, "out of memory");
	return 0;
}

static struct text name_of(const struct number_names *names, int64_t number, char *text)
{
	const char *name = number_names_name(names, (uint64_t)number);

	if (name)
		return text_of(name, strlen(name));
	snprintf(text, NUMBER_TEXT, "%lld", (long long)number);
	return text_of(text, NUMBER_TEXT);
}

static void set_room(struct row *row)
{
	const struct compactsnoop_room *room = &row->record.room;

	row->index = room->index == COMPACT_NO_INDEX ? NAN : room->index / 1000.0;
	row->min = row->low = row->high = row->free = NOTHING;
	if (!room->known)
		return;
	row->min = (int64_t)(room->marks[0] + room->boost);
	row->low = (int64_t)(room->marks[1] + room->boost);
	row->high = (int64_t)(room->marks[2] + room->boost);
	row->free = (int64_t)room->free;
}

static void compacted(struct run *r, const struct record *record)
{
	const struct compactsnoop_options *o = run_asked(r);
	const struct state *s = run_state(r);
	struct row row = { };
	const struct compactsnoop_record *rec = &row.record;

	memcpy(&row.record, record->bytes, sizeof(row.record));
	row.node = rec->node == COMPACT_UNKNOWN ? NOTHING : rec->node;
	row.order = rec->order < 0 ? NOTHING : rec->order;
	if (rec->zone != COMPACT_UNKNOWN)
		row.zone = name_of(&s->zones, rec->zone, row.zone_text);
	row.mode = rec->sync ? text_of("sync", sizeof("sync")) : text_of("async", sizeof("async"));
	row.status = name_of(&s->statuses, (int32_t)rec->status, row.status_text);
	set_room(&row);
	if (!run_wanted(r, rec))
		return;
	if (o->kernel_stacks)
		stacked_show(r, record, &row, &row.stacks);
	else
		output_row(run_output(r), &row);
}

static void cleanup(struct run *r)
{
	struct state *s = run_state(r);

	number_names_free(&s->zones);
	number_names_free(&s->statuses);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full (4.0) |
 *	    perf, ftrace: full (4.0) */
TOOL(compactsnoop, "memory", "trace compaction: tasks that move pages to make larger ones free",
	.shape = SHAPE_EVENTS,
	.programs = &compactsnoop_programs,
	.options = options,
	.options_size = sizeof(struct compactsnoop_options),
	.columns = columns,
	.parts = parts,
	.notes = "A task compacts a zone when it needs memory in one piece; kcompactd does it "
		 "before that.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.prepare = prepare,
	.record = compacted,
	.cleanup = cleanup,
);
