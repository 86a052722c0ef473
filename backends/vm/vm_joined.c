// SPDX-License-Identifier: GPL-2.0
/*
 * Operations for frequent sequences of instructions. In a sequence each instruction hands a value
 * to the next. In one operation this value stays in the processor's registers. Registers, stack and
 * maps are written as if the instructions ran one by one.
 */
#include "backends/vm/vm_code.h"

#include <string.h>

/* SET_FIELD: copies a number of the record to the stack. */

OP(record_to_stack_W)
{
	int32_t value;

	memcpy(&value, m->record + op->imm, sizeof(value));
	DST = (uint64_t)(int64_t)value;
	*(mem32 *)ON_STACK(op[1].off) = (uint32_t)value;
	GO_ON(2);
}

/* FIELD, FIELD: two numbers of the record. */

static inline void record_W(const struct op *op, struct machine *m)
{
	int32_t value;

	memcpy(&value, m->record + op->imm, sizeof(value));
	DST = (uint64_t)(int64_t)value;
}

OP(two_of_record_W)
{
	record_W(op, m);
	record_W(op + 1, m);
	GO_ON(2);
}

/* Sets a register to a constant, then tests: with this register, or another register. */

OP(set_and_jump_equal)
{
	DST = op->imm;
	if (m->r[op[1].dst] == op[1].imm)
		GO_TO(op[1].to);
	else
		GO_ON(2);
}

OP(set_and_jump_bits)
{
	DST = op->imm;
	if (m->r[op[1].dst] & m->r[op[1].src])
		GO_TO(op[1].to);
	else
		GO_ON(2);
}

/* An instruction and the GOTO behind it. */

OP(jump_bits_or_jump)
{
	if (DST & op->imm)
		GO_TO(op->to);
	else
		GO_TO(op[1].to);
}

OP(store_and_jump)
{
	*(mem64 *)MEMORY(op->dst, op->off) = SRC;
	GO_TO(op[1].to);
}

/* FIELD of the time: the helper returns it in r0, and the program copies it to its register. */

OP(time_to)
{
	m->r[0] = m->sample->time;
	m->r[op[1].dst] = m->sample->time;
	GO_ON(2);
}

/* The same, only if a register is 0: the program does not have the time yet. */
OP(time_unless_known)
{
	if (!DST) {
		m->r[0] = m->sample->time;
		m->r[op[2].dst] = m->sample->time;
	}
	GO_ON(3);
}

/* FIELD of the time, LOOKUP, JUMP_IF. */
OP(time_and_find)
{
	const uint8_t *key = ON_STACK(op[2].off);
	uint32_t id;

	memcpy(&id, key, sizeof(id));
	m->r[op[1].dst] = m->sample->time;
	m->r[0] = (uintptr_t)vm_map_lookup_id(address(op[2].imm), id);
	if (m->r[0])
		GO_TO(op[3].to);
	else
		GO_ON(4);
}

/* SET, LOOKUP, JUMP_IF: looks up a key of 4 bytes, as a task's id. */

static inline uint64_t find_by_id(const struct op *op, struct machine *m)
{
	uint32_t id = (uint32_t)SRC;

	*(mem32 *)ON_STACK(op->off) = id;
	m->r[0] = (uintptr_t)vm_map_lookup_id(address(op[1].imm), id);
	return m->r[0];
}

OP(find_by_id_or_jump)
{
	if (find_by_id(op, m))
		GO_ON(3);
	else
		GO_TO(op[2].to);
}

OP(find_by_id_and_jump)
{
	if (find_by_id(op, m))
		GO_TO(op[2].to);
	else
		GO_ON(3);
}

/* The same, then takes the value: loads it, stores 0 in its place, JUMP_IF. */
OP(take_by_id_or_jump)
{
	mem64 *value;

	if (!find_by_id(op, m)) {
		GO_TO(op[2].to);
		return;
	}
	value = address(m->r[0]);
	m->r[op[3].dst] = *value;
	*value = 0;
	if (!m->r[op[3].dst])
		GO_TO(op[5].to);
	else
		GO_ON(6);
}

/* LOOKUP, JUMP_IF. */

static inline uint64_t find(const struct op *op, struct machine *m)
{
	m->r[0] = (uintptr_t)vm_map_lookup(address(op->imm), ON_STACK(op->off));
	return m->r[0];
}

OP(find_or_jump)
{
	if (find(op, m))
		GO_ON(2);
	else
		GO_TO(op[1].to);
}

OP(find_and_jump)
{
	if (find(op, m))
		GO_TO(op[1].to);
	else
		GO_ON(2);
}

/* COUNT_SLOT, and for a difference IN_UNIT, LOG2, COUNT_SLOT. */

static inline void count_slot(const struct op *op, struct machine *m, uint32_t slot)
{
	mem64 *value = vm_map_element(address(op[1].imm), slot);

	*(mem32 *)ON_STACK(op->off) = slot;
	if (value)
		*value += op[1].src ? m->r[op[1].src] : 1;
}

OP(count_in_array)
{
	count_slot(op, m, (uint32_t)SRC);
	GO_ON(2);
}

static inline void count_quotient(const struct op *op, struct machine *m)
{
	uint64_t value = quotient(DST, op->imm, op->inverse), slot = log2_slot(value);

	DST = value;
	m->r[op[1].dst] = slot;
	count_slot(&op[2], m, (uint32_t)slot);
}

OP(count_difference)
{
	count_quotient(op, m);
	GO_ON(4);
}

/* The same with the subtraction. Jumps if the start is after the end. */
OP(count_since_or_jump)
{
	if (DST > SRC) {
		GO_TO(op->to);
		return;
	}
	SRC -= DST;
	count_quotient(op + 2, m);
	GO_ON(6);
}

/* A constant in r0, then EXIT. Nothing reads r0 behind EXIT, so it is not written. */

OP(leave)
{
	(void)op;
	(void)m;
}

static bool sets_stack(const struct bpf_insn *insn, unsigned int from)
{
	return insn->dst_reg == BPF_REG_10 && insn->src_reg == from;
}

static bool fits_record(const struct bpf_insn *insn, const struct vm_map *maps)
{
	(void)maps;
	return insn[0].src_reg == 1 && sets_stack(&insn[1], insn->dst_reg);
}

static bool fits_time(const struct bpf_insn *insn, const struct vm_map *maps)
{
	(void)maps;
	return insn[0].imm == BPF_FUNC_ktime_get_ns && insn[1].src_reg == BPF_REG_0;
}

static bool tests_r0(const struct bpf_insn *insn)
{
	return insn->dst_reg == BPF_REG_0 && !insn->imm;
}

static bool fits_two(const struct bpf_insn *insn, const struct vm_map *maps)
{
	(void)maps;
	return insn[0].src_reg == 1 && insn[1].src_reg == 1;
}

static bool fits_always(const struct bpf_insn *insn, const struct vm_map *maps)
{
	(void)insn;
	(void)maps;
	return true;
}

static bool fits_jump(const struct bpf_insn *insn, const struct vm_map *maps)
{
	(void)maps;
	return insn[1].off;
}

/* The jump goes behind the helper and the copy. */
static bool fits_time_unless(const struct bpf_insn *insn, const struct vm_map *maps)
{
	return insn[0].off == 2 && !insn[0].imm && fits_time(&insn[1], maps);
}

static bool fits_find_by_id(const struct bpf_insn *insn, const struct vm_map *maps)
{
	const struct map *map = &maps[insn[1].imm].map;

	return insn[0].dst_reg == BPF_REG_10 && insn[0].off == insn[1].off &&
	       map->kind == MAP_HASH && map->key_size == 4 && tests_r0(&insn[2]);
}

static bool fits_time_find(const struct bpf_insn *insn, const struct vm_map *maps)
{
	const struct map *map = &maps[insn[2].imm].map;

	return fits_time(insn, maps) && insn[1].dst_reg != BPF_REG_10 && map->kind == MAP_HASH &&
	       map->key_size == 4 && tests_r0(&insn[3]);
}

static bool fits_take(const struct bpf_insn *insn, const struct vm_map *maps)
{
	return fits_find_by_id(insn, maps) && insn[3].src_reg == BPF_REG_0 &&
	       insn[3].dst_reg != BPF_REG_0 && !insn[3].off &&
	       insn[4].dst_reg == BPF_REG_0 && !insn[4].off && !insn[4].imm &&
	       insn[5].dst_reg == insn[3].dst_reg && !insn[5].imm;
}

static bool fits_find(const struct bpf_insn *insn, const struct vm_map *maps)
{
	(void)maps;
	return tests_r0(&insn[1]);
}

static bool fits_count(const struct bpf_insn *insn, const struct vm_map *maps)
{
	return insn[0].dst_reg == BPF_REG_10 && insn[0].off == insn[1].off &&
	       maps[insn[1].imm].map.kind != MAP_HASH;
}

static bool fits_difference(const struct bpf_insn *insn, const struct vm_map *maps)
{
	return has_inverse(insn) && insn[1].src_reg == insn[0].dst_reg &&
	       insn[2].src_reg == insn[1].dst_reg && fits_count(&insn[2], maps);
}

static bool fits_since(const struct bpf_insn *insn, const struct vm_map *maps)
{
	return insn[1].dst_reg == insn[0].src_reg && insn[1].src_reg == insn[0].dst_reg &&
	       insn[0].dst_reg != insn[0].src_reg && insn[2].dst_reg == insn[1].dst_reg &&
	       fits_difference(&insn[2], maps);
}

static bool fits_leave(const struct bpf_insn *insn, const struct vm_map *maps)
{
	(void)maps;
	return insn->dst_reg == BPF_REG_0;
}

#define RECORD_W	(BPF_LD | BPF_ABS | BPF_W)
#define STORE_W		(BPF_STX | BPF_MEM | BPF_W)
#define MOV_REG		(BPF_ALU64 | BPF_MOV | BPF_X)
#define MOV_IMM		(BPF_ALU64 | BPF_MOV | BPF_K)
#define DIVIDE		(BPF_ALU64 | BPF_DIV | BPF_K)
#define IF_EQUAL	(BPF_JMP | BPF_JEQ | BPF_K)
#define IF_OTHER	(BPF_JMP | BPF_JNE | BPF_K)
#define IF_BITS		(BPF_JMP | BPF_JSET | BPF_K)
#define IF_BITS_REG	(BPF_JMP | BPF_JSET | BPF_X)
#define IF_GREATER_REG	(BPF_JMP | BPF_JGT | BPF_X)
#define GOTO		(BPF_JMP | BPF_JA)
#define CALL_HELPER	(BPF_JMP | BPF_CALL)
#define SUBTRACT	(BPF_ALU64 | BPF_SUB | BPF_X)
#define LOAD_DW		(BPF_LDX | BPF_MEM | BPF_DW)
#define STORE_DW	(BPF_STX | BPF_MEM | BPF_DW)
#define STORE_IMM_DW	(BPF_ST | BPF_MEM | BPF_DW)

static const struct {
	unsigned int n;
	uint8_t codes[6];
	bool (*fits)(const struct bpf_insn *insn, const struct vm_map *maps);
	op_fn *run;
} joined[] = {	/* the first row that fits is used */
	{ 6, { STORE_W, RING_LOOKUP, IF_EQUAL, LOAD_DW, STORE_IMM_DW, IF_EQUAL }, fits_take,
	  take_by_id_or_jump },
	{ 3, { STORE_W, RING_LOOKUP, IF_EQUAL }, fits_find_by_id, find_by_id_or_jump },
	{ 3, { STORE_W, RING_LOOKUP, IF_OTHER }, fits_find_by_id, find_by_id_and_jump },
	{ 2, { RING_LOOKUP, IF_EQUAL }, fits_find, find_or_jump },
	{ 2, { RING_LOOKUP, IF_OTHER }, fits_find, find_and_jump },
	{ 2, { RECORD_W, STORE_W }, fits_record, record_to_stack_W },
	{ 2, { RECORD_W, RECORD_W }, fits_two, two_of_record_W },
	{ 4, { CALL_HELPER, MOV_REG, RING_LOOKUP, IF_OTHER }, fits_time_find, time_and_find },
	{ 2, { CALL_HELPER, MOV_REG }, fits_time, time_to },
	{ 3, { IF_OTHER, CALL_HELPER, MOV_REG }, fits_time_unless, time_unless_known },
	{ 2, { MOV_IMM, IF_EQUAL }, fits_always, set_and_jump_equal },
	{ 2, { MOV_IMM, IF_BITS_REG }, fits_always, set_and_jump_bits },
	{ 2, { IF_BITS, GOTO }, fits_jump, jump_bits_or_jump },
	{ 2, { STORE_DW, GOTO }, fits_jump, store_and_jump },
	{ 6, { IF_GREATER_REG, SUBTRACT, DIVIDE, RING_LOG2, STORE_W, RING_ADD }, fits_since,
	  count_since_or_jump },
	{ 4, { DIVIDE, RING_LOG2, STORE_W, RING_ADD }, fits_difference, count_difference },
	{ 2, { STORE_W, RING_ADD }, fits_count, count_in_array },
	{ 2, { MOV_IMM, BPF_JMP | BPF_EXIT }, fits_leave, leave },
};

op_fn *joined_op(const struct bpf_insn *insn, unsigned int n, const struct vm_map *maps)
{
	for (unsigned int i = 0; i < sizeof(joined) / sizeof(joined[0]); i++) {
		unsigned int same = 0;

		if (joined[i].n > n)
			continue;
		while (same < joined[i].n && insn[same].code == joined[i].codes[same])
			same++;
		if (same == joined[i].n && joined[i].fits(insn, maps))
			return joined[i].run;
	}
	return NULL;
}
