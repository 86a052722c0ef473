// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/bitesize.h"

#include "src/toolkit/disks.h"
#include "src/toolkit/hists.h"
#include "src/tools.h"

static const struct option options[] = {
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'c', "comm", "only tasks of exactly this name", OPTION_TEXT, "COMM" },
	{ 'd', "disk", "this disk only", OPTION_TEXT, "DISK", .local = true },
	{ }
};

static const struct example examples[] = {
	{ "sonde bitesize", "sizes of I/O by process name, until Ctrl-C" },
	{ "sonde bitesize -d sda -T 1", "of one disk, each second, with the time" },
	{ }
};

static int show(struct run *r, struct error *err)
{
	const char *comm = option_text(run_options(r), "comm");
	int64_t clock = run_interval_clock(r);
	struct hists h = { };
	int result = hists_take(r, "sizes", &h, err);

	run_interval_head(r);
	for (unsigned int i = 0; !result && i < h.n; i++) {
		struct hist_group *g = h.groups[i];
		struct hist_section section = {
			.name = "comm", .head = "Process Name",
			.value = text_of(g->name, sizeof(g->name)),
		};

		if (!comm || !strcmp(g->name, comm))
			output_hist(run_output(r), "size", "Kbytes", &section, clock, &g->hist,
				    NULL);
	}
	hists_free(&h);
	return result;
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(bitesize, "disks", "sizes of block I/O by process name, as histograms",
	.banner = "Tracing block I/O... Hit Ctrl-C to end.",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &bitesize_programs,
	.options = options,
	.notes = "The name is that of the task that issues the request to the device. Writes from "
		 "the page cache are issued by a kernel task.",
	.examples = examples,
	.prepare = disk_option,
	.interval_end = show,
);
