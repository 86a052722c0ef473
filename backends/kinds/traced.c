// SPDX-License-Identifier: GPL-2.0
/* The function tracer's events: the engine ftrace sets them in its instance. */
#include <stdio.h>

#include "backends/bpf/bpf_events.h"
#include "backends/kinds/kinds.h"
#include "compat/kinds/many.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	snprintf(text, size, "function tracer on %u functions", e->many->n);
}

static int open_none(struct bpf_events *e, unsigned int attachment, const char **way,
		     struct error *err)
{
	(void)e, (void)attachment;
	*way = "";
	return fail(err, "the function tracer runs no BPF programs");
}

static int attach_none(struct bpf_events *e, unsigned int attachment, int program)
{
	(void)e, (void)attachment, (void)program;
	return -1;
}

const struct event_ops traced_ops = {
	.title = title,
	.open = open_none,
	.attach = attach_none,
};
