// SPDX-License-Identifier: GPL-2.0
#include "backends/kinds/kinds.h"

#define DECLARE(KIND, NAME) extern const struct event_ops NAME##_ops;
EVENT_KINDS(DECLARE)

const struct event_ops *event_ops(const struct event *e)
{
#define OPS(KIND, NAME) [EVENT_##KIND] = &NAME##_ops,
	static const struct event_ops *const ops[] = { EVENT_KINDS(OPS) };

	return ops[e->kind];
}
