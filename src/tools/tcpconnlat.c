// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcpconnlat.h"

#include <math.h>

#include "compat/base/clock.h"
#include "compat/base/scan.h"
#include "src/run/options/common.h"
#include "src/toolkit/hists.h"
#include "src/toolkit/tcp.h"

static const struct column columns[] = {
	{ "TIME(s)", "time_s", COLUMN_SECONDS, -9, .field = "time", .digits = 3,
	  .option = "timestamp", .unless = "dist", .help = "seconds since the first line" },
	{ "PID", "pid", COLUMN_INTEGER, -7, .field = "pid",
	  .unless = "dist", .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, -12, .field = "comm",
	  .unless = "dist", .help = "name of the task" },
	{ "IP", "ip", COLUMN_INTEGER, -2, .field = "ip",
	  .unless = "dist", .help = "4 or 6" },
	{ "SADDR", "saddr", COLUMN_ADDRESS, -16, .field = "saddr",
	  .unless = "dist", .help = "local address" },
	{ "LPORT", "lport", COLUMN_INTEGER, -6, .field = "lport",
	  .option = "lport", .unless = "dist", .help = "local port" },
	{ "DADDR", "daddr", COLUMN_ADDRESS, -16, .field = "daddr",
	  .unless = "dist", .help = "remote address" },
	{ "DPORT", "dport", COLUMN_INTEGER, -5, .field = "dport",
	  .unless = "dist", .help = "remote port" },
	{ "LAT(ms)", "lat_ms", COLUMN_REAL, 0, .field = "latency", .divisor = 1000000, .digits = 2,
	  .unless = "dist", .readers = FOR_PEOPLE, .help = "milliseconds until the answer" },
	{ "LAT(ms)", "lat_ms", COLUMN_REAL, 0, .field = "latency", .divisor = 1000000, .digits = 3,
	  .span = SPAN_LENGTH, .unless = "dist", .readers = FOR_MACHINES },
	{ "ANSWER", "answer", COLUMN_TEXT, 0, .field = "answer",
	  .unless = "dist", .readers = FOR_MACHINES, .help = "accepted or reset, in JSON and CSV" },
	{ }
};

/* What the functions below read of the options. */
struct tcpconnlat_options {
	bool dist, interval_given;
	const char *min_ms;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct tcpconnlat_options, MEMBER)
#define GIVEN(MEMBER) .given = OPTION_GIVEN(struct tcpconnlat_options, MEMBER)

static const struct option options[] = {
	{ 't', "timestamp", "show seconds since the first line", OPTION_FLAG },
	{ 'p', "pid" },
	{ 'L', "lport", "show the local port", OPTION_FLAG },
	OPTIONS_FAMILY,
	{ 'd', "dist", "show a histogram of the times instead", OPTION_FLAG, TO(dist) },
	{ 0, "interval", "with --dist: seconds between histograms", OPTION_NUMBER, "SECONDS",
	  1, INT32_MAX, GIVEN(interval_given) },
	{ 0, "min-ms", "only longer connects, in milliseconds: 0.1", OPTION_TEXT, "min_ms",
	  .positional = true, TO(min_ms) },
	{ }
};

static const struct example examples[] = {
	{ "sonde tcpconnlat 10", "connections that take more than 10 ms" },
	{ "sonde tcpconnlat -d --heatmap", "how long they take, over time" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct tcpconnlat_options *o = run_asked(r);
	const char *text = o->min_ms;
	const char *at = text;
	uint64_t min_ns = 0;

	if (text && (!scan_decimal(&at, 6, 1000000000ULL * NS_PER_MS, &min_ns) || *at))
		return fail(err, "tcpconnlat: min_ms takes milliseconds from 0 to 1000000000, "
			    "not \"%s\"", text);
	if (o->interval_given && !o->dist)
		return fail(err, "tcpconnlat: --interval goes with --dist: without it each "
			    "connection has a line");
	if (common_of(run_options(r))->name && o->dist)
		return fail(err, "tcpconnlat: --dist adds up times without looking at names: take "
			    "--pid instead of --name");
	run_constant(r, "min_ns", (int64_t)min_ns);
	tcp_family(r);
	return 0;
}

static int show(struct run *r, struct error *err)
{
	const struct tcpconnlat_options *o = run_asked(r);
	const struct hists_shown shown = { .name = "latency", .unit = "usecs" };

	return o->dist ? hists_show(r, &shown, err) : 0;
}

/* support: bpf: full (4.6) | bpf: full (4.16) | perf, ftrace: full | perf, ftrace: full (4.16) */
TOOL(tcpconnlat, "network", "trace how long TCP connections take to be answered",
	.shape = SHAPE_EVENTS,
	.programs = &tcpconnlat_programs,
	.options = options,
	.options_size = sizeof(struct tcpconnlat_options),
	.columns = columns,
	.parts = RECORD_AS_ROW(tcpconnlat_record),
	.distribution = "dist",
	.notes = "The time from the SYN to the answer, which may be a reset: the port is closed. A "
		 "connection that nobody answers has no line.",
	.examples = examples,
	.prepare = prepare,
	.interval_end = show,
);
