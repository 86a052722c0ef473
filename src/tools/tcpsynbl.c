// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcpsynbl.h"

#include <stdio.h>

#include "src/toolkit/hists.h"
#include "src/toolkit/tcp.h"

static const struct option options[] = {
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ '4', "ipv4", "listeners of IPv4 only", OPTION_FLAG, .excludes = "ipv6" },
	{ '6', "ipv6", "listeners of IPv6 only", OPTION_FLAG, .excludes = "ipv4" },
	{ }
};

static const struct example examples[] = {
	{ "sonde tcpsynbl", "how full backlogs are, until Ctrl-C" },
	{ "sonde tcpsynbl -T 10", "every ten seconds, with the time" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	(void)err;
	tcp_family(r);
	return 0;
}

static void section(struct run *r, const struct hist_group *g, struct hist_section *s, char *value)
{
	(void)r;
	s->name = "backlog_max";
	s->is_number = true;
	snprintf(value, HISTS_VALUE, "%llu", (unsigned long long)g->id);
}

static int show(struct run *r, struct error *err)
{
	const struct hists_shown shown = {
		.name = "backlog", .unit = "backlog", .grouped = true, .section = section,
	};

	return hists_show(r, &shown, err);
}

/* support: bpf, with BTF: full (4.7) | no | perf, ftrace, with BTF: full | no */
TOOL(tcpsynbl, "network", "how full the backlogs of TCP listeners are, as histograms",
	.banner = "Tracing SYN backlog size. Ctrl-C to end.",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &tcpsynbl_programs,
	.options = options,
	.notes = "Each connection that clients make counts once, with the number of connections "
		 "that wait for accept() before it. The kernel drops it if they are more than "
		 "backlog_max.",
	.examples = examples,
	.prepare = prepare,
	.interval_end = show,
);
