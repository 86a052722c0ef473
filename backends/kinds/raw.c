// SPDX-License-Identifier: GPL-2.0
/*
 * Raw tracepoints are attached by name. A program on a typed tracepoint is loaded for it, by
 * event->prototype. The kernel skips neither for other programs. Since 6.1 it skips a program that
 * runs already on the CPU, and counts that.
 */

#include "backends/kinds/kinds.h"
#include "backends/kinds/links.h"
#include "compat/base/text.h"
#include "compat/kinds/kinds.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	text_cut(text, size, "%s %s:%s", event_traits(e->kind)->title, e->system, e->name);
}

static int attach(struct bpf_links *l, struct event *event, int program)
{
	return bpf_links_open(l, program, event->name);
}

const struct event_ops raw_ops = {
	.title = title,
	.program = BPF_PROG_TYPE_RAW_TRACEPOINT,
	.way = BPF_WAY_LINK,
	.link = attach,
	.missed = MISSED_PROGRAM,
};

const struct event_ops typed_ops = {
	.title = title,
	.program = BPF_PROG_TYPE_TRACING,
	.attach_type = BPF_TRACE_RAW_TP,
	.way = BPF_WAY_LINK,
	.link = bpf_links_typed,
	.missed = MISSED_PROGRAM,
};
