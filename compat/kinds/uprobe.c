// SPDX-License-Identifier: GPL-2.0
/* Uprobes and uretprobes: functions of user space, in every program or library that has them. */
#include "compat/kinds/find.h"

#include <string.h>

#include "compat/binaries/narrow_stacks.h"
#include "compat/kinds/costs.h"

/* Returns true if what is asked for needs memory. Every kernel's uprobes can read registers. */
static bool reads_memory(struct kernel *k, const struct probe *p, const struct demand *d)
{
	const char *text = p->inputs;
	struct error unused;
	struct fetch f;

	while (fetch_next(&text, &f, &unused) > 0)
		if (demand_wants(d, f.name) &&
		    (f.derefs || (f.base == FETCH_ARG && kernel_arch(k)->abis[0].on_stack)))
			return true;
	return false;
}

int find_places(struct kernel *k, enum target target, const struct probe *p,
		const struct demand *d, const struct place **places, struct refusal *refusal)
{
	const char *function = p->place ? p->name : strchr(p->name, ':') + 1;
	int n = (int)strcspn(function, "|"), found;
	struct error why = { };

	if (!kernel_has(k, FEATURE_UPROBES) && kernel_recorded(k))
		return not_served(refusal, d->hook->name, "the recording has no probe of %.*s()",
				  n, function);
	if (!kernel_has(k, FEATURE_UPROBES))
		return lacks_feature(refusal, d->hook->name, FEATURE_UPROBES,
				     "this kernel has no uprobes, for %.*s()", n, function);
	if (target == TARGET_BPF && !kernel_has(k, FEATURE_BPF_UPROBE))
		return not_served(refusal, d->hook->name,
			      "this kernel takes no BPF programs on uprobes (since 4.3)");
	if (event_traits(probe_finder(p)->event)->returns && kernel_arch(k)->thumb)
		return not_served(refusal, d->hook->name,
			      "returns of %.*s() can't be probed on 32-bit ARM: that crashes "
			      "callers that are Thumb code", n, function);
	if (target == TARGET_RING && !kernel_has(k, FEATURE_UPROBE_FETCH) && reads_memory(k, p, d))
		return not_served(refusal, d->hook->name,
			      CANT_READ_MEMORY ", for %.*s()", n, function);
	if (p->place) {
		*places = p->place;
		return 1;
	}
	found = kernel_places(k, p->name, places, &why);
	return found < 0 ? not_served(refusal, NULL, "%s", why.text) : found;
}

/*
 * Why a probe of the rings can't read an input in a narrow program. It can read numbers in
 * registers and on the stack. It takes each pointer to be as wide as the kernel's. Returns NULL if
 * the probe can read all inputs.
 */
static const char *why_not_narrow(struct builder *b)
{
	bool memory = false;

	for (unsigned int i = 0; i < b->demand->n_inputs; i++) {
		struct fetch f;
		int index;

		if (be_find_fetch(b, b->demand->inputs[i].name, &f, &index) != 1)
			continue;
		if (f.derefs && f.base != FETCH_SP)
			return "ring buffers can't follow 32-bit programs' pointers";
		memory |= f.derefs || (f.base == FETCH_ARG && !be_of_usdt(b, &f));
	}
	return !memory || kernel_has(b->k, FEATURE_UPROBE_FETCH) ? NULL :
	       "uprobes of this kernel can't read memory, where 32-bit programs' arguments are";
}

/*
 * Returns -1, and the reason, if the probe would crash programs of this file. Rows of the hook
 * table have both ends of a call, and one end is useless without the other: so the whole file is
 * left out.
 */
static int find_spared(struct builder *b, bool returns)
{
	const bool whole_file = returns || !b->probe->place;
	struct error why;

	if (!binary_spared(b->k, b->place->binary, b->place->address + b->probe->offset, whole_file,
			   &why))
		return 0;
	if (whole_file)
		kernel_leave_out(b->k, b->place->binary, why.text);
	else
		kernel_leave_out_place(b->k, b->place, why.text);
	return not_served(b->refusal, b->hook, "%s of %.200s can't be probed: %s",
			  returns ? "returns" : b->place->symbol, b->place->binary->path, why.text);
}

int find_place(struct builder *b)
{
	const bool returns = event_traits(b->main->kind)->returns;
	const char *why;

	b->main->name = b->place->symbol;
	b->main->binary = b->place->binary;
	b->main->place = b->place;
	b->main->address = b->place->address + b->probe->offset;
	if (!returns && find_spared(b, false))
		return -1;
	why = b->target == TARGET_RING && b->abi->narrow ? why_not_narrow(b) : NULL;
	if (!why)
		return 0;
	kernel_leave_out(b->k, b->place->binary, why);
	return not_served(b->refusal, b->hook, "%s", why);
}

int find_returns(struct builder *b)
{
	if (!binary_moves_stacks(b->k, b->place->binary))
		return find_spared(b, true);
	kernel_leave_out(b->k, b->place->binary, moving_stacks);
	return not_served(b->refusal, b->hook, "returns of %.200s can't be probed: %s",
			  b->place->binary->path, moving_stacks);
}

static int find_return(struct builder *b)
{
	return find_returns(b) ? -1 : find_place(b);
}

static const char *risk_of_returns(struct kernel *k)
{
	if (kernel_has(k, FEATURE_URETPROBE_SECCOMP))
		return NULL;
	return "return probes of this kernel crash programs that have a seccomp filter, such as "
	       "containers and services (6.11 to 6.12.19, 6.13.0 to 6.13.7)";
}

const struct event_traits uprobe_traits = {
	.title = "uprobe", .function = true, .begins = true, .preempted = true, .user = true,
	.registers = true, .cost = &cost_of_traps,
};
const struct event_traits uretprobe_traits = {
	.title = "uretprobe", .function = true, .returns = true, .preempted = true, .user = true,
	.registers = true, .risk = risk_of_returns, .cost = &cost_of_traps,
};
const struct probe_finder uprobe_finder = {
	.event = EVENT_UPROBE, .find = find_place, .places = find_places,
};
const struct probe_finder uretprobe_finder = {
	.event = EVENT_URETPROBE, .find = find_return, .places = find_places,
};
