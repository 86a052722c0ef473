// SPDX-License-Identifier: GPL-2.0
/* Lowering of STACK: the current stack becomes a number in the map of stacks. */
#include "insns/lower/lower_internal.h"

#include <errno.h>

#include "insns/frame.h"

/* The table number `table` of stacks. Returns NULL if there are fewer tables. */
static const struct map *map_of_stacks(const struct lowerer *lo, unsigned int table)
{
	for (unsigned int i = 0; i < lo->l->n_maps; i++)
		if ((lo->l->maps[i].kind == MAP_STACKS || lo->l->maps[i].kind == MAP_WALKED) &&
		    !table--)
			return &lo->l->maps[i];
	return NULL;
}

static int get_stackid(struct lowerer *lo, const struct map *map, bool user)
{
	lo_move(lo, BPF_REG_1, lo_context(lo));
	if (lo_load_map(lo, BPF_REG_2, map->name))
		return -1;
	lo_load_constant(lo, BPF_REG_3, user ? BPF_F_USER_STACK : 0);
	lo_call(lo, BPF_FUNC_get_stackid);
	return 0;
}

int lo_unless_open(struct lowerer *lo, unsigned int part, int closed)
{
	if (lo_state(lo, STATE_STACKS))
		return -1;
	emit(&lo->e, BPF_ALU64 | BPF_AND | BPF_K, BPF_REG_0, 0, 0, 1 << part);
	emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 0, closed);
	return 0;
}

/*
 * r0 = the stack's number. BPF_F_REUSE_STACKID is not set, so a number never means another stack
 * later. A table has one place for all stacks whose hashes end alike, and room for fewer stacks
 * than places. A stack goes to the next table if its place is taken (-EEXIST), or if the table is
 * full (-ENOMEM). All stacks go to the next table while the first is being emptied (STACK_PARTS). A
 * stack is lost only if no table has a place for it, and the session shows the loss.
 */
static int bpf_stack(struct lowerer *lo, bool user)
{
	int done = emit_new_label(&lo->e), closed = emit_new_label(&lo->e);
	int again[STACK_TABLES + 1], found[STACK_TABLES];
	unsigned int n = 0;
	const struct map *map;

	for (unsigned int i = 0; i <= STACK_TABLES; i++)
		again[i] = emit_new_label(&lo->e);
	for (; n < STACK_TABLES && (map = map_of_stacks(lo, n)); n++) {
		found[n] = emit_new_label(&lo->e);
		if (n) {
			emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, -EEXIST,
				  again[n]);
			emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, -ENOMEM, done);
			emit_place(&lo->e, again[n]);
		}
		if (n < STACK_PARTS &&
		    lo_unless_open(lo, n, !n && map_of_stacks(lo, 1) ? again[1] : closed))
			return -1;
		if (get_stackid(lo, map, user))
			return -1;
		if (n)
			emit_jump(&lo->e, BPF_JMP | BPF_JSGE | BPF_K, BPF_REG_0, 0, 0, found[n]);
	}
	emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, done);
	emit_place(&lo->e, closed);
	lo_load_constant(lo, BPF_REG_0, -EBUSY);
	if (n > 1)
		emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, done);
	while (n-- > 1) {
		emit_place(&lo->e, found[n]);
		emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_0, 0, 0,
		     1 << STACK_TABLE_SHIFT);
	}
	emit_place(&lo->e, done);
	return 0;
}

/* Programs made at run time may use more stack than a walk leaves (STACK_FRAME_MOST). */
static bool leaves_room(const struct program *p)
{
	for (unsigned int i = 0; i < p->n_insns; i++) {
		const struct insn *insn = &p->insns[i];
		const int class = BPF_CLASS(insn->bpf.code);
		const bool plain = insn->symbol == PLAIN;

		if (insn->bpf.off < -STACK_FRAME_MOST &&
		    (!plain || (insn->bpf.dst_reg == BPF_REG_10 &&
				(class == BPF_ST || class == BPF_STX))))
			return false;
	}
	return true;
}

int lo_stack(struct lowerer *lo, const struct insn *insn)
{
	const struct input *in = layout_input(lo->l->layout, insn->name);
	const struct map *map = map_of_stacks(lo, 0);
	bool user;

	if (!map)
		return fail(lo->err, "program %s (%s): there is no map of stacks", lo->p->hook,
			    lo->p->file);
	if (!in && input_optional(insn->name)) {
		lo_load_constant(lo, insn->bpf.dst_reg, -EFAULT);
		return 0;
	}
	if (!in || in->kind != INPUT_STACK)
		return lo_broken(lo, insn, "this event has no stack", insn->name);
	user = in->identity == IDENTITY_USER_STACK;
	if (map->kind == MAP_WALKED && !leaves_room(lo->p))
		return fail(lo->err, "this kernel has no BPF maps of stacks (since 4.6), and the "
			    "program's values leave no room to walk them: %d bytes at most",
			    STACK_FRAME_MOST);
	if (map->kind == MAP_WALKED)
		return lo_walk(lo, insn->bpf.dst_reg, map, user);
	if (lo_ring(lo)) {
		if (lo_load_map(lo, BPF_REG_1, map->name))
			return -1;
		lo_load_constant(lo, BPF_REG_2, user);
		lo_call(lo, (int32_t)RING_STACK);
	} else if (bpf_stack(lo, user)) {
		return -1;
	}
	lo_move(lo, insn->bpf.dst_reg, BPF_REG_0);
	return 0;
}
