// SPDX-License-Identifier: GPL-2.0
/* The function graph tracer's events: the engine ftrace sets it. */

#include "backends/kinds/kinds.h"
#include "compat/base/text.h"
#include "compat/kinds/many.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	text_cut(text, size, "function graph tracer on %u function%s (%s)", e->many->n,
		 e->many->n == 1 ? "" : "s", e->name);
}

const struct event_ops graph_ops = {
	.title = title,
	.way = BPF_WAY_NONE,
};
