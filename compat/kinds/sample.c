// SPDX-License-Identifier: GPL-2.0
/* Samples: what a CPU does, so often a second. */
#include "compat/kinds/find.h"

/* A sample of the rings has registers and a stack, but nothing of the kernel's memory. */
static int find(struct builder *b)
{
	if (b->target == TARGET_RING)
		return not_served(b->refusal, b->hook,
			      "only BPF programs can read it from the kernel's memory");
	if (!kernel_has(b->k, FEATURE_BPF_SAMPLE))
		return not_served(b->refusal, b->hook,
			      "this kernel takes no BPF programs on samples (since 4.9)");
	b->main->name = b->probe->name;
	return 0;
}

const struct event_traits sample_traits = { .title = "sample", .timed = true };
const struct probe_finder sample_finder = { .event = EVENT_SAMPLE, .find = find };
