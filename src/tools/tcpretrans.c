// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcpretrans.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "compat/base/array.h"
#include "src/run/options/common.h"
#include "src/toolkit/tcp.h"

/* A segment; or, with --count, the segments of a connection: only `flow` of the record is set. */
struct row {
	const struct tcpretrans_record *record;
	int64_t pid, ip, sequence, count;
	struct text local, remote, type;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time",
	  .unless = "count", .help = "time of day" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid),
	  .unless = "count", .help = "always -: no task sends again" },
	{ "IP", "ip", COLUMN_INTEGER, -2, AT(ip), .unless = "count", .help = "4 or 6" },
	{ "LADDR:LPORT", "local", COLUMN_TEXT, -20, AT(local), .role = IS_IDENTITY,
	  .unless = "count", .readers = FOR_PEOPLE, .help = "local address and port" },
	{ "T>", "t", COLUMN_TEXT, -2, AT(type),
	  .unless = "count", .readers = FOR_PEOPLE, .help = "R: sent again, L: a tail loss probe" },
	{ "RADDR:RPORT", "remote", COLUMN_TEXT, -20, AT(remote), .role = IS_IDENTITY,
	  .unless = "count", .readers = FOR_PEOPLE, .help = "remote address and port" },
	{ "LADDR:LPORT", "local", COLUMN_TEXT, -25, AT(local), .role = IS_IDENTITY,
	  .option = "count", .readers = FOR_PEOPLE },
	{ "RADDR:RPORT", "remote", COLUMN_TEXT, -25, AT(remote), .role = IS_IDENTITY,
	  .option = "count", .readers = FOR_PEOPLE },
	{ "LADDR", "laddr", COLUMN_ADDRESS, 0, .field = "laddr", .readers = FOR_MACHINES },
	{ "LPORT", "lport", COLUMN_INTEGER, 0, .field = "lport", .readers = FOR_MACHINES },
	{ "RADDR", "raddr", COLUMN_ADDRESS, 0, .field = "raddr", .readers = FOR_MACHINES },
	{ "RPORT", "rport", COLUMN_INTEGER, 0, .field = "rport", .readers = FOR_MACHINES },
	{ "TYPE", "type", COLUMN_TEXT, 0, .field = "type", .readers = FOR_MACHINES },
	{ "STATE", "state", COLUMN_TEXT, -12, .field = "state",
	  .unless = "count", .help = "state of the connection" },
	{ "SEQ", "seq", COLUMN_INTEGER, -10, AT(sequence), .role = IS_LABEL, .option = "sequence",
	  .unless = "count", .help = "sequence number of the segment" },
	{ "RETRANSMITS", "retransmits", COLUMN_INTEGER, -11, AT(count), .role = IS_COUNT,
	  .option = "count", .help = "how many segments were sent again" },
	{ "T", "t", COLUMN_TEXT, 0, .field = "type",
	  .option = "counted_types", .readers = FOR_PEOPLE },
	{ }
};

static const struct part parts[] = {
	{ &tcpretrans_record_layout, AT(record), .pointer = true },
	{ }
};

/* What the functions below read of the options. */
struct tcpretrans_options {
	bool count, lossprobe;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct tcpretrans_options, MEMBER)

static const struct option options[] = {
	{ 's', "sequence", "show sequence numbers", OPTION_FLAG },
	{ 'l', "lossprobe", "show tail loss probes too", OPTION_FLAG, TO(lossprobe) },
	{ 'c', "count", "count by connection instead, until the end", OPTION_FLAG, TO(count) },
	OPTIONS_FAMILY,
	{ }
};

static const struct example examples[] = {
	{ "sonde tcpretrans", "retransmissions, as they happen" },
	{ "sonde tcpretrans -c --duration 60", "counts of a minute, by connection" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct tcpretrans_options *o = run_asked(r);
	const struct common_options *family = common_of(run_options(r));

	(void)err;
	run_constant(r, "version", family->ipv4 ? 4 : family->ipv6 ? 6 : 0);
	/* the third quarter of ::ffff:192.0.2.1 */
	run_constant(r, "mapped", htonl(0xffff));
	run_constant(r, "counted_types", o->count && o->lossprobe);
	return 0;
}

static void show(struct run *r, struct row *row, bool counted)
{
	const struct tcpretrans_flow *f = &row->record->flow;
	struct address laddr = net_end(f->laddr), raddr = net_end(f->raddr);
	char local[TCP_END_TEXT], remote[TCP_END_TEXT];

	row->pid = NOTHING;
	row->ip = raddr.family == AF_INET ? 4 : 6;
	row->local = tcp_end_text(local, &laddr, f->lport, counted);
	row->remote = tcp_end_text(remote, &raddr, f->rport, counted);
	row->type = text_of(f->type == TCPRETRANS_PROBE ? "L>" : "R>", 2);
	output_row(run_output(r), row);
}

static void resent(struct run *r, const struct record *record)
{
	const struct tcpretrans_record *rec = record->bytes;
	bool told = rec->flow.type != TCPRETRANS_PROBE && run_has_input(r, "retransmit.skb", "seq");
	struct row row = { .record = rec, .sequence = told ? rec->sequence : NOTHING };

	show(r, &row, false);
}

struct count {
	struct tcpretrans_record record;
	uint64_t n;
};

struct counts {
	struct count *list;
	size_t n;
	bool failed;
};

static void add_count(void *arg, const void *key, const void *value)
{
	struct counts *c = arg;
	struct count *count;

	if (array_room(&c->list, c->n, sizeof(*c->list))) {
		c->failed = true;
		return;
	}
	count = &c->list[c->n++];
	*count = (struct count){ };
	memcpy(&count->record.flow, key, sizeof(count->record.flow));
	memcpy(&count->n, value, sizeof(count->n));
}

static int most_first(const void *a, const void *b)
{
	const struct count *x = a, *y = b;
	size_t epoch = offsetof(struct tcpretrans_flow, type);

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return memcmp(&x->record.flow.type, &y->record.flow.type, sizeof(x->record.flow) - epoch);
}

static int count_end(struct run *r, struct error *err)
{
	const struct tcpretrans_options *o = run_asked(r);
	struct counts c = { };
	int result;

	if (!o->count)
		return 0;
	result = run_take(r, "flows", add_count, &c, err);
	if (!result && c.failed)
		result = fail(err, "out of memory");
	if (!result && c.n)
		qsort(c.list, c.n, sizeof(*c.list), most_first);
	for (size_t i = 0; !result && i < c.n; i++) {
		struct row row = { .record = &c.list[i].record, .count = (int64_t)c.list[i].n };

		show(r, &row, true);
	}
	free(c.list);
	return result;
}

/* support: bpf: full (4.4) [16] | bpf (4.16): no `-l` | perf, ftrace: full [16] |
 *	    perf, ftrace (4.16): no `-l` [16] */
TOOL(tcpretrans, "network", "trace TCP segments that are sent again",
	.banner = "Tracing retransmits ... Hit Ctrl-C to end",
	.shape = SHAPE_EVENTS,
	.programs = &tcpretrans_programs,
	.options = options,
	.options_size = sizeof(struct tcpretrans_options),
	.columns = columns,
	.parts = parts,
	.notes = "Timers and acknowledgements make the kernel send again, not tasks. A tail loss "
		 "probe that sends a segment again has a line for that too.",
	.examples = examples,
	.prepare = prepare,
	.record = resent,
	.interval_end = count_end,
);
