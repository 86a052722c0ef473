// SPDX-License-Identifier: GPL-2.0
/*
 * Plain instructions, and running. The checker has proven at load time that a register used as an
 * address holds an address of the stack or of a map value, and that each access stays within it.
 * The rest is tested at run time: the record's length (vm_run()), and facts that only the record
 * has, such as the target of a data_loc.
 */
#include "backends/vm/vm_code.h"

#include <assert.h>
#include <signal.h>
#include <string.h>

static uint64_t swap(uint64_t value, uint64_t bits)
{
	return bits == 16 ? __builtin_bswap16((uint16_t)value) :
	       bits == 32 ? __builtin_bswap32((uint32_t)value) : __builtin_bswap64(value);
}

static uint64_t cut(uint64_t value, uint64_t bits)
{
	return bits == 64 ? value : value & ((1ULL << bits) - 1);
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define TO_LITTLE cut
#define TO_BIG swap
#else
#define TO_LITTLE swap
#define TO_BIG cut
#endif

/* The families of operations. */
#define ALU_OPS(X) \
	X(ADD, a + b)		X(SUB, a - b)		X(MUL, a * b) \
	X(OR, a | b)		X(AND, a & b)		X(XOR, a ^ b) \
	X(LSH, a << (b & (sizeof(a) * 8 - 1)))		X(RSH, a >> (b & (sizeof(a) * 8 - 1))) \
	X(DIV, b ? a / b : 0)	X(MOD, b ? a % b : a)	X(MOV, ((void)a, b))

#define JUMP_OPS(X) \
	X(JEQ, a == b)	X(JNE, a != b)	X(JGT, a > b)	X(JGE, a >= b)	X(JSET, a & b) \
	X(JSGT, (int64_t)a > (int64_t)b)		X(JSGE, (int64_t)a >= (int64_t)b) \
	X(JLT, a < b)	X(JLE, a <= b) \
	X(JSLT, (int64_t)a < (int64_t)b)		X(JSLE, (int64_t)a <= (int64_t)b)

#define SIZES(X) X(B, 8) X(H, 16) X(W, 32) X(DW, 64)

#define ALU(NAME, EXPRESSION) \
OP(alu64_x_##NAME) { uint64_t a = DST, b = SRC; DST = EXPRESSION; NEXT; } \
OP(alu64_k_##NAME) { uint64_t a = DST, b = op->imm; DST = EXPRESSION; NEXT; } \
OP(alu32_x_##NAME) { uint32_t a = (uint32_t)DST, b = (uint32_t)SRC; \
	DST = (uint32_t)(EXPRESSION); NEXT; } \
OP(alu32_k_##NAME) { uint32_t a = (uint32_t)DST, b = (uint32_t)op->imm; \
	DST = (uint32_t)(EXPRESSION); NEXT; }
ALU_OPS(ALU)

#define JUMP_IF_TRUE(NAME, EXPRESSION) \
OP(jump_x_##NAME) { uint64_t a = DST, b = SRC; if (EXPRESSION) GO_TO(op->to); else NEXT; } \
OP(jump_k_##NAME) { uint64_t a = DST, b = op->imm; if (EXPRESSION) GO_TO(op->to); else NEXT; }
JUMP_OPS(JUMP_IF_TRUE)

#define ACCESS(SIZE, BITS) \
OP(load_##SIZE) { DST = *(const mem##BITS *)MEMORY(op->src, op->off); NEXT; } \
OP(store_##SIZE) { *(mem##BITS *)MEMORY(op->dst, op->off) = (uint##BITS##_t)SRC; NEXT; } \
OP(store_imm_##SIZE) { *(mem##BITS *)MEMORY(op->dst, op->off) = (uint##BITS##_t)op->imm; NEXT; } \
OP(record_##SIZE) { uint##BITS##_t value; memcpy(&value, m->record + op->imm, sizeof(value)); \
	DST = value; NEXT; } \
OP(record_signed_##SIZE) { int##BITS##_t value; \
	memcpy(&value, m->record + op->imm, sizeof(value)); \
	DST = (uint64_t)(int64_t)value; NEXT; }
SIZES(ACCESS)

OP(divide)
{
	DST = quotient(DST, op->imm, op->inverse);
	NEXT;
}

OP(arsh_x)
{
	DST = (uint64_t)((int64_t)DST >> (SRC & 63));
	NEXT;
}

OP(arsh_k)
{
	DST = (uint64_t)((int64_t)DST >> op->imm);
	NEXT;
}

OP(neg64)
{
	DST = -DST;
	NEXT;
}

OP(neg32)
{
	DST = (uint32_t)-DST;
	NEXT;
}

OP(to_little)
{
	DST = TO_LITTLE(DST, op->imm);
	NEXT;
}

OP(to_big)
{
	DST = TO_BIG(DST, op->imm);
	NEXT;
}

OP(add_W)
{
	*(mem32 *)MEMORY(op->dst, op->off) += (uint32_t)SRC;
	NEXT;
}

OP(add_DW)
{
	*(mem64 *)MEMORY(op->dst, op->off) += SRC;
	NEXT;
}

OP(jump)
{
	GO_TO(op->to);
}

OP(end)
{
	(void)op;
	(void)m;
}

OP(immediate)
{
	DST = op->imm;
	NEXT;
}

OP(stack_address)
{
	DST = m->r[10] + (uint64_t)(int64_t)op->off;
	NEXT;
}

OP(copy)
{
	memmove(MEMORY(op->dst, op->off), MEMORY(op->src, op->from), op->imm);
	NEXT;
}

OP(zero)
{
	memset(ON_STACK(op->off), 0, op->imm);
	NEXT;
}

/* What a signal handler needs. */
static volatile sig_atomic_t vm_ends;

void vm_hurry(void)
{
	vm_ends = true;
}

/* Iterations that a run has from then on, half a second's: a loop that has an end is whole. */
#define ITERATIONS_SURE (1 << 24)

void vm_took(struct machine *m, uint64_t iterations)
{
	if (vm_ends)
		m->iterations += iterations;
}

OP(again)
{
	vm_took(m, 1);
	m->next = m->iterations > ITERATIONS_SURE ? op + 1 : op->to;
}

OP(log2_of)
{
	DST = log2_slot(SRC);
	NEXT;
}

#define ALU_CODES(NAME, EXPRESSION) \
	[BPF_ALU64 | BPF_##NAME | BPF_X] = alu64_x_##NAME, \
	[BPF_ALU64 | BPF_##NAME | BPF_K] = alu64_k_##NAME, \
	[BPF_ALU | BPF_##NAME | BPF_X] = alu32_x_##NAME, \
	[BPF_ALU | BPF_##NAME | BPF_K] = alu32_k_##NAME,
#define JUMP_CODES(NAME, EXPRESSION) \
	[BPF_JMP | BPF_##NAME | BPF_X] = jump_x_##NAME, \
	[BPF_JMP | BPF_##NAME | BPF_K] = jump_k_##NAME,
#define ACCESS_CODES(SIZE, BITS) \
	[BPF_LDX | BPF_MEM | BPF_##SIZE] = load_##SIZE, \
	[BPF_STX | BPF_MEM | BPF_##SIZE] = store_##SIZE, \
	[BPF_ST | BPF_MEM | BPF_##SIZE] = store_imm_##SIZE, \
	[BPF_LD | BPF_ABS | BPF_##SIZE] = record_##SIZE,
#define SIGNED_CODES(SIZE, BITS) [BPF_LD | BPF_ABS | BPF_##SIZE] = record_signed_##SIZE,

op_fn *plain_op(const struct bpf_insn *insn)
{
	static op_fn *const by_code[256] = {
		ALU_OPS(ALU_CODES) JUMP_OPS(JUMP_CODES) SIZES(ACCESS_CODES)
		[BPF_ALU64 | BPF_ARSH | BPF_X] = arsh_x, [BPF_ALU64 | BPF_ARSH | BPF_K] = arsh_k,
		[BPF_ALU64 | BPF_NEG] = neg64, [BPF_ALU | BPF_NEG] = neg32,
		[BPF_ALU | BPF_END | BPF_TO_LE] = to_little,
		[BPF_ALU | BPF_END | BPF_TO_BE] = to_big,
		[BPF_STX | BPF_XADD | BPF_W] = add_W, [BPF_STX | BPF_XADD | BPF_DW] = add_DW,
		[BPF_JMP | BPF_JA] = jump, [BPF_JMP | BPF_EXIT] = end,
		[BPF_LD | BPF_IMM | BPF_DW] = immediate, [RING_STACK_ADDRESS] = stack_address,
		[RING_COPY] = copy, [RING_ZERO] = zero, [RING_LOG2] = log2_of,
		[RING_AGAIN] = again,
	};
	static op_fn *const signed_by_code[256] = { SIZES(SIGNED_CODES) };
	op_fn *run = insn->src_reg ? signed_by_code[insn->code] : NULL;

	if (has_inverse(insn))
		return divide;
	return run ? run : by_code[insn->code];
}

int vm_run(struct vm *vm, int program, const struct sample *s, const uint64_t *parts,
	   unsigned int n_parts)
{
	const struct code *code = &vm->programs[program];
	struct machine *m = &vm->machine;

	assert(program >= 0 && (unsigned int)program < vm->n_programs);
	assert(s->record || !s->size);
	if (s->size < code->record_bytes) {
		vm->stats.short_records++;
		return -1;
	}
	vm->now = s->time;
	vm->refused = 0;
	m->record = s->record;
	m->sample = s;
	m->parts = parts;
	m->n_parts = n_parts;
	m->r[1] = 0;	/* A program may copy r1, the context. This machine has no context. */
	m->iterations = 0;
	for (const struct op *op = code->ops; op; op = m->next) {
		m->next = NULL;
		op->run(op, m);
	}
	return 0;
}
