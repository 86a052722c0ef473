// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcplife.h"

#include "src/toolkit/tcp.h"

struct row {
	int64_t clock, time, pid, ip, lport, rport, tx, rx;
	double ms;
	struct text comm;
	struct address laddr, raddr;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .option = "time", .help = "time of day of the end" },
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -9, AT(time), .digits = 6, .option = "timestamp",
	  .help = "seconds since the first line" },
	{ "PID", "pid", COLUMN_INTEGER, -5, AT(pid),
	  .help = "process that connected, or that closed what it accepted" },
	{ "COMM", "comm", COLUMN_TEXT, -10, AT(comm), .wide = -16, .help = "its name" },
	COLUMN_IP(AT(ip)),
	{ "LADDR", "laddr", COLUMN_ADDRESS, -15, AT(laddr), .wide = -26, .help = "local address" },
	{ "LPORT", "lport", COLUMN_INTEGER, -5, AT(lport), .help = "local port" },
	{ "RADDR", "raddr", COLUMN_ADDRESS, -15, AT(raddr), .wide = -26, .help = "remote address" },
	{ "RPORT", "rport", COLUMN_INTEGER, -5, AT(rport), .help = "remote port" },
	{ "TX_KB", "tx_kb", COLUMN_INTEGER, 5, AT(tx), .wide = 6,
	  .help = "sent and acknowledged, in units of 1024 bytes" },
	{ "RX_KB", "rx_kb", COLUMN_INTEGER, 5, AT(rx), .wide = 6, .help = "received" },
	{ "MS", "ms", COLUMN_REAL, 0, AT(ms), .digits = 2, .help = "how long it lived" },
	{ }
};

static const struct option options[] = {
	OPTIONS_TIME,
	OPTIONS_TABLE,
	{ 'p', "pid" },
	OPTIONS_PORTS('L'),
	OPTIONS_FAMILY,
	{ }
};

static const struct example examples[] = {
	{ "sonde tcplife -D 80,443", "connections to web servers" },
	{ "sonde tcplife -T -w -L 22", "logins: whence, how long, how much" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	static const char *const filters[] = { "pid", "tid", "uid", "exec" };
	bool filtered = false;

	for (unsigned int i = 0; i < sizeof(filters) / sizeof(filters[0]); i++)
		filtered |= option_given(run_options(r), filters[i]);
	run_constant(r, "filtered", filtered);
	return tcp_prepare(r, err);
}

static bool summed(const struct run *r)
{
	return run_has_hook(r, "tcp.sent");
}

static int started(struct run *r, struct error *err)
{
	if (summed(r))
		run_note(r, "TX_KB and RX_KB are sums of what calls took and gave: the kernel's counts can't be had here");
	return tcp_started(r, err);
}

/* The kernel's own count, or a sum by what is seen at `hook`, if that was all. */
static int64_t kilobytes(const struct run *r, const char *input, const char *hook, uint64_t bytes, bool all)
{
	bool known = summed(r) ? all && run_has_hook(r, hook) : run_has_input(r, "tcp.set_state", input);

	return known ? (int64_t)(bytes / 1024) : NOTHING;
}

static void ended(struct run *r, const struct record *record)
{
	const struct tcplife_record *rec = record->bytes;
	bool known;
	struct row row;

	known = rec->life.whose != WHOSE_UNKNOWN && rec->life.whose != WHOSE_OTHERS;
	row = (struct row){
		.clock = run_wall_clock(r, rec->time),
		.time = run_since_start(r, rec->time),
		.pid = known ? tgid_of(rec->life.pid_tgid) : NOTHING,
		.comm = known ? comm_text(rec->life.comm) : (struct text){ },
		.ip = rec->ends.family == AF_INET6 ? 6 : 4,
		.laddr = tcp_local(r, "tcp.set_state", &rec->ends),
		.lport = rec->ends.lport,
		.raddr = tcp_remote(r, "tcp.set_state", &rec->ends),
		.rport = rec->ends.rport,
		.tx = kilobytes(r, "tx", "tcp.sent", rec->bytes.tx, !rec->bytes.sending),
		.rx = kilobytes(r, "rx", "tcp.received", rec->bytes.rx, !rec->bytes.unsure),
		.ms = (double)(rec->time - rec->life.birth) / 1e6,
	};
	if (name_matches(r, row.comm))
		output_row(run_output(r), &row);
}

/* support: bpf: full (4.6) | bpf (4.16): [8] | perf, ftrace: [2] |
 *	    perf, ftrace (4.16): [2] [8] [9] */
TOOL(tcplife, "network", "trace TCP connections when they end: whose, how long, how much",
	.shape = SHAPE_EVENTS,
	.programs = &tcplife_programs,
	.options = options,
	.columns = columns,
	.notes = "Shows connections that begin and end while it runs, attempts that fail too. A process that is not "
		 "known for certain is `-`. Before 4.1 the bytes are sums over calls.",
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.record = ended,
);
