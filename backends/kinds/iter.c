// SPDX-License-Identifier: GPL-2.0
/*
 * A program on an iterator is loaded for it, by event->prototype. The engine has a file descriptor
 * for it, at whose reads the kernel runs the program (bpf_events_walk()). It skips no item.
 */
#include <string.h>

#include "backends/kinds/kinds.h"
#include "compat/base/bpf.h"
#include "compat/base/text.h"
#include "compat/types/iterators.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	text_cut(text, size, "iterator %s", e->name + strlen(ITERATOR_FUNCTION));
}

const struct event_ops iter_ops = {
	.title = title,
	.program = BPF_PROG_TYPE_TRACING,
	.attach_type = BPF_ATTACH_ITERATOR,
	.way = BPF_WAY_ITERATOR,
	.missed = MISSED_PROGRAM,
};
