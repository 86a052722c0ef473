// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcpstates.h"

#include <math.h>
#include <stdio.h>

#include "src/toolkit/tcp.h"

struct row {
	int64_t clock, time, pid, ip, lport, rport;
	double ms;
	struct text sk, comm, oldstate, arrow, newstate;
	struct address laddr, raddr;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, AT(clock), .option = "time", .help = "time of day" },
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -9, AT(time), .digits = 6, .option = "timestamp",
	  .help = "seconds since the first line" },
	{ "SKADDR", "skaddr", COLUMN_TEXT, -16, AT(sk), .help = "address of the socket in the kernel" },
	{ "C-PID", "pid", COLUMN_INTEGER, -5, AT(pid), .help = "process that does it, -: a packet or a timer" },
	{ "C-COMM", "comm", COLUMN_TEXT, -10, AT(comm), .wide = -16, .help = "its name" },
	COLUMN_IP(AT(ip)),
	{ "LADDR", "laddr", COLUMN_ADDRESS, -15, AT(laddr), .wide = -26, .help = "local address" },
	{ "LPORT", "lport", COLUMN_INTEGER, -5, AT(lport), .help = "local port, 0: none yet" },
	{ "RADDR", "raddr", COLUMN_ADDRESS, -15, AT(raddr), .wide = -26, .help = "remote address" },
	{ "RPORT", "rport", COLUMN_INTEGER, -5, AT(rport), .help = "remote port" },
	{ "OLDSTATE", "oldstate", COLUMN_TEXT, -11, AT(oldstate), .help = "state that ends" },
	{ "->", "", COLUMN_TEXT, -2, AT(arrow), .readers = FOR_PEOPLE },
	{ "NEWSTATE", "newstate", COLUMN_TEXT, -11, AT(newstate), .help = "state that begins" },
	{ "MS", "ms", COLUMN_REAL, 0, AT(ms), .digits = 3, .help = "how long the old state lasted, -: not seen" },
	{ }
};

static const struct option options[] = {
	OPTIONS_TIME,
	OPTIONS_TABLE,
	OPTIONS_PORTS('L'),
	OPTIONS_FAMILY,
	{ }
};

static const struct example examples[] = {
	{ "sonde tcpstates -L 80,443", "the lives of a web server's connections" },
	{ "sonde tcpstates -w -D 443", "those to web servers, with room for IPv6" },
	{ }
};

static struct text state_name(uint64_t state, char number[24])
{
	static const char *const names[] = {
		[TCP_IS_ESTABLISHED] = "ESTABLISHED", [TCP_IS_SYN_SENT] = "SYN_SENT", [TCP_IS_SYN_RECV] = "SYN_RECV",
		[TCP_IS_FIN_WAIT1] = "FIN_WAIT1", [TCP_IS_FIN_WAIT2] = "FIN_WAIT2", [TCP_IS_TIME_WAIT] = "TIME_WAIT",
		[TCP_IS_CLOSE] = "CLOSE", [TCP_IS_CLOSE_WAIT] = "CLOSE_WAIT", [TCP_IS_LAST_ACK] = "LAST_ACK",
		[TCP_IS_LISTEN] = "LISTEN", [TCP_IS_CLOSING] = "CLOSING", [TCP_IS_NEW_SYN_RECV] = "NEW_SYN_RECV",
	};

	if (state < sizeof(names) / sizeof(names[0]) && names[state])
		return text_of(names[state], 24);
	snprintf(number, 24, "%llu", (unsigned long long)state);
	return text_of(number, 24);
}

static void changed(struct run *r, const struct record *record)
{
	const struct tcpstates_record *rec = record->bytes;
	char sk[24], numbers[2][24];
	struct row row;

	snprintf(sk, sizeof(sk), "%llx", (unsigned long long)rec->sk);
	row = (struct row){
		.clock = run_wall_clock(r, rec->time),
		.time = run_since_start(r, rec->time),
		.sk = text_of(sk, sizeof(sk)),
		.pid = rec->own ? tgid_of(rec->pid_tgid) : NOTHING,
		.comm = rec->own ? comm_text(rec->comm) : (struct text){ },
		.ip = rec->ends.family == AF_INET6 ? 6 : 4,
		.laddr = tcp_local(r, "tcp.set_state", &rec->ends),
		.lport = rec->ends.lport,
		.raddr = tcp_remote(r, "tcp.set_state", &rec->ends),
		.rport = rec->ends.rport,
		.oldstate = state_name(rec->oldstate, numbers[0]),
		.arrow = { .s = "->", .length = 2 },
		.newstate = state_name(rec->newstate, numbers[1]),
		.ms = rec->since ? (double)(rec->time - rec->since) / 1e6 : NAN,
	};
	if (name_matches(r, row.comm))
		output_row(run_output(r), &row);
}

/* support: bpf: full (4.16); [10] (4.6) | bpf: full (4.16) | perf, ftrace: full; [10] before 4.16 |
 *	    perf, ftrace: full (4.16) */
TOOL(tcpstates, "network", "trace TCP state changes: which, and how long the old state lasted",
	.shape = SHAPE_EVENTS,
	.programs = &tcpstates_programs,
	.options = options,
	.columns = columns,
	.notes = "Tasks are shown where they change the state themselves: they connect, listen, shut down, close.",
	.examples = examples,
	.prepare = tcp_prepare,
	.started = tcp_started,
	.record = changed,
);
