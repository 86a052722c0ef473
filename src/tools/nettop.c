// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/nettop.h"

#include <math.h>
#include <stdio.h>

#include "src/run/tools.h"
#include "src/toolkit/top.h"

struct row {
	struct nettop_key key;
	struct nettop_counts counts;
	int64_t clock, queue;
	double average, kbytes_s, packets_s;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES },
	{ "DEVICE", "device", COLUMN_TEXT, -15, .field = "name", .help = "name of the device" },
	{ "DIR", "direction", COLUMN_TEXT, -3, .field = "direction", .role = IS_IDENTITY,
	  .help = "rx or tx" },
	{ "QUEUE", "queue", COLUMN_INTEGER, 5, AT(queue), .role = IS_IDENTITY, .option = "queues",
	  .help = "number of the device's queue; -: not recorded" },
	{ "PACKETS", "packets", COLUMN_INTEGER, 9, .field = "packets", .role = IS_COUNT,
	  .help = "packets" },
	{ "KBYTES", "kbytes", COLUMN_INTEGER, 9, .field = "bytes", .divisor = 1024,
	  .help = "their size, in units of 1024 bytes" },
	{ "BYTES", "bytes", COLUMN_INTEGER, 0, .field = "bytes", .readers = FOR_MACHINES },
	{ "AVG", "avg_size", COLUMN_REAL, 6, AT(average), .digits = 0, .unit = IN_BYTES,
	  .help = "mean size of a packet, in bytes" },
	{ "<64", "below_64", COLUMN_INTEGER, 7, .field = "below_64", .role = IS_COUNT,
	  .help = "packets of less than 64 bytes; of 64 to 511 bytes and so on" },
	{ "<512", "below_512", COLUMN_INTEGER, 7, .field = "below_512", .role = IS_COUNT },
	{ "<2K", "below_2k", COLUMN_INTEGER, 7, .field = "below_2k", .role = IS_COUNT },
	{ "<16K", "below_16k", COLUMN_INTEGER, 7, .field = "below_16k", .role = IS_COUNT },
	{ ">=16K", "above", COLUMN_INTEGER, 7, .field = "above", .role = IS_COUNT },
	{ "KB/s", "kbytes_s", COLUMN_REAL, 9, AT(kbytes_s), .digits = 1, .unit = IN_KB_PER_S,
	  .option = "throughput", .help = "1024 bytes a second" },
	{ "PPS", "packets_s", COLUMN_REAL, 9, AT(packets_s), .digits = 1, .unit = IN_PER_S,
	  .option = "throughput", .help = "packets a second" },
	{ }
};

static const struct part parts[] = {
	{ &nettop_key_layout, AT(key) },
	{ &nettop_counts_layout, AT(counts) },
	{ }
};

/* What the functions below read of the options. */
struct nettop_options {
	bool queues;
	const char *device;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct nettop_options, MEMBER)

static const struct option options[] = {
	TOP_OPTIONS,
	TOP_OPTION_SUMMARY,
	{ 'n', "device", "this device only", OPTION_TEXT, "DEVICE", TO(device) },
	{ 'q', "queues", "count by queue", OPTION_FLAG, TO(queues) },
	{ 't', "throughput", "show bytes and packets a second", OPTION_FLAG },
	{ }
};

static const struct example examples[] = {
	{ "sonde nettop", "each second, which devices move most" },
	{ "sonde nettop -q -n eth0 10", "whether queues share the load" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct nettop_options *o = run_asked(r);

	(void)err;
	run_constant(r, "devices", !o->queues);
	return 0;
}

struct wanted {
	struct top top;
	const char *device;		/* NULL: all */
};

static void add_counts(void *arg, const void *key, const void *value)
{
	const struct nettop_key *k = key;
	struct wanted *w = arg;
	struct row *row;

	if (w->device && strncmp(k->name, w->device, sizeof(k->name)))
		return;
	row = top_row(&w->top);
	if (!row)
		return;
	memcpy(&row->key, key, sizeof(row->key));
	memcpy(&row->counts, value, sizeof(row->counts));
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->counts.bytes != y->counts.bytes)
		return x->counts.bytes < y->counts.bytes ? 1 : -1;
	return memcmp(&x->key, &y->key, sizeof(x->key));
}

static void print(struct run *r, void *shown)
{
	struct row *row = shown;
	double seconds = (double)run_interval_length(r) / 1e9;
	double packets = (double)row->counts.packets, bytes = (double)row->counts.bytes;

	row->clock = run_interval_clock(r);
	row->queue = row->key.direction == NETTOP_TX ? row->key.queue :
		row->key.queue ? (int64_t)row->key.queue - 1 : NOTHING;
	row->average = packets > 0 ? bytes / packets : NAN;
	row->kbytes_s = seconds > 0 ? bytes / 1024 / seconds : NAN;
	row->packets_s = seconds > 0 ? packets / seconds : NAN;
	output_row(run_output(r), row);
}

static int show(struct run *r, struct error *err)
{
	const struct nettop_options *o = run_asked(r);
	struct wanted w = {
		.top.size = sizeof(struct row), .device = o->device,
	};

	if (run_take(r, "devices", add_counts, &w, err)) {
		top_free(&w.top);
		return -1;
	}
	return top_show(r, &w.top, most_first, print, err);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(nettop, "network", "packets and bytes by network device and queue, as top shows it",
	.banner = "Tracing... Hit Ctrl-C to end",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &nettop_programs,
	.options = options,
	.options_size = sizeof(struct nettop_options),
	.columns = columns,
	.parts = parts,
	.tables = true,
	.notes = "Packets are counted where devices hand them to the kernel, before the kernel "
		 "puts several into one. Before 4.0 they are counted behind that.",
	.examples = examples,
	.prepare = prepare,
	.interval_end = show,
);
