// SPDX-License-Identifier: GPL-2.0
#include "backends/kinds/kinds.h"

#include <string.h>

#include "backends/backend.h"

#define DECLARE(KIND, NAME) extern const struct event_ops NAME##_ops;
EVENT_KINDS(DECLARE)

const struct event_ops *event_ops(const struct event *e)
{
#define OPS(KIND, NAME) [EVENT_##KIND] = &NAME##_ops,
	static const struct event_ops *const ops[] = { EVENT_KINDS(OPS) };

	return ops[e->kind];
}

int event_refused(struct event *e, const struct error *err, FILE *verbose)
{
	if (!e->named)
		return -1;
	e->refused = 1;
	if (verbose)
		fprintf(verbose, "%s is left out: %.*s\n", e->name,
			(int)strcspn(err->text, "\n"), err->text);
	return 0;
}

int plan_events_left(const struct plan *plan)
{
	bool refused = false, left = false;

	for (unsigned int i = 0; i < plan->n_attachments; i++) {
		const struct event *e = plan->attachments[i].event;

		refused |= e->refused;
		left |= e->named && !e->refused;
	}
	return refused && !left ? -1 : 0;
}
