// SPDX-License-Identifier: GPL-2.0
/*
 * Many functions of the kernel at once, by its function tracer: a record has the function's
 * address.
 */
#include "compat/kinds/find.h"
#include "compat/kinds/many.h"

static int find(struct builder *b)
{
	if (!b->demand->tracer)
		return not_served(b->refusal, b->hook, "only the engine ftrace has the kernel's "
				  "function tracer");
	if (!kernel_has(b->k, FEATURE_FUNCTION_TRACER))
		return lacks_feature(b->refusal, b->hook, FEATURE_FUNCTION_TRACER,
				     "this kernel's function tracer takes no functions by number");
	for (unsigned int i = 0; i < b->demand->n_inputs; i++)
		if (b->demand->inputs[i].kind == INPUT_STACK)
			return not_served(b->refusal, b->hook,
					  "events of the function tracer have no stacks here");
	b->format = kernel_format(b->k, "ftrace", "function");
	if (!b->format || !format_field(b->format, "ip"))
		return not_served(b->refusal, b->hook,
				  "the records of the function tracer have no `ip`");
	b->main->name = b->probe->name;
	b->main->id = b->format->id;
	b->main->many = b->probe->many;
	return 0;
}

const struct event_traits traced_traits = { .title = "function tracer", .traced = true };
const struct probe_finder traced_finder = { .event = EVENT_TRACED, .find = find };
