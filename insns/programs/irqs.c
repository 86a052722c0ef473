// SPDX-License-Identifier: GPL-2.0
/*
 * softirq.entry:	start[cpu, vec] = now
 * softirq.exit:	t = take start[cpu, vec]
 *			if (t) hist[vec, slot((now - t) / unit)]++ or sums[vec] += now - t
 * irq.entry:		running[cpu] = { now, name }
 * irq.exit:		i = take running[cpu]
 *			if (i, and the device raised it) irqs[i.name, slot((now - i.time) / unit)]++
 *				or irqs[i.name] += now - i.time
 *
 * A CPU serves one interrupt at a time. But if soft interrupts run in threads (PREEMPT_RT), one
 * kind may interrupt another, so each kind has an entry of its own.
 */
#include "insns/programs/irqs.h"

#include <stddef.h>

#include "insns/hist.h"

#define CPUS 8192			/* the most a kernel is built for */

struct running {
	u64 time;			/* 0: none */
	char name[IRQ_NAME];
};

static const struct map softirq_maps[] = {
	{ "start", MAP_ARRAY, ROLE_JOIN, 4, 8, CPUS * SOFTIRQS },
	{ "sums", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, SOFTIRQS, .key = &softirq_key_layout },
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, SOFTIRQS * SOFTIRQ_SLOTS,
	  .key = &index_key_layout },
	{ }
}, hardirq_maps[] = {
	{ "running", MAP_ARRAY, ROLE_JOIN, 4, sizeof(struct running), CPUS },
	{ "irqs", MAP_HASH, ROLE_RESULT, sizeof(struct irq_key), 8, 10240,
	  .key = &irq_key_layout },
	{ }
};

struct frame {
	uint32_t index;
	uint32_t cpu;
	union {
		struct running running;
		struct irq_key irq;
	};
};

/* if (the user asked for another CPU than REG) goto OUT */
#define ASKED_FOR(REG, OUT) \
	JUMP_UNLESS("one_cpu", ".any"), \
	CONST(R1, "cpu"), \
	JNE_REG(REG, R1, OUT), \
	LABEL(".any")

/* Registers of softirqs. */
enum {
	CPU = R6, INDEX = R6, NOW = R6, DELTA = R6,
	VEC = R7, CELL = R7,
	BEGAN = R8, SLOT = R8,
};

/* VEC = vec; frame.index = cpu * SOFTIRQS + vec; if it is not wanted, goto OUT */
#define SOFTIRQ_KEY(OUT) \
	FIELD(VEC, "vec"), \
	JGT(VEC, SOFTIRQS - 1, OUT), \
	FIELD(CPU, "cpu"), \
	ASKED_FOR(CPU, OUT), \
	BPF_ALU64_IMM(BPF_MUL, INDEX, SOFTIRQS), \
	BPF_ALU64_REG(BPF_ADD, INDEX, VEC), \
	SET(index, INDEX)

/* reg, in ns, becomes ms, us or ns, by the user's options. */
#define IN_MICROSECONDS(REG) \
	JUMP_UNLESS("usecs", ".nsecs"), \
	BPF_ALU64_IMM(BPF_DIV, REG, 1000), \
	LABEL(".nsecs")

static const struct insn on_softirq_entry[] = {
	SOFTIRQ_KEY("out"),
	FIELD(NOW, "time"),
	LOOKUP_OR("start", index, "out"),		/* start[cpu, vec] = now */
	BPF_STX_MEM(BPF_DW, R0, NOW, 0),
LABEL("out"),
	EXIT,
};

static const struct insn on_softirq_exit[] = {
	SOFTIRQ_KEY("out"),
	FIELD(NOW, "time"),
	LOOKUP_OR("start", index, "out"),	/* t = start[cpu, vec]; start[cpu, vec] = 0 */
	BPF_LDX_MEM(BPF_DW, BEGAN, R0, 0),
	BPF_ST_MEM(BPF_DW, R0, 0, 0),
	JEQ(BEGAN, 0, "out"),
	JGT_REG(BEGAN, NOW, "out"),
	BPF_ALU64_REG(BPF_SUB, NOW, BEGAN),		/* delta = now - t */
	JUMP_UNLESS("dist", "sum"),
	IN_MICROSECONDS(DELTA),
	LOG2(SLOT, DELTA),
	BPF_ALU64_IMM(BPF_MUL, CELL, SOFTIRQ_SLOTS),
	BPF_ALU64_REG(BPF_ADD, CELL, SLOT),
	COUNT_SLOT("hist", index, CELL),			/* hist[vec, slot]++ */
LABEL("sum"),
	JUMP_UNLESS("sums", "out"),
	SET(index, VEC),
	ADD("sums", index, DELTA),			/* sums[vec] += delta */
LABEL("out"),
	EXIT,
};

static const struct insn on_softirq_count[] = {
	SOFTIRQ_KEY("out"),
	COUNT_SLOT("sums", index, VEC),			/* sums[vec]++ */
LABEL("out"),
	EXIT,
};

/* Registers of hard interrupts, beside CPU. */
enum { SINCE = R6, ENDED = R7, LENGTH = R7, ADDED = R7, NAME = R7, RET = R8, IN_SLOT = R8 };

static const struct insn on_irq_entry[] = {
	FIELD(CPU, "cpu"),
	ASKED_FOR(CPU, "out"),
	SET(cpu, CPU),
	STRING(NAME, "name"),
	ZERO(running.name),
	SET_KERNEL_STRING(running.name, NAME),
	SET_FIELD(running.time, "time"),
	STORE("running", cpu, running),			/* running[cpu] = { now, name } */
LABEL("out"),
	EXIT,
};

static const struct insn on_irq_exit[] = {
	SET_FIELD(cpu, "cpu"),
	FIELD(ENDED, "time"),
	FIELD(RET, "ret"),
	LOOKUP_OR("running", cpu, "out"),	/* i = running[cpu]; running[cpu].time = 0 */
	LOAD(SINCE, R0, struct running, time),
	JEQ(SINCE, 0, "out"),
	PUT_IMM(R0, struct running, time, 0),
	JEQ(RET, 0, "out"),			/* IRQ_NONE: of another device on the same line */
	JGT_REG(SINCE, ENDED, "out"),
	COPY_FROM(irq.name, R0, struct running, name),
	BPF_ALU64_REG(BPF_SUB, ENDED, SINCE),		/* delta = now - i.time */
	BPF_MOV64_IMM(IN_SLOT, 0),
	JUMP_UNLESS("dist", "sum"),
	IN_MICROSECONDS(LENGTH),
	LOG2(IN_SLOT, LENGTH),
	BPF_MOV64_IMM(ADDED, 1),
LABEL("sum"),
	JUMP_UNLESS("events", "add"),
	BPF_MOV64_IMM(ADDED, 1),
LABEL("add"),
	SET_EPOCH(irq.epoch),
	SET(irq.slot, IN_SLOT),
	ADD("irqs", irq, ADDED),			/* irqs[i.name, slot] += delta, or 1 */
LABEL("out"),
	EXIT,
};

static const struct program softirq_programs[] = {
	PROGRAM("softirq.entry", on_softirq_entry, .option = "timed"),
	PROGRAM("softirq.exit", on_softirq_exit, .option = "timed"),
	PROGRAM("softirq.entry", on_softirq_count, .option = "events"),
	{ }
}, hardirq_programs[] = {
	PROGRAM("irq.entry", on_irq_entry),
	PROGRAM("irq.exit", on_irq_exit),
	{ }
};

const struct program_set softirqs_programs = { softirq_programs, softirq_maps };
const struct program_set hardirqs_programs = { hardirq_programs, hardirq_maps };
