// SPDX-License-Identifier: GPL-2.0
/*
 * USDT: uprobes where programs have statically defined probes. Each place says where the arguments
 * are, and may have a semaphore: the number of its tracers.
 */
#include "compat/kinds/costs.h"
#include "compat/kinds/find.h"

static int find(struct builder *b)
{
	if (b->place->semaphore > UINT32_MAX)
		return not_served(b->refusal, b->hook, "%s of %s: its semaphore is too far in the "
				  "file", b->place->symbol, b->place->binary->path);
	b->main->semaphore = (uint32_t)b->place->semaphore;
	b->main->kernel_counts = kernel_has(b->k, FEATURE_UPROBE_SEMAPHORE);
	return find_place(b);
}

const struct event_traits usdt_traits = {
	.title = "usdt", .function = true, .preempted = true, .user = true, .registers = true,
	.cost = &cost_of_traps,
};
const struct probe_finder usdt_finder = {
	.event = EVENT_USDT, .find = find, .places = find_places,
};
