// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of the kernel whose type is known (fentry, fexit): the function's beginning calls a
 * piece of code that is made for it, and that calls BPF programs. They get the arguments, and load
 * members of structs as the kernel does. This costs a part of what a breakpoint or a
 * changed return address costs, and no return is missed.
 *
 * Since 5.12 the kernel skips a program that runs already on the CPU, and counts that; before, it
 * skips none. Such a program stays on its CPU, but other tasks may get the CPU meanwhile: then
 * events of theirs are skipped. So where tasks can be preempted in the kernel, kprobes come first,
 * as they can't be. Behind an interrupt kprobes are skipped, too, by all programs.
 */
#include <string.h>

#include "compat/kinds/find.h"
#include "compat/types/function.h"

/* More arguments are on the stack. Not all machines and releases hand those to programs. */
#define ARGUMENTS_MOST 6

static const enum feature fentry = FEATURE_BPF_FENTRY;

static int find(struct builder *b)
{
	const char *name = b->probe->name, *symbol;
	struct error why = { };

	if (b->target != TARGET_BPF)
		return -1;
	if (b->probe->offset)
		return not_served(b->refusal, b->hook, "a %s is at a function's beginning or end",
				  event_traits(b->main->kind)->title);
	if (be_wants(b, "kernel_stack"))
		return not_served(b->refusal, b->hook, "stacks of the kernel are not whole at a %s",
				  event_traits(b->main->kind)->title);
	if (!kernel_has(b->k, fentry))
		return lacks_feature(b->refusal, b->hook, fentry,
				     "this kernel takes no BPF programs on typed functions (5.5)");
	symbol = b->probe->named ? name : kernel_function(b->k, name);
	if (!symbol || strcmp(symbol, name))
		return no_function(b);
	if (kernel_function_prototype(b->k, name, b->demand->hook->module, &b->prototype, &why))
		return not_served(b->refusal, b->hook, "the type of %s() is unknown: %s", name,
				  why.text);
	if (b->prototype.n > ARGUMENTS_MOST)
		return not_served(b->refusal, b->hook, "%s() has more than %d arguments", name,
				  ARGUMENTS_MOST);
	b->main->name = name;
	b->main->prototype = b->prototype.id;
	b->main->types = b->prototype.types;
	return 0;
}

const struct event_traits fentry_traits = {
	.title = "fentry", .arguments = true, .typed = true, .typed_function = true,
	.begins = true, .preempted = true, .without = &fentry,
};
const struct event_traits fexit_traits = {
	.title = "fexit", .arguments = true, .typed = true, .typed_function = true,
	.preempted = true, .returns = true, .without = &fentry,
};
const struct probe_finder fentry_finder = {
	.event = EVENT_FENTRY, .find = find, .bypassed = true,
};
const struct probe_finder fexit_finder = { .event = EVENT_FEXIT, .find = find, .bypassed = true };
