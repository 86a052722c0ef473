// SPDX-License-Identifier: GPL-2.0
#include "src/commands/stat/notes.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/lines.h"
#include "src/commands/stat/pmu.h"
#include "src/lib/output/sink.h"

void note_opened(const struct stat_target *t)
{
	const struct stat_counters *c = &t->counters;
	unsigned int n = 0;

	for (unsigned int i = 0; i < c->events->n; i++)
		n += c->states[i].opened;
	if (t->unsettled)
		fputs("sonde: stat: threads were started while counters were opened: some of them "
		      "may not be counted\n", sink_err());
	if (!t->options->verbose)
		return;
	fprintf(sink_err(), "sonde: %u counters of %u events are open\n", n, c->events->n);
	for (unsigned int i = 0; i < c->events->n; i++)
		if (c->states[i].error)
			fprintf(sink_err(), "sonde: %s: %s%s\n", c->events->list[i].name,
				strerror(c->states[i].error),
				c->states[i].opened ? ", at some places" : "");
}

/* The CPUs' own counters are a PMU of the kernel. */
static bool has_core_pmu(void)
{
	struct pmus pmus;
	bool has = !pmus_read(PMU_FOLDER, &pmus, NULL) && pmus.cores;

	for (unsigned int i = 0; i < pmus.n && !has; i++)
		has = pmus.list[i].type == PERF_TYPE_RAW;
	pmus_free(&pmus);
	return has;
}

enum why { NO_PMU, NO_EVENT, NO_TASKS, OLD_KERNEL, NO_RIGHTS, IN_USE, WHYS };

static const char *const words[WHYS] = {
	[NO_PMU] = "this machine has no counters of hardware events; few virtual machines have",
	[NO_EVENT] = "this CPU does not count the event, or not with these modifiers",
	[NO_TASKS] = "its PMU does not count the event this way; most PMUs outside of CPUs count "
		     "only whole CPUs (-a), without modes (:u, :k)",
	[OLD_KERNEL] = "this kernel does not count the event",
	[NO_RIGHTS] = "it happens in the kernel, where only root may count here "
		      "(/proc/sys/kernel/perf_event_paranoid)",
	[IN_USE] = "another user has the counter that it needs",
};

static enum why why_not(const struct stat_event *e, int error, bool pmu)
{
	if (error == EACCES || error == EPERM)
		return NO_RIGHTS;
	if (error == EBUSY)
		return IN_USE;
	if (e->attr.type == PERF_TYPE_SOFTWARE || e->attr.type == PERF_TYPE_TRACEPOINT)
		return OLD_KERNEL;
	if (e->hardware)
		return pmu ? NO_EVENT : NO_PMU;
	return NO_TASKS;
}

static void say_unsupported(const struct stat_counters *c, bool pmu)
{
	for (enum why w = 0; w < WHYS; w++) {
		unsigned int n = 0;

		for (unsigned int i = 0; i < c->events->n; i++) {
			const struct stat_event *e = &c->events->list[i];
			int error = c->states[i].error;

			if (c->states[i].opened || !error || why_not(e, error, pmu) != w)
				continue;
			fprintf(sink_err(), "%s%s", n++ ? ", " : "sonde: stat: not supported: ",
				e->name);
		}
		if (n)
			fprintf(sink_err(), ": %s\n", words[w]);
	}
}

void note_uncounted(const struct stat_target *t)
{
	const struct stat_counters *c = &t->counters;
	bool user_only = false, some = false;

	for (unsigned int i = 0; i < c->events->n; i++) {
		user_only |= c->events->list[i].user_only && c->states[i].opened;
		some |= !c->states[i].opened && c->states[i].error;
	}
	if (user_only)
		fputs("sonde: stat: :u: events in the kernel are not counted, only root may count "
		      "them here (/proc/sys/kernel/perf_event_paranoid)\n", sink_err());
	if (some)
		say_unsupported(c, has_core_pmu());
	if (t->cpus && t->follow.uncovered)
		fprintf(sink_err(), "sonde: stat: a CPU that came online was not counted for %llu "
				    "ms\n",
			(unsigned long long)(t->follow.uncovered + 999999) / 1000000);
}
