// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/bitesize.h"

#include "src/run/tools.h"
#include "src/toolkit/disks.h"
#include "src/toolkit/hists.h"

/* What the functions below read of the options. */
struct bitesize_options {
	const char *comm;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct bitesize_options, MEMBER)

static const struct option options[] = {
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'c', "comm", "only tasks of exactly this name", OPTION_TEXT, "COMM", TO(comm) },
	{ 'd', "disk", "this disk only", OPTION_TEXT, "DISK" },
	{ }
};

static const struct example examples[] = {
	{ "sonde bitesize", "sizes of I/O by process name, until Ctrl-C" },
	{ "sonde bitesize -d sda -T 1", "of one disk, each second, with the time" },
	{ }
};

static int show(struct run *r, struct error *err)
{
	const struct bitesize_options *o = run_asked(r);
	const char *comm = o->comm;
	const struct hists_shown shown = { .name = "size", .unit = "Kbytes", .exact = "bytes" };
	struct hists h = { };
	int result = hists_take(r, "sizes", &h, err);

	run_interval_head(r);
	for (unsigned int i = 0; !result && i < h.n; i++) {
		struct hist_group *g = h.groups[i];
		struct hist_section section = {
			.name = "comm", .head = "Process Name",
			.value = comm_text(g->name),
		};

		if (!comm || !strcmp(g->name, comm))
			hists_output(r, &shown, &section, g, NULL);
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
	.options_size = sizeof(struct bitesize_options),
	.notes = "The name is that of the task that made the request, even if another one "
		 "hands it to the device. Data that a program leaves in the page cache is written "
		 "later by a task of the kernel, and has its name. A request has no name (-, null "
		 "in JSON) if it was "
		 "made before the start, or if two tasks had one for the same place at the same "
		 "time. A flush, or a command for the device, has the name of the task that "
		 "issues it.",
	.examples = examples,
	.prepare = disk_option,
	.interval_end = show,
);
