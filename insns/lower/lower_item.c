// SPDX-License-Identifier: GPL-2.0
/*
 * Lowering of ITEM, the beginning of an iterator's program. Its context is an array of arguments:
 * the address of what all items share (struct bpf_iter_meta), the address of the item, and more.
 */
#include "insns/lower/lower_internal.h"

#include "compat/kinds/kinds.h"

#define META		0
#define ITEM_ADDRESS	8
/* In struct bpf_iter_meta: a file that programs may write; numbers of the run and of the item. */
#define META_FILE	0
#define META_RUN	8
#define META_NUMBER	16

static void load(struct lowerer *lo, int reg, int base, int offset)
{
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, reg, base, (int16_t)offset, 0);
	lo->context_in_r1 &= reg != BPF_REG_1;
}

/* reg = the item's number, which no item of another run has. */
static void load_number(struct lowerer *lo, int reg)
{
	load(lo, BPF_REG_3, lo_context(lo), META);
	load(lo, reg, BPF_REG_3, META_RUN);
	load(lo, BPF_REG_3, BPF_REG_3, META_NUMBER);
	emit(&lo->e, BPF_ALU64 | BPF_LSH | BPF_K, reg, 0, 0, 32);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_X, reg, BPF_REG_3, 0, 0);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, reg, 0, 0, 1);
}

/* Leave the program if the item is the one before. */
static int leave_if_known(struct lowerer *lo, int number)
{
	load_number(lo, number);
	if (lo_look_up_state(lo, STATE_ITEM))
		return -1;
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 0, lo_exit_label(lo));
	load(lo, BPF_REG_1, BPF_REG_0, 0);
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_X, BPF_REG_1, number, 0, lo_exit_label(lo));
	emit(&lo->e, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_0, number, 0, 0);
	return 0;
}

/*
 * The reader is given a byte: so a read ends behind as many items as it has room for, and what the
 * program handed over is read before the next ones.
 */
static void tell(struct lowerer *lo)
{
	load(lo, BPF_REG_1, lo_context(lo), META);
	load(lo, BPF_REG_1, BPF_REG_1, META_FILE);
	emit(&lo->e, BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, SCRATCH, 0);
	lo_stack_address(lo, BPF_REG_2, SCRATCH);
	lo_load_constant(lo, BPF_REG_3, 1);
	lo_call(lo, BPF_FUNC_seq_write);
}

/*
 * The kernel calls the program once more behind the last item, with a NULL. But the iterator of
 * symbols (ksym) hands over the last one again.
 */
int lo_item(struct lowerer *lo, const struct insn *insn)
{
	if (!event_traits(lo->l->kind)->walked)
		return lo_broken(lo, insn, "this is no iterator:", lo->p->hook);
	load(lo, BPF_REG_0, lo_context(lo), ITEM_ADDRESS);
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 0, lo_exit_label(lo));
	if (leave_if_known(lo, insn->bpf.dst_reg))
		return -1;
	tell(lo);
	return 0;
}
