// SPDX-License-Identifier: GPL-2.0
/*
 * A program on a function is loaded for it, by event->prototype. It may be refused when it is
 * attached: other code may hold the function's beginning, or too many programs are on it.
 */

#include "backends/kinds/kinds.h"
#include "backends/kinds/links.h"
#include "compat/base/bpf.h"
#include "compat/base/text.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	text_cut(text, size, "%s of %s", event_traits(e->kind)->title, e->name);
}

#define FUNCTION_OPS(TYPE) { \
	.title = title, \
	.program = BPF_PROG_TYPE_TRACING, \
	.attach_type = (TYPE), \
	.way = BPF_WAY_LINK, \
	.link = bpf_links_typed, \
	.missed = MISSED_PROGRAM, \
	.early = true, \
}

const struct event_ops fentry_ops = FUNCTION_OPS(BPF_TRACE_FENTRY);
const struct event_ops fexit_ops = FUNCTION_OPS(BPF_TRACE_FEXIT);
