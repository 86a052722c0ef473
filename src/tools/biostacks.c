// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/biostacks.h"

#include <stdio.h>
#include <stdlib.h>

#include "compat/base/array.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "src/run/options/common.h"
#include "src/run/tools.h"
#include "src/toolkit/disks.h"
#include "src/toolkit/stacks/stacks.h"

/* What the functions below read of the options. */
struct biostacks_options {
	bool folded, milliseconds;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct biostacks_options, MEMBER)

static const struct option options[] = {
	{ 'd', "disk", "this disk only", OPTION_TEXT, "DISK" },
	{ 'm', "milliseconds", "in milliseconds, not microseconds", OPTION_FLAG,
	  TO(milliseconds) },
	{ 'p', "pid" },
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'i', "interval", "seconds between histograms", OPTION_NUMBER, "SECONDS", 1, INT32_MAX },
	{ 'f', "folded", TO(folded) },
	{ 0, "offsets" },
	{ 0, "duration", .positional = true },
	{ }
};

static const struct example examples[] = {
	{ "sonde biostacks -d sda 10", "of one disk, for ten seconds" },
	{ "sonde biostacks --flame io.svg 30", "time of I/O as a flame graph" },
	{ }
};

#define FRAME_TEXT 256

/* A task, a disk and a stack, with the latencies of its requests. */
struct group {
	struct biostacks_owner owner;
	uint64_t requests;
	struct hist hist;
};

struct groups {
	struct group **list;
	size_t n;
	bool failed;			/* out of memory */
};

static bool summed(const struct run *r)
{
	const struct biostacks_options *o = run_asked(r);

	return o->folded || common_of(run_options(r))->flame ||
		common_of(run_options(r))->top_given;
}

static int prepare(struct run *r, struct error *err)
{
	run_constant(r, "summed", summed(r));
	return disk_option(r, err);
}

static struct group *group_of(struct groups *g, const struct biostacks_owner *owner)
{
	struct group *new;

	for (size_t i = 0; i < g->n; i++)
		if (!memcmp(&g->list[i]->owner, owner, sizeof(*owner)))
			return g->list[i];
	new = array_room(&g->list, g->n, sizeof(*g->list)) ? NULL : calloc(1, sizeof(*new));
	if (!new) {
		g->failed = true;
		return NULL;
	}
	new->owner = *owner;
	return g->list[g->n++] = new;
}

static void add(void *arg, const void *key, const void *value)
{
	const struct biostacks_key *k = key;
	struct group *g = group_of(arg, &k->owner);
	uint64_t n;

	memcpy(&n, value, sizeof(n));
	if (!g || k->slot >= HIST_SLOTS)
		return;
	g->hist.slots[k->slot] += n;
	g->requests += n;
}

static int least_first(const void *a, const void *b)
{
	const struct group *x = *(struct group *const *)a, *y = *(struct group *const *)b;

	if (x->requests != y->requests)
		return x->requests < y->requests ? -1 : 1;
	return memcmp(&x->owner, &y->owner, sizeof(x->owner));
}

static const char *frame_text(const struct options *o, const struct stack_frame *f,
			      char to[FRAME_TEXT])
{
	if (common_of(o)->addresses)
		snprintf(to, FRAME_TEXT, "0x%llx", (unsigned long long)f->address);
	else if (f->name && common_of(o)->offsets)
		text_cut(to, FRAME_TEXT, "%s+0x%llx", f->name, (unsigned long long)f->offset);
	else
		text_cut(to, FRAME_TEXT, "%s", f->name ? f->name : "[unknown]");
	return to;
}

/* For machines, as a line of folded stacks: the oldest function first. */
static char *folded(const struct options *o, const struct group *g, const char *pid,
		    const char *disk, const struct stack_asked *a)
{
	struct strbuf line = { };
	char name[FRAME_TEXT];

	strbuf_addf(&line, "%.16s;%s;%s", *g->owner.comm ? g->owner.comm : "-", pid, disk);
	for (unsigned int i = a->n; i-- > 0;)
		strbuf_addf(&line, ";%s", frame_text(o, &a->frames[i], name));
	return strbuf_take(&line);
}

static int print(struct run *r, const struct group *g, const struct stack_asked *a,
		 struct error *err)
{
	const struct biostacks_options *o = run_asked(r);
	struct hist_section section = { .name = "stack" };
	struct output *to = run_output(r);
	char disk[64], pid[24] = "-", name[FRAME_TEXT], *line;

	disk_name(r, g->owner.dev, disk, sizeof(disk));
	if (g->owner.pid_tgid != UINT64_MAX)
		snprintf(pid, sizeof(pid), "%u", (unsigned int)(g->owner.pid_tgid >> 32));
	output_line(to, "%-14.14s %-6s %-7s", *g->owner.comm ? g->owner.comm : "-", pid, disk);
	for (unsigned int i = 0; i < a->n; i++)
		output_line(to, "%s", frame_text(run_options(r), &a->frames[i], name));
	line = output_for_machines(to) ? folded(run_options(r), g, pid, disk, a) : NULL;
	if (output_for_machines(to) && !line)
		return fail(err, "out of memory");
	if (line)
		section.value = text_of(line, strlen(line));
	for (unsigned int turn = 0; output_turn(to, &turn);)
		output_hist(to, "latency", o->milliseconds ? "msecs" : "usecs",
			    output_for_people(to) ? NULL : &section, run_interval_clock(r),
			    &g->hist, NULL);
	output_line(to, "%s", "");
	free(line);
	return 0;
}

static int name_and_print(struct run *r, struct groups *g, struct error *err)
{
	const struct stacks_when when = { };
	struct stack_asked *asked = calloc(g->n + 1, sizeof(*asked));
	int result;

	if (!asked || g->failed) {
		free(asked);
		return fail(err, "out of memory");
	}
	if (g->n)
		qsort(g->list, g->n, sizeof(*g->list), least_first);
	for (size_t i = 0; i < g->n; i++)
		asked[i] = (struct stack_asked){
			.number = g->list[i]->owner.kernel_stack, .pid = NOTHING,
			.value = g->list[i]->requests,
		};
	result = stacks_name(r, asked, (unsigned int)g->n, &when, err);
	for (size_t i = 0; i < g->n; i++) {
		result = result || print(r, g->list[i], &asked[i], err) ? -1 : 0;
		free(asked[i].frames);
	}
	free(asked);
	return result;
}

static const struct tool_stacks stacks = {
	"sums", { { "us", "latency", 1000 }, { "requests", "requests", 0 } },
};

static void add_untimed(void *arg, const void *key, const void *value)
{
	uint64_t n;

	(void)key;
	memcpy(&n, value, sizeof(n));
	run_untimed(arg, n);
}

static int show(struct run *r, struct error *err)
{
	struct groups g = { };
	int result;

	run_interval_head(r);
	if (run_take(r, "untimed", add_untimed, r, err))
		return -1;
	if (summed(r))
		return stacks_show(r, &stacks, err);
	result = run_take(r, "slots", add, &g, err) || name_and_print(r, &g, err) ? -1 : 0;
	for (size_t i = 0; i < g.n; i++)
		free(g.list[i]);
	free(g.list);
	return result;
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
VARIANT(biostacks, biolatency, "disks", "which kernel stacks start block I/O, and its latency",
	.banner = "Tracing block I/O with init stacks. Hit Ctrl-C to end.",
	.shape = SHAPE_INTERVALS,
	.programs = &biostacks_programs,
	.options = options,
	.options_size = sizeof(struct biostacks_options),
	.tables = true,
	.notes = "A stack is that of the task that made the request; its histogram has the time "
		 "from the issue to the device to the completion. The most frequent comes last.",
	.examples = examples,
	.prepare = prepare,
	.stacks = &stacks,
	.interval_end = show,
);
