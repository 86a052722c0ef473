// SPDX-License-Identifier: GPL-2.0
/* Raw tracepoints: by the tracepoint's name. The kernel skips none for other programs. */
#include <errno.h>
#include <stdio.h>

#include "backends/kinds/kinds.h"
#include "backends/kinds/links.h"
#include "compat/base/bpf.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	snprintf(text, size, "raw tracepoint %s:%s", e->system, e->name);
}

static int attach(struct bpf_links *l, struct event *event, int program)
{
	int link = bpf_raw_open(program, event->name);

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
