// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcptop.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/toolkit/net/protocols.h"
#include "src/toolkit/net/subnets.h"
#include "src/toolkit/tcp.h"
#include "src/toolkit/top.h"

struct tcptop {
	struct subnets subnets;
	struct column *columns;		/* those of --format; NULL: not given */
	char names[2][8];		/* their heads */
	unsigned int bits, divisor;	/* what is shown is bytes * bits / divisor */
};

/* A process and a socket; or a control group; or, with --subnet, a network, of `bytes` alone. */
struct row {
	struct top_group group;
	struct tcptop_key key;
	struct tcptop_bytes bytes;
	int64_t clock, lport, rport;
	int64_t moved[2];		/* with --format: received and sent, in its unit */
	struct text protocol, local, remote, subnet;
	struct address laddr, raddr;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .readers = FOR_MACHINES },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .unless = "merged",
	  .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, -12, .field = "comm", .unless = "merged",
	  .help = "name of the task that called" },
	{ "PROTO", "proto", COLUMN_TEXT, -7, AT(protocol), .option = "all", .unless = "merged",
	  .help = "TCP, UDP, UNIX or another protocol or family" },
	{ "LADDR", "local", COLUMN_TEXT, -21, AT(local), .role = IS_IDENTITY, .unless = "merged",
	  .readers = FOR_PEOPLE, .help = "local address and port" },
	{ "RADDR", "remote", COLUMN_TEXT, -21, AT(remote), .role = IS_IDENTITY, .unless = "merged",
	  .readers = FOR_PEOPLE, .help = "remote address and port" },
	{ "LADDR", "laddr", COLUMN_ADDRESS, 0, AT(laddr), .unless = "merged",
	  .readers = FOR_MACHINES },
	{ "LPORT", "lport", COLUMN_INTEGER, 0, AT(lport), .unless = "merged",
	  .readers = FOR_MACHINES },
	{ "RADDR", "raddr", COLUMN_ADDRESS, 0, AT(raddr), .unless = "merged",
	  .readers = FOR_MACHINES },
	{ "RPORT", "rport", COLUMN_INTEGER, 0, AT(rport), .unless = "merged",
	  .readers = FOR_MACHINES },
	{ "SUBNET", "subnet", COLUMN_TEXT, -21, AT(subnet), .role = IS_IDENTITY, .option = "subnet",
	  .help = "network of the remote address, with --subnet" },
	{ "RX_KB", "rx_kb", COLUMN_INTEGER, 7, .field = "rx", .divisor = 1024,
	  .help = "received by calls, in units of 1024 bytes" },
	{ "TX_KB", "tx_kb", COLUMN_INTEGER, 7, .field = "tx", .divisor = 1024,
	  .help = "sent by calls, in the same units" },
	{ "RX_BYTES", "rx_bytes", COLUMN_INTEGER, 0, .field = "rx", .readers = FOR_MACHINES },
	{ "TX_BYTES", "tx_bytes", COLUMN_INTEGER, 0, .field = "tx", .readers = FOR_MACHINES },
	BY_CGROUP_COLUMN(AT(group.text)),
	{ }
};

static const struct part parts[] = {
	{ &tcptop_key_layout, AT(key) },
	{ &tcptop_bytes_layout, AT(bytes) },
	{ }
};

static const struct option_name orders[] = { { "all", 0 }, { "sent", 0 }, { "received", 0 },
					     { NULL, 0 } };

/* The bits of a byte are 8 of them; 1: bytes. */
static const struct option_name units[] = {
	{ "b", 1 }, { "k", 1024 }, { "m", 1048576 }, { "B", 1 }, { "K", 1024 }, { "M", 1048576 },
	{ }
};

/* What the functions below read of the options. */
struct tcptop_options {
	bool by_cgroup;
	const char *subnet, *format, *sort;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct tcptop_options, MEMBER)

static const struct option options[] = {
	TOP_OPTIONS,
	TOP_OPTION_SUMMARY,
	{ 's', "sort", "order of the rows", OPTION_TEXT, "all|sent|received", .names = orders,
	  TO(sort) },
	{ 'p', "pid" },
	OPTIONS_FAMILY,
	{ 'a', "all", "not only TCP: UDP, UNIX and other sockets too", OPTION_FLAG },
	{ 0, "subnet", "sum up by networks of remote addresses instead; the first that fits counts",
	  OPTION_TEXT, "NET,...", .joins = ',', TO(subnet) },
	{ 0, BY_CGROUP, BY_CGROUP_HELP, OPTION_FLAG, .excludes = "subnet", TO(by_cgroup) },
	{ 'f', "format", "text has bits, Kbits, Mbits, bytes, Kbytes or Mbytes", OPTION_TEXT,
	  "b|k|m|B|K|M", .names = units, TO(format) },
	{ 'J', "json" },
	{ }
};

static const struct example examples[] = {
	{ "sonde tcptop", "the busiest connections" },
	{ "sonde tcptop --subnet 10.0.0.0/8 60", "with one network, each minute" },
	{ }
};

/* What text has in place of the two columns with Kbytes, which JSON and CSV keep. */
static int set_format(struct run *r, struct tcptop *t, const char *format, struct error *err)
{
	static const char *const heads[] = { "RX", "TX" };
	const struct option_name *unit = units;
	struct column *to;
	int i = 0;

	while (strcmp(unit->name, format))
		unit++;
	t->bits = *format >= 'a' ? 8 : 1;
	t->divisor = (unsigned int)unit->value;
	to = t->columns = calloc(1, sizeof(columns) + 2 * sizeof(*columns));
	if (!to)
		return fail(err, "out of memory");
	for (const struct column *c = columns; c->head; c++, to++) {
		*to = *c;
		if (!c->divisor)
			continue;
		to->readers = FOR_MACHINES;
		text_all(t->names[i], sizeof(t->names[i]), "%s_%s%s", heads[i],
			 unit->value == 1 ? "" : unit->value == 1024 ? "K" : "M",
			 t->bits == 8 ? "bit" : "B");
		*++to = (struct column){ t->names[i], c->name, COLUMN_INTEGER, 10,
					 AT(moved[i]), .unit = IN_ANY, .readers = FOR_PEOPLE };
		i++;
	}
	run_columns(r, t->columns);
	return 0;
}

static int prepare(struct run *r, struct error *err)
{
	const struct tcptop_options *o = run_asked(r);
	struct tcptop *t = run_state(r);
	const char *list = o->subnet, *format = o->format;

	tcp_family(r);
	run_constant(r, "merged", list || o->by_cgroup);
	if (format && set_format(r, t, format, err))
		return -1;
	return list ? subnets_parse(&t->subnets, list, err) : 0;
}

static int started(struct run *r, struct error *err)
{
	(void)err;
	if (run_has_hook(r, "ends.state"))
		run_note(r, "addresses are `-` for connections that were open before, until they "
			 "receive");
	return 0;
}

static void add_flow(void *arg, const void *key, const void *value)
{
	struct row *row = top_row(arg);

	if (!row)
		return;
	memcpy(&row->key, key, sizeof(row->key));
	memcpy(&row->bytes, value, sizeof(row->bytes));
	row->group.owner = (int64_t)row->key.owner;
}

static void merge(void *to, const void *from)
{
	struct tcptop_bytes *bytes = &((struct row *)to)->bytes;
	const struct row *row = from;

	bytes->rx += row->bytes.rx;
	bytes->tx += row->bytes.tx;
}

/* An address of zeros is any address, if the end has a port; else the end is unknown. */
static struct address end_of(const struct run *r, const struct tcptop_ends *e,
			     const uint8_t bytes[16], unsigned int port)
{
	bool unread = e->family == AF_INET6 && run_has_hook(r, "flow.send") &&
		!run_has_input(r, "flow.send", "saddr6");

	if (e->family != AF_INET && e->family != AF_INET6)
		return (struct address){ };
	return port && !unread ? address_of(e->family, bytes) : net_address(e->family, bytes);
}

static void set_ends(const struct run *r, struct row *row)
{
	const struct tcptop_ends *e = &row->key.ends;

	row->laddr = end_of(r, e, e->laddr, e->lport);
	row->raddr = end_of(r, e, e->raddr, e->rport);
	row->lport = e->lport ? e->lport : NOTHING;
	row->rport = e->rport ? e->rport : NOTHING;
}

static int by(uint64_t x, uint64_t y)
{
	return x < y ? 1 : x > y ? -1 : 0;
}

static int most_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = by(x->bytes.rx + x->bytes.tx, y->bytes.rx + y->bytes.tx);

	order = order ? order : memcmp(&x->key, &y->key, sizeof(x->key));
	return order ? order : (x->subnet.s > y->subnet.s) - (x->subnet.s < y->subnet.s);
}

static int most_sent_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = by(x->bytes.tx, y->bytes.tx);

	return order ? order : most_first(a, b);
}

static int most_received_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = by(x->bytes.rx, y->bytes.rx);

	return order ? order : most_first(a, b);
}

static void print(struct run *r, void *shown)
{
	struct row *row = shown;
	const struct tcptop *t = run_state(r);
	const struct tcptop_ends *e = &row->key.ends;
	char local[TCP_END_TEXT], remote[TCP_END_TEXT], number[PROTOCOL_TEXT];

	row->clock = run_interval_clock(r);
	if (t->columns) {
		row->moved[0] = (int64_t)(row->bytes.rx * t->bits / t->divisor);
		row->moved[1] = (int64_t)(row->bytes.tx * t->bits / t->divisor);
	}
	row->protocol = protocol_text(e->family, e->protocol, number);
	if (e->lport || row->laddr.family)
		row->local = tcp_end_text(local, &row->laddr, e->lport, false);
	if (e->rport || row->raddr.family)
		row->remote = tcp_end_text(remote, &row->raddr, e->rport, false);
	output_row(run_output(r), row);
}

/* Replaces the rows by one for each network. */
static void sum_up(struct top *t, const struct subnets *s)
{
	struct top sums = { .size = t->size };

	for (size_t i = 0; i < s->n; i++) {
		struct row *sum = top_row(&sums);

		for (size_t j = 0; sum && j < t->n; j++) {
			const struct row *row = (const struct row *)t->rows + j;

			if (subnets_find(s, &row->raddr) != (int)i)
				continue;
			merge(sum, row);
		}
		if (sum)
			sum->subnet = text_of(s->list[i].text, sizeof(s->list[i].text));
		if (sum && !sum->bytes.rx && !sum->bytes.tx)
			sums.n--;
	}
	sums.failed |= t->failed;
	top_free(t);
	*t = sums;
}

static int show(struct run *r, struct error *err)
{
	const struct tcptop_options *o = run_asked(r);
	const struct tcptop *tool = run_state(r);
	const char *sort = o->sort;
	struct top t = { .size = sizeof(struct row) };

	if (top_take(r, "flows", add_flow, &t, err))
		return -1;
	for (size_t i = 0; i < t.n; i++)
		set_ends(r, (struct row *)t.rows + i);
	top_by_cgroup(r, &t, merge);
	if (tool->subnets.n)
		sum_up(&t, &tool->subnets);
	return top_show(r, &t, !sort || !strcmp(sort, "all") ? most_first :
			!strcmp(sort, "sent") ? most_sent_first : most_received_first, print, err);
}

static void cleanup(struct run *r)
{
	struct tcptop *t = run_state(r);

	subnets_free(&t->subnets);
	free(t->columns);
}

/* support: bpf: full (6.5); [21] (4.6) | bpf (6.5): full | perf, ftrace: [21] |
 *	    perf, ftrace (6.5): [22] */
TOOL(tcptop, "network", "connections with most bytes over TCP, as top shows them",
	.banner = "Tracing... Hit Ctrl-C to end",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.interval = 1,
	.programs = &tcptop_programs,
	.options = options,
	.options_size = sizeof(struct tcptop_options),
	.columns = columns,
	.parts = parts,
	.tables = true,
	.notes = "Counts bytes as calls move them, which may be fewer than they asked for. Both "
		 "ends of a connection "
		 "within this machine have a row.",
	.examples = examples,
	.state_size = sizeof(struct tcptop),
	.prepare = prepare,
	.started = started,
	.interval_end = show,
	.cleanup = cleanup,
);
