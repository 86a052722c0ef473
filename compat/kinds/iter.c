// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's iterators (since 5.8): a program runs for each task, socket or program of BPF, in
 * the task that reads a file descriptor. The function bpf_iter_NAME, which only tells the types,
 * has the same arguments: what all items share, and the item.
 */
#include <string.h>

#include "compat/kinds/find.h"
#include "compat/types/function.h"
#include "compat/types/iterators.h"

static bool wants_path(const struct builder *b)
{
	for (unsigned int i = 0; i < b->demand->n_inputs; i++)
		if (b->demand->inputs[i].kind == INPUT_PATH)
			return true;
	return false;
}

static int find(struct builder *b)
{
	const char *name = b->probe->name + strlen(ITERATOR_FUNCTION);
	struct error why = { };

	if (b->target != TARGET_BPF)
		return -1;
	if (be_wants(b, "kernel_stack") || be_wants(b, "user_stack"))
		return not_served(b->refusal, b->hook, "items of an iterator have no stacks: the "
				  "task that runs is sonde");
	if (!kernel_has(b->k, FEATURE_BPF_ITER))
		return lacks_feature(b->refusal, b->hook, FEATURE_BPF_ITER,
				     "this kernel takes no BPF programs on its iterators (5.8)");
	if (wants_path(b) && !kernel_has(b->k, FEATURE_BPF_PATH))
		return not_served(b->refusal, b->hook, "programs on iterators of this kernel can't "
				  "ask for a path (5.12): take a path of /proc, or a dentry's "
				  "name");
	if (kernel_function_prototype(b->k, b->probe->name, NULL, &b->prototype, &why))
		return not_served(b->refusal, b->hook, "the iterator %s is unknown: %s", name,
				  why.text);
	b->main->name = b->probe->name;
	b->main->prototype = b->prototype.id;
	return 0;
}

const struct event_traits iter_traits = {
	.title = "iterator", .arguments = true, .typed_function = true, .walked = true,
	.preempted = true,
};
const struct probe_finder iter_finder = { .event = EVENT_ITER, .find = find };
