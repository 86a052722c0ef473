// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcpretrans.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "compat/base/array.h"
#include "src/tools.h"

struct row {
	int64_t clock, pid, ip, lport, rport, sequence, count;
	struct text local, remote, type, letter, state;
	struct address laddr, raddr;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .unless = "count", .help = "time of day" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .unless = "count", .help = "-: no task does this" },
	{ "IP", "ip", COLUMN_INTEGER, -2, AT(ip), .unless = "count", .help = "4 or 6" },
	{ "LADDR:LPORT", "local", COLUMN_TEXT, -20, AT(local), .unless = "count", .readers = FOR_PEOPLE,
	  .help = "local address and port" },
	{ "T>", "t", COLUMN_TEXT, -2, AT(type), .unless = "count", .readers = FOR_PEOPLE,
	  .help = "R: sent again, L: a tail loss probe" },
	{ "RADDR:RPORT", "remote", COLUMN_TEXT, -20, AT(remote), .unless = "count", .readers = FOR_PEOPLE,
	  .help = "the other end's" },
	{ "LADDR:LPORT", "local", COLUMN_TEXT, -25, AT(local), .option = "count", .readers = FOR_PEOPLE },
	{ "RADDR:RPORT", "remote", COLUMN_TEXT, -25, AT(remote), .option = "count", .readers = FOR_PEOPLE },
	{ "LADDR", "laddr", COLUMN_ADDRESS, 0, AT(laddr), .readers = FOR_MACHINES },
	{ "LPORT", "lport", COLUMN_INTEGER, 0, AT(lport), .readers = FOR_MACHINES },
	{ "RADDR", "raddr", COLUMN_ADDRESS, 0, AT(raddr), .readers = FOR_MACHINES },
	{ "RPORT", "rport", COLUMN_INTEGER, 0, AT(rport), .readers = FOR_MACHINES },
	{ "TYPE", "type", COLUMN_TEXT, 0, AT(letter), .readers = FOR_MACHINES },
	{ "STATE", "state", COLUMN_TEXT, -12, AT(state), .unless = "count", .help = "of the connection" },
	{ "SEQ", "seq", COLUMN_INTEGER, -10, AT(sequence), .option = "sequence", .unless = "count",
	  .help = "the segment's sequence number" },
	{ "RETRANSMITS", "retransmits", COLUMN_INTEGER, -11, AT(count), .option = "count", .help = "how often" },
	{ "T", "t", COLUMN_TEXT, 0, AT(letter), .option = "counted_types", .readers = FOR_PEOPLE },
	{ }
};

static const struct option options[] = {
	{ 's', "sequence", "show sequence numbers", OPTION_FLAG },
	{ 'l', "lossprobe", "tail loss probes too", OPTION_FLAG },
	{ 'c', "count", "count by connection instead, until the end", OPTION_FLAG },
	{ '4', "ipv4", "IPv4 only", OPTION_FLAG, .excludes = "ipv6" },
	{ '6', "ipv6", "IPv6 only", OPTION_FLAG, .excludes = "ipv4" },
	{ }
};

static const struct example examples[] = {
	{ "sonde tcpretrans", "what is sent again, as it happens" },
	{ "sonde tcpretrans -c --duration 60", "how often in a minute, by connection" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct options *o = run_options(r);

	(void)err;
	run_constant(r, "version", option_number(o, "ipv4") ? 4 : option_number(o, "ipv6") ? 6 : 0);
	run_constant(r, "mapped", htonl(0xffff));	/* the third quarter of ::ffff:192.0.2.1 */
	run_constant(r, "counted_types", option_number(o, "count") && option_number(o, "lossprobe"));
	return 0;
}

#define END_TEXT 64

/* Port 22 of an end as people read it: 192.0.2.1:22, [2001:db8::1]:22; counted ones as [192.0.2.1]#22. */
static struct text end_text(char text[END_TEXT], const struct address *a, unsigned int port, bool counted)
{
	char shown[INET6_ADDRSTRLEN] = "-";
	bool brackets = counted || a->family == AF_INET6;

	if (a->family)
		inet_ntop(a->family, a->bytes, shown, sizeof(shown));
	snprintf(text, END_TEXT, brackets ? "[%s]%c%u" : "%s%c%u", shown, counted ? '#' : ':', port);
	return text_of(text, END_TEXT);
}

static struct text state_name(unsigned int state)
{
	static const char *const names[] = {
		"ESTABLISHED", "SYN_SENT", "SYN_RECV", "FIN_WAIT1", "FIN_WAIT2", "TIME_WAIT", "CLOSE", "CLOSE_WAIT",
		"LAST_ACK", "LISTEN", "CLOSING", "NEW_SYN_RECV",
	};

	return state && state <= sizeof(names) / sizeof(names[0]) ? text_of(names[state - 1], 16) : (struct text){ };
}

static void show(struct run *r, const struct tcpretrans_flow *f, struct row *row)
{
	bool counted = option_number(run_options(r), "count");
	char local[END_TEXT], remote[END_TEXT];

	row->laddr = net_end(f->laddr);
	row->raddr = net_end(f->raddr);
	row->ip = row->raddr.family == AF_INET ? 4 : 6;
	row->lport = f->lport;
	row->rport = f->rport;
	row->local = end_text(local, &row->laddr, f->lport, counted);
	row->remote = end_text(remote, &row->raddr, f->rport, counted);
	row->type = text_of(f->type == TCPRETRANS_PROBE ? "L>" : "R>", 2);
	row->letter = text_of(row->type.s, 1);
	output_row(run_output(r), row);
}

static void resent(struct run *r, const struct record *record)
{
	const struct tcpretrans_record *rec = record->bytes;
	bool probe;
	struct row row;

	probe = rec->flow.type == TCPRETRANS_PROBE;
	row = (struct row){
		.clock = run_wall_clock(r, rec->time),
		.pid = NOTHING,
		.state = state_name(rec->state),
		.sequence = !probe && run_has_input(r, "retransmit.skb", "seq") ? rec->sequence : NOTHING,
	};
	show(r, &rec->flow, &row);
}

struct count {
	struct tcpretrans_flow flow;
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

	if (array_room(&c->list, c->n, sizeof(*c->list))) {
		c->failed = true;
		return;
	}
	memcpy(&c->list[c->n].flow, key, sizeof(c->list->flow));
	memcpy(&c->list[c->n++].n, value, sizeof(c->list->n));
}

static int most_first(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return memcmp(&x->flow.type, &y->flow.type, sizeof(x->flow) - offsetof(struct tcpretrans_flow, type));
}

static int count_end(struct run *r, struct error *err)
{
	struct counts c = { };
	int result;

	if (!option_number(run_options(r), "count"))
		return 0;
	result = run_take(r, "flows", add_count, &c, err);
	if (!result && c.failed)
		result = fail(err, "out of memory");
	if (!result && c.n)
		qsort(c.list, c.n, sizeof(*c.list), most_first);
	for (size_t i = 0; !result && i < c.n; i++) {
		struct row row = { .count = (int64_t)c.list[i].n };

		show(r, &c.list[i].flow, &row);
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
	.columns = columns,
	.notes = "Timers and acknowledgements send again, no task does. A tail loss probe that is a segment sent again "
		 "has a line of that too.",
	.examples = examples,
	.prepare = prepare,
	.record = resent,
	.interval_end = count_end,
);
