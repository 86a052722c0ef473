// SPDX-License-Identifier: GPL-2.0
/*
 * Raw and typed tracepoints: BPF programs get the tracepoint's arguments. No record is made for
 * them, and they are not skipped while a program of another event runs on their CPU. At a raw one
 * each member that is read is a call of a helper. At a typed one (tp_btf) the verifier knows which
 * structs the arguments point to, and programs load members as the kernel does.
 */
#include "compat/kinds/find.h"
#include "compat/types/raw.h"

/*
 * What costs nothing is asked first: a feature is tried, and type information is read for it. The
 * kernel's stack would begin with the functions that run the program, more or fewer of them.
 */
static int find(struct builder *b, enum feature needed, const char *missing)
{
	const char *title = event_traits(b->main->kind)->title;
	struct error why = { };

	if (b->target != TARGET_BPF)
		return -1;		/* the rings never have it: that is no reason for a user */
	if (be_wants(b, "kernel_stack"))
		return not_served(b->refusal, b->hook, "stacks of the kernel are not whole at a %s",
				  title);
	if (!kernel_has(b->k, needed) && !kernel_has(b->k, FEATURE_BPF_TRACEPOINT))
		return no_tracepoint_programs(b);
	if (!kernel_has(b->k, needed))
		return lacks_feature(b->refusal, b->hook, needed, "%s", missing);
	if (!find_tracepoint(b))
		return -1;
	if (kernel_raw_prototype(b->k, b->main->name, &b->prototype, &why))
		return not_served(b->refusal, b->hook, "the %s %s is unknown: %s", title,
				  b->probe->name, why.text);
	return 0;
}

static int find_raw(struct builder *b)
{
	return find(b, FEATURE_BPF_RAW,
		    "this kernel takes no BPF programs on raw tracepoints (since 4.17)");
}

static int find_typed(struct builder *b)
{
	int result = find(b, FEATURE_BPF_TYPED,
			  "this kernel takes no BPF programs on typed tracepoints (since 5.5)");

	b->main->prototype = b->prototype.id;
	return result;
}

/* Another such program may interrupt one: bpf_prog_active does not count them. */
const struct event_traits raw_traits = {
	.title = "raw tracepoint", .arguments = true, .preempted = true,
};
const struct event_traits typed_traits = {
	.title = "typed tracepoint", .arguments = true, .typed = true, .preempted = true,
};
const struct probe_finder raw_finder = { .event = EVENT_RAW, .find = find_raw };
const struct probe_finder typed_finder = { .event = EVENT_TYPED, .find = find_typed };
