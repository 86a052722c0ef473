// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/probe_order.h"

#include "backends/kinds/kinds.h"

void stream_probe_order(const struct plan *plan, unsigned int *order)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < plan->n_attachments; i++) {
		unsigned int parts = plan->attachments[i].n_parts;

		if (plan->attachments[i].event->is_part)
			continue;
		if (event_ops(plan->attachments[i].event)->in_order) {
			for (unsigned int part = 0; part < parts; part++)
				order[n++] = i - parts + part;
			order[n++] = i;
			continue;
		}
		order[n++] = i;
		for (unsigned int part = parts; part-- > 0;)
			order[n++] = i - parts + part;
	}
}
