// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcppktlat.h"

#include "src/toolkit/tcp.h"

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time",
	  .option = "timestamp", .help = "time of day of the read" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid", .help = "process id of the reader" },
	{ "TID", "tid", COLUMN_INTEGER, -7, .field = "tid", .help = "its thread id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, .field = "comm", .help = "name of the task" },
	{ "LADDR", "laddr", COLUMN_ADDRESS, -15, .field = "laddr", .wide = -26,
	  .help = "local address" },
	{ "LPORT", "lport", COLUMN_INTEGER, -5, .field = "lport", .help = "local port" },
	{ "RADDR", "raddr", COLUMN_ADDRESS, -15, .field = "raddr", .wide = -26,
	  .help = "remote address" },
	{ "RPORT", "rport", COLUMN_INTEGER, -5, .field = "rport", .help = "remote port" },
	{ "MS", "ms", COLUMN_REAL, 0, .field = "latency", .divisor = 1000000, .digits = 2,
	  .readers = FOR_PEOPLE,
	  .help = "ms from the arrival of the oldest data to the read" },
	{ "MS", "ms", COLUMN_REAL, 0, .field = "latency", .divisor = 1000000, .digits = 6,
	  .span = SPAN_LENGTH, .readers = FOR_MACHINES },
	{ }
};

/* What the functions below read of the options. */
struct tcppktlat_options {
	int64_t min_us;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct tcppktlat_options, MEMBER)

static const struct option options[] = {
	{ 'p', "pid", .excludes = "tid" },
	{ 't', "tid" },
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'l', "localport", "only these local ports", OPTION_LIST, "PORT,...", 1, 65535,
	  .alias = "lport" },
	{ 'r', "remoteport", "only these remote ports", OPTION_LIST, "PORT,...", 1, 65535,
	  .alias = "rport" },
	{ 'w', "wide", "wider columns, for IPv6 addresses", OPTION_FLAG },
	{ 0, "min-us", "only reads that come at least so many microseconds later", OPTION_NUMBER,
	  "min_us", 0, INT32_MAX, .positional = true, TO(min_us) },
	{ }
};

static const struct example examples[] = {
	{ "sonde tcppktlat 10000", "data that waited for 10 ms and more" },
	{ "sonde tcppktlat -l 443 -T", "of a server, with the time of day" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct tcppktlat_options *o = run_asked(r);

	run_constant(r, "min_ns", o->min_us * 1000);
	return tcp_prepare(r, err);
}

/* support: bpf: full (4.16) | bpf: full (4.16) | perf, ftrace: full (4.16) |
 *	    perf, ftrace: full (4.16) */
TOOL(tcppktlat, "network", "trace how long TCP data waits until a program reads it",
	.shape = SHAPE_EVENTS,
	.programs = &tcppktlat_programs,
	.options = options,
	.options_size = sizeof(struct tcppktlat_options),
	.columns = columns,
	.parts = RECORD_AS_ROW(tcppktlat_record),
	.notes = "A long wait: the program is slow to read, not the network.",
	.examples = examples,
	.prepare = prepare,
	.started = tcp_started,
);
