// SPDX-License-Identifier: GPL-2.0
/*
 * Lowering: from an array of extended instructions to plain ones for one event, one engine and one kernel.
 *
 * Instructions are first emitted with jumps that name labels; then the labels become offsets. What can't be reached is
 * not emitted at all: old verifiers refuse unreachable code, and UNLESS makes some.
 */
#include "insns/emit.h"

#include <stdlib.h>
#include <string.h>

#include "insns/lower.h"

struct lowerer {
	const struct program *p;
	const struct lowering *l;
	struct emitter e;
	struct error *err;
	int *labels;		/* by instruction of the program: its emitter label, where it is a LABEL */
	int exit_label;		/* r0 = 1; exit; -1: nobody jumps there */
	int context;		/* callee-saved register that holds the context; 0: CONTEXT_SLOT does */
	bool context_in_r1;	/* r1 still is the context, as on entry */
	bool dead;		/* nothing comes by here: behind a jump, before a label somebody jumps to */
};

/* The part of the stack below STACK_BOTTOM. */
#define CONTEXT_SLOT	(-488)
#define SCRATCH		(-496)	/* what a dereference reads */
#define KEY_SCRATCH	(-504)

static int broken(struct lowerer *lo, const struct insn *insn, const char *what, const char *name)
{
	return fail(lo->err, "program %s (%s:%u): %s %s", lo->p->hook, lo->p->file, insn->line, what, name);
}

static bool same_name(const char *wanted, const char *name)
{
	size_t n = strlen(wanted);

	if (n && wanted[n - 1] == '?')
		n--;
	return strlen(name) == n && !memcmp(wanted, name, n);
}

static bool optional_name(const char *name)
{
	return name[strlen(name) - 1] == '?';
}

static bool find_constant(const struct constant *c, const char *name, int64_t *value)
{
	for (; c && c->name; c++)
		if (!strcmp(c->name, name)) {
			*value = c->value;
			return true;
		}
	return false;
}

static bool constant(const struct lowering *l, const char *name, int64_t *value)
{
	if (!strncmp(name, "input:", 6)) {
		*value = event_input(l->event, name + 6) != NULL;
		return true;
	}
	return find_constant(l->options, name, value) || find_constant(l->facts, name, value);
}

const struct input *event_input(const struct event *e, const char *name)
{
	for (unsigned int i = 0; i < e->n_inputs; i++)
		if (same_name(name, e->inputs[i].name))
			return &e->inputs[i];
	return NULL;
}

static int map_number(const struct lowering *l, const char *name)
{
	for (unsigned int i = 0; i < l->n_maps; i++)
		if (!strcmp(l->maps[i].name, name))
			return (int)i;
	return -1;
}

static bool ring(const struct lowerer *lo)
{
	return lo->l->target == TARGET_RING;
}

static void call(struct lowerer *lo, int32_t helper)
{
	emit(&lo->e, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
	lo->context_in_r1 = false;
}

static int load_map(struct lowerer *lo, int reg, const char *name)
{
	int n = map_number(lo->l, name);

	if (n < 0)
		return fail(lo->err, "program %s (%s): there is no map %s", lo->p->hook, lo->p->file, name);
	emit_imm64(&lo->e, reg, (uint64_t)n, BPF_PSEUDO_MAP_FD);
	if (reg == BPF_REG_1)
		lo->context_in_r1 = false;
	return 0;
}

/* The register that holds the context, loaded if it is not there any more. Clobbers r1 at most. */
static int context(struct lowerer *lo)
{
	if (lo->context_in_r1)
		return BPF_REG_1;
	if (lo->context)
		return lo->context;
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_10, CONTEXT_SLOT, 0);
	lo->context_in_r1 = true;
	return BPF_REG_1;
}

static int size_code(unsigned int size)
{
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

/* reg = the number at `offset` of the record. */
static void load_record(struct lowerer *lo, int reg, unsigned int offset, unsigned int size, bool is_signed)
{
	if (ring(lo)) {
		emit(&lo->e, BPF_LD | BPF_ABS | size_code(size), reg, is_signed && size < 8, 0, (int32_t)offset);
		return;
	}
	emit(&lo->e, BPF_LDX | BPF_MEM | size_code(size), reg, context(lo), (int16_t)offset, 0);
	if (is_signed)
		sign_extend(lo, reg, size);
}

static int32_t read_helper(const struct lowerer *lo, bool user)
{
	if (!kernel_has(lo->l->kernel, FEATURE_BPF_READ_SPLIT))
		return BPF_FUNC_probe_read;
	return user ? BPF_FUNC_probe_read_user : BPF_FUNC_probe_read_kernel;
}

/* r3 = what the input's register and dereferences lead to. A failed read goes to `fault` (-1: reads as 0). */
static void follow(struct lowerer *lo, const struct input *in, int fault)
{
	emit(&lo->e, BPF_LDX | BPF_MEM | size_code(in->register_size), BPF_REG_3, context(lo), (int16_t)in->offset, 0);
	for (unsigned int i = 0; i < in->derefs; i++) {
		if (in->deref[i].offset)
			emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_3, 0, 0, in->deref[i].offset);
		emit(&lo->e, BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, SCRATCH, 0);
		emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_10, 0, 0);
		emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, SCRATCH);
		emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_2, 0, 0, in->deref[i].size);
		call(lo, read_helper(lo, in->deref[i].user));
		if (fault >= 0)
			emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 0, fault);
		emit(&lo->e, BPF_LDX | BPF_MEM | size_code(in->deref[i].size), BPF_REG_3, BPF_REG_10, SCRATCH, 0);
	}
}

static void move(struct lowerer *lo, int to, int from)
{
	if (to != from)
		emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0);
}

static void load_constant(struct lowerer *lo, int reg, int64_t value)
{
	if (value == (int32_t)value)
		emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_K, reg, 0, 0, (int32_t)value);
	else
		emit_imm64(&lo->e, reg, (uint64_t)value, 0);
}

/*
 * Who the current task is: helpers, the same for the kernel and for sonde's machine. `after` makes of the helper's
 * r0 what was asked for.
 */
enum identity_after { WHOLE, LOW_HALF, HIGH_HALF };
static const struct identity {
	const char *name;
	int32_t helper;
	enum identity_after after;
} identities[] = {
	{ "time",	BPF_FUNC_ktime_get_ns,			WHOLE },
	{ "cpu",	BPF_FUNC_get_smp_processor_id,		WHOLE },
	{ "pid_tgid",	BPF_FUNC_get_current_pid_tgid,		WHOLE },
	{ "tid",	BPF_FUNC_get_current_pid_tgid,		LOW_HALF },
	{ "tgid",	BPF_FUNC_get_current_pid_tgid,		HIGH_HALF },
	{ "uid",	BPF_FUNC_get_current_uid_gid,		LOW_HALF },
	{ }
};

static void load_identity(struct lowerer *lo, int reg, const struct identity *id)
{
	call(lo, id->helper);
	if (id->after == LOW_HALF)
		emit(&lo->e, BPF_ALU | BPF_MOV | BPF_X, reg, BPF_REG_0, 0, 0);
	else
		move(lo, reg, BPF_REG_0);
	if (id->after == HIGH_HALF)
		emit(&lo->e, BPF_ALU64 | BPF_RSH | BPF_K, reg, 0, 0, 32);
}

static const struct identity *find_identity(const struct lowerer *lo, const char *name)
{
	/* The rings carry no uid: an optional one reads as an input that is not there. */
	if (ring(lo) && same_name(name, "uid"))
		return NULL;
	for (const struct identity *id = identities; id->name; id++)
		if (same_name(name, id->name))
			return id;
	return NULL;
}

static int forward_label(struct lowerer *lo, const struct insn *insn, const char *name, unsigned int at);

static void to_host_order(struct lowerer *lo, int reg)
{
	emit(&lo->e, BPF_ALU | BPF_END | (kernel_arch(lo->l->kernel)->big_endian ? BPF_TO_LE : BPF_TO_BE), reg, 0, 0, 16);
}

static int lower_field(struct lowerer *lo, const struct insn *insn, unsigned int at)
{
	const struct identity *id = find_identity(lo, insn->name);
	const struct input *in = event_input(lo->l->event, insn->name);
	int reg = insn->bpf.dst_reg, fault = -1;

	if (id) {
		load_identity(lo, reg, id);
		return 0;
	}
	if (!in && optional_name(insn->name)) {
		load_constant(lo, reg, 0);
		return 0;
	}
	if (!in)
		return broken(lo, insn, "this event has no input", insn->name);
	if (in->kind == INPUT_BYTES && in->size > 8)
		return broken(lo, insn, "not a number:", insn->name);
	switch (in->place) {
	case PLACE_RECORD:
		load_record(lo, reg, in->offset, in->size, in->is_signed);
		if (in->network_order)
			to_host_order(lo, reg);
		return 0;
	case PLACE_CONSTANT:
		load_constant(lo, reg, in->value);
		return 0;
	case PLACE_REGISTER:
		if (insn->name2 && in->derefs) {
			fault = forward_label(lo, insn, insn->name2, at);
			if (fault < 0)
				return -1;
		}
		follow(lo, in, fault);
		move(lo, reg, BPF_REG_3);
		if (in->is_signed)
			sign_extend(lo, reg, in->size);
		else if (!in->derefs && in->size == 4)	/* of a register only the type's bits mean anything */
			emit(&lo->e, BPF_ALU | BPF_MOV | BPF_X, reg, reg, 0, 0);
		else if (!in->derefs && in->size < 4)
			emit(&lo->e, BPF_ALU64 | BPF_AND | BPF_K, reg, 0, 0, (1 << (8 * in->size)) - 1);
		if (in->network_order)
			to_host_order(lo, reg);
		return 0;
	default:
		return broken(lo, insn, "not a number:", insn->name);
	}
}

static void zero_stack(struct lowerer *lo, int off, int n)
{
	int size;

	for (; n > 0; off += size, n -= size) {
		size = n >= 8 && !(off % 8) ? 8 : n >= 4 && !(off % 4) ? 4 : n >= 2 && !(off % 2) ? 2 : 1;
		emit(&lo->e, BPF_ST | BPF_MEM | size_code((unsigned int)size), BPF_REG_10, 0, (int16_t)off, 0);
	}
}

/* r1 = stack[off], r2 = n: how every helper that fills memory is told where. */
static void buffer_arguments(struct lowerer *lo, int off, int n)
{
	emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_10, 0, 0);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, off);
	emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_2, 0, 0, n);
	lo->context_in_r1 = false;
}

/* Copies n bytes of the record to the stack in the largest loads that are aligned on both sides. */
static void copy_record(struct lowerer *lo, int to, unsigned int from, int n)
{
	while (n > 0) {
		int size = 8;

		/* sonde's machine loads at any alignment; a tracepoint's context must be read aligned. */
		while (size > n || to % size || (!ring(lo) && from % (unsigned int)size))
			size /= 2;
		load_record(lo, BPF_REG_0, from, (unsigned int)size, false);
		emit(&lo->e, BPF_STX | BPF_MEM | size_code((unsigned int)size), BPF_REG_10, BPF_REG_0, (int16_t)to, 0);
		to += size;
		from += (unsigned int)size;
		n -= size;
	}
}

static int lower_bytes(struct lowerer *lo, const struct insn *insn)
{
	const struct input *in = event_input(lo->l->event, insn->name);
	int off = insn->bpf.off, n = insn->bpf.imm, has;

	if (!in && same_name(insn->name, "comm")) {
		zero_stack(lo, off, n);		/* verifiers before 4.9 want it written */
		buffer_arguments(lo, off, n);
		call(lo, BPF_FUNC_get_current_comm);
		return 0;
	}
	if (!in && !optional_name(insn->name))
		return broken(lo, insn, "this event has no input", insn->name);
	if (in && in->place != PLACE_RECORD && in->place != PLACE_REGISTER)
		return broken(lo, insn, "not bytes:", insn->name);
	has = in ? in->size < n ? in->size : n : 0;
	if (has < n)
		zero_stack(lo, off + has, n - has);
	if (!has)
		return 0;
	if (in->place == PLACE_RECORD) {
		copy_record(lo, off, in->offset, has);
		return 0;
	}
	zero_stack(lo, off, has);
	follow(lo, in, -1);
	if (in->value)
		emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_3, 0, 0, (int32_t)in->value);
	buffer_arguments(lo, off, has);
	call(lo, read_helper(lo, in->user));
	return 0;
}

static int part_number(const struct lowering *l, const char *name)
{
	for (unsigned int i = 0; i < l->n_parts; i++)
		if (l->parts[i]->n_inputs && same_name(name, l->parts[i]->inputs[0].name))
			return (int)i;
	return -1;
}

static int lower_string_ring(struct lowerer *lo, const struct insn *insn, const struct input *in)
{
	int part = part_number(lo->l, insn->name);

	if (part >= 0) {
		load_constant(lo, BPF_REG_1, part);
		call(lo, (int32_t)RING_STRING_PART);
	} else if (in && in->place == PLACE_DATA_LOC) {
		load_constant(lo, BPF_REG_1, in->offset);
		call(lo, (int32_t)RING_STRING_LOC);
	} else if (in && in->place == PLACE_RECORD) {
		load_constant(lo, BPF_REG_1, in->offset);
		load_constant(lo, BPF_REG_2, in->size);
		call(lo, (int32_t)RING_STRING_ARRAY);
	} else {
		return broken(lo, insn, "no text in the record for", insn->name);
	}
	move(lo, insn->bpf.dst_reg, BPF_REG_0);
	return 0;
}

static int lower_string(struct lowerer *lo, const struct insn *insn)
{
	const struct input *in = event_input(lo->l->event, insn->name);
	int reg = insn->bpf.dst_reg;

	if (!in && part_number(lo->l, insn->name) < 0) {
		if (!optional_name(insn->name))
			return broken(lo, insn, "this event has no input", insn->name);
		load_constant(lo, reg, 0);
		return 0;
	}
	if (in && in->place == PLACE_CONSTANT) {	/* 0: this event brings none, another one does */
		load_constant(lo, reg, in->value);
		return 0;
	}
	if (ring(lo))
		return lower_string_ring(lo, insn, in);
	if (insn->bpf.src_reg) {
		move(lo, reg, insn->bpf.src_reg);
	} else if (in->place == PLACE_REGISTER) {
		follow(lo, in, -1);
		move(lo, reg, BPF_REG_3);
		if (in->value)
			emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, reg, 0, 0, (int32_t)in->value);
	} else if (in->place == PLACE_DATA_LOC) {
		load_record(lo, BPF_REG_0, in->offset, 4, false);
		emit(&lo->e, BPF_ALU64 | BPF_AND | BPF_K, BPF_REG_0, 0, 0, 0xffff);
		move(lo, BPF_REG_2, context(lo));
		emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_X, BPF_REG_2, BPF_REG_0, 0, 0);
		move(lo, reg, BPF_REG_2);
	} else {
		load_record(lo, reg, in->offset, in->size, false);
	}
	return 0;
}

/*
 * Before probe_read_str (4.11) there is only probe_read, which fails as a whole where any byte can't be read: a name
 * that ends near the end of its page needs smaller tries.
 */
static void read_string_by_tries(struct lowerer *lo, int off, int n, int reg)
{
	int done = emit_new_label(&lo->e), next;

	/* The string's register may be clobbered by the first try. */
	emit(&lo->e, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, reg, SCRATCH, 0);
	zero_stack(lo, off, n);
	for (int size = n - 1; size >= 16; size /= 2) {
		next = emit_new_label(&lo->e);
		buffer_arguments(lo, off, size);
		emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_3, BPF_REG_10, SCRATCH, 0);
		call(lo, BPF_FUNC_probe_read);
		emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 0, next);
		load_constant(lo, BPF_REG_0, size);
		emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, done);
		emit_place(&lo->e, next);
	}
	load_constant(lo, BPF_REG_0, -14);
	emit_place(&lo->e, done);
}

static void lower_read_string(struct lowerer *lo, const struct insn *insn)
{
	int off = insn->bpf.off, n = insn->bpf.imm, reg = insn->bpf.dst_reg;
	bool user = insn->bpf.src_reg;
	int32_t helper = (int32_t)RING_READ_STRING;

	if (!ring(lo)) {
		if (kernel_has(lo->l->kernel, FEATURE_BPF_READ_SPLIT)) {
			helper = user ? BPF_FUNC_probe_read_user_str : BPF_FUNC_probe_read_kernel_str;
		} else if (kernel_has(lo->l->kernel, FEATURE_BPF_READ_STR)) {
			helper = BPF_FUNC_probe_read_str;
		} else {
			read_string_by_tries(lo, off, n, reg);
			return;
		}
	}
	move(lo, BPF_REG_3, reg);
	buffer_arguments(lo, off, n);
	call(lo, helper);
}

/* .state[slot]++, for what happens so rarely that its cost does not matter. */
static int count_state(struct lowerer *lo, enum state_slot slot)
{
	int out = emit_new_label(&lo->e);

	emit(&lo->e, BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, KEY_SCRATCH, slot);
	if (load_map(lo, BPF_REG_1, MAP_STATE))
		return -1;
	emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, KEY_SCRATCH);
	call(lo, BPF_FUNC_map_lookup_elem);
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 0, out);
	load_constant(lo, BPF_REG_1, 1);
	emit(&lo->e, BPF_STX | BPF_XADD | BPF_DW, BPF_REG_0, BPF_REG_1, 0, 0);
	emit_place(&lo->e, out);
	return 0;
}

#define WAKEUP_SPAN 4096	/* more than records of all CPUs at once take: one of them falls into it */

/*
 * A record wakes nobody by itself (a wakeup costs ten times the record): only when the ring comes to be a quarter full,
 * and not again while a reader who is late lets it stay so. The reader comes by on its own often enough for people.
 */
static int output_ringbuf(struct lowerer *lo, const char *map)
{
	int quiet = emit_new_label(&lo->e);
	int64_t wakeup = 0;

	constant(lo->l, "ring_wakeup", &wakeup);
	if (load_map(lo, BPF_REG_1, map))
		return -1;
	load_constant(lo, BPF_REG_2, BPF_RB_AVAIL_DATA);
	call(lo, BPF_FUNC_ringbuf_query);
	load_constant(lo, BPF_REG_4, BPF_RB_NO_WAKEUP);
	emit_jump(&lo->e, BPF_JMP | BPF_JGT | BPF_K, BPF_REG_0, 0, (int32_t)wakeup + WAKEUP_SPAN, quiet);
	load_constant(lo, BPF_REG_4, BPF_RB_FORCE_WAKEUP);
	emit_jump(&lo->e, BPF_JMP | BPF_JGT | BPF_K, BPF_REG_0, 0, (int32_t)wakeup, quiet);
	load_constant(lo, BPF_REG_4, BPF_RB_NO_WAKEUP);
	emit_place(&lo->e, quiet);
	return load_map(lo, BPF_REG_1, map);
}

static int lower_output(struct lowerer *lo, const struct insn *insn)
{
	int delivered = emit_new_label(&lo->e), data = BPF_REG_2, size = BPF_REG_3;
	int32_t helper = ring(lo) ? (int32_t)RING_OUTPUT : BPF_FUNC_ringbuf_output;

	if (ring(lo)) {
		if (load_map(lo, BPF_REG_1, insn->name))
			return -1;
	} else if (kernel_has(lo->l->kernel, FEATURE_BPF_RINGBUF)) {
		if (output_ringbuf(lo, insn->name))
			return -1;
	} else {
		helper = BPF_FUNC_perf_event_output;
		data = BPF_REG_4;
		size = BPF_REG_5;
		/* BPF_F_CURRENT_CPU came with 4.7; the number of the CPU is what older kernels take, and newer ones too. */
		call(lo, BPF_FUNC_get_smp_processor_id);
		move(lo, BPF_REG_3, BPF_REG_0);
		move(lo, BPF_REG_1, context(lo));
		if (load_map(lo, BPF_REG_2, insn->name))
			return -1;
	}
	emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_X, data, BPF_REG_10, 0, 0);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, data, 0, 0, insn->bpf.off);
	load_constant(lo, size, insn->bpf.imm);
	call(lo, helper);
	if (!ring(lo)) {
		emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 0, delivered);
		if (count_state(lo, STATE_FAILED))
			return -1;
	}
	emit_place(&lo->e, delivered);
	return 0;
}

static int lower_epoch(struct lowerer *lo, int reg)
{
	int none = emit_new_label(&lo->e);

	if (ring(lo)) {		/* its takes are exact by themselves */
		load_constant(lo, reg, 0);
		return 0;
	}
	emit(&lo->e, BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, KEY_SCRATCH, STATE_EPOCH);
	if (load_map(lo, BPF_REG_1, MAP_STATE))
		return -1;
	emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, KEY_SCRATCH);
	call(lo, BPF_FUNC_map_lookup_elem);
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 0, none);
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_0, BPF_REG_0, 0, 0);
	emit_place(&lo->e, none);
	move(lo, reg, BPF_REG_0);
	return 0;
}

static int exit_label(struct lowerer *lo)
{
	if (lo->exit_label < 0)
		lo->exit_label = emit_new_label(&lo->e);
	return lo->exit_label;
}

/* Leave unless r0 is one of the ids: compared directly if there is one, looked up in a table if there are more. */
static int filter_ids(struct lowerer *lo, const uint32_t *ids, unsigned int n, const char *map)
{
	if (!n)
		return 0;
	if (n == 1) {
		load_constant(lo, BPF_REG_1, ids[0]);
		emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_X, BPF_REG_0, BPF_REG_1, 0, exit_label(lo));
		lo->context_in_r1 = false;
		return 0;
	}
	emit(&lo->e, BPF_STX | BPF_MEM | BPF_W, BPF_REG_10, BPF_REG_0, KEY_SCRATCH, 0);
	if (load_map(lo, BPF_REG_1, map))
		return -1;
	emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0);
	emit(&lo->e, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, KEY_SCRATCH);
	call(lo, BPF_FUNC_map_lookup_elem);
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 0, exit_label(lo));
	return 0;
}

static int lower_filter(struct lowerer *lo, int pid_tgid)
{
	static const struct identity uid = { "uid", BPF_FUNC_get_current_uid_gid, LOW_HALF };
	static const uint32_t in_table[2];
	const struct filter *f = lo->l->filter;
	/* Who asks for tgids does not ask for sonde's own. */
	bool not_self = f && f->self && !f->n_tgids && !f->family;

	if (!f)
		return 0;
	if (not_self || f->n_tgids) {
		move(lo, BPF_REG_0, pid_tgid);
		emit(&lo->e, BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_0, 0, 0, 32);
		if (not_self)
			emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, (int32_t)f->self, exit_label(lo));
		if (filter_ids(lo, f->tgids, f->n_tgids, MAP_TGIDS))
			return -1;
	}
	if (f->family) {
		move(lo, BPF_REG_0, pid_tgid);
		emit(&lo->e, BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_0, 0, 0, 32);
		if (filter_ids(lo, in_table, 2, MAP_FAMILY))
			return -1;
	}
	if (f->n_tids) {
		emit(&lo->e, BPF_ALU | BPF_MOV | BPF_X, BPF_REG_0, pid_tgid, 0, 0);
		if (filter_ids(lo, f->tids, f->n_tids, MAP_TIDS))
			return -1;
	}
	if (f->n_uids) {
		load_identity(lo, BPF_REG_0, &uid);
		if (filter_ids(lo, f->uids, f->n_uids, MAP_UIDS))
			return -1;
	}
	return 0;
}

/* The nearest LABEL of that name behind instruction `at`. */
static int find_label(struct lowerer *lo, const struct insn *insn, const char *name, unsigned int at)
{
	for (unsigned int i = at + 1; i < lo->p->n_insns; i++)
		if (lo->p->insns[i].symbol == SYM_LABEL && !strcmp(lo->p->insns[i].name, name))
			return (int)i;
	return broken(lo, insn, "nothing below is labelled", name);
}

/* The emitter's label for it: from here on somebody jumps there. */
static int forward_label(struct lowerer *lo, const struct insn *insn, const char *name, unsigned int at)
{
	int i = find_label(lo, insn, name, at);

	if (i >= 0 && lo->labels[i] < 0)
		lo->labels[i] = emit_new_label(&lo->e);
	return i < 0 ? -1 : lo->labels[i];
}

/* A plain instruction; its effect on r1 decides where the context is to be had from then on. */
static void lower_plain(struct lowerer *lo, const struct insn *insn)
{
	int class = BPF_CLASS(insn->bpf.code);

	emit(&lo->e, insn->bpf.code, insn->bpf.dst_reg, insn->bpf.src_reg, insn->bpf.off, insn->bpf.imm);
	lo->dead = insn->bpf.code == (BPF_JMP | BPF_EXIT);
	if (class == BPF_JMP)
		lo->context_in_r1 = false;
	else if (class != BPF_ST && class != BPF_STX && insn->bpf.dst_reg == BPF_REG_1)
		lo->context_in_r1 = false;
}

static int lower_one(struct lowerer *lo, unsigned int at)
{
	const struct insn *insn = &lo->p->insns[at];
	int64_t value;
	int label;

	switch (insn->symbol) {
	case PLAIN:
		lower_plain(lo, insn);
		return 0;
	case SYM_LABEL:
		if (lo->labels[at] < 0)		/* nobody jumps here */
			return 0;
		lo->dead = false;
		emit_place(&lo->e, lo->labels[at]);
		lo->context_in_r1 = false;	/* who jumped here may have lost it */
		return 0;
	case SYM_JUMP:
		label = forward_label(lo, insn, insn->name, at);
		if (label < 0)
			return -1;
		emit_jump(&lo->e, insn->bpf.code, insn->bpf.dst_reg, insn->bpf.src_reg, insn->bpf.imm, label);
		lo->dead = insn->bpf.code == (BPF_JMP | BPF_JA);
		return 0;
	case SYM_UNLESS:
		if (!constant(lo->l, insn->name, &value))
			return broken(lo, insn, "there is no option", insn->name);
		if (find_label(lo, insn, insn->name2, at) < 0)
			return -1;
		if (!value) {
			label = forward_label(lo, insn, insn->name2, at);
			emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, label);
			lo->dead = true;
		}
		return 0;
	case SYM_CONST:
		if (!constant(lo->l, insn->name, &value))
			return broken(lo, insn, "there is no constant", insn->name);
		load_constant(lo, insn->bpf.dst_reg, value);
		break;
	case SYM_MAP:
		if (load_map(lo, insn->bpf.dst_reg, insn->name))
			return -1;
		break;
	case SYM_FIELD:
		if (lower_field(lo, insn, at))
			return -1;
		break;
	case SYM_BYTES:
		return lower_bytes(lo, insn);
	case SYM_STRING:
		if (lower_string(lo, insn))
			return -1;
		break;
	case SYM_READ_STRING:
		lower_read_string(lo, insn);
		return 0;
	case SYM_FILTER:
		return lower_filter(lo, insn->bpf.dst_reg);
	case SYM_OUTPUT:
		return lower_output(lo, insn);
	case SYM_COUNT_FULL:
		if (!ring(lo))
			return count_state(lo, STATE_FULL);
		call(lo, (int32_t)RING_COUNT_FULL);
		return 0;
	case SYM_EPOCH:
		if (lower_epoch(lo, insn->bpf.dst_reg))
			return -1;
		break;
	default:
		return broken(lo, insn, "unknown symbolic instruction in", lo->p->hook);
	}
	if (insn->bpf.dst_reg == BPF_REG_1)
		lo->context_in_r1 = false;
	return 0;
}

/* A callee-saved register the program leaves alone, 0 if it uses all four. */
static int free_register(const struct program *p)
{
	unsigned int used = 0;

	for (unsigned int i = 0; i < p->n_insns; i++)
		used |= 1U << p->insns[i].bpf.dst_reg | 1U << p->insns[i].bpf.src_reg;
	for (int reg = BPF_REG_9; reg >= BPF_REG_6; reg--)
		if (!(used & 1U << reg))
			return reg;
	return 0;
}

/* Emits the whole program; keep_context says whether the context must outlive r1. */
static int lower_all(struct lowerer *lo, bool keep_context)
{
	emit_reset(&lo->e);
	for (unsigned int i = 0; i < lo->p->n_insns; i++)
		lo->labels[i] = -1;
	lo->exit_label = -1;
	lo->context_in_r1 = true;
	lo->dead = false;
	if (keep_context && lo->context)
		emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_X, lo->context, BPF_REG_1, 0, 0);
	else if (keep_context)
		emit(&lo->e, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_1, CONTEXT_SLOT, 0);
	for (unsigned int i = 0; i < lo->p->n_insns; i++) {
		if (lo->dead && lo->p->insns[i].symbol != SYM_LABEL)
			continue;
		emit_source(&lo->e, (uint16_t)i);
		if (lower_one(lo, i))
			return -1;
	}
	if (lo->exit_label >= 0) {
		emit_place(&lo->e, lo->exit_label);
		load_constant(lo, BPF_REG_0, 1);
		emit(&lo->e, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	}
	return 0;
}

/* Does the emitted program read the context from where it was saved? */
static bool uses_saved_context(const struct lowerer *lo)
{
	for (unsigned int i = 0; i < lo->e.n; i++) {
		const struct bpf_insn *insn = &lo->e.code[i].insn;

		if (lo->context && i && insn->src_reg == lo->context)
			return true;
		if (!lo->context && insn->code == (BPF_LDX | BPF_MEM | BPF_DW) && insn->src_reg == BPF_REG_10 &&
		    insn->off == CONTEXT_SLOT)
			return true;
	}
	return false;
}

int lower(const struct program *p, const struct lowering *l, struct lowered *out, struct error *err)
{
	struct lowerer lo = { .p = p, .l = l, .err = err };
	int result = -1;

	memset(out, 0, sizeof(*out));
	lo.labels = calloc(p->n_insns, sizeof(*lo.labels));
	if (!lo.labels)
		return fail(err, "out of memory");
	if (!ring(&lo))
		lo.context = free_register(p);
	if (lower_all(&lo, !ring(&lo)))
		goto out;
	if (!ring(&lo) && !uses_saved_context(&lo) && lower_all(&lo, false))
		goto out;
	if (emit_finish(&lo.e, &out->insns, &out->source, &out->n))
		fail(err, "program %s (%s): too long, or out of memory", p->hook, p->file);
	else if (out->n > BPF_MAXINSNS)
		fail(err, "program %s comes to %u instructions here, more than the %d that kernels before 5.2 take", p->hook,
		     out->n, BPF_MAXINSNS);
	else
		result = 0;
out:
	if (result)
		lowered_free(out);
	emit_free(&lo.e);
	free(lo.labels);
	return result;
}

void lowered_free(struct lowered *l)
{
	free(l->insns);
	free(l->source);
	memset(l, 0, sizeof(*l));
}

/* Which instructions these options leave in: as lower() will, without a kernel. */
void program_inputs(const struct program *p, const struct constant *options,
		    void (*each)(void *arg, const char *name, enum input_kind kind), void *arg)
{
	for (unsigned int i = 0; i < p->n_insns; i++) {
		const struct insn *insn = &p->insns[i];
		int64_t value;

		switch (insn->symbol) {
		case SYM_UNLESS:
			if (!find_constant(options, insn->name, &value) || value)
				break;
			while (i + 1 < p->n_insns && !(p->insns[i + 1].symbol == SYM_LABEL &&
						       !strcmp(p->insns[i + 1].name, insn->name2)))
				i++;
			break;
		case SYM_FIELD:
			each(arg, insn->name, INPUT_NUMBER);
			break;
		case SYM_BYTES:
			each(arg, insn->name, INPUT_BYTES);
			break;
		case SYM_STRING:
			each(arg, insn->name, INPUT_STRING);
			break;
		default:
			break;
		}
	}
}
