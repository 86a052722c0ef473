// SPDX-License-Identifier: GPL-2.0
/* Lowering of operations on maps. sonde's virtual machine has an instruction for each. */
#include "compat/kinds/kinds.h"

#include <assert.h>
#include "insns/lower/lower_internal.h"

static const struct map *find_map(const struct lowerer *lo, const char *name, int *number)
{
	for (unsigned int i = 0; i < lo->l->n_maps; i++)
		if (!strcmp(lo->l->maps[i].name, name)) {
			*number = (int)i;
			return &lo->l->maps[i];
		}
	fail(lo->err, "program %s (%s): there is no map %s", lo->p->hook, lo->p->file, name);
	return NULL;
}

/* src: what of the map is loaded. */
static int load_of_map(struct lowerer *lo, int reg, const char *name, int src)
{
	int number;

	if (!find_map(lo, name, &number))
		return -1;
	emit_imm64(&lo->e, reg, (uint64_t)number, src);
	if (reg == BPF_REG_1)
		lo->context_in_r1 = false;
	return 0;
}

int lo_load_map(struct lowerer *lo, int reg, const char *name)
{
	return load_of_map(lo, reg, name, BPF_PSEUDO_MAP_FD);
}

int lo_load_value_of(struct lowerer *lo, int reg, const char *name)
{
	return load_of_map(lo, reg, name, BPF_OF_MAP_VALUE);
}

int lo_map(struct lowerer *lo, const struct insn *insn)
{
	return lo_load_map(lo, insn->bpf.dst_reg, insn->name);
}

void lo_stack_address(struct lowerer *lo, int reg, int off)
{
	assert(off < 0);
	if (lo_ring(lo)) {
		emit(&lo->e, RING_STACK_ADDRESS, reg, 0, off, 0);
		return;
	}
	emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_X, reg, BPF_REG_10, 0, 0);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, reg, 0, 0, off);
}

/* r1 = map, r2 = address of its key; then `helper`. */
static int call_with_key(struct lowerer *lo, const char *name, int key, int32_t helper)
{
	if (lo_load_map(lo, BPF_REG_1, name))
		return -1;
	lo_stack_address(lo, BPF_REG_2, key);
	lo_call(lo, helper);
	return 0;
}

int lo_look_up(struct lowerer *lo, const char *name, int key)
{
	int number;

	if (!lo_ring(lo))
		return call_with_key(lo, name, key, BPF_FUNC_map_lookup_elem);
	if (!find_map(lo, name, &number))
		return -1;
	emit(&lo->e, RING_LOOKUP, 0, 0, key, number);
	return 0;
}

int lo_lookup(struct lowerer *lo, const struct insn *insn)
{
	return lo_look_up(lo, insn->name, insn->bpf.off);
}

int lo_delete(struct lowerer *lo, const struct insn *insn)
{
	int number;

	if (!lo_ring(lo))
		return call_with_key(lo, insn->name, insn->bpf.off, BPF_FUNC_map_delete_elem);
	if (!find_map(lo, insn->name, &number))
		return -1;
	emit(&lo->e, RING_DELETE, 0, 0, insn->bpf.off, number);
	return 0;
}

static int call_update(struct lowerer *lo, const char *name, int key, int value, int flags)
{
	if (lo_load_map(lo, BPF_REG_1, name))
		return -1;
	lo_stack_address(lo, BPF_REG_2, key);
	lo_stack_address(lo, BPF_REG_3, value);
	lo_load_constant(lo, BPF_REG_4, flags);
	lo_call(lo, BPF_FUNC_map_update_elem);
	return 0;
}

int lo_update(struct lowerer *lo, const struct insn *insn)
{
	int flags = insn->bpf.dst_reg, number;

	if (!lo_ring(lo))
		return call_update(lo, insn->name, insn->bpf.off, insn->bpf.imm, flags);
	if (!find_map(lo, insn->name, &number))
		return -1;
	emit(&lo->e, RING_UPDATE, flags, 0, insn->bpf.off, RING_UPDATE_IMM(number, insn->bpf.imm));
	return 0;
}

/*
 * Returns true if each CPU has a value of its own, and no other program changes it while this
 * program does. On one CPU a program on a perf event never runs within another program, and is
 * never preempted. The kernel has preemption off while it runs such a program (all of them since
 * 4.1), and counts in bpf_prog_active that a program runs. An event that happens then, in an
 * interrupt, an NMI or the program itself, runs no program, and so adds nothing in between.
 * Programs on uprobes differ: since 6.0 they may be preempted, and are not counted. Programs on raw
 * tracepoints are not counted either.
 */
bool lo_alone(const struct lowerer *lo)
{
	return kernel_has(lo->l->kernel, FEATURE_BPF_PERCPU) &&
	       !event_traits(lo->l->kind)->preempted;
}

/* The u64 at r0 += reg, or 1. An atomic addition would cost as much as the rest. */
void lo_add_alone(struct lowerer *lo, int off, int reg)
{
	assert(reg == LO_ONE || (reg >= BPF_REG_6 && reg <= BPF_REG_9));
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_0, off, 0);
	if (reg)
		emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_X, BPF_REG_1, reg, 0, 0);
	else
		emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, 1);
	emit(&lo->e, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_0, BPF_REG_1, off, 0);
}

void lo_add_atomically(struct lowerer *lo, int amount)
{
	assert(amount == LO_KEPT || amount == LO_ONE ||
	       (amount >= BPF_REG_6 && amount <= BPF_REG_9));
	if (amount == LO_KEPT)
		emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_10, SCRATCH, 0);
	else if (amount == LO_ONE)
		lo_load_constant(lo, BPF_REG_1, 1);
	emit(&lo->e, BPF_STX | BPF_XADD | BPF_DW, BPF_REG_0, amount > 0 ? amount : BPF_REG_1, 0, 0);
}

/*
 * The first event of a key makes its entry. If two CPUs make it at once, the second CPU's update
 * fails, and the second look-up finds the first CPU's entry.
 */
int lo_add_to_hash(struct lowerer *lo, const char *map, int key, int amount)
{
	int found = emit_new_label(&lo->e), done = emit_new_label(&lo->e);

	if (lo_look_up(lo, map, key))
		return -1;
	emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 0, found);
	if (amount == LO_ONE)
		emit(&lo->e, BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, SCRATCH, 1);
	else if (amount != LO_KEPT)
		emit(&lo->e, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, amount, SCRATCH, 0);
	if (call_update(lo, map, key, SCRATCH, BPF_NOEXIST))
		return -1;
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 0, done);
	if (lo_look_up(lo, map, key))
		return -1;
	emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 0, found);
	if (lo_add_to_state(lo, STATE_FULL, amount == LO_KEPT ? LO_KEPT : LO_ONE))
		return -1;
	emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, done);
	emit_place(&lo->e, found);
	lo_add_atomically(lo, amount);
	emit_place(&lo->e, done);
	return 0;
}

int lo_add(struct lowerer *lo, const struct insn *insn)
{
	const int reg = insn->bpf.src_reg;
	int number, done;
	const struct map *m = find_map(lo, insn->name, &number);

	if (!m)
		return -1;
	if (lo_ring(lo)) {
		emit(&lo->e, RING_ADD, 0, reg, insn->bpf.off, number);
		return 0;
	}
	if (m->kind == MAP_HASH)
		return m->run && !reg && lo_alone(lo) ? lo_count_in_run(lo, insn, m) :
			lo_add_to_hash(lo, insn->name, insn->bpf.off, reg);
	done = emit_new_label(&lo->e);
	if (lo_look_up(lo, insn->name, insn->bpf.off))
		return -1;
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 0, done);
	if (m->kind == MAP_PERCPU_ARRAY && lo_alone(lo))
		lo_add_alone(lo, 0, reg);
	else
		lo_add_atomically(lo, reg);
	emit_place(&lo->e, done);
	return 0;
}

int insn_map(const struct bpf_insn *insn)
{
	switch (insn->code) {
	case BPF_LD | BPF_IMM | BPF_DW:
		return BPF_HAS_MAP(insn) ? insn->imm : -1;
	case RING_LOOKUP:
	case RING_DELETE:
	case RING_ADD:
		return insn->imm;
	case RING_UPDATE:
		return RING_UPDATE_MAP(insn->imm);
	default:
		return -1;
	}
}

void insn_set_map(struct bpf_insn *insn, unsigned int map)
{
	insn->imm = insn->code == RING_UPDATE ?
		    RING_UPDATE_IMM(map, RING_UPDATE_VALUE(insn->imm)) : (int32_t)map;
}
