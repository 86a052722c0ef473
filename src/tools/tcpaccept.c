// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcpaccept.h"

#include "src/tcp.h"

struct row {
	int64_t clock, time, pid, ip, lport, rport;
	struct text comm;
	struct address laddr, raddr;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, AT(clock), .option = "time", .help = "time of day" },
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -9, AT(time), .digits = 3, .option = "timestamp",
	  .help = "seconds since the first line" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .help = "process that accepts" },
	{ "COMM", "comm", COLUMN_TEXT, -12, AT(comm), .help = "its name" },
	{ "IP", "ip", COLUMN_INTEGER, -2, AT(ip), .help = "4 or 6" },
	{ "RADDR", "raddr", COLUMN_ADDRESS, -16, AT(raddr), .help = "remote address" },
	{ "RPORT", "rport", COLUMN_INTEGER, -5, AT(rport), .help = "remote port" },
	{ "LADDR", "laddr", COLUMN_ADDRESS, -16, AT(laddr), .help = "local address" },
	{ "LPORT", "lport", COLUMN_INTEGER, -5, AT(lport), .help = "local port" },
	{ }
};

static const struct option options[] = {
	OPTIONS_TIME,
	{ 'p', "pid" },
	OPTIONS_PORTS('P', .alias = "port"),
	OPTIONS_FAMILY,
	{ }
};

static const struct example examples[] = {
	{ "sonde tcpaccept -P 80,443", "who is served by a web server" },
	{ "sonde tcpaccept -T -p 640", "connections that one process accepts" },
	{ }
};

static void accepted(struct run *r, const void *record, uint32_t size)
{
	const struct tcpaccept_record *rec = record;
	struct row row;

	if (size < sizeof(*rec))
		return;
	row = (struct row){
		.clock = run_wall_clock(r, rec->time),
		.time = run_since_start(r, rec->time),
		.pid = tgid_of(rec->pid_tgid),
		.comm = comm_text(rec->comm),
		.ip = rec->ends.family == AF_INET6 ? 6 : 4,
		.raddr = tcp_remote(r, "tcp.accept", &rec->ends),
		.rport = rec->ends.rport,
		.laddr = tcp_local(r, "tcp.accept", &rec->ends),
		.lport = rec->ends.lport,
	};
	if (name_matches(r, row.comm))
		output_row(run_output(r), &row);
}

/* support: bpf: full (4.6) | no | perf, ftrace: [2] | no */
TOOL(tcpaccept, "network", "trace passive TCP connections: who accepts from where",
	.shape = SHAPE_EVENTS,
	.programs = &tcpaccept_programs,
	.options = options,
	.columns = columns,
	.notes = "A line appears when a program is handed a connection, not when the kernel has made it.",
	.examples = examples,
	.prepare = tcp_prepare,
	.started = tcp_started,
	.record = accepted,
);
