// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/biolatency.h"

#include "compat/base/strbuf.h"
#include "src/run/tools.h"
#include "src/toolkit/disks.h"
#include "src/toolkit/hists.h"

/* What the functions below read of the options. */
struct biolatency_options {
	bool disks, flags, queued, milliseconds, extension;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct biolatency_options, MEMBER)

static const struct option options[] = {
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'Q', "queued", "measure from when a request is queued, not issued", OPTION_FLAG,
	  TO(queued) },
	{ 'm', "milliseconds", "in milliseconds, not microseconds", OPTION_FLAG,
	  TO(milliseconds) },
	{ 'D', "disks", "a histogram for each disk", OPTION_FLAG, .excludes = "flags", TO(disks) },
	{ 'F', "flags", "a histogram for each kind of request", OPTION_FLAG, .excludes = "disks",
	  TO(flags) },
	{ 'e', "extension", "show average, total and count", OPTION_FLAG, TO(extension) },
	{ 'j', "json" },
	{ 'd', "disk", "this disk only", OPTION_TEXT, "DISK", .bare = true },
	{ 'p', "percentiles" },
	{ }
};

static const struct example examples[] = {
	{ "sonde biolatency -D 1 10", "by disk, each second, for ten seconds" },
	{ "sonde biolatency -mT 5", "in milliseconds, every five seconds" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct biolatency_options *o = run_asked(r);

	run_constant(r, "grouped", o->disks || o->flags);
	run_constant(r, "issued", !o->queued);
	return disk_option(r, err);
}

/*
 * The letters of rwbs in words, the operation last, as bcc orders them. An F before the operation
 * is a flush that precedes it; one after the operation means forced unit access.
 */
static void flag_words(uint64_t rwbs, char *to, size_t size)
{
	static const struct {
		char letter;
		const char *word;
	} flags[] = {
		{ 'A', "ReadAhead-" }, { 'U', "Atomic-" }, { 'F', "ForcedUnitAccess-" },
		{ 'M', "Metadata-" }, { 'S', "Sync-" },
	}, operations[] = {
		{ 'R', "Read" }, { 'W', "Write" }, { 'D', "Discard" }, { 'F', "Flush" },
		{ 'N', "Other" },
	};
	struct strbuf words = strbuf_over(to, size);
	char letters[9] = "";
	const char *rest = letters, *operation = "Unknown";

	memcpy(letters, &rwbs, 8);
	if (rest[0] == 'F' && rest[1]) {
		strbuf_addf(&words, "PreFlush-");
		rest++;
	}
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (*rest == operations[i].letter)
			operation = operations[i].word;
	if (*rest)
		rest++;
	if (operation[0] == 'D' && *rest == 'E') {
		operation = "SecureErase";
		rest++;
	}
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (strchr(rest, flags[i].letter))
			strbuf_addf(&words, "%s", flags[i].word);
	strbuf_addf(&words, "%s", operation);
}

static void section(struct run *r, const struct hist_group *g, struct hist_section *s, char *value)
{
	const struct biolatency_options *o = run_asked(r);
	if (o->flags) {
		s->name = "flags";
		flag_words(g->id, value, HISTS_VALUE);
	} else {
		s->name = "disk";
		disk_name(r, g->id, value, HISTS_VALUE);
	}
}

static void add_untimed(void *arg, const void *key, const void *value)
{
	uint64_t n;

	(void)key;
	memcpy(&n, value, sizeof(n));
	run_untimed(arg, n);
}

static int show(struct run *r, struct error *err)
{
	const struct biolatency_options *o = run_asked(r);
	struct hists_shown shown = {
		.name = "latency", .unit = o->milliseconds ? "msecs" : "usecs",
		.grouped = o->disks || o->flags,
		.totals = o->extension, .section = section,
	};

	return hists_show(r, &shown, err) || run_take(r, "untimed", add_untimed, r, err) ? -1 : 0;
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(biolatency, "disks", "block I/O latency as a histogram",
	.banner = "Tracing block device I/O... Hit Ctrl-C to end.",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &biolatency_programs,
	.options = options,
	.options_size = sizeof(struct biolatency_options),
	.notes = "Each line counts the requests whose time, from the issue to the device to the "
		 "completion, is in its range. Without BPF and BTF, requests at the same sector at "
		 "the same time can't be told apart: they are counted as untimed at the end. "
		 "--stacks shows the stacks that requests come from: it is `sonde biostacks`.",
	.examples = examples,
	.prepare = prepare,
	.interval_end = show,
);
