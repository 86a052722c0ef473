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

static void raw_title(const struct event *e, char *text, unsigned int size)
{
	snprintf(text, size, "raw tracepoint %s:%s", e->system, e->name);
}

static void typed_title(const struct event *e, char *text, unsigned int size)
{
	snprintf(text, size, "typed tracepoint %s:%s", e->system, e->name);
}

static int attach(struct bpf_links *l, const char *name, int program)
{
	int link = bpf_raw_open(program, name);

	if (link >= 0)
		return bpf_links_hold(l, link, false);
	errno = -link;
	return -1;
}

static int attach_raw(struct bpf_links *l, struct event *event, int program)
{
	return attach(l, event->name, program);
}

static int attach_typed(struct bpf_links *l, struct event *event, int program)
{
	(void)event;
	return attach(l, NULL, program);
}

const struct event_ops raw_ops = {
	.title = raw_title,
	.program = BPF_PROG_TYPE_RAW_TRACEPOINT,
	.way = BPF_WAY_LINK,
	.link = attach_raw,
	.missed = MISSED_NONE,
};

const struct event_ops typed_ops = {
	.title = typed_title,
	.program = BPF_PROG_TYPE_TRACING,
	.attach_type = BPF_TRACE_RAW_TP,
	.way = BPF_WAY_LINK,
	.link = attach_typed,
	.missed = MISSED_NONE,
};
