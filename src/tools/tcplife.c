// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcplife.h"

#include "src/toolkit/tcp.h"

struct row {
	const struct tcplife_record *record;
	int64_t tx, rx;			/* bytes; NOTHING: not known */
	int64_t tx_kb, rx_kb;
	double ms;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -8, .field = "time",
	  .option = "time", .help = "time of day of the end" },
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -9, .field = "time", .digits = 6,
	  .option = "timestamp", .help = "seconds since the first line" },
	{ "PID", "pid", COLUMN_INTEGER, -5, .field = "pid",
	  .help = "process that connected, or closed an accepted session" },
	{ "COMM", "comm", COLUMN_TEXT, -10, .field = "comm", .wide = -16,
	  .help = "name of the task" },
	COLUMNS_IP,
	{ "LADDR", "laddr", COLUMN_ADDRESS, -15, .field = "laddr", .wide = -26,
	  .help = "local address" },
	{ "LPORT", "lport", COLUMN_INTEGER, -5, .field = "lport", .help = "local port" },
	{ "RADDR", "raddr", COLUMN_ADDRESS, -15, .field = "raddr", .wide = -26,
	  .help = "remote address" },
	{ "RPORT", "rport", COLUMN_INTEGER, -5, .field = "rport", .help = "remote port" },
	{ "TX_KB", "tx_kb", COLUMN_INTEGER, 5, AT(tx_kb), .wide = 6,
	  .help = "sent and acknowledged, in units of 1024 bytes" },
	{ "RX_KB", "rx_kb", COLUMN_INTEGER, 5, AT(rx_kb), .wide = 6,
	  .help = "received, in the same units" },
	{ "MS", "ms", COLUMN_REAL, 0, AT(ms), .span = SPAN_LENGTH, .digits = 2,
	  .help = "milliseconds that it lived" },
	{ "TX_BYTES", "tx_bytes", COLUMN_INTEGER, 0, AT(tx), .readers = FOR_MACHINES,
	  .help = "sent and acknowledged, in JSON and CSV" },
	{ "RX_BYTES", "rx_bytes", COLUMN_INTEGER, 0, AT(rx), .readers = FOR_MACHINES,
	  .help = "received, in JSON and CSV" },
	{ }
};

static const struct part parts[] = {
	{ &tcplife_record_layout, AT(record), .pointer = true },
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
	{ "sonde tcplife -T -w -L 22", "logins: from where, how long, how much" },
	{ }
};

static bool summed(const struct run *r)
{
	return run_has_hook(r, "tcp.sent");
}

static int started(struct run *r, struct error *err)
{
	if (summed(r))
		run_note(r, "TX_KB and RX_KB are sums over calls: the kernel's own counts are "
			 "unavailable");
	return tcp_started(r, err);
}

/* The kernel's own count; or a sum over calls, unless some were missed (`all`) or unseen. */
static int64_t known(const struct run *r, const char *input, const char *hook, uint64_t bytes,
			 bool all)
{
	bool told = run_has_input(r, "tcp.set_state", input);

	if (summed(r))
		told = all && run_has_hook(r, hook);
	return told ? (int64_t)bytes : NOTHING;
}

static int64_t in_kb(int64_t bytes)
{
	return bytes == NOTHING ? NOTHING : bytes / 1024;
}

static void ended(struct run *r, const struct record *record)
{
	const struct tcplife_record *rec = record->bytes;
	struct row row;

	if (!run_wanted(r, rec))
		return;
	row = (struct row){
		.record = rec,
		.tx = known(r, "tx", "tcp.sent", rec->bytes.tx, !rec->bytes.sending),
		.rx = known(r, "rx", "tcp.received", rec->bytes.rx, !rec->bytes.unsure),
		.ms = (double)(rec->time - rec->life.birth) / 1e6,
	};
	row.tx_kb = in_kb(row.tx);
	row.rx_kb = in_kb(row.rx);
	output_row(run_output(r), &row);
}

/* support: bpf: full (4.6) | bpf (4.16): [8] | perf, ftrace: [2] |
 *	    perf, ftrace (4.16): [2] [8] [9] */
TOOL(tcplife, "network", "trace TCP connections when they end: whose, how long, how much",
	.shape = SHAPE_EVENTS,
	.programs = &tcplife_programs,
	.options = options,
	.columns = columns,
	.parts = parts,
	.notes = "Shows connections that begin and end while it runs, also failed attempts. A "
		 "process that is not certain is `-`. Before 4.1 bytes are sums over calls.",
	.examples = examples,
	.prepare = tcp_prepare,
	.started = started,
	.record = ended,
);
