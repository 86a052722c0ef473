// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcpstates.h"

#include <math.h>
#include <stdio.h>

#include "src/toolkit/tcp.h"

struct row {
	const struct tcpstates_record *record;
	struct text sk, oldstate, arrow, newstate;
	double ms;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time",
	  .option = "time", .help = "time of day" },
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -9, .field = "time", .digits = 6,
	  .option = "timestamp", .help = "seconds since the first line" },
	{ "SKADDR", "skaddr", COLUMN_TEXT, -16, AT(sk), .span = SPAN_TRACK, .role = IS_IDENTITY,
	  .help = "address of the socket in the kernel" },
	{ "C-PID", "pid", COLUMN_INTEGER, -5, .field = "pid",
	  .help = "process that changes the state, -: a packet or a timer does" },
	{ "C-COMM", "comm", COLUMN_TEXT, -10, .field = "comm", .wide = -16,
	  .help = "name of the task" },
	COLUMNS_IP,
	{ "LADDR", "laddr", COLUMN_ADDRESS, -15, .field = "laddr", .wide = -26,
	  .help = "local address" },
	{ "LPORT", "lport", COLUMN_INTEGER, -5, .field = "lport",
	  .help = "local port, 0: none yet" },
	{ "RADDR", "raddr", COLUMN_ADDRESS, -15, .field = "raddr", .wide = -26,
	  .help = "remote address" },
	{ "RPORT", "rport", COLUMN_INTEGER, -5, .field = "rport", .help = "remote port" },
	{ "OLDSTATE", "oldstate", COLUMN_TEXT, -11, AT(oldstate), .span = SPAN_NAME,
	  .help = "state that ends" },
	{ "->", "", COLUMN_TEXT, -2, AT(arrow), .readers = FOR_PEOPLE },
	{ "NEWSTATE", "newstate", COLUMN_TEXT, -11, AT(newstate), .help = "state that begins" },
	{ "MS", "ms", COLUMN_REAL, 0, AT(ms), .span = SPAN_LENGTH, .digits = 3,
	  .help = "milliseconds in the old state, -: not known" },
	{ }
};

static const struct part parts[] = {
	{ &tcpstates_record_layout, AT(record), .pointer = true },
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
	{ "sonde tcpstates -L 80,443", "connections of a web server" },
	{ "sonde tcpstates -w -D 443", "connections to web servers, also IPv6" },
	{ }
};

/* A state that is newer than sonde shows its number. */
static struct text state_name(uint64_t state, char number[24])
{
	if (state < sizeof(tcp_state_names) / sizeof(tcp_state_names[0]) && tcp_state_names[state])
		return text_of(tcp_state_names[state], 24);
	snprintf(number, 24, "%llu", (unsigned long long)state);
	return text_of(number, 24);
}

static void changed(struct run *r, const struct record *record)
{
	const struct tcpstates_record *rec = record->bytes;
	char sk[24], numbers[2][24];
	struct row row;

	if (!run_wanted(r, rec))
		return;
	snprintf(sk, sizeof(sk), "%llx", (unsigned long long)rec->sk);
	row = (struct row){
		.record = rec,
		.sk = text_of(sk, sizeof(sk)),
		.oldstate = state_name(rec->oldstate, numbers[0]),
		.arrow = { .s = "->", .length = 2 },
		.newstate = state_name(rec->newstate, numbers[1]),
		.ms = rec->since ? (double)(rec->time - rec->since) / 1e6 : NAN,
	};
	output_row(run_output(r), &row);
}

/* support: bpf: full (4.16); [10] (4.6) | bpf: full (4.16) | perf, ftrace: full; [10] before 4.16 |
 *	    perf, ftrace: full (4.16) */
TOOL(tcpstates, "network", "trace TCP state changes: which, and how long the old state lasted",
	.shape = SHAPE_EVENTS,
	.programs = &tcpstates_programs,
	.options = options,
	.columns = columns,
	.parts = parts,
	.notes = "A task is shown where it changes the state itself: it connects, listens, closes.",
	.examples = examples,
	.prepare = tcp_prepare,
	.started = tcp_started,
	.record = changed,
);
