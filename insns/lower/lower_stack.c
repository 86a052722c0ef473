// SPDX-License-Identifier: GPL-2.0
/* Lowering of STACK: the current stack becomes a number in the map of stacks. */
#include "insns/lower/lower_internal.h"

#include <errno.h>

static const struct map *map_of_stacks(const struct lowerer *lo)
{
	for (unsigned int i = 0; i < lo->l->n_maps; i++)
		if (lo->l->maps[i].kind == MAP_STACKS)
			return &lo->l->maps[i];
	fail(lo->err, "program %s (%s): there is no map of stacks", lo->p->hook, lo->p->file);
	return NULL;
}

/*
 * Without BPF_F_REUSE_STACKID, so that a number never means another stack later. A program whose
 * stack's place is taken gets -EEXIST, and the session shows that the stack was lost.
 */
int lo_stack(struct lowerer *lo, const struct insn *insn)
{
	const struct input *in = layout_input(lo->l->layout, insn->name);
	const struct map *map = map_of_stacks(lo);
	bool user;

	if (!map)
		return -1;
	if (!in && input_optional(insn->name)) {
		lo_load_constant(lo, insn->bpf.dst_reg, -EFAULT);
		return 0;
	}
	if (!in || in->kind != INPUT_STACK)
		return lo_broken(lo, insn, "this event has no stack", insn->name);
	user = in->identity == IDENTITY_USER_STACK;
	if (!lo_ring(lo))
		lo_move(lo, BPF_REG_1, lo_context(lo));
	if (lo_load_map(lo, lo_ring(lo) ? BPF_REG_1 : BPF_REG_2, map->name))
		return -1;
	if (lo_ring(lo))
		lo_load_constant(lo, BPF_REG_2, user);
	else
		lo_load_constant(lo, BPF_REG_3, user ? BPF_F_USER_STACK : 0);
	lo_call(lo, lo_ring(lo) ? (int32_t)RING_STACK : BPF_FUNC_get_stackid);
	lo_move(lo, insn->bpf.dst_reg, BPF_REG_0);
	return 0;
}
