// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobes and kretprobes: functions of the kernel by their names. The rows serve fentry and fexit,
 * too (compat/kinds/fentry.c).
 */
#include "compat/kinds/find.h"

/* BPF needs the PMU only. The rings need a definition in tracefs. */
static bool has_kprobes(struct kernel *k, enum target target)
{
	return kernel_has(k, FEATURE_KPROBES) ||
	       (target == TARGET_BPF && kernel_has(k, FEATURE_KPROBE_PMU));
}

bool kernel_function_probed(struct kernel *k, enum target target)
{
	return has_kprobes(k, target) ||
	       (target == TARGET_BPF && kernel_has(k, FEATURE_BPF_FENTRY));
}

int no_function(struct builder *b)
{
	const char *name = b->probe->name, *module = b->demand->hook->module;

	if (kernel_recorded(b->k))
		return not_served(b->refusal, b->hook, NO_RECORDED, name);
	if (module && kernel_knows_filesystem(b->k, module))
		return not_served(b->refusal, b->hook, "%s of this kernel has no %s() to "
				  "probe\nfileslower shows files of all types of file "
				  "systems", module, name);
	if (module)
		return lacks_function(b->refusal, b->hook, name, module);
	return not_served(b->refusal, b->hook, "this kernel has no function %s to probe", name);
}

int find_function(struct builder *b, const char *(*look_up)(struct builder *b))
{
	const char *function;

	if (!has_kprobes(b->k, b->target) && kernel_recorded(b->k))
		return not_served(b->refusal, b->hook, NO_RECORDED, b->probe->name);
	if (!has_kprobes(b->k, b->target))
		return lacks_feature(b->refusal, b->hook, FEATURE_KPROBES,
				     "this kernel has no kprobes, for %s()", b->probe->name);
	if (b->target == TARGET_BPF && !kernel_has(b->k, FEATURE_BPF_KPROBE))
		return not_served(b->refusal, b->hook,
				  "this kernel takes no BPF programs on kprobes (since 4.1)");
	function = look_up(b);
	if (!function)
		return no_function(b);
	b->main->name = function;
	b->main->address = b->probe->offset;
	return 0;
}

static const char *by_name(struct builder *b)
{
	return b->probe->named ? b->probe->name : kernel_function(b->k, b->probe->name);
}

static int find(struct builder *b)
{
	return find_function(b, by_name);
}

const struct event_traits kprobe_traits = {
	.title = "kprobe", .function = true, .begins = true, .registers = true,
};
const struct event_traits kretprobe_traits = {
	.title = "kretprobe", .function = true, .returns = true, .slots = true, .registers = true,
};
const struct probe_finder kprobe_finder = {
	.event = EVENT_KPROBE, .find = find, .bypassed = true, .cheaper = &fentry_finder,
};
const struct probe_finder kretprobe_finder = {
	.event = EVENT_KRETPROBE, .find = find, .bypassed = true, .cheaper = &fexit_finder,
};
