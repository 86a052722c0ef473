// SPDX-License-Identifier: GPL-2.0
#include "backends/kinds/kinds.h"

#include <string.h>

#include "backends/backend.h"
#include "compat/kinds/many.h"

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

/* One that is of many functions is left as long as one of them is. */
static bool is_left(const struct event *e)
{
	return e->many ? e->refused < e->many->n : !e->refused;
}

int plan_events_left(const struct plan *plan)
{
	bool refused = false, left = false;

	for (unsigned int i = 0; i < plan->n_attachments; i++) {
		const struct event *e = plan->attachments[i].event;

		refused |= !is_left(e);
		left |= e->named && is_left(e);
	}
	return refused && !left ? -1 : 0;
}
