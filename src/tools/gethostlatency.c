// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/gethostlatency.h"

#include "src/tools.h"

struct row {
	int64_t clock, pid;
	struct text comm, call, host;
	double ms;
};

#define AT(MEMBER) offsetof(struct row, MEMBER)

static const struct column columns[] = {
	{ "TIME", "time", COLUMN_CLOCK, -9, AT(clock), .help = "time of day of the answer" },
	{ "PID", "pid", COLUMN_INTEGER, -7, AT(pid), .help = "process id" },
	{ "COMM", "comm", COLUMN_TEXT, -16, AT(comm), .help = "name of the task" },
	{ "LATms", "lat_ms", COLUMN_REAL, 10, AT(ms), .digits = 2, .help = "how long it waited, ms" },
	{ "CALL", "call", COLUMN_TEXT, 0, AT(call), .readers = FOR_MACHINES, .help = "the function" },
	{ "HOST", "host", COLUMN_TEXT, 0, AT(host), .help = "the name or address that was asked for" },
	{ }
};

static const struct option options[] = {
	{ 'p', "pid" },
	{ 'l', "libc", "these C libraries instead of those found", OPTION_TEXT, "PATH,...", .joins = true },
	{ }
};

static const struct example examples[] = {
	{ "sonde gethostlatency", "who asks for which host, and how long it takes" },
	{ "sonde gethostlatency -p 181", "of one process" },
	{ }
};

/* As compat/hooks_network.c numbers them. */
static const char *const calls[] = {
	"getaddrinfo", "gethostbyname", "gethostbyname2", "gethostbyname_r", "gethostbyname2_r", NULL
};

static int prepare(struct run *r, struct error *err)
{
	return run_binaries(r, "libc", option_text(run_options(r), "libc"), calls, err);
}

static void answered(struct run *r, const void *record, uint32_t size)
{
	const struct gethostlatency_record *rec = record;
	struct row row;

	if (size < sizeof(*rec) || rec->call >= sizeof(calls) / sizeof(calls[0]) - 1)
		return;
	row = (struct row){
		.clock = run_wall_clock(r, rec->time), .pid = tgid_of(rec->pid_tgid),
		.comm = comm_text(rec->comm), .call = text_of(calls[rec->call], 24), .ms = (double)rec->ns / 1e6,
		.host = read_text(rec->host.path, rec->host.length, PATH_SHOWN, PATH_READ),
	};
	if (name_matches(r, row.comm))
		output_row(run_output(r), &row);
}

/* support: bpf: full (4.6) | bpf: full (4.6) | perf, ftrace (3.14): [2] [11] |
 *	    perf, ftrace (3.14): [2] [11] */
TOOL(gethostlatency, "network", "trace look-ups of host names: who, which, how long",
	.shape = SHAPE_EVENTS,
	.programs = &gethostlatency_programs,
	.options = options,
	.columns = columns,
	.examples = examples,
	.prepare = prepare,
	.record = answered,
);
