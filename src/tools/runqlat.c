// SPDX-License-Identifier: GPL-2.0
#include "insns/programs/runqlat.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "src/run/tools.h"
#include "src/toolkit/hists.h"
#include "src/toolkit/tgids.h"

/* What the functions below read of the options. */
struct runqlat_options {
	bool pids, tids, pidnss, milliseconds;
	struct option_list pid;
};

#define TO(MEMBER) .to = OPTION_MEMBER(struct runqlat_options, MEMBER)

static const struct option options[] = {
	{ 'T', "timestamp", "show the time of day", OPTION_FLAG },
	{ 'm', "milliseconds", "in milliseconds, not microseconds", OPTION_FLAG,
	  TO(milliseconds) },
	{ 'P', "pids", "a histogram for each process", OPTION_FLAG, .excludes = "tids", TO(pids) },
	{ 'L', "tids", "a histogram for each thread", OPTION_FLAG, TO(tids) },
	{ 0, "pidnss", "a histogram for each pid namespace", OPTION_FLAG, .local = true,
	  TO(pidnss) },
	{ 'p', "pid", TO(pid) },
	{ }
};

static const struct example examples[] = {
	{ "sonde runqlat 1 10", "each second, for ten seconds" },
	{ "sonde runqlat -p 181 -mT 5", "one process, in ms, every five seconds" },
	{ }
};

static int prepare(struct run *r, struct error *err)
{
	const struct runqlat_options *o = run_asked(r);

	(void)err;
	run_constant(r, "grouped", o->pids || o->tids || o->pidnss);
	run_constant(r, "histogram", 1);
	run_constant(r, "slower", 0);
	run_constant(r, "needs_tgids", o->pids || o->pid.n > 0);
	return 0;
}

static int started(struct run *r, struct error *err)
{
	const struct runqlat_options *o = run_asked(r);

	return o->pids || o->pid.n > 0 ? tgids_fill(r, err) : 0;
}

/* The number of a thread's pid namespace, by its link in /proc; 0 if the thread has ended. */
static uint64_t pid_namespace(uint64_t tid)
{
	char path[64], link[64];
	const char *at = link;
	uint64_t number;

	snprintf(path, sizeof(path), "/proc/%llu/ns/pid", (unsigned long long)tid);
	file_link(AT_FDCWD, path, link, sizeof(link));
	return scan_text(&at, "pid:[") && scan_number(&at, UINT64_MAX, &number) &&
	       scan_text(&at, "]") ? number : 0;
}

/* Adds up the histograms of threads by namespace. */
static int by_namespace(struct hists *h, struct error *err)
{
	struct hists sum = { };

	for (unsigned int i = 0; i < h->n; i++) {
		uint64_t id = pid_namespace(h->groups[i]->id);

		for (uint32_t slot = 0; slot < HIST_SLOTS; slot++)
			if (h->groups[i]->hist.slots[slot])
				hists_add(&sum, id, slot, h->groups[i]->hist.slots[slot]);
		hists_add(&sum, id, HIST_SLOTS, h->groups[i]->sum);
	}
	hists_free(h);
	*h = sum;
	return sum.failed ? fail(err, "out of memory") : 0;
}

/* -P and -L prevail, as in bcc. */
static bool by_namespaces(const struct runqlat_options *o)
{
	return o->pidnss && !o->pids && !o->tids;
}

static void section(struct run *r, const struct hist_group *g, struct hist_section *s, char *value)
{
	const struct runqlat_options *o = run_asked(r);
	bool namespaces = by_namespaces(o);

	s->name = o->pids ? "pid" : o->tids ? "tid" : "pidns";
	s->is_number = g->id || !namespaces;
	if (s->is_number)
		snprintf(value, HISTS_VALUE, "%llu", (unsigned long long)g->id);
	else
		strcpy(value, "?");
}

static int show(struct run *r, struct error *err)
{
	const struct runqlat_options *o = run_asked(r);
	bool namespaces = by_namespaces(o);
	struct hists_shown shown = {
		.name = "latency", .unit = o->milliseconds ? "msecs" : "usecs",
		.grouped = o->pids || o->tids || namespaces,
		.merge = namespaces ? by_namespace : NULL, .section = section,
	};

	return hists_show(r, &shown, err);
}

/* support: bpf: full (4.7) | bpf: full (4.7) | perf, ftrace: full | perf, ftrace: full */
TOOL(runqlat, "CPU", "how long tasks wait for a CPU, as a histogram",
	.banner = "Tracing run queue latency... Hit Ctrl-C to end.",
	.shape = SHAPE_INTERVALS,
	.positionals = 2,
	.programs = &runqlat_programs,
	.options = options,
	.options_size = sizeof(struct runqlat_options),
	.notes = "Each line counts waits for a CPU, of tasks that were woken up or preempted.",
	.examples = examples,
	.prepare = prepare,
	.started = started,
	.interval_end = show,
);
