// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcpconnect.h"

#include <stdio.h>

#include "src/run/options/common.h"
#include "src/toolkit/tcp.h"
#include "src/toolkit/top.h"

/* A connection; or, with --count, how many there were between two ends. */
struct row {
	const struct tcpconnect_record *record;
	int64_t dport, connects;
	struct address saddr, daddr;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -9, .field = "time", .digits = 3,
	  .option = "timestamp", .unless = "count", .help = "seconds since the first line" },
	{ "UID", "uid", COLUMN_INTEGER, -6, .field = "uid",
	  .option = "print-uid", .unless = "count", .help = "user id" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid",
	  .unless = "count", .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, -12, .field = "comm",
	  .unless = "count", .help = "name of the task" },
	{ "IP", "ip", COLUMN_INTEGER, -2, .field = "ip",
	  .unless = "count", .help = "4 or 6" },
	{ "SADDR", "saddr", COLUMN_ADDRESS, -16, .field = "saddr",
	  .unless = "count", .help = "local address" },
	{ "LPORT", "lport", COLUMN_INTEGER, -6, .field = "lport",
	  .option = "lport", .unless = "count", .help = "local port, -: not known" },
	{ "DADDR", "daddr", COLUMN_ADDRESS, -16, .field = "daddr",
	  .unless = "count", .help = "remote address" },
	{ "DPORT", "dport", COLUMN_INTEGER, -6, .field = "dport",
	  .unless = "count", .help = "remote port" },
	{ "LADDR", "laddr", COLUMN_ADDRESS, -25, AT(saddr), .option = "count",
	  .help = "local address" },
	{ "RADDR", "raddr", COLUMN_ADDRESS, -25, AT(daddr), .option = "count",
	  .help = "remote address" },
	{ "RPORT", "rport", COLUMN_INTEGER, -20, AT(dport), .option = "count",
	  .help = "remote port" },
	{ "CONNECTS", "connects", COLUMN_INTEGER, -10, AT(connects), .role = IS_COUNT,
	  .option = "count", .help = "number of attempts" },
	{ }
};

static const struct part parts[] = {
	{ &tcpconnect_record_layout, AT(record), .pointer = true },
	{ }
};

/* What the functions below read of the options. */
struct tcpconnect_options {
	bool count;
	struct option_list port;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct tcpconnect_options, MEMBER)

static const struct option options[] = {
	{ 't', "timestamp", "show seconds since the first line", OPTION_FLAG },
	{ 'p', "pid" },
	{ 'P', "port", "only these remote ports", OPTION_LIST, "PORT,...", 1, 65535, TO(port) },
	{ 'u', "uid" },
	{ 'U', "print-uid", "show the user id", OPTION_FLAG },
	{ 'c', "count", "count by addresses and port instead, until the end", OPTION_FLAG,
	  TO(count) },
	{ 'L', "lport", "show the local port", OPTION_FLAG },
	OPTIONS_FAMILY,
	{ 'd', "dns", "sonde reads no answers of DNS; gethostlatency shows which names programs "
	  "look up, and when", OPTION_REFUSED },
	{ }
};

static const struct example examples[] = {
	{ "sonde tcpconnect -c", "which servers, how often, until Ctrl-C" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct tcpconnect_options *o = run_asked(r);
	const unsigned int n = o->port.n;

	if (n > TCPCONNECT_PORTS)
		return fail(err, "tcpconnect: --port: %u ports are too many: it takes up to %u", n,
			    TCPCONNECT_PORTS);
	if (common_of(run_options(r))->name && o->count)
		return fail(err, "tcpconnect: --count adds up connections without looking at "
			    "names: take --pid instead of --name");
	tcp_family(r);
	run_constant(r, "port", n > 0);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct tcpconnect_options *o = run_asked(r);

	return tcp_set_ports(r, &o->port, "ports", err);
}

static void connected(struct run *r, const struct record *record)
{
	const struct tcpconnect_record *rec = record->bytes;
	struct row row = { .record = rec };

	if (run_wanted(r, rec))
		output_row(run_output(r), &row);
}

static void add_count(void *arg, const void *key, const void *value)
{
	const struct tcpconnect_key *k = key;
	struct row *row = top_row(arg);

	if (!row)
		return;
	*row = (struct row){
		.saddr = net_address(k->family, k->saddr),
		.daddr = address_of(k->family, k->daddr),
		.dport = k->dport,
	};
	memcpy(&row->connects, value, sizeof(row->connects));
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->connects != y->connects)
		return x->connects < y->connects ? 1 : -1;
	return memcmp(&x->daddr, &y->daddr, sizeof(x->daddr));
}

static int count_end(struct run *r, struct error *err)
{
	const struct tcpconnect_options *o = run_asked(r);
	struct top t = { .size = sizeof(struct row) };
	int result;

	if (!o->count)
		return 0;
	result = top_take(r, "connects", add_count, &t, err);
	if (!result)
		top_sort(&t, most_first);
	for (size_t i = 0; !result && i < t.n; i++)
		output_row(run_output(r), (struct row *)t.rows + i);
	top_free(&t);
	return result;
}

/* support: bpf: full (4.16); [4] (4.4) | bpf: full (4.16) |
 *	    perf, ftrace: [2]; [2] [4] before 4.16 | perf, ftrace (4.16): [2] */
TOOL(tcpconnect, "network", "trace active TCP connections: processes and addresses",
	.banner = "Tracing connect ... Hit Ctrl-C to end",
	.shape = SHAPE_EVENTS,
	.programs = &tcpconnect_programs,
	.options = options,
	.options_size = sizeof(struct tcpconnect_options),
	.columns = columns,
	.parts = parts,
	.notes = "Shows attempts: a connection that is refused later has a line too. With --lport "
		 "a line appears when the socket reaches its next state, on kernels that tell the "
		 "port only then.",
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.record = connected,
	.interval_end = count_end,
);
