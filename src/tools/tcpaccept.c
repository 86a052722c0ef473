// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcpaccept.h"

#include "src/toolkit/tcp.h"

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, .field = "time",
	  .option = "time", .help = "time of day" },
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -9, .field = "time", .digits = 3,
	  .option = "timestamp", .help = "seconds since the first line" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .help = "process that accepts" },
	{ "COMM", "comm", COLUMN_TEXT, -12, .field = "comm", .help = "name of the task" },
	{ "IP", "ip", COLUMN_INTEGER, -2, .field = "ip", .help = "4 or 6" },
	{ "RADDR", "raddr", COLUMN_ADDRESS, -16, .field = "raddr", .help = "remote address" },
	{ "RPORT", "rport", COLUMN_INTEGER, -5, .field = "rport", .help = "remote port" },
	{ "LADDR", "laddr", COLUMN_ADDRESS, -16, .field = "laddr", .help = "local address" },
	{ "LPORT", "lport", COLUMN_INTEGER, -5, .field = "lport", .help = "local port" },
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
	{ "sonde tcpaccept -P 80,443", "clients of a web server" },
	{ "sonde tcpaccept -T -p 640", "connections that one process accepts" },
	{ }
};

/* support: bpf: full (4.4) | no | perf, ftrace: [2] | no */
TOOL(tcpaccept, "network", "trace passive TCP connections: processes and addresses",
	.shape = SHAPE_EVENTS,
	.programs = &tcpaccept_programs,
	.options = options,
	.columns = columns,
	.parts = RECORD_AS_ROW(tcpaccept_record),
	.notes = "A line appears when a program gets the connection by accept(), not when the "
		 "kernel made it.",
	.examples = examples,
	.prepare = tcp_prepare,
	.started = tcp_started,
);
