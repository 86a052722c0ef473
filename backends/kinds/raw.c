// SPDX-License-Identifier: GPL-2.0
/*
 * Raw tracepoints are attached by name. A program on a typed tracepoint is loaded for it, by
 * event->prototype. The kernel skips neither for other programs.
 */
#include <errno.h>
#include <stdio.h>

#include "backends/kinds/kinds.h"
#include "backends/kinds/links.h"
#include "compat/base/bpf.h"
#include "compat/kinds/kinds.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	snprintf(text, size, "%s %s:%s", event_traits(e->kind)->title, e->system, e->name);
}

static int attach(struct bpf_links *l, struct event *event, int program)
{
	int link = bpf_raw_open(program, event->prototype ? NULL : event->name);

	if (link >= 0)
		return bpf_links_hold(l, link, false);
	errno = -link;
	return -1;
}

const struct event_ops raw_ops = {
	.title = title,
	.program = BPF_PROG_TYPE_RAW_TRACEPOINT,
	.way = BPF_WAY_LINK,
	.link = attach,
	.missed = MISSED_NONE,
};

const struct event_ops typed_ops = {
	.title = title,
	.program = BPF_PROG_TYPE_TRACING,
	.attach_type = BPF_TRACE_RAW_TP,
	.way = BPF_WAY_LINK,
	.link = attach,
	.missed = MISSED_NONE,
};
