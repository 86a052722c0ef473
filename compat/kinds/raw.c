// SPDX-License-Identifier: GPL-2.0
/*
 * Raw tracepoints: BPF programs get the tracepoint's arguments, and no record is made for them. One
 * costs a fifth of a tracepoint whose programs are attached to perf events, and is not skipped
 * while another program runs on its CPU.
 */
#include "compat/kinds/find.h"

#include <stdio.h>
#include <string.h>

#include "compat/types/raw.h"

/* The kernel's stack would begin with the functions that run the program, more or fewer of them. */
static bool wants_stack(const struct builder *b)
{
	for (unsigned int i = 0; i < b->demand->n_inputs; i++)
		if (input_named(b->demand->inputs[i].name, "kernel_stack"))
			return true;
	return false;
}

static int find(struct builder *b)
{
	struct raw_argument arguments[RAW_ARGUMENTS];
	const struct format *format;
	struct error why = { };
	const char *event;
	char system[64];

	if (b->target != TARGET_BPF)
		return -1;		/* the rings never have it: that is no reason for a user */
	if (wants_stack(b))
		return not_served(b->refusal, b->hook, "stacks of the kernel are not whole at a "
				  "raw tracepoint");
	if (!kernel_has(b->k, FEATURE_BPF_RAW))
		return lacks_feature(b->refusal, b->hook, FEATURE_BPF_RAW,
				     "this kernel takes no BPF programs on raw tracepoints (since "
				     "4.17)");
	event = strchr(b->probe->name, ':') + 1;
	snprintf(system, sizeof(system), "%.*s", (int)(event - b->probe->name) - 1, b->probe->name);
	format = kernel_format(b->k, system, event);
	if (!format)
		return not_served(b->refusal, b->hook, "this kernel has no tracepoint %s",
				  b->probe->name);
	b->main->system = format->system;
	b->main->name = event;
	if (kernel_raw_arguments(b->k, b->main->name, arguments, &why) < 0)
		return not_served(b->refusal, b->hook, "the raw tracepoint %s is unknown: %s",
				  b->probe->name, why.text);
	return 0;
}

/* Another raw program may interrupt one: bpf_prog_active does not count them. */
const struct event_traits raw_traits = {
	.title = "raw tracepoint", .arguments = true, .preempted = true,
};
const struct probe_finder raw_finder = { .event = EVENT_RAW, .find = find };
