// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/perf_probes.h"

#include <stdlib.h>

#include "backends/kinds/kinds.h"
#include "backends/stream/probe_order.h"

static int make(struct kernel *k, struct event *event, struct probes **probes, FILE *verbose,
		struct error *err)
{
	if (kernel_stopped(k, err))
		return -1;
	if (!*probes) {
		tracefs_sweep(k);
		*probes = probes_new(k, false, err);
	}
	if (!*probes)
		return -1;
	event->refused = 0;
	return probes_add(*probes, event, err) ? event_refused(event, err, verbose) : 0;
}

int perf_probes_make(struct kernel *k, const struct plan *plan, struct probes **probes,
		     FILE *verbose, struct error *err)
{
	const unsigned int n = plan->n_attachments;
	unsigned int *order = calloc(n + 1, sizeof(*order));
	int result = order ? 0 : fail(err, "out of memory");

	if (order)
		stream_probe_order(plan, order);
	for (unsigned int i = 0; i < n && !result; i++) {
		struct event *event = plan->attachments[order[i]].event;

		if (event_ops(event)->definition)
			result = make(k, event, probes, verbose, err);
	}
	free(order);
	return result ? result : plan_events_left(plan);
}
