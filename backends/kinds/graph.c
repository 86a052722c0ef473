// SPDX-License-Identifier: GPL-2.0
/* The function graph tracer's events: the engine ftrace sets it. */
#include <stdio.h>

#include "backends/kinds/kinds.h"
#include "compat/kinds/many.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	snprintf(text, size, "function graph tracer on %u function%s (%s)", e->many->n,
		 e->many->n == 1 ? "" : "s", e->name);
}

const struct event_ops graph_ops = {
	.title = title,
	.way = BPF_WAY_NONE,
};
