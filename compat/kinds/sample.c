// SPDX-License-Identifier: GPL-2.0
/* Samples: what each CPU does, so often a second. */
#include "compat/kinds/find.h"

static int find(struct builder *b)
{
	if (b->target == TARGET_BPF && !kernel_has(b->k, FEATURE_BPF_SAMPLE))
		return not_served(b->refusal, b->hook,
			      "this kernel takes no BPF programs on samples (since 4.9)");
	b->main->name = b->probe->name;
	return 0;
}

const struct event_traits sample_traits = { .title = "sample", .timed = true };
const struct probe_finder sample_finder = { .event = EVENT_SAMPLE, .find = find };
