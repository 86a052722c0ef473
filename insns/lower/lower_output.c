// SPDX-License-Identifier: GPL-2.0
/* Lowering of output: records, counts of failures, the epoch of results. */
#include "insns/lower/lower_internal.h"

#include <assert.h>

#include "insns/lower/whose.h"

int lo_look_up_state(struct lowerer *lo, enum state_slot slot)
{
	assert(slot < STATE_SLOTS);
	emit(&lo->e, BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, KEY_SCRATCH, slot);
	return lo_look_up(lo, MAP_STATE, KEY_SCRATCH);
}

/* These counts are so rare that their cost does not matter. */
int lo_add_to_state(struct lowerer *lo, enum state_slot slot, int amount)
{
	int out = emit_new_label(&lo->e);

	if (lo_look_up_state(lo, slot))
		return -1;
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 0, out);
	lo_add_atomically(lo, amount);
	emit_place(&lo->e, out);
	return 0;
}

int lo_count(struct lowerer *lo, enum state_slot slot)
{
	return lo_add_to_state(lo, slot, LO_ONE);
}

/*
 * More than the records that all CPUs write at one time: so at least one record falls into the
 * span.
 */
#define WAKEUP_SPAN 4096

/*
 * A wakeup costs ten times as much as the record. So there is a wakeup only when the ring becomes a
 * quarter full, and no other one while the reader is late. For people the reader polls often enough
 * by itself.
 */
static int output_ringbuf(struct lowerer *lo, const char *map)
{
	int quiet = emit_new_label(&lo->e);
	int64_t wakeup = 0;

	lo_constant(lo->l, "ring_wakeup", &wakeup);
	if (lo_load_map(lo, BPF_REG_1, map))
		return -1;
	lo_load_constant(lo, BPF_REG_2, BPF_RB_AVAIL_DATA);
	lo_call(lo, BPF_FUNC_ringbuf_query);
	lo_load_constant(lo, BPF_REG_4, BPF_RB_NO_WAKEUP);
	emit_jump(&lo->e, BPF_JMP | BPF_JGT | BPF_K, BPF_REG_0, 0, (int32_t)wakeup + WAKEUP_SPAN,
		  quiet);
	lo_load_constant(lo, BPF_REG_4, BPF_RB_FORCE_WAKEUP);
	emit_jump(&lo->e, BPF_JMP | BPF_JGT | BPF_K, BPF_REG_0, 0, (int32_t)wakeup, quiet);
	lo_load_constant(lo, BPF_REG_4, BPF_RB_NO_WAKEUP);
	emit_place(&lo->e, quiet);
	return lo_load_map(lo, BPF_REG_1, map);
}

/* r0 = 0: a record of `size` bytes of the stack is in the output */
static int write_record(struct lowerer *lo, const char *map, int off, int32_t size)
{
	int data = BPF_REG_2, length = BPF_REG_3;
	int32_t helper = lo_ring(lo) ? (int32_t)RING_OUTPUT : BPF_FUNC_ringbuf_output;

	if (lo_ring(lo)) {
		if (lo_load_map(lo, BPF_REG_1, map))
			return -1;
	} else if (kernel_has(lo->l->kernel, FEATURE_BPF_RINGBUF)) {
		if (output_ringbuf(lo, map))
			return -1;
	} else {
		helper = BPF_FUNC_perf_event_output;
		data = BPF_REG_4;
		length = BPF_REG_5;
		/* All kernels take the number of the CPU; BPF_F_CURRENT_CPU is new in 4.7. */
		lo_call(lo, BPF_FUNC_get_smp_processor_id);
		lo_move(lo, BPF_REG_3, BPF_REG_0);
		lo_move(lo, BPF_REG_1, lo_context(lo));
		if (lo_load_map(lo, BPF_REG_2, map))
			return -1;
	}
	lo_stack_address(lo, data, off);
	lo_load_constant(lo, length, size);
	lo_call(lo, helper);
	return 0;
}

/* A struct whose_record, in the three slots of the stack that are free between instructions. */
#define WHOSE (-512)
_Static_assert(WHOSE + (int)offsetof(struct whose_record, pid_tgid) == KEY_SCRATCH &&
	       WHOSE + (int)offsetof(struct whose_record, cgroup) == SCRATCH, "slots are in order");

/* Where it has no room the record's task is unknown: nothing is lost of the tool's. */
static int tell_whose(struct lowerer *lo, int record)
{
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_10, (int16_t)record, 0);
	emit(&lo->e, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_1, WHOSE, 0);
	lo_call(lo, BPF_FUNC_get_current_pid_tgid);
	emit(&lo->e, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_0, KEY_SCRATCH, 0);
	lo_call(lo, BPF_FUNC_get_current_cgroup_id);
	emit(&lo->e, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_0, SCRATCH, 0);
	return write_record(lo, MAP_WHOSE, WHOSE, sizeof(struct whose_record));
}

int lo_output(struct lowerer *lo, const struct insn *insn)
{
	int delivered = emit_new_label(&lo->e);
	const bool whose = !lo_ring(lo) && whose_map(lo->l->maps, lo->l->n_maps) >= 0;

	if ((whose && tell_whose(lo, insn->bpf.off)) ||
	    write_record(lo, insn->name, insn->bpf.off, insn->bpf.imm))
		return -1;
	if (!lo_ring(lo)) {
		emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 0, delivered);
		if (lo_count(lo, STATE_FAILED))
			return -1;
	}
	emit_place(&lo->e, delivered);
	return 0;
}

int lo_count_full(struct lowerer *lo, const struct insn *insn)
{
	(void)insn;
	if (!lo_ring(lo))
		return lo_count(lo, STATE_FULL);
	lo_call(lo, (int32_t)RING_COUNT_FULL);
	return 0;
}

int lo_count_call(struct lowerer *lo, const struct insn *insn)
{
	return lo_count(lo, insn->bpf.imm ? STATE_UNRETURNED : STATE_RETURNS);
}

int lo_count_switch(struct lowerer *lo, const struct insn *insn)
{
	(void)insn;
	return lo_count(lo, STATE_SWITCHES);
}

/* r0 = the value at r0, or 0 if there is none */
static void load_found(struct lowerer *lo)
{
	int none = emit_new_label(&lo->e);

	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 0, none);
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_0, BPF_REG_0, 0, 0);
	emit_place(&lo->e, none);
}

int lo_state(struct lowerer *lo, enum state_slot slot)
{
	if (lo_look_up_state(lo, slot))
		return -1;
	load_found(lo);
	return 0;
}

/* r0 = the epoch */
static int load_epoch(struct lowerer *lo)
{
	if (kernel_has(lo->l->kernel, FEATURE_BPF_DIRECT)) {
		if (lo_load_value_of(lo, BPF_REG_0, MAP_EPOCH))
			return -1;
		emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_0, BPF_REG_0, 0, 0);
		return 0;
	}
	emit(&lo->e, BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, KEY_SCRATCH, 0);
	if (lo_look_up(lo, MAP_EPOCH, KEY_SCRATCH))
		return -1;
	load_found(lo);
	return 0;
}

int lo_epoch(struct lowerer *lo, const struct insn *insn)
{
	int reg = insn->bpf.dst_reg;

	/*
	 * sonde's machine takes results exactly without epochs, and runs nothing while it drops
	 * stacks.
	 */
	if (lo_ring(lo)) {
		lo_load_constant(lo, reg, 0);
		return 0;
	}
	if (insn->bpf.imm ? lo_state(lo, STATE_STACKS) : load_epoch(lo))
		return -1;
	lo_move(lo, reg, BPF_REG_0);
	return 0;
}
