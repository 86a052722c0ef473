// SPDX-License-Identifier: GPL-2.0
/* Tracepoints: the format of a tracepoint tells where its fields are. */
#include "compat/kinds/find.h"

#include <string.h>

#include "compat/base/text.h"
#include "compat/kinds/numbered.h"

/*
 * Returns true for a probe of kprobe_events or uprobe_events, which a user made: the kernel has no
 * such tracepoint.
 */
static bool is_probe(const struct format *f)
{
	return format_field(f, "__probe_ip") || format_field(f, "__probe_func");
}

static int no_tracepoint(struct builder *b)
{
	unsigned int since = kernel_tracepoint_since(b->probe->name);
	const char *module = b->demand->hook->module;
	const struct recorded_by *recorder = kernel_recorder(b->k);

	if (recorder)
		return not_served(b->refusal, b->hook, "the recording has no %s: `%s %s` records "
				  "it", b->probe->name, recorder->event, b->probe->name);
	if (module)
		return not_served(b->refusal, b->hook, "this kernel has no tracepoint %s: module "
				  "%s is not loaded", b->probe->name, module);
	if (!since)
		return not_served(b->refusal, b->hook, "this kernel has no tracepoint %s",
				  b->probe->name);
	return not_served(b->refusal, b->hook, "this kernel has no tracepoint %s (since %u.%u)",
			  b->probe->name, since >> 16, since >> 8 & 0xff);
}

const struct format *find_tracepoint(struct builder *b)
{
	const struct format *format = kernel_format_named(b->k, b->probe->name);

	if (!format) {
		no_tracepoint(b);
		return NULL;
	}
	b->main->system = format->system;
	b->main->name = strchr(b->probe->name, ':') + 1;
	return format;
}

int no_tracepoint_programs(struct builder *b)
{
	return not_served(b->refusal, b->hook,
			  "this kernel takes no BPF programs on tracepoints (since 4.7)");
}

static int find(struct builder *b)
{
	/* A tracepoint is looked up only if the engine can use tracepoints. */
	if (b->target == TARGET_BPF && !kernel_has(b->k, FEATURE_BPF_TRACEPOINT))
		return no_tracepoint_programs(b);
	b->format = find_tracepoint(b);
	if (!b->format && find_numbered(b))
		return -1;
	if (b->target == TARGET_BPF && !strcmp(b->format->system, "syscalls") &&
	    !kernel_has(b->k, FEATURE_BPF_SYSCALL))
		return not_served(b->refusal, b->hook, "this kernel takes no BPF programs on "
				  "syscalls:* tracepoints (since 4.14)");
	if (b->target == TARGET_BPF && is_probe(b->format))
		return not_served(b->refusal, b->hook, "%s is a probe: it hands BPF programs "
				  "registers, not its fields", b->probe->name);
	b->main->id = b->format->id;
	if (b->probe->filter)
		b->main->filter = b->probe->filter;
	return 0;
}

const struct event_traits tracepoint_traits = { .title = "tracepoint", .shared = true };
const struct probe_finder tracepoint_finder = { .event = EVENT_TRACEPOINT, .find = find };
