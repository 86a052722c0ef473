// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of functions with all calls in them, by the kernel's function graph tracer: a record when a
 * call begins, and one when it ends.
 */
#include "compat/kinds/find.h"
#include "compat/kinds/many.h"

static int find(struct builder *b)
{
	if (!b->demand->tracer)
		return not_served(b->refusal, b->hook, "only the engine ftrace has the kernel's "
				  "function graph tracer");
	b->format = kernel_format(b->k, "ftrace", b->probe->name);
	if (!b->format || !format_field(b->format, "func"))
		return not_served(b->refusal, b->hook, "this kernel has no function graph tracer "
				  "(CONFIG_FUNCTION_GRAPH_TRACER)");
	b->main->system = b->format->system;
	b->main->name = b->probe->name;
	b->main->id = b->format->id;
	b->main->many = b->probe->many;
	return 0;
}

const struct event_traits graph_traits = { .title = "function graph", .graph = true };
const struct probe_finder graph_finder = { .event = EVENT_GRAPH, .find = find };
