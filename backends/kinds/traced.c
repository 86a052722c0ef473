// SPDX-License-Identifier: GPL-2.0
/* The function tracer's events: the engine ftrace sets them in its instance. */
#include <stdio.h>

#include "backends/kinds/kinds.h"
#include "compat/kinds/many.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	snprintf(text, size, "function tracer on %u functions", e->many->n);
}

const struct event_ops traced_ops = {
	.title = title,
	.way = BPF_WAY_NONE,
};
