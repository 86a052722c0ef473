// SPDX-License-Identifier: GPL-2.0
/*
 * Lowering of `caller` where no register tells it: the word at the stack pointer of user space,
 * which is the place behind a call if the newest function has no frame. User space of sonde knows
 * by the function's file whether it is. Here all is dropped that is no place behind a call, so that
 * what else lies there makes no more keys of one stack.
 */
#include "insns/lower/lower_internal.h"

/* Where the kernel's stack of a task ends it keeps what user space had in its registers. */
enum { SAVED_CS = -32, SAVED_SP = -16 };
#define SAVED_BYTES	(SAVED_SP + 8 - SAVED_CS)

/* Three words that are used within an instruction only. */
#define WORDS		(-512)
#define SECOND		KEY_SCRATCH
#define THIRD		SCRATCH

/* Bytes from the place behind a call back to the first byte of its operation. */
#define CALL_NEAR	0xe8		/* to an address: 5 */
#define CALL_BY		0xff		/* by a register or memory: 2, 3, 4, 6, 7 */

/* r0 = not 0 if it can't be read: stack[off] = n bytes at r3 */
static void read_bytes(struct lowerer *lo, int off, int n, bool user)
{
	lo_zero_stack(lo, off, n);	/* verifiers before 4.9 require it */
	lo_buffer_arguments(lo, off, n);
	lo_call(lo, lo_read_helper(lo, user));
}

static void unless(struct lowerer *lo, int op, int reg, int value, int label)
{
	emit_jump(&lo->e, BPF_JMP | op | BPF_K, reg, 0, value, label);
}

/* stack[SCRATCH] = the stack pointer, or goto none: what was running was no program of 64 bits. */
static void read_sp(struct lowerer *lo, const struct arch *arch, int32_t stack, int none)
{
	/* Kernels that were built for FRED leave two words free. */
	static const int free_bytes[] = { 0, 16 };
	int found = emit_new_label(&lo->e);

	for (unsigned int i = 0; i < 2; i++) {
		const int end = (int)arch->task_stack - free_bytes[i];

		lo_call(lo, BPF_FUNC_get_current_task);
		lo_move(lo, BPF_REG_3, BPF_REG_0);
		emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_3, 0, 0, stack);
		read_bytes(lo, THIRD, 8, false);
		unless(lo, BPF_JNE, BPF_REG_0, 0, none);
		emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_3, BPF_REG_10, THIRD, 0);
		emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_3, 0, 0, end + SAVED_CS);
		read_bytes(lo, WORDS, SAVED_BYTES, false);
		unless(lo, BPF_JNE, BPF_REG_0, 0, none);
		/* Above its 16 bits there may be others. */
		emit(&lo->e, BPF_LDX | BPF_MEM | BPF_H, BPF_REG_0, BPF_REG_10, WORDS, 0);
		unless(lo, BPF_JEQ, BPF_REG_0, arch->user_cs, found);
	}
	emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, none);
	emit_place(&lo->e, found);
}

void lo_caller(struct lowerer *lo, int reg, const struct input *in)
{
	static const int by[] = { 2, 3, 4, 6, 7 };
	const struct arch *arch = kernel_arch(lo->l->kernel);
	int none = emit_new_label(&lo->e), behind = emit_new_label(&lo->e);
	int done = emit_new_label(&lo->e);

	read_sp(lo, arch, (int32_t)in->value, none);
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_3, BPF_REG_10, THIRD, 0);
	read_bytes(lo, SECOND, 8, true);
	unless(lo, BPF_JNE, BPF_REG_0, 0, none);
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_3, BPF_REG_10, SECOND, 0);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_3, 0, 0, -8);
	read_bytes(lo, WORDS, 8, true);
	unless(lo, BPF_JNE, BPF_REG_0, 0, none);
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_B, BPF_REG_0, BPF_REG_10, WORDS + 8 - 5, 0);
	unless(lo, BPF_JEQ, BPF_REG_0, CALL_NEAR, behind);
	for (unsigned int i = 0; i < sizeof(by) / sizeof(by[0]); i++) {
		emit(&lo->e, BPF_LDX | BPF_MEM | BPF_B, BPF_REG_0, BPF_REG_10,
		     (int16_t)(WORDS + 8 - by[i]), 0);
		unless(lo, BPF_JEQ, BPF_REG_0, CALL_BY, behind);
	}
	emit_place(&lo->e, none);
	lo_load_constant(lo, reg, 0);
	emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, done);
	emit_place(&lo->e, behind);
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, reg, BPF_REG_10, SECOND, 0);
	emit_place(&lo->e, done);
}
