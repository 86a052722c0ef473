// SPDX-License-Identifier: GPL-2.0
/*
 * Lowering of STACK for kernels before get_stackid (4.6): the program itself walks the frames, and
 * puts the stack into a table that it fills itself.
 *
 *	fp = the frame pointer; addresses[0] = ip
 *	for each frame, unrolled: { next, return } = memory at fp
 *				  addresses[i] = return; fp = next, or the stack ends here
 *	number = hash of the addresses % entries, or one of the next that is empty or has them
 *	if (table[number] is empty) fill it; none: number = -EEXIST
 *
 * So a number never means another stack, as with get_stackid. The reason why a stack may end early
 * is noted in the next address before the step is tried (insns/stack_mark.h). If the step succeeds,
 * the address overwrites the reason. So no way out needs code of its own.
 *
 * While the program walks, the addresses are below its frame (STACK_FRAME_MOST), and the frame
 * pointer is in FRAME_POINTER. The words that are read at the frame pointer are in NEXT: probe_read
 * writes to the stack only.
 */
#include "insns/lower/lower_internal.h"

#include <errno.h>
#include <stddef.h>

#include "compat/kinds/kinds.h"
#include "insns/frame.h"
#include "insns/stack_mark.h"

#define SLOT(I)		((int16_t)(STACK_BOTTOM + 8 * (I)))
#define NEXT		KEY_SCRATCH		/* two words: the caller's frame pointer, its ip */
#define FRAME_POINTER	(-512)
#define NUMBER		KEY_SCRATCH		/* then: the number and the hash of the stack */
#define HASH		SCRATCH
_Static_assert(STACK_BOTTOM + 8 * (STACK_WALKED + 1) <= -STACK_FRAME_MOST, "it would overlap");

/* A stack of the kernel is smaller than this: the caller's frame is nearer. */
#define STACK_BITS	16
/* User space maps nothing below this address: a pointer below it is not a frame. */
#define LOWEST_BITS	12
/* While another CPU fills an entry, a program looks this often whether it is filled. */
#define LOOKS		32
/* Entries that are tried: entries of other stacks are skipped. */
#define PLACES		16
#define HASH_FACTOR	0x9e3779b97f4a7c15ULL

struct walker {
	struct lowerer *lo;
	const struct arch *arch;
	bool user;
	int done;			/* label: the addresses are complete */
};

static void load(struct walker *w, int reg, int base, int offset, unsigned int size)
{
	emit(&w->lo->e, BPF_LDX | BPF_MEM | lo_size(size), reg, base, (int16_t)offset, 0);
}

static void store(struct walker *w, int base, int offset, int reg)
{
	emit(&w->lo->e, BPF_STX | BPF_MEM | BPF_DW, base, reg, (int16_t)offset, 0);
}

static void store_number(struct walker *w, int offset, int64_t value)
{
	emit(&w->lo->e, BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, (int16_t)offset, (int32_t)value);
}

static void compute(struct walker *w, int op, int reg, int32_t value)
{
	emit(&w->lo->e, BPF_ALU64 | op | BPF_K, reg, 0, 0, value);
}

static void jump(struct walker *w, int op, int reg, int32_t value, int label)
{
	emit_jump(&w->lo->e, BPF_JMP | op | BPF_K, reg, 0, value, label);
}

static void jump_reg(struct walker *w, int op, int reg, int reg2, int label)
{
	emit_jump(&w->lo->e, BPF_JMP | op | BPF_X, reg, reg2, 0, label);
}

static void load_register(struct walker *w, int reg, unsigned int offset, unsigned int size)
{
	load(w, reg, lo_context(w->lo), (int)offset, size);
	if (reg == BPF_REG_1)
		w->lo->context_in_r1 = false;
}

/* if (the registers are those of a 32-bit program, whose frames are smaller) goto done */
static void unless_narrow(struct walker *w)
{
	const struct arch *a = w->arch;

	if (!w->user || !(a->wide_bit || a->narrow_bit))
		return;
	store_number(w, SLOT(1), (int64_t)STACK_MARK(NARROW));
	load_register(w, BPF_REG_0, a->mode, a->register_size);
	compute(w, BPF_AND, BPF_REG_0, a->wide_bit | a->narrow_bit);
	jump(w, a->wide_bit ? BPF_JEQ : BPF_JNE, BPF_REG_0, 0, w->done);
	store_number(w, SLOT(1), 0);
}

/*
 * if (r2 is not a frame pointer: the stack ends here, with no mark) goto done
 *
 * The kernel's first function has the frame pointer of user space, 0, or a word which says that
 * registers are saved there: an odd number (x86-64, 4.10), or a number without the highest bit
 * (i386).
 */
static void unless_ended(struct walker *w)
{
	if (w->user) {
		lo_move(w->lo, BPF_REG_4, BPF_REG_2);
		compute(w, BPF_RSH, BPF_REG_4, LOWEST_BITS);
		jump(w, BPF_JEQ, BPF_REG_4, 0, w->done);
	} else if (w->arch->word == 4) {
		lo_move(w->lo, BPF_REG_4, BPF_REG_2);
		compute(w, BPF_RSH, BPF_REG_4, 30);
		jump(w, BPF_JNE, BPF_REG_4, 3, w->done);
	} else {
		jump(w, BPF_JSGE, BPF_REG_2, 0, w->done);
		jump(w, BPF_JSET, BPF_REG_2, 1, w->done);
	}
}

/* if (r1 is not an address of the kernel's text) goto done */
static void unless_no_text(struct walker *w)
{
	lo_move(w->lo, BPF_REG_4, BPF_REG_1);
	if (w->arch->word == 4) {
		compute(w, BPF_RSH, BPF_REG_4, 30);
		jump(w, BPF_JNE, BPF_REG_4, 3, w->done);
		return;
	}
	/* A signature leaves bit 55 as it is. */
	if (w->arch->signed_returns) {
		compute(w, BPF_LSH, BPF_REG_4, 8);
		jump(w, BPF_JSGE, BPF_REG_4, 0, w->done);
		return;
	}
	/* x86-64 has the kernel's text and modules in the last 2 GB. */
	compute(w, BPF_ARSH, BPF_REG_4, 31);
	jump(w, BPF_JNE, BPF_REG_4, -1, w->done);
}

/* r1 = the return address in r1 without the signature above it */
static void strip(struct walker *w)
{
	if (!w->arch->signed_returns)
		return;
	if (w->user) {
		compute(w, BPF_LSH, BPF_REG_1, 16);
		compute(w, BPF_RSH, BPF_REG_1, 16);
		return;
	}
	lo_load_constant(w->lo, BPF_REG_2, -1);
	compute(w, BPF_LSH, BPF_REG_2, 48);
	emit(&w->lo->e, BPF_ALU64 | BPF_OR | BPF_X, BPF_REG_1, BPF_REG_2, 0, 0);
}

/* addresses[i] = the return address of the function */
static void read_frame(struct walker *w, int i)
{
	int word = w->arch->word;

	store_number(w, SLOT(i), (int64_t)STACK_MARK(UNREADABLE));
	load(w, BPF_REG_3, BPF_REG_10, FRAME_POINTER, 8);
	lo_buffer_arguments(w->lo, NEXT, 2 * word);
	lo_call(w->lo, lo_read_helper(w->lo, w->user));
	jump(w, BPF_JNE, BPF_REG_0, 0, w->done);
	store_number(w, SLOT(i), 0);
	load(w, BPF_REG_1, BPF_REG_10, NEXT + word, (unsigned int)word);
	jump(w, BPF_JEQ, BPF_REG_1, 0, w->done);
	if (!w->user) {
		store_number(w, SLOT(i), (int64_t)STACK_MARK(BROKEN));
		unless_no_text(w);
	}
	strip(w);
	store(w, BPF_REG_10, SLOT(i), BPF_REG_1);
}

/* fp = next, if next is the frame of a caller */
static void to_caller(struct walker *w, int i)
{
	load(w, BPF_REG_2, BPF_REG_10, NEXT, w->arch->word);
	load(w, BPF_REG_3, BPF_REG_10, FRAME_POINTER, 8);
	unless_ended(w);
	store_number(w, SLOT(i), (int64_t)STACK_MARK(LEFT));
	jump_reg(w, BPF_JGE, BPF_REG_3, BPF_REG_2, w->done);
	store(w, BPF_REG_10, FRAME_POINTER, BPF_REG_2);
	if (w->user)
		return;
	emit(&w->lo->e, BPF_ALU64 | BPF_SUB | BPF_X, BPF_REG_2, BPF_REG_3, 0, 0);
	compute(w, BPF_RSH, BPF_REG_2, STACK_BITS);
	jump(w, BPF_JNE, BPF_REG_2, 0, w->done);
}

static void walk(struct walker *w)
{
	const struct arch *a = w->arch;

	load_register(w, BPF_REG_0, a->ip, a->register_size);
	store(w, BPF_REG_10, SLOT(0), BPF_REG_0);
	for (int i = 1; i <= STACK_WALKED; i++)
		store_number(w, SLOT(i), 0);
	store_number(w, NEXT, 0);		/* before 4.9 helpers fill only written stack */
	store_number(w, NEXT + 8, 0);
	unless_narrow(w);
	load_register(w, BPF_REG_2, a->fp, a->register_size);
	store(w, BPF_REG_10, FRAME_POINTER, BPF_REG_2);
	unless_ended(w);
	for (int i = 1; i < STACK_WALKED; i++) {
		read_frame(w, i);
		to_caller(w, i + 1);
	}
	store_number(w, SLOT(STACK_WALKED), (int64_t)STACK_MARK(CUT_AT_32));
	emit_place(&w->lo->e, w->done);
	w->lo->context_in_r1 = false;
}

/* HASH = the hash of the addresses, never 0; NUMBER = the entry */
static void hash(struct walker *w, const struct map *map)
{
	emit_imm64(&w->lo->e, BPF_REG_4, HASH_FACTOR, 0);
	load(w, BPF_REG_0, BPF_REG_10, SLOT(0), 8);
	for (int i = 1; i <= STACK_WALKED; i++) {
		emit(&w->lo->e, BPF_ALU64 | BPF_MUL | BPF_X, BPF_REG_0, BPF_REG_4, 0, 0);
		load(w, BPF_REG_1, BPF_REG_10, SLOT(i), 8);
		emit(&w->lo->e, BPF_ALU64 | BPF_XOR | BPF_X, BPF_REG_0, BPF_REG_1, 0, 0);
	}
	emit(&w->lo->e, BPF_ALU64 | BPF_MUL | BPF_X, BPF_REG_0, BPF_REG_4, 0, 0);
	compute(w, BPF_OR, BPF_REG_0, 1);
	store(w, BPF_REG_10, HASH, BPF_REG_0);
	compute(w, BPF_RSH, BPF_REG_0, 32);
	compute(w, BPF_MOD, BPF_REG_0, (int32_t)map->entries);
	store(w, BPF_REG_10, NUMBER, BPF_REG_0);
}

/*
 * r0: an empty entry; r1: the hash. If several programs add 1 to the entry's claims, only the first
 * program reads 1, and the others subtract theirs. So one program fills the entry, and writes the
 * hash at the end.
 */
static void claim(struct walker *w, int same, int lost)
{
	const int16_t claims = offsetof(struct walked_stack, claims);
	int mine = emit_new_label(&w->lo->e);

	lo_load_constant(w->lo, BPF_REG_3, 1);
	emit(&w->lo->e, BPF_STX | BPF_XADD | BPF_DW, BPF_REG_0, BPF_REG_3, claims, 0);
	load(w, BPF_REG_2, BPF_REG_0, claims, 8);
	jump(w, BPF_JEQ, BPF_REG_2, 1, mine);
	lo_load_constant(w->lo, BPF_REG_3, -1);
	emit(&w->lo->e, BPF_STX | BPF_XADD | BPF_DW, BPF_REG_0, BPF_REG_3, claims, 0);
	for (int i = 0; i < LOOKS; i++) {
		load(w, BPF_REG_2, BPF_REG_0, offsetof(struct walked_stack, hash), 8);
		jump_reg(w, BPF_JEQ, BPF_REG_2, BPF_REG_1, same);
	}
	emit_jump(&w->lo->e, BPF_JMP | BPF_JA, 0, 0, 0, lost);
	emit_place(&w->lo->e, mine);
	for (int i = 0; i <= STACK_WALKED; i++) {
		load(w, BPF_REG_2, BPF_REG_10, SLOT(i), 8);
		store(w, BPF_REG_0, 8 * i, BPF_REG_2);
	}
	store(w, BPF_REG_0, offsetof(struct walked_stack, hash), BPF_REG_1);
}

/* r0 = the entry of the stack, or an empty one, of the next few; r1 = the hash */
static int find_entry(struct walker *w, const struct map *map, int same, int lost)
{
	int empty = emit_new_label(&w->lo->e);

	for (int i = 0; i < PLACES; i++) {
		if (i) {
			load(w, BPF_REG_0, BPF_REG_10, NUMBER, 8);
			compute(w, BPF_ADD, BPF_REG_0, 1);
			compute(w, BPF_MOD, BPF_REG_0, (int32_t)map->entries);
			store(w, BPF_REG_10, NUMBER, BPF_REG_0);
		}
		if (lo_look_up(w->lo, map->name, NUMBER))
			return -1;
		jump(w, BPF_JEQ, BPF_REG_0, 0, lost);
		load(w, BPF_REG_1, BPF_REG_10, HASH, 8);
		load(w, BPF_REG_2, BPF_REG_0, offsetof(struct walked_stack, hash), 8);
		jump_reg(w, BPF_JEQ, BPF_REG_2, BPF_REG_1, same);
		jump(w, BPF_JEQ, BPF_REG_2, 0, empty);
	}
	emit_jump(&w->lo->e, BPF_JMP | BPF_JA, 0, 0, 0, lost);
	emit_place(&w->lo->e, empty);
	return 0;
}

static int put(struct walker *w, const struct map *map, int number)
{
	int found = emit_new_label(&w->lo->e), same = emit_new_label(&w->lo->e);
	int lost = emit_new_label(&w->lo->e), end = emit_new_label(&w->lo->e);

	if (find_entry(w, map, same, lost))
		return -1;
	claim(w, same, lost);
	emit_jump(&w->lo->e, BPF_JMP | BPF_JA, 0, 0, 0, found);
	emit_place(&w->lo->e, same);
	for (int i = 0; i <= STACK_WALKED; i++) {
		load(w, BPF_REG_2, BPF_REG_10, SLOT(i), 8);
		load(w, BPF_REG_3, BPF_REG_0, 8 * i, 8);
		jump_reg(w, BPF_JNE, BPF_REG_2, BPF_REG_3, lost);
	}
	emit_place(&w->lo->e, found);
	load(w, number, BPF_REG_10, NUMBER, 8);
	emit_jump(&w->lo->e, BPF_JMP | BPF_JA, 0, 0, 0, end);
	emit_place(&w->lo->e, lost);
	lo_load_constant(w->lo, number, -EEXIST);
	emit_place(&w->lo->e, end);
	return 0;
}

int lo_walk(struct lowerer *lo, int number, const struct map *map, bool user)
{
	struct walker w = {
		.lo = lo, .arch = kernel_arch(lo->l->kernel), .user = user,
		.done = emit_new_label(&lo->e),
	};
	int closed = emit_new_label(&lo->e), end = emit_new_label(&lo->e);

	/* An event in user space has no stack of the kernel. */
	if (!user && event_traits(lo->l->kind)->user) {
		lo_load_constant(lo, number, -EFAULT);
		return 0;
	}
	if (lo_unless_open(lo, 0, closed))
		return -1;
	walk(&w);
	hash(&w, map);
	if (put(&w, map, number))
		return -1;
	emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, end);
	emit_place(&lo->e, closed);
	lo_load_constant(lo, number, -EBUSY);
	emit_place(&lo->e, end);
	return 0;
}
