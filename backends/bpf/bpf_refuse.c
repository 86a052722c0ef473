// SPDX-License-Identifier: GPL-2.0
#include "backends/bpf/bpf_refuse.h"

#include <linux/bpf.h>

#include "compat/kernel/doubt.h"
#include "compat/kinds/kinds.h"
#include "compat/resolve/identity.h"

static bool asks_who(const struct plan *plan)
{
	for (unsigned int i = 0; i < plan->n_attachments; i++)
		if (layout_of_task(plan->attachments[i].event->layout))
			return true;
	return false;
}

static bool hands_over(const struct plan *plan)
{
	for (unsigned int i = 0; i < plan->n_maps; i++)
		if (plan->maps[i].kind == MAP_OUTPUT)
			return true;
	return false;
}

static bool changes_entries(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_CALL) && (insn->imm == BPF_FUNC_map_update_elem ||
						      insn->imm == BPF_FUNC_map_delete_elem);
}

/* Lowering loads the map right before the call that changes it. */
static bool changes_hash(const struct plan *plan, const struct lowered *code)
{
	int map = -1;

	for (unsigned int i = 0; i < code->n; i++) {
		if (insn_map(&code->insns[i]) >= 0)
			map = insn_map(&code->insns[i]);
		if (changes_entries(&code->insns[i]) && map >= 0 &&
		    plan->maps[map].kind == MAP_HASH)
			return true;
	}
	return false;
}

/* Entries that sonde itself makes do not count: the kernel allocates them outside of any probe. */
static bool any_changes_hash(const struct plan *plan)
{
	for (unsigned int i = 0; i < plan->n_programs; i++)
		if (changes_hash(plan, &plan->programs[i].code))
			return true;
	return false;
}

/* Returns true if an earlier attachment has a program on the same event of the kernel. */
static bool taken(const struct plan *plan, unsigned int attachment)
{
	const struct event *event = plan->attachments[attachment].event;

	for (unsigned int i = 0; i < attachment; i++)
		if (plan->attachments[i].program && plan->attachments[i].event->id == event->id)
			return true;
	return false;
}

/*
 * Returns a tracepoint on which the plan has several programs; NULL: there is none. Each program on
 * a probe gets a probe of its own; all programs on a tracepoint share one event.
 */
static const struct event *event_of_several(const struct plan *plan)
{
	for (unsigned int i = 0; i < plan->n_attachments; i++) {
		const struct attachment *a = &plan->attachments[i];

		if (a->program && event_traits(a->event->kind)->shared && taken(plan, i))
			return a->event;
	}
	return NULL;
}

int bpf_refuse(struct kernel *k, const struct plan *plan, struct error *err)
{
	const struct event *shared = event_of_several(plan);

	if (plan->unwound)
		return fail(err, "BPF programs find callers in user space by frame pointers only");
	if (asks_who(plan) && !kernel_has(k, FEATURE_BPF_IDENTITY))
		return kernel_lacks(k, err, "BPF programs of this kernel can't tell which task is "
				    "current (since 4.2)");
	if (hands_over(plan) && !kernel_has(k, FEATURE_BPF_OUTPUT) &&
	    !kernel_has(k, FEATURE_BPF_RINGBUF))
		return kernel_lacks(k, err, "BPF programs of this kernel can't hand over records "
				    "(since 4.4)");
	if (shared && !kernel_has(k, FEATURE_BPF_MULTI))
		return kernel_lacks(k, err, "tracepoints of this kernel take one BPF program, and "
				    "this asks for two on %s:%s (since 4.15)",
				    shared->system, shared->name);
	/* The kernel allocates entries while a probe runs. The probe may be in the allocator. */
	if (!plan->forced && any_changes_hash(plan) && !kernel_has(k, FEATURE_BPF_PERCPU))
		return fail(err, "BPF hashes of this kernel allocate memory while a probe runs, "
				 "which can hang it (before 4.6); --backend bpf takes the risk");
	return 0;
}
