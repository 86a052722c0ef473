// SPDX-License-Identifier: GPL-2.0
/* Tracepoints: the kernel has them already, each with a number. */

#include "backends/kinds/kinds.h"
#include "compat/base/text.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	text_cut(text, size, "%s:%s", e->system, e->name);
}

const struct event_ops tracepoint_ops = {
	.title = title,
	.program = BPF_PROG_TYPE_TRACEPOINT,
	.way = BPF_WAY_TRACEPOINT,
};
