// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/bindsnoop.h"

#include <arpa/inet.h>
#include <stdio.h>

#include "src/run/options/common.h"
#include "src/toolkit/numbered.h"
#include "src/toolkit/tcp.h"
#include "src/toolkit/top.h"

/* What is bound; or, with --count, how many binds there were. */
struct row {
	const struct bindsnoop_record *record;
	int64_t uid, number, port, device, limit, netns, binds;
	struct text protocol, address, options, error;
	struct address counted;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -9, .field = "time", .digits = 6,
	  .option = "timestamp", .unless = "count", .help = "seconds since the first line" },
	{ "UID", "uid", COLUMN_INTEGER, -6, AT(uid),
	  .option = "print-uid", .unless = "count", .help = "user id" },
	{ "RC", "rc", COLUMN_INTEGER, -3, AT(number), .role = IS_LABEL, .option = "errors",
	  .unless = "count", .help = "number of the error, 0: none" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .unless = "count",
	  .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .unless = "count",
	  .help = "name of the task" },
	{ "NETNS", "netns", COLUMN_INTEGER, -11, AT(netns), .role = IS_IDENTITY,
	  .option = "show-netns", .unless = "count",
	  .help = "inode number of its network namespace, -: not known" },
	{ "PROTO", "proto", COLUMN_TEXT, -6, AT(protocol), .unless = "count",
	  .help = "protocol, UNIX: a socket of this machine, -: not known" },
	{ "ADDR", "addr", COLUMN_TEXT, -15, AT(address), .wide = -39, .role = IS_IDENTITY,
	  .help = "address; of a UNIX socket its path, or @ and a name; -: not known" },
	{ "PORT", "port", COLUMN_INTEGER, -5, AT(port),
	  .help = "port that the socket has; of a failure: that was asked for; -: not known" },
	{ "OPTS", "opts", COLUMN_TEXT, -5, AT(options), .option = "binds", .unless = "count",
	  .help = "F freebind, T transparent, N bind_address_no_port, R reuseaddr, r reuseport" },
	{ "IF", "if", COLUMN_INTEGER, -3, AT(device), .role = IS_IDENTITY, .option = "binds",
	  .unless = "count", .help = "number of the interface that it is bound to, 0: none" },
	{ "BACKLOG", "backlog", COLUMN_INTEGER, -7, AT(limit), .role = IS_COUNT,
	  .level = true, .option = "listen", .unless = "count",
	  .help = "connections that may wait for accept(2)" },
	{ "ERROR", "error", COLUMN_TEXT, 0, AT(error), .unless = "count",
	  .help = "error, -: none" },
	{ "BINDS", "binds", COLUMN_INTEGER, 0, AT(binds), .role = IS_COUNT, .option = "count",
	  .help = "number of binds; with -l, of listeners" },
	{ }
};

static const struct part parts[] = {
	{ &bindsnoop_record_layout, AT(record), .pointer = true },
	{ }
};

/* What the functions below read of the options. */
struct bindsnoop_options {
	bool of_unix, count, listen, netns_id_given;
	struct option_list port;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct bindsnoop_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct bindsnoop_options, MEMBER)

static const struct option options[] = {
	{ 'l', "listen", "show sockets that begin to listen, instead of binds", OPTION_FLAG,
	  TO(listen) },
	{ 'x', "failed", "only failures", OPTION_FLAG, .excludes = "count" },
	{ 'E', "errors", "show the number of the error", OPTION_FLAG },
	{ 't', "timestamp", "show seconds since the first line", OPTION_FLAG },
	{ 'w', "wide", "wider columns, for IPv6 addresses", OPTION_FLAG },
	{ 'p', "pid" },
	{ 'P', "port", "only these ports", OPTION_LIST, "PORT,...", 1, 65535, .alias = "ports",
	  TO(port) },
	{ 'u', "uid" },
	{ 'U', "print-uid", "show the user id", OPTION_FLAG },
	{ 'c', "count", "count by address and port instead, until the end", OPTION_FLAG,
	  TO(count) },
	OPTIONS_FAMILY,
	{ 'n', "netns-id", "only this network namespace, by its inode number", OPTION_NUMBER, "N",
	  1, UINT32_MAX, .local = true, .alias = "netns", GIVEN(netns_id_given) },
	{ 0, "show-netns", "show the network namespace, by its inode number", OPTION_FLAG },
	{ 0, "unix", "also binds of UNIX sockets", OPTION_FLAG, .excludes = "listen",
	  TO(of_unix) },
	{ }
};

static const struct example examples[] = {
	{ "sonde bindsnoop", "programs, their ports, and binds that fail" },
	{ "sonde bindsnoop -l", "sockets that begin to listen" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct bindsnoop_options *o = run_asked(r);
	const unsigned int n = o->port.n;

	if (n > TCP_PORTS)
		return fail(err, "bindsnoop: --port: %u ports are too many: it takes up to %u", n,
			    TCP_PORTS);
	if (o->of_unix && o->count)
		return fail(err, "bindsnoop: --count adds up ports, and UNIX sockets have none");
	if (common_of(run_options(r))->name && o->count)
		return fail(err, "bindsnoop: --count adds up binds without looking at names: take "
			    "--pid instead of --name");
	tcp_family(r);
	run_constant(r, "binds", !o->listen);
	run_constant(r, "some_ports", n > 0);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct bindsnoop_options *o = run_asked(r);

	if (o->netns_id_given &&
	    !run_has_input(r, o->listen ? "listen.enter" : "bind.enter", "netns"))
		return fail(err, "--netns-id: the network namespace of a socket is unavailable "
			    "here: it takes type information (BTF) and, without BPF, kprobes");
	return tcp_set_ports(r, &o->port, "ports", err);
}

static struct text protocol_of(const struct bindsnoop_record *rec, char number[8])
{
	static const struct { uint16_t number; const char *name; } names[] = {
		{ 1, "ICMP" }, { 6, "TCP" }, { 17, "UDP" }, { 33, "DCCP" }, { 58, "ICMPv6" },
		{ 115, "L2TP" }, { 132, "SCTP" }, { 136, "UDPLITE" }, { 255, "RAW" },
		{ 262, "MPTCP" },
	};

	if (rec->family == BIND_UNIX)
		return text_of("UNIX", sizeof("UNIX"));
	if (!rec->protocol)
		return (struct text){ };
	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].number == rec->protocol)
			return text_of(names[i].name, 8);
	snprintf(number, 8, "%u", rec->protocol);
	return text_of(number, 8);
}

/*
 * The program's memory may have had more behind the path than belongs to it. The kernel chooses a
 * name if it gets none.
 */
static struct text path_of(const struct bindsnoop_record *rec, char path[BIND_PATH + 1])
{
	uint32_t own = rec->size < 3 ? 0 : (uint32_t)rec->size - 2 - rec->named;
	struct text t = read_text(rec->path, rec->length, own < BIND_PATH ? own : BIND_PATH,
				  BIND_PATH);

	if (!t.s || !own)
		return (struct text){ };
	t.cut = rec->named && t.length < own;
	if (!rec->named)
		return t;
	path[0] = '@';
	memcpy(path + 1, t.s, t.length);
	t.s = path;
	t.length++;
	return t;
}

static struct text address_text(const struct address *a, char shown[INET6_ADDRSTRLEN])
{
	if (!a->family || !inet_ntop(a->family, a->bytes, shown, INET6_ADDRSTRLEN))
		return (struct text){ };
	return text_of(shown, INET6_ADDRSTRLEN);
}

/* A bit-field of the kernel: the first one is in the lowest bits, or in the highest. */
static bool bit(uint8_t bits, unsigned int n)
{
	return bits & (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 0x80 >> n : 1 << n);
}

/* What the socket's options are, if the kernel told. */
static struct text options_of(const struct bindsnoop_record *rec, char shown[8])
{
	uint8_t bytes[4];

	if (!rec->sk)
		return (struct text){ };
	memcpy(bytes, &rec->inet, sizeof(bytes));
	strcpy(shown, "???..");
	if (rec->own_family == AF_INET || rec->own_family == AF_INET6) {
		bool word = rec->words;

		shown[0] = (word ? rec->inet >> 11 & 1 : bit(bytes[1], 2)) ? 'F' : '.';
		shown[1] = (word ? rec->inet >> 15 & 1 : bit(bytes[1], 5)) ? 'T' : '.';
		shown[2] = (word ? rec->inet >> 18 & 1 : bit(bytes[2], 0)) ? 'N' : '.';
	}
	for (unsigned int i = 0; i < 4; i++)
		if (bit(rec->reuse, i))
			shown[3] = 'R';
	if (bit(rec->reuse, 4))
		shown[4] = 'r';
	return text_of(shown, 8);
}

/* Only of TCP it is set when the socket begins to listen. */
static int64_t limit_of(struct run *r, const struct bindsnoop_record *rec)
{
	bool tcp = !rec->protocol || rec->protocol == TCP_PROTOCOL;

	return tcp && run_has_input(r, "listen.enter", "limit") ? rec->limit : NOTHING;
}

/* Bytes of an address that the kernel looks at. */
static int least(unsigned int family)
{
	return family == AF_INET6 ? 24 : 16;
}

/* An address of IPv6 may be unavailable of a listener. */
static bool has_address(struct run *r, unsigned int family)
{
	const struct bindsnoop_options *o = run_asked(r);

	return family == AF_INET || !o->listen || run_has_input(r, "listen.enter", "saddr6");
}

static int64_t port_of(const struct bindsnoop_record *rec)
{
	if (rec->ret)
		return rec->port;
	return rec->bound ? rec->bound : NOTHING;
}

static void shown(struct run *r, const struct record *record)
{
	const struct bindsnoop_options *o = run_asked(r);
	const struct bindsnoop_record *rec = record->bytes;
	bool listens = o->listen;
	char number[8], path[BIND_PATH + 1], ip[INET6_ADDRSTRLEN], opts[8];
	const char *error = rec->ret < 0 ? errno_name(-rec->ret) : NULL;
	struct row row;

	if (!run_wanted(r, rec))
		return;
	row = (struct row){
		.record = rec,
		.uid = run_has_input(r, listens ? "listen.exit" : "bind.exit", "uid") ? rec->uid :
			NOTHING,
		.number = rec->ret < 0 ? -(int64_t)rec->ret : 0,
		.protocol = protocol_of(rec, number),
		.port = NOTHING,
		.netns = rec->netns ? rec->netns : NOTHING,
		.device = rec->sk ? rec->device : NOTHING,
		.limit = limit_of(r, rec),
		.options = options_of(rec, opts),
	};
	if (rec->family == BIND_UNIX) {
		row.address = path_of(rec, path);
	} else if (listens || rec->size >= least(rec->family)) {
		struct address a = address_of(rec->family, rec->address);

		if (has_address(r, rec->family))
			row.address = address_text(&a, ip);
		row.port = port_of(rec);
	}
	if (rec->ret < 0)
		row.error = error ? text_of(error, 32) : (struct text){ .s = "?", .length = 1 };
	output_row(run_output(r), &row);
}

static void add_count(void *arg, const void *key, const void *value)
{
	const struct bindsnoop_key *k = key;
	struct row *row = top_row(arg);

	if (!row)
		return;
	*row = (struct row){
		.counted = address_of(k->family, k->address),
		.port = k->port ? k->port : NOTHING,
	};
	memcpy(&row->binds, value, sizeof(row->binds));
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->binds != y->binds)
		return x->binds < y->binds ? 1 : -1;
	if (x->port != y->port)
		return x->port < y->port ? -1 : 1;
	return memcmp(&x->counted, &y->counted, sizeof(x->counted));
}

static int count_end(struct run *r, struct error *err)
{
	const struct bindsnoop_options *o = run_asked(r);
	struct top t = { .size = sizeof(struct row) };
	int result;

	if (!o->count)
		return 0;
	result = top_take(r, "binds", add_count, &t, err);
	if (!result)
		top_sort(&t, most_first);
	for (size_t i = 0; !result && i < t.n; i++) {
		struct row *row = (struct row *)t.rows + i;
		char ip[INET6_ADDRSTRLEN];

		if (has_address(r, row->counted.family))
			row->address = address_text(&row->counted, ip);
		output_row(run_output(r), row);
	}
	top_free(&t);
	return result;
}

/* support: bpf: full (5.2); [25] (4.6) | bpf (4.7): [1] [25] | perf, ftrace: [2] [25] |
 *	    perf, ftrace (4.16): [1] [2] [26] */
TOOL(bindsnoop, "network", "trace binds and listeners: which program opens which port",
	.banner = "Tracing binds ... Hit Ctrl-C to end",
	.shape = SHAPE_EVENTS,
	.programs = &bindsnoop_programs,
	.options = options,
	.options_size = sizeof(struct bindsnoop_options),
	.columns = columns,
	.parts = parts,
	.requests = { REQUEST(BIND), "binds" },
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.record = shown,
	.interval_end = count_end,
);
