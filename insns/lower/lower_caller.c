// SPDX-License-Identifier: GPL-2.0
/*
 * Lowering of `caller` where no register has it. It is the word at the stack pointer of user space,
 * which is an address behind a call if the newest function has no frame. sonde decides later, by
 * the function's file, whether it has a frame. Here each word is dropped that is not behind a call,
 * so that other words do not make more keys of one stack.
 *
 *	if (the registers of user space are not those of a 64-bit program) caller = 0
 *	caller = the word at its stack pointer
 *	known = &callers[caller % CALLERS]
 *	if (caller != *known) {
 *		if (no call is before it) caller = 0
 *		*known = caller
 *	}
 *
 * The CPU seldom has code in its cache for data, so reading code takes longer than everything else.
 * So an address that was seen behind a call counts as such in all processes. In another process it
 * may not be behind a call, which costs a key.
 */
#include "insns/lower/lower_internal.h"

/*
 * Three words that are used within one instruction only. Together they hold registers from cs to
 * sp.
 */
#define CODE		(-512)		/* or the index in .callers */
#define PLACE		KEY_SCRATCH
#define WORD		SCRATCH

/* First bytes of call instructions, and the distance in bytes to the address behind the call. */
#define CALL_NEAR	0xe8		/* to an address: 5 */
#define CALL_BY		0xff		/* by a register or memory: 2, 3, 4, 6, 7 */

static void load(struct lowerer *lo, int size, int reg, int base, int off)
{
	emit(&lo->e, BPF_LDX | BPF_MEM | size, reg, base, (int16_t)off, 0);
}

static void store(struct lowerer *lo, int size, int base, int off, int reg)
{
	emit(&lo->e, BPF_STX | BPF_MEM | size, base, reg, (int16_t)off, 0);
}

static void compute(struct lowerer *lo, int op, int reg, int32_t value)
{
	emit(&lo->e, BPF_ALU64 | op | BPF_K, reg, 0, 0, value);
}

static void jump_if(struct lowerer *lo, int op, int reg, int value, int label)
{
	emit_jump(&lo->e, BPF_JMP | op | BPF_K, reg, 0, value, label);
}

/* stack[off] = n bytes at r3; if (they can't be read) goto none */
static void read_bytes(struct lowerer *lo, int off, int n, bool user, int none)
{
	lo_zero_stack(lo, off, n);	/* verifiers before 4.9 require it */
	lo_buffer_arguments(lo, off, n);
	lo_call(lo, lo_read_helper(lo, user));
	jump_if(lo, BPF_JNE, BPF_REG_0, 0, none);
}

/*
 * r3 = the address of the current task's stack in the kernel. The program itself runs on this
 * stack, unless it runs in an interrupt: then the bytes that are taken for registers have another
 * cs.
 */
static void task_stack(struct lowerer *lo, const struct input *in, int none)
{
	const int size = kernel_arch(lo->l->kernel)->task_stack;

	if (in->value < 0) {
		/*
		 * Verifiers refuse arithmetic with r10, but not reading the memory where a copy is
		 * kept.
		 */
		store(lo, BPF_DW, BPF_REG_10, CODE, BPF_REG_10);
		lo_stack_address(lo, BPF_REG_3, CODE);
	} else {
		lo_call(lo, BPF_FUNC_get_current_task);
		lo_move(lo, BPF_REG_3, BPF_REG_0);
		compute(lo, BPF_ADD, BPF_REG_3, (int32_t)in->value);
	}
	read_bytes(lo, WORD, 8, false, none);
	load(lo, BPF_DW, BPF_REG_3, BPF_REG_10, WORD);
	if (in->value < 0)
		compute(lo, BPF_AND, BPF_REG_3, -size);
}

/*
 * r3 = the stack pointer, if a 64-bit program was running; else goto none. cs has 16 bits, and
 * there may be other bits above them. Before 5.15, and without type information, the kernel does
 * not tell where the registers are: they are at the end of the task's stack. In kernels that were
 * built for FRED (6.9) there is a gap behind the registers: the bytes that are read for cs are not
 * cs, and no caller is told.
 */
static void stack_pointer(struct lowerer *lo, const struct input *in, int none)
{
	const struct arch *a = kernel_arch(lo->l->kernel);
	const int sp = a->sp.offset, cs = a->mode;

	if (kernel_has(lo->l->kernel, FEATURE_BPF_TASK_REGS)) {
		lo_call(lo, BPF_FUNC_get_current_task_btf);
		lo_move(lo, BPF_REG_1, BPF_REG_0);
		lo_call(lo, BPF_FUNC_task_pt_regs);
		load(lo, BPF_H, BPF_REG_1, BPF_REG_0, cs);
		load(lo, BPF_DW, BPF_REG_3, BPF_REG_0, sp);
	} else {
		task_stack(lo, in, none);
		compute(lo, BPF_ADD, BPF_REG_3, a->task_regs + cs);
		read_bytes(lo, CODE, sp + 8 - cs, false, none);
		load(lo, BPF_H, BPF_REG_1, BPF_REG_10, CODE);
		load(lo, BPF_DW, BPF_REG_3, BPF_REG_10, CODE + sp - cs);
	}
	jump_if(lo, BPF_JNE, BPF_REG_1, a->user_cs, none);
}

/* r0 = the address of callers[stack[WORD]] */
static int find_known(struct lowerer *lo, int none)
{
	load(lo, BPF_DW, BPF_REG_0, BPF_REG_10, WORD);
	compute(lo, BPF_AND, BPF_REG_0, CALLERS - 1);
	store(lo, BPF_W, BPF_REG_10, CODE, BPF_REG_0);
	if (lo_look_up(lo, MAP_CALLERS, CODE))
		return -1;
	jump_if(lo, BPF_JEQ, BPF_REG_0, 0, none);	/* never */
	return 0;
}

/* if (no call ends at r3) goto none */
static void unless_call(struct lowerer *lo, int none)
{
	static const int by[] = { 2, 3, 4, 6, 7 };
	int behind = emit_new_label(&lo->e);

	compute(lo, BPF_ADD, BPF_REG_3, -8);
	read_bytes(lo, CODE, 8, true, none);
	load(lo, BPF_B, BPF_REG_0, BPF_REG_10, CODE + 8 - 5);
	jump_if(lo, BPF_JEQ, BPF_REG_0, CALL_NEAR, behind);
	for (unsigned int i = 0; i < sizeof(by) / sizeof(by[0]); i++) {
		load(lo, BPF_B, BPF_REG_0, BPF_REG_10, CODE + 8 - by[i]);
		jump_if(lo, BPF_JEQ, BPF_REG_0, CALL_BY, behind);
	}
	emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, none);
	emit_place(&lo->e, behind);
}

int lo_caller(struct lowerer *lo, int reg, const struct input *in)
{
	int none = emit_new_label(&lo->e), known = emit_new_label(&lo->e);

	stack_pointer(lo, in, none);
	read_bytes(lo, WORD, 8, true, none);
	if (find_known(lo, none))
		return -1;
	load(lo, BPF_DW, BPF_REG_3, BPF_REG_10, WORD);
	load(lo, BPF_DW, BPF_REG_1, BPF_REG_0, 0);
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_X, BPF_REG_1, BPF_REG_3, 0, known);
	store(lo, BPF_DW, BPF_REG_10, PLACE, BPF_REG_0);
	unless_call(lo, none);
	load(lo, BPF_DW, BPF_REG_3, BPF_REG_10, WORD);
	load(lo, BPF_DW, BPF_REG_0, BPF_REG_10, PLACE);
	store(lo, BPF_DW, BPF_REG_0, 0, BPF_REG_3);
	emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, known);
	emit_place(&lo->e, none);
	lo_load_constant(lo, BPF_REG_3, 0);
	emit_place(&lo->e, known);
	lo_move(lo, reg, BPF_REG_3);
	return 0;
}
