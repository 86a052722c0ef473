// SPDX-License-Identifier: GPL-2.0
/*
 * Raw tracepoints: BPF programs get the tracepoint's arguments. No record is made for them, and
 * they are not skipped while a program of another event runs on their CPU. Each member that is read
 * is a call of a helper.
 */
#include "compat/kinds/find.h"

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
	struct error why = { };

	if (b->target != TARGET_BPF)
		return -1;		/* the rings never have it: that is no reason for a user */
	if (wants_stack(b))
		return not_served(b->refusal, b->hook, "stacks of the kernel are not whole at a "
				  "raw tracepoint");
	if (!kernel_has(b->k, FEATURE_BPF_RAW))
		return lacks_feature(b->refusal, b->hook, FEATURE_BPF_RAW,
				     "this kernel takes no BPF programs on raw tracepoints (since "
				     "4.17)");
	if (!find_tracepoint(b))
		return -1;
	b->n_arguments = kernel_raw_arguments(b->k, b->main->name, b->arguments, &why);
	if (b->n_arguments < 0)
		return not_served(b->refusal, b->hook, "the raw tracepoint %s is unknown: %s",
				  b->probe->name, why.text);
	return 0;
}

/* Another raw program may interrupt one: bpf_prog_active does not count them. */
const struct event_traits raw_traits = {
	.title = "raw tracepoint", .arguments = true, .preempted = true,
};
const struct probe_finder raw_finder = { .event = EVENT_RAW, .find = find };
