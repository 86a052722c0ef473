// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/tcprtt.h"

#include <arpa/inet.h>
#include <stdio.h>

#include "src/run/options/common.h"
#include "src/toolkit/hists.h"
#include "src/toolkit/tcp.h"

/* What the functions below read of the options. */
struct tcprtt_options {
	bool byladdr, byraddr, extension, milliseconds;
	const char *laddr, *raddr;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct tcprtt_options, MEMBER)

static const struct option options[] = {
	{ 'i', "interval", "seconds between histograms", OPTION_NUMBER, "SECONDS", 1, INT32_MAX },
	{ 'd', "duration" },
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'm', "milliseconds", "in milliseconds, not microseconds", OPTION_FLAG,
	  TO(milliseconds) },
	{ 'p', "lport", "this local port only", OPTION_NUMBER, "PORT", 1, 65535 },
	{ 'P', "rport", "this remote port only", OPTION_NUMBER, "PORT", 1, 65535 },
	{ 'a', "laddr", "this local address only", OPTION_TEXT, "ADDRESS", TO(laddr) },
	{ 'A', "raddr", "this remote address only", OPTION_TEXT, "ADDRESS", TO(raddr) },
	{ 'b', "byladdr", "a histogram for each local address", OPTION_FLAG,
	  .excludes = "byraddr", TO(byladdr) },
	{ 'B', "byraddr", "a histogram for each remote address", OPTION_FLAG, TO(byraddr) },
	{ 'e', "extension", "show average, total and count", OPTION_FLAG, TO(extension) },
	OPTIONS_FAMILY,
	{ }
};

static const struct example examples[] = {
	{ "sonde tcprtt -i 1 -d 10 -m", "in milliseconds, each second" },
	{ "sonde tcprtt -B -P 5432", "how far the database is, by its address" },
	{ }
};

/* An option's address, as two numbers that the program compares. */
static int address_option(struct run *r, const char *name, const char *text, const char *high,
			  const char *low, struct error *err)
{
	uint8_t bytes[16] = { [10] = 0xff, [11] = 0xff };
	int64_t half[2];

	if (text && inet_pton(AF_INET, text, bytes + 12) != 1 &&
	    inet_pton(AF_INET6, text, bytes) != 1)
		return fail(err, "tcprtt: --%s takes an address, 192.0.2.1 or 2001:db8::1, not "
			    "\"%s\"", name, text);
	memcpy(half, bytes, sizeof(half));
	run_constant(r, high, half[0]);
	run_constant(r, low, half[1]);
	return 0;
}

static bool grouped(const struct tcprtt_options *o)
{
	return o->byladdr || o->byraddr;
}

static int prepare(struct run *r, struct error *err)
{
	const struct tcprtt_options *o = run_asked(r);

	if (address_option(r, "laddr", o->laddr, "laddr:high", "laddr:low", err) ||
	    address_option(r, "raddr", o->raddr, "raddr:high", "raddr:low", err))
		return -1;
	tcp_family(r);
	run_constant(r, "mapped", htonl(0xffff));
	run_constant(r, "grouped", grouped(o));
	run_constant(r, "ends", grouped(o) || o->laddr || o->raddr ||
		     common_of(run_options(r))->ipv4 || common_of(run_options(r))->ipv6);
	return 0;
}

/* Of an address; none if the map of sums was full. */
static struct hist_totals totals_of(const struct hists *sums, const char *name)
{
	for (unsigned int i = 0; i < sums->n; i++) {
		const uint64_t *slots = sums->groups[i]->hist.slots;

		if (!strcmp(sums->groups[i]->name, name))
			return (struct hist_totals){ .sum = slots[0], .count = slots[1] };
	}
	return (struct hist_totals){ };
}

static int show_grouped(struct run *r, const struct hists_shown *shown, struct error *err)
{
	const struct tcprtt_options *o = run_asked(r);
	bool local = o->byladdr, extension = o->extension;
	struct hists h = { }, sums = { };
	int result = hists_take(r, "hists", &h, err);

	if (!result && extension)
		result = hists_take(r, "sums", &sums, err);
	run_interval_head(r);
	for (unsigned int i = 0; !result && i < h.n; i++) {
		const char *name = h.groups[i]->name;
		struct hist_totals totals = totals_of(&sums, name);
		struct hist_section section = {
			.name = local ? "laddr" : "raddr",
			.head = local ? "Local Address" : "Remote Address",
			.value = text_of(name, HIST_NAME),
		};

		hists_output(r, shown, &section, h.groups[i], extension ? &totals : NULL);
	}
	hists_free(&h);
	hists_free(&sums);
	return result;
}

static int show(struct run *r, struct error *err)
{
	const struct tcprtt_options *o = run_asked(r);
	const struct hists_shown shown = {
		.name = "rtt", .unit = o->milliseconds ? "msecs" : "usecs", .exact = "usecs",
		.totals = o->extension,
	};

	return grouped(o) ? show_grouped(r, &shown, err) : hists_show(r, &shown, err);
}

/* support: bpf: full (4.16) | bpf: full (4.16) | perf, ftrace: full (4.16) |
 *	    perf, ftrace: full (4.16) */
TOOL(tcprtt, "network", "round trip times of TCP connections, as a histogram",
	.banner = "Tracing TCP RTT... Hit Ctrl-C to end.",
	.shape = SHAPE_INTERVALS,
	.programs = &tcprtt_programs,
	.options = options,
	.options_size = sizeof(struct tcprtt_options),
	.notes = "Each segment that arrives counts once, with the smoothed round trip time of its "
		 "connection: busy connections count more.",
	.examples = examples,
	.prepare = prepare,
	.interval_end = show,
);
