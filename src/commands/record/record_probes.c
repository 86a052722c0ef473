// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/record_probes.h"

#include <stdlib.h>
#include <string.h>

#include "backends/kinds/kinds.h"
#include "backends/perf/perf_probes.h"
#include "backends/stream/probe_order.h"
#include "backends/tracefs/detach.h"
#include "backends/tracefs/locks.h"
#include "src/commands/record/record_section.h"
#include "src/run/run.h"

struct record_probes {
	struct probes *made;
	struct strbuf section;
	struct recorder *recorder;	/* while they are closed: */
	struct trace_recorder *trace;
};

/* The events of a plan in the order in which they were made: they are opened in this order. */
static int add_events(const struct probes *made, const struct plan *plan,
		      struct record_events *events, struct error *err)
{
	const unsigned int n = plan->n_attachments;
	unsigned int *order = calloc(n + 1, sizeof(*order));
	int result = order ? 0 : fail(err, "out of memory");

	if (order)
		stream_probe_order(plan, order);
	for (unsigned int i = 0; i < n && !result; i++) {
		const struct event *e = plan->attachments[order[i]].event;
		char name[64];

		if (event_ops(e)->definition && !e->refused)
			result = record_events_add(events, probes_group(made),
						   probes_name(e, name, sizeof(name)), err);
	}
	free(order);
	return result;
}

static int make_all(struct kernel *k, struct record_probes *p, struct record_events *events,
		    FILE *verbose, struct error *err)
{
	for (unsigned int i = 0; i < events->n_runs; i++)
		if (perf_probes_make(k, &events->runs[i]->plan.plan, &p->made, verbose, err))
			return -1;
	for (unsigned int i = 0; i < events->n_runs && p->made; i++)
		if (add_events(p->made, &events->runs[i]->plan.plan, events, err))
			return -1;
	if (p->made)
		record_section(probes_group(p->made), events, &p->section);
	return p->section.cut ? fail(err, "out of memory") : 0;
}

int record_probes_make(struct kernel *k, struct record_events *events, struct record_probes **to,
		       FILE *verbose, struct error *err)
{
	int starting, result;

	if (!events->n_runs)
		return 0;
	*to = calloc(1, sizeof(**to));
	if (!*to)
		return fail(err, "out of memory");
	starting = start_lock(k);
	result = make_all(k, *to, events, verbose, err);
	start_unlock(starting);
	return result;
}

void record_probes_section(const struct record_probes *p, struct strbuf *to)
{
	if (p)
		strbuf_add(to, p->section.s, p->section.n);
}

static void end(void *arg)
{
	struct record_probes *p = arg;

	if (p->recorder)
		recorder_close(p->recorder);
	if (p->trace)
		trace_recorder_close(p->trace);
	probes_free(p->made);
	free(p->section.s);
	free(p);
}

void record_probes_end(struct kernel *k, struct record_probes *p, struct recorder *recorder,
		       struct trace_recorder *trace)
{
	if (!p && trace)
		p = calloc(1, sizeof(*p));
	if (p) {
		p->recorder = recorder;
		p->trace = trace;
		detach(k, end, p, p->made || trace, probes_holder(p->made));
		return;
	}
	if (recorder)
		recorder_close(recorder);
	if (trace)
		trace_recorder_close(trace);
}
