// SPDX-License-Identifier: GPL-2.0
/* Many functions at once: the kernel has one event for all of them, which takes BPF programs. */
#include "compat/kinds/costs.h"
#include "compat/kinds/find.h"
#include "compat/kinds/many.h"

static int find_kernel(struct builder *b)
{
	if (!kernel_has(b->k, FEATURE_KPROBE_MULTI))
		return lacks_feature(b->refusal, b->hook, FEATURE_KPROBE_MULTI,
				     "this kernel takes no BPF programs on many functions at once");
	b->main->name = b->probe->name;
	b->main->many = b->probe->many;
	return 0;
}

static int places(struct kernel *k, enum target target, const struct probe *p,
		  const struct demand *d, const struct place **places, struct refusal *refusal)
{
	(void)target;
	if (!kernel_has(k, FEATURE_UPROBE_MULTI))
		return lacks_feature(refusal, d->hook->name, FEATURE_UPROBE_MULTI,
				     "this kernel takes no BPF programs on many functions of user "
				     "space at once");
	*places = p->place;
	return 1;
}

/* Kernels that have these events never damage 32-bit programs: the fix (5.3) is older. */
static int find_user(struct builder *b)
{
	b->main->name = b->place->symbol;
	b->main->binary = b->place->binary;
	b->main->many = b->probe->many;
	return 0;
}

static int find_user_return(struct builder *b)
{
	return find_returns(b) ? -1 : find_user(b);
}

static const char *risk_of_returns(struct kernel *k)
{
	return event_kind_risk(k, EVENT_URETPROBE);
}

const struct event_traits kmulti_traits = {
	.title = "kprobe.multi", .function = true, .numbered = true, .begins = true,
};
const struct event_traits kretmulti_traits = {
	.title = "kretprobe.multi", .function = true, .numbered = true, .returns = true,
};
const struct event_traits umulti_traits = {
	.title = "uprobe.multi", .function = true, .numbered = true, .begins = true,
	.preempted = true, .user = true, .cost = &cost_of_traps,
};
const struct event_traits uretmulti_traits = {
	.title = "uretprobe.multi", .function = true, .numbered = true, .returns = true,
	.preempted = true, .user = true, .risk = risk_of_returns, .cost = &cost_of_traps,
};
const struct probe_finder kmulti_finder = { .event = EVENT_KMULTI, .find = find_kernel };
const struct probe_finder kretmulti_finder = { .event = EVENT_KRETMULTI, .find = find_kernel };
const struct probe_finder umulti_finder = {
	.event = EVENT_UMULTI, .find = find_user, .places = places,
};
const struct probe_finder uretmulti_finder = {
	.event = EVENT_URETMULTI, .find = find_user_return, .places = places,
};
