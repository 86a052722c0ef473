// SPDX-License-Identifier: GPL-2.0
/* Lowering of reads: numbers, bytes and texts of the event, and identity. */
#include "insns/lower/lower_internal.h"

#include <assert.h>
#include <stddef.h>

#include "compat/kinds/kinds.h"
#include "compat/types/offsets.h"

/* The register that holds the context. If none does, r1 is loaded. Clobbers r1 at most. */
int lo_context(struct lowerer *lo)
{
	if (lo->context_in_r1)
		return BPF_REG_1;
	if (lo->context)
		return lo->context;
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_10, CONTEXT_SLOT, 0);
	lo->context_in_r1 = true;
	return BPF_REG_1;
}

int lo_size(unsigned int size)
{
	assert(size == 1 || size == 2 || size == 4 || size == 8);
	switch (size) {
	case 1:
		return BPF_B;
	case 2:
		return BPF_H;
	case 4:
		return BPF_W;
	default:
		return BPF_DW;
	}
}

static void sign_extend(struct lowerer *lo, int reg, unsigned int size)
{
	int bits = 64 - 8 * (int)size;

	if (!bits)
		return;
	emit(&lo->e, BPF_ALU64 | BPF_LSH | BPF_K, reg, 0, 0, bits);
	emit(&lo->e, BPF_ALU64 | BPF_ARSH | BPF_K, reg, 0, 0, bits);
}

/*
 * 32-bit machines may align a u64 to 4 bytes (i386: nr_sector at 12 or 20), and the verifier
 * refuses such a load as misaligned. `reg` may be the register that holds the context: it is
 * written last.
 */
static void load_halves(struct lowerer *lo, int reg, unsigned int offset)
{
	unsigned int high = kernel_arch(lo->l->kernel)->big_endian ? 0 : 4;
	int context = lo_context(lo), other = reg == BPF_REG_0 ? BPF_REG_2 : BPF_REG_0;

	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_W, other, context, (int16_t)(offset + high), 0);
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_W, reg, context, (int16_t)(offset + 4 - high), 0);
	emit(&lo->e, BPF_ALU64 | BPF_LSH | BPF_K, other, 0, 0, 32);
	emit(&lo->e, BPF_ALU64 | BPF_OR | BPF_X, reg, other, 0, 0);
}

/* reg = the number at `offset` of the record. */
static void load_record(struct lowerer *lo, int reg, unsigned int offset, unsigned int size,
			bool is_signed)
{
	if (lo_ring(lo)) {
		emit(&lo->e, BPF_LD | BPF_ABS | lo_size(size), reg, is_signed && size < 8, 0,
		     (int32_t)offset);
		return;
	}
	if (size == 8 && offset % 8 == 4) {
		load_halves(lo, reg, offset);
		return;
	}
	emit(&lo->e, BPF_LDX | BPF_MEM | lo_size(size), reg, lo_context(lo), (int16_t)offset, 0);
	if (is_signed)
		sign_extend(lo, reg, size);
}

int32_t lo_read_helper(const struct lowerer *lo, bool user)
{
	if (lo_ring(lo))
		return (int32_t)RING_READ_KERNEL;
	if (!kernel_has(lo->l->kernel, FEATURE_BPF_READ_SPLIT))
		return BPF_FUNC_probe_read;
	return user ? BPF_FUNC_probe_read_user : BPF_FUNC_probe_read_kernel;
}

/* r3 += the second register of the input's address. Clobbers r1, r2. */
static void add_index(struct lowerer *lo, const struct input *in)
{
	const int bits = 64 - 8 * in->index_size;

	emit(&lo->e, BPF_LDX | BPF_MEM | lo_size(in->register_size), BPF_REG_2, lo_context(lo),
	     (int16_t)in->index, 0);
	if (in->index_signed && bits)
		sign_extend(lo, BPF_REG_2, in->index_size);
	else if (bits)
		emit(&lo->e, BPF_ALU | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_2, 0, 0);
	if (in->index_shift)
		emit(&lo->e, BPF_ALU64 | BPF_LSH | BPF_K, BPF_REG_2, 0, 0, in->index_shift);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_X, BPF_REG_3, BPF_REG_2, 0, 0);
}

/* r3 = the memory at r3 + offset. */
static void dereference(struct lowerer *lo, int32_t offset, unsigned int size, bool user, int fault)
{
	if (offset)
		emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_3, 0, 0, offset);
	emit(&lo->e, BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, SCRATCH, 0);
	emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_10, 0, 0);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, SCRATCH);
	emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_2, 0, 0, (int32_t)size);
	lo_call(lo, lo_read_helper(lo, user));
	if (fault >= 0)
		emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 0, fault);
	emit(&lo->e, BPF_LDX | BPF_MEM | lo_size(size), BPF_REG_3, BPF_REG_10, SCRATCH, 0);
}

/* r3 += the index at r3 + offset, times the size of an entry. */
static void add_entry(struct lowerer *lo, int32_t offset, unsigned int entry, int fault)
{
	emit(&lo->e, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_3, KEY_SCRATCH, 0);
	dereference(lo, offset, 4, false, fault);
	emit(&lo->e, BPF_ALU64 | BPF_MUL | BPF_K, BPF_REG_3, 0, 0, (int32_t)entry);
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_10, KEY_SCRATCH, 0);
	lo->context_in_r1 = false;
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_X, BPF_REG_3, BPF_REG_1, 0, 0);
}

/*
 * Makes a number of what may be a pointer to the verifier: it would let nothing be computed with
 * it. To negate a pointer is allowed, and yields a number, but not one that may be NULL.
 */
static void make_number(struct lowerer *lo, int reg)
{
	const bool walked = event_traits(lo->l->kind)->walked;
	const int null = walked ? emit_new_label(&lo->e) : -1;

	if (walked)
		emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, reg, 0, 0, null);
	emit(&lo->e, BPF_ALU64 | BPF_NEG, reg, 0, 0, 0);
	emit(&lo->e, BPF_ALU64 | BPF_NEG, reg, 0, 0, 0);
	if (walked)
		emit_place(&lo->e, null);
}

/*
 * A load does not tell that it failed: goto fault if r3, a pointer to the verifier, is NULL or an
 * error's number. Clobbers r2.
 */
static void check_pointer(struct lowerer *lo, bool may_be_null, int fault)
{
	if (may_be_null)
		emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_3, 0, 0, fault);
	emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_3, 0, 0);
	emit(&lo->e, BPF_ALU64 | BPF_NEG, BPF_REG_2, 0, 0, 0);
	emit(&lo->e, BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_2, 0, 0, 12);
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_2, 0, 0, fault);
}

/*
 * r3 = the member of typed dereference i. If a pointer on the way is NULL, r3 = 0, and goto the
 * label that is returned, or to fault: the verifier knows pointers that must be looked at before
 * they are followed.
 */
static int load_member(struct lowerer *lo, const struct input *in, unsigned int i, int end,
		       int fault)
{
	const bool may_be_null = i || event_traits(lo->l->kind)->walked;

	if (fault >= 0) {
		check_pointer(lo, may_be_null, fault);
	} else if (may_be_null) {
		int there = emit_new_label(&lo->e);

		if (end < 0)
			end = emit_new_label(&lo->e);
		emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_3, 0, 0, there);
		emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_3, 0, 0, 0);
		emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, end);
		emit_place(&lo->e, there);
	}
	emit(&lo->e, BPF_LDX | BPF_MEM | lo_size(in->deref[i].size), BPF_REG_3, BPF_REG_3,
	     (int16_t)in->deref[i].offset, 0);
	if (in->pointer && i == in->derefs - 1u && in->deref[i].size == 8)
		make_number(lo, BPF_REG_3);
	return end;
}

/*
 * r3 = the address or number to which the input's register and dereferences lead. If a read fails,
 * goto fault (LO_NO_ELSE: the read returns 0).
 */
static void follow(struct lowerer *lo, const struct input *in, int fault)
{
	const bool typed = in->typed && (fault >= 0 || !in->returned);
	int end = -1;

	if (in->place == PLACE_CURRENT) {
		lo_call(lo, in->typed ? BPF_FUNC_get_current_task_btf : BPF_FUNC_get_current_task);
		lo_move(lo, BPF_REG_3, BPF_REG_0);
	} else {
		emit(&lo->e, BPF_LDX | BPF_MEM | lo_size(in->register_size), BPF_REG_3,
		     lo_context(lo),
		     (int16_t)in->offset, 0);
	}
	if (in->index_size)
		add_index(lo, in);
	if (in->pointer && !typed)
		make_number(lo, BPF_REG_3);
	for (unsigned int i = 0; i < in->derefs; i++) {
		if (typed) {
			end = load_member(lo, in, i, end, fault);
			continue;
		}
		if (in->deref[i].entry)
			add_entry(lo, in->deref[i].index, in->deref[i].entry, fault);
		dereference(lo, in->deref[i].offset, in->deref[i].size, in->deref[i].user, fault);
	}
	if (end >= 0)
		emit_place(&lo->e, end);
}

/*
 * Helpers for time, CPU and task: the same for the kernel and for sonde's machine. `after`: the
 * part of the helper's r0 that is the number. comm is bytes.
 */
enum helper_after { WHOLE, LOW_HALF, HIGH_HALF };
static const struct helper_of {
	int32_t helper;
	enum helper_after after;
	bool context;			/* the helper takes the program's context */
} helpers_of[] = {
	[IDENTITY_TIME]		= { BPF_FUNC_ktime_get_ns,		WHOLE },
	[IDENTITY_CPU]		= { BPF_FUNC_get_smp_processor_id,	WHOLE },
	[IDENTITY_PID_TGID]	= { BPF_FUNC_get_current_pid_tgid,	WHOLE },
	[IDENTITY_TID]		= { BPF_FUNC_get_current_pid_tgid,	LOW_HALF },
	[IDENTITY_TGID]		= { BPF_FUNC_get_current_pid_tgid,	HIGH_HALF },
	[IDENTITY_UID]		= { BPF_FUNC_get_current_uid_gid,	LOW_HALF },
	[IDENTITY_GID]		= { BPF_FUNC_get_current_uid_gid,	HIGH_HALF },
	[IDENTITY_COMM]		= { BPF_FUNC_get_current_comm,		WHOLE },
	[IDENTITY_CGROUP]	= { BPF_FUNC_get_current_cgroup_id,	WHOLE },
	[IDENTITY_FUNCTION]	= { BPF_FUNC_get_attach_cookie,		WHOLE, .context = true },
};

static void load_identity(struct lowerer *lo, int reg, uint8_t identity)
{
	const uint8_t whose = identity == IDENTITY_WHOSE ? (uint8_t)lo->l->whose : identity;
	const struct helper_of *id = &helpers_of[whose];

	if (id->context)
		lo_move(lo, BPF_REG_1, lo_context(lo));
	lo_call(lo, id->helper);
	if (id->after == LOW_HALF)
		emit(&lo->e, BPF_ALU | BPF_MOV | BPF_X, reg, BPF_REG_0, 0, 0);
	else
		lo_move(lo, reg, BPF_REG_0);
	if (id->after == HIGH_HALF)
		emit(&lo->e, BPF_ALU64 | BPF_RSH | BPF_K, reg, 0, 0, 32);
	/* ~tid: no id of a control group */
	if (identity == IDENTITY_WHOSE && whose == IDENTITY_TID)
		emit(&lo->e, BPF_ALU64 | BPF_XOR | BPF_K, reg, 0, 0, -1);
}

/* On a big-endian kernel BPF_TO_BE changes only the width. */
static void to_host_order(struct lowerer *lo, int reg)
{
	emit(&lo->e, BPF_ALU | BPF_END | BPF_TO_BE, reg, 0, 0, 16);
}

int lo_load_input(struct lowerer *lo, int reg, const struct insn *insn, const struct input *in)
{
	int fault = LO_NO_ELSE;

	switch (in->place) {
	case PLACE_RECORD:
		load_record(lo, reg, in->offset, in->size, in->is_signed);
		break;
	case PLACE_CONSTANT:
		lo_load_constant(lo, reg, in->value);
		return 0;
	case PLACE_IDENTITY:
		load_identity(lo, reg, in->identity);
		return 0;
	case PLACE_CALLER:
		return lo_caller(lo, reg, in);
	case PLACE_CONTEXT:
		lo_move(lo, reg, lo_context(lo));
		make_number(lo, reg);
		return 0;
	case PLACE_REGISTER:
	case PLACE_CURRENT:
		if (in->derefs)
			fault = lo_else_label(lo);
		if (fault == -1)
			return -1;
		follow(lo, in, fault);
		lo_move(lo, reg, BPF_REG_3);
		if (in->is_signed)
			sign_extend(lo, reg, in->size);
		else if (!in->derefs && in->size == 4)	/* in a register only the type's
							   bits mean anything */
			emit(&lo->e, BPF_ALU | BPF_MOV | BPF_X, reg, reg, 0, 0);
		else if (!in->derefs && in->size < 4)
			emit(&lo->e, BPF_ALU64 | BPF_AND | BPF_K, reg, 0, 0,
			     (1 << (8 * in->size)) - 1);
		break;
	default:
		return lo_broken(lo, insn, "not a number:", in->name);
	}
	if (in->network_order)
		to_host_order(lo, reg);
	if (in->mask)
		emit(&lo->e, BPF_ALU64 | BPF_AND | BPF_K, reg, 0, 0, (int32_t)in->mask);
	return 0;
}

int lo_field(struct lowerer *lo, const struct insn *insn)
{
	const struct input *in = layout_input(lo->l->layout, insn->name);
	int reg = insn->bpf.dst_reg;

	if (!in && input_optional(insn->name)) {
		lo_load_constant(lo, reg, 0);
		return 0;
	}
	if (!in)
		return lo_broken(lo, insn, "this event has no input", insn->name);
	if (in->kind == INPUT_BYTES && in->size > 8)
		return lo_broken(lo, insn, "not a number:", insn->name);
	return lo_load_input(lo, reg, insn, in);
}

void lo_buffer_arguments(struct lowerer *lo, int off, int n)
{
	assert(off < 0 && n > 0);
	lo_stack_address(lo, BPF_REG_1, off);
	emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_2, 0, 0, n);
	lo->context_in_r1 = false;
}

/*
 * Copies n bytes of the record to the stack, by the largest loads that are aligned on both sides.
 */
static void copy_record(struct lowerer *lo, int to, unsigned int from, int n)
{
	while (n > 0) {
		int size = 8;

		/* Only sonde's machine loads at any alignment. */
		while (size > n || to % size || (!lo_ring(lo) && from % (unsigned int)size))
			size /= 2;
		load_record(lo, BPF_REG_0, from, (unsigned int)size, false);
		emit(&lo->e, BPF_STX | BPF_MEM | lo_size((unsigned int)size), BPF_REG_10, BPF_REG_0,
		     (int16_t)to, 0);
		to += size;
		from += (unsigned int)size;
		n -= size;
	}
}

/* The same of the struct that r3 points to. */
static void copy_struct(struct lowerer *lo, int to, int from, int n)
{
	for (int size; n > 0; to += size, from += size, n -= size) {
		size = lo_widest(n, to, from);
		emit(&lo->e, BPF_LDX | BPF_MEM | lo_size((unsigned int)size), BPF_REG_0, BPF_REG_3,
		     (int16_t)from, 0);
		emit(&lo->e, BPF_STX | BPF_MEM | lo_size((unsigned int)size), BPF_REG_10, BPF_REG_0,
		     (int16_t)to, 0);
	}
}

int lo_bytes(struct lowerer *lo, const struct insn *insn)
{
	const struct input *in = layout_input(lo->l->layout, insn->name);
	int off = insn->bpf.off, n = insn->bpf.imm, has;

	if (in && in->place == PLACE_IDENTITY && in->kind == INPUT_BYTES) {
		if (!lo_ring(lo))
			lo_zero_stack(lo, off, n);	/* verifiers before 4.9 require it */
		lo_buffer_arguments(lo, off, n);
		lo_call(lo, helpers_of[in->identity].helper);
		return 0;
	}
	if (!in && !input_optional(insn->name))
		return lo_broken(lo, insn, "this event has no input", insn->name);
	if (in && in->place != PLACE_RECORD && in->place != PLACE_REGISTER &&
	    in->place != PLACE_CURRENT)
		return lo_broken(lo, insn, "not bytes:", insn->name);
	has = in ? in->size < n ? in->size : n : 0;
	if (has < n)
		lo_zero_stack(lo, off + has, n - has);
	if (!has)
		return 0;
	if (in->place == PLACE_RECORD) {
		copy_record(lo, off, in->offset, has);
		return 0;
	}
	if (in->typed) {
		follow(lo, in, LO_NO_ELSE);
		copy_struct(lo, off, (int)in->value, has);
		return 0;
	}
	lo_zero_stack(lo, off, has);
	follow(lo, in, LO_NO_ELSE);
	if (in->value)
		emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_3, 0, 0, (int32_t)in->value);
	lo_buffer_arguments(lo, off, has);
	lo_call(lo, lo_read_helper(lo, in->user));
	return 0;
}

int lo_path(struct lowerer *lo, const struct insn *insn)
{
	const struct input *in = layout_input(lo->l->layout, insn->name);
	const int end = emit_new_label(&lo->e);

	if (!in || in->kind != INPUT_PATH)
		return lo_broken(lo, insn, "not a path:", insn->name);
	follow(lo, in, LO_NO_ELSE);
	lo_load_constant(lo, BPF_REG_0, 1);
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_3, 0, 0, end);
	lo_move(lo, BPF_REG_1, BPF_REG_3);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, (int32_t)in->value);
	lo_stack_address(lo, BPF_REG_2, insn->bpf.off);
	lo_load_constant(lo, BPF_REG_3, insn->bpf.imm);
	lo_call(lo, BPF_FUNC_d_path);
	emit_place(&lo->e, end);
	lo->context_in_r1 = false;
	return 0;
}

/* dst = the memory at r3, or 0 if it can't be read: the slot is zeroed before. */
static void peek(struct lowerer *lo, int dst, unsigned int size, bool user)
{
	emit(&lo->e, BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, SCRATCH, 0);
	lo_buffer_arguments(lo, SCRATCH, (int)size);
	lo_call(lo, lo_read_helper(lo, user));
	emit(&lo->e, BPF_LDX | BPF_MEM | lo_size(size), dst, BPF_REG_10, SCRATCH, 0);
}

int lo_peek_user(struct lowerer *lo, const struct insn *insn)
{
	const struct input *in = layout_input(lo->l->layout, insn->name);

	if (!in)
		return lo_broken(lo, insn, "no pointer is known that is like", insn->name);
	if (lo_ring(lo)) {
		lo_load_constant(lo, insn->bpf.dst_reg, 0);
		return 0;
	}
	lo_move(lo, BPF_REG_3, insn->bpf.src_reg);
	peek(lo, insn->bpf.dst_reg, in->size, true);
	return 0;
}

int lo_peek(struct lowerer *lo, const struct insn *insn)
{
	int32_t offset;

	if (lo_ring(lo))
		return fail(lo->err, "%s: only BPF programs can follow %s", lo->p->hook,
			    insn->name);
	if (kernel_offset(lo->l->kernel, insn->name, &offset, lo->err))
		return -1;
	lo_move(lo, BPF_REG_3, insn->bpf.src_reg);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_3, 0, 0, offset);
	peek(lo, insn->bpf.dst_reg, kernel_arch(lo->l->kernel)->word, false);
	return 0;
}

int lo_follow(struct lowerer *lo, const struct insn *insn)
{
	const int dst = insn->bpf.dst_reg, size = insn->bpf.imm & 15, fault = lo_else_label(lo),
		  scratch = lo->l->own ? -OWN_STACK : SCRATCH;

	if (lo_ring(lo) && !lo->l->own)
		return fail(lo->err, "%s: only BPF programs can read memory at an address that is "
			    "computed", lo->p->hook);
	if (fault == -1)
		return -1;
	lo_move(lo, BPF_REG_3, insn->bpf.src_reg);
	emit(&lo->e, BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, scratch, 0);
	lo_buffer_arguments(lo, scratch, size);
	lo_call(lo, lo_read_helper(lo, insn->bpf.imm & 32));
	if (fault >= 0)
		emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 0, fault);
	emit(&lo->e, BPF_LDX | BPF_MEM | lo_size((unsigned int)size), dst, BPF_REG_10, scratch, 0);
	if (insn->bpf.imm & 16)
		sign_extend(lo, dst, (unsigned int)size);
	return 0;
}

/* The number of a text among all texts of the parts. */
static int part_number(const struct lowering *l, const char *name)
{
	int number = 0;

	for (unsigned int i = 0; i < l->n_parts; i++)
		for (unsigned int j = 0; j < l->parts[i]->n_inputs; j++, number++)
			if (input_named(name, l->parts[i]->inputs[j].name))
				return number;
	return -1;
}

static int lower_string_ring(struct lowerer *lo, const struct insn *insn, const struct input *in)
{
	int part = part_number(lo->l, insn->name);

	if (part >= 0) {
		lo_load_constant(lo, BPF_REG_1, part);
		lo_call(lo, (int32_t)RING_STRING_PART);
	} else if (in && in->place == PLACE_DATA_LOC) {
		lo_load_constant(lo, BPF_REG_1, in->offset);
		lo_load_constant(lo, BPF_REG_2, in->is_last);
		lo_call(lo, (int32_t)RING_STRING_LOC);
	} else if (in && in->place == PLACE_RECORD) {
		lo_load_constant(lo, BPF_REG_1, in->offset);
		lo_load_constant(lo, BPF_REG_2, in->size);
		lo_call(lo, (int32_t)RING_STRING_ARRAY);
	} else if (in && (in->place == PLACE_PIECES || in->place == PLACE_ROW)) {
		lo_load_constant(lo, BPF_REG_1, in->offset);
		lo_load_constant(lo, BPF_REG_2, in->size);
		lo_load_constant(lo, BPF_REG_3, in->register_size);
		lo_load_constant(lo, BPF_REG_4, in->pointer_size);
		lo_call(lo, (int32_t)(in->place == PLACE_ROW ? RING_ROW_ENDS : RING_STRING_PIECES));
	} else {
		return lo_broken(lo, insn, "no string in the record for", insn->name);
	}
	lo_move(lo, insn->bpf.dst_reg, BPF_REG_0);
	return 0;
}

int lo_string(struct lowerer *lo, const struct insn *insn)
{
	const struct input *in = layout_input(lo->l->layout, insn->name);
	int reg = insn->bpf.dst_reg;

	if (!in && part_number(lo->l, insn->name) < 0) {
		if (!input_optional(insn->name))
			return lo_broken(lo, insn, "this event has no input", insn->name);
		lo_load_constant(lo, reg, 0);
		return 0;
	}
	if (in && in->place == PLACE_CONSTANT) {	/* 0: another event has the text */
		lo_load_constant(lo, reg, in->value);
		return 0;
	}
	if (lo_ring(lo))
		return lower_string_ring(lo, insn, in);
	if (in->place == PLACE_IDENTITY)
		return lo_broken(lo, insn, "not a string:", insn->name);
	if (insn->bpf.src_reg) {
		lo_move(lo, reg, insn->bpf.src_reg);
	} else if (in->place == PLACE_REGISTER || in->place == PLACE_CURRENT) {
		follow(lo, in, LO_NO_ELSE);
		lo_move(lo, reg, BPF_REG_3);
		if (in->value)
			emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, reg, 0, 0, (int32_t)in->value);
	} else if (in->place == PLACE_DATA_LOC) {
		load_record(lo, BPF_REG_0, in->offset, 4, false);
		emit(&lo->e, BPF_ALU64 | BPF_AND | BPF_K, BPF_REG_0, 0, 0, 0xffff);
		lo_move(lo, BPF_REG_2, lo_context(lo));
		emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_X, BPF_REG_2, BPF_REG_0, 0, 0);
		lo_move(lo, reg, BPF_REG_2);
	} else if (in->size > 8) {	/* an array: the text itself */
		lo_move(lo, BPF_REG_2, lo_context(lo));
		emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, in->offset);
		lo_move(lo, reg, BPF_REG_2);
	} else {
		load_record(lo, reg, in->offset, in->size, false);
	}
	return 0;
}

/*
 * Before probe_read_str (4.11) there is only probe_read, which fails as a whole if any byte can't
 * be read: a name that ends near the end of its page needs smaller tries. The length is unknown,
 * except for an empty text.
 */
static void read_string_by_tries(struct lowerer *lo, int off, int n, int reg)
{
	int found = emit_new_label(&lo->e), done = emit_new_label(&lo->e), next;

	/* The first try may clobber the string's register. */
	emit(&lo->e, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, reg, SCRATCH, 0);
	lo_zero_stack(lo, off, n);
	for (int size = n - 1; size >= 16 || size == n - 1; size /= 2) {
		next = emit_new_label(&lo->e);
		lo_buffer_arguments(lo, off, size);
		emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_3, BPF_REG_10, SCRATCH, 0);
		lo_call(lo, BPF_FUNC_probe_read);
		emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 0, next);
		lo_load_constant(lo, BPF_REG_0, size);
		emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, found);
		emit_place(&lo->e, next);
	}
	lo_load_constant(lo, BPF_REG_0, -14);
	emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, done);
	emit_place(&lo->e, found);
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_B, BPF_REG_3, BPF_REG_10, off, 0);
	emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_3, 0, 0, done);
	lo_load_constant(lo, BPF_REG_0, 1);
	emit_place(&lo->e, done);
}

int lo_read_string(struct lowerer *lo, const struct insn *insn)
{
	int off = insn->bpf.off, n = insn->bpf.imm, reg = insn->bpf.dst_reg;
	bool user = insn->bpf.src_reg;
	int32_t helper = (int32_t)(lo->l->own ? RING_READ_KERNEL_TEXT : RING_READ_STRING);

	if (!lo_ring(lo)) {
		if (kernel_has(lo->l->kernel, FEATURE_BPF_READ_SPLIT)) {
			helper = user ? BPF_FUNC_probe_read_user_str :
					BPF_FUNC_probe_read_kernel_str;
		} else if (kernel_has(lo->l->kernel, FEATURE_BPF_READ_STR)) {
			helper = BPF_FUNC_probe_read_str;
		} else {
			read_string_by_tries(lo, off, n, reg);
			return 0;
		}
	}
	lo_move(lo, BPF_REG_3, reg);
	lo_buffer_arguments(lo, off, n);
	lo_call(lo, helper);
	return 0;
}
