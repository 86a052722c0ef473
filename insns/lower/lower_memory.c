// SPDX-License-Identifier: GPL-2.0
/*
 * Lowering of operations on memory and numbers. sonde's virtual machine has an instruction for
 * each.
 */
#include "insns/lower/lower_internal.h"

#include <assert.h>

int lo_widest(int n, int a, int b)
{
	int size = 8;

	assert(n > 0);
	while (size > n || a % size || b % size)
		size /= 2;
	return size;
}

void lo_zero_stack(struct lowerer *lo, int off, int n)
{
	int size;

	if (lo_ring(lo) && n > 0) {
		emit(&lo->e, RING_ZERO, 0, 0, off, n);
		return;
	}
	for (; n > 0; off += size, n -= size) {
		size = lo_widest(n, off, off);
		emit(&lo->e, BPF_ST | BPF_MEM | lo_size((unsigned int)size), BPF_REG_10, 0,
		     (int16_t)off, 0);
	}
}

int lo_zero(struct lowerer *lo, const struct insn *insn)
{
	lo_zero_stack(lo, insn->bpf.off, insn->bpf.imm);
	return 0;
}

int lo_copy(struct lowerer *lo, const struct insn *insn)
{
	int to = insn->bpf.off, from = COPY_FROM_OF(insn->bpf.imm);
	int n = COPY_SIZE_OF(insn->bpf.imm), size;

	if (lo_ring(lo)) {
		emit(&lo->e, RING_COPY, insn->bpf.dst_reg, insn->bpf.src_reg, to, insn->bpf.imm);
		return 0;
	}
	for (; n > 0; to += size, from += size, n -= size) {
		size = lo_widest(n, to, from);
		emit(&lo->e, BPF_LDX | BPF_MEM | lo_size((unsigned int)size), BPF_REG_1,
		     insn->bpf.src_reg, from, 0);
		emit(&lo->e, BPF_STX | BPF_MEM | lo_size((unsigned int)size), insn->bpf.dst_reg,
		     BPF_REG_1, to, 0);
	}
	lo->context_in_r1 = false;
	return 0;
}

/* r1 is the rest of the value: if (r1 >= 8 << bits) { r1 >>= bits; slot += 8 * bits } */
static void log2_step(struct lowerer *lo, int slot, int bits)
{
	int small = emit_new_label(&lo->e);

	if (bits == 32) {	/* a constant this large would take two instructions */
		lo_move(lo, BPF_REG_3, BPF_REG_1);
		emit(&lo->e, BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_3, 0, 0, bits + 3);
		emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_3, 0, 0, small);
	} else {
		lo_load_constant(lo, BPF_REG_3, (8 << bits) - 1);
		emit_jump(&lo->e, BPF_JMP | BPF_JGE | BPF_X, BPF_REG_3, BPF_REG_1, 0, small);
	}
	emit(&lo->e, BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_1, 0, 0, bits);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, slot, 0, 0, 8 * bits);
	emit_place(&lo->e, small);
}

int lo_log2(struct lowerer *lo, const struct insn *insn)
{
	int slot = insn->bpf.dst_reg, value = insn->bpf.src_reg, small;

	if (lo_ring(lo)) {
		emit(&lo->e, RING_LOG2, slot, value, 0, 0);
		return 0;
	}
	lo_move(lo, BPF_REG_1, value);
	lo_load_constant(lo, slot, 0);
	/* Most values are small: up to 2047 of their unit. */
	small = emit_new_label(&lo->e);
	lo_load_constant(lo, BPF_REG_3, (8 << 8) - 1);
	emit_jump(&lo->e, BPF_JMP | BPF_JGE | BPF_X, BPF_REG_3, BPF_REG_1, 0, small);
	for (int bits = 32; bits >= 8; bits /= 2)
		log2_step(lo, slot, bits);
	emit_place(&lo->e, small);
	for (int bits = 4; bits; bits /= 2)
		log2_step(lo, slot, bits);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_X, slot, BPF_REG_1, 0, 0);
	lo->context_in_r1 = false;
	return 0;
}
