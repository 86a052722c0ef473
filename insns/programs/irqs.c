// SPDX-License-Identifier: GPL-2.0
/*
 * softirq.entry:	start[cpu, vec] = now
 * softirq.exit:	t = take start[cpu, vec]
 *			if (t) hist[vec, slot((now - t) / unit)]++ or sums[vec] += now - t
 *			with --min: if (now - t >= min) output { now - t }
 * softirq.raise:	with --min: if (!raised[cpu, vec]) raised[cpu, vec] = now
 * softirq.entry:	with --min: t = take raised[cpu, vec]
 *			if (t && now - t >= min) output { now - t }
 * irq.entry:		running[cpu] = { now, name }
 * irq.exit:		i = take running[cpu]
 *			if (i, and the device raised it) irqs[i.name, slot((now - i.time) / unit)]++
 *				or irqs[i.name] += now - i.time
 *			with --min: if (now - i.time >= min) output { i.name, now - i.time }
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

#define BY_SOFTIRQ(NAME)	{ NAME, MAP_ARRAY, ROLE_JOIN, 4, 8, CPUS * SOFTIRQS }
#define SLOW_MAP(LAYOUT)	{ "slow", MAP_OUTPUT, 0, 0, 0, 0, .value = &LAYOUT }

static const struct map softirq_maps[] = {
	BY_SOFTIRQ("start"),
	{ "sums", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, SOFTIRQS, .key = &softirq_key_layout },
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, SOFTIRQS * SOFTIRQ_SLOTS,
	  .key = &index_key_layout },
	BY_SOFTIRQ("raised"),
	SLOW_MAP(softirq_slow_layout),
	{ }
}, slower_maps[] = {
	BY_SOFTIRQ("start"),
	BY_SOFTIRQ("raised"),
	SLOW_MAP(softirq_slow_layout),
	{ }
}, hardirq_maps[] = {
	{ "running", MAP_ARRAY, ROLE_JOIN, 4, sizeof(struct running), CPUS },
	{ "irqs", MAP_HASH, ROLE_RESULT, sizeof(struct irq_key), 8, 10240,
	  .key = &irq_key_layout },
	SLOW_MAP(hardirq_slow_layout),
	{ }
};

struct frame {
	uint32_t index;
	uint32_t cpu;
	union {
		struct running running;
		struct irq_key irq;
		struct softirq_slow soft;
		struct hardirq_slow hard;
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
	BPF_ALU64_IMM(BPF_MUL, RENAME(INDEX, CPU), SOFTIRQS), \
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
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),	/* delta = now - t */
	JUMP_UNLESS("dist", "sum"),
	IN_MICROSECONDS(DELTA),
	VALUE_SLOT(SLOT, DELTA),
	BPF_ALU64_IMM(BPF_MUL, RENAME(CELL, VEC), SOFTIRQ_SLOTS),
	BPF_ALU64_REG(BPF_ADD, CELL, SLOT),
	COUNT_SLOT("hist", index, CELL),			/* hist[vec, slot]++ */
	JUMP_UNLESS("exact", "sum"),
	BPF_ALU64_REG(BPF_SUB, CELL, SLOT),
	BPF_ALU64_IMM(BPF_DIV, RENAME(VEC, CELL), SOFTIRQ_SLOTS),
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

/* if (LENGTH, in ns, is shorter than asked for) goto OUT */
#define LONG_ENOUGH(LENGTH, OUT) \
	CONST(R1, "min_ns"), \
	JLT_REG(LENGTH, R1, OUT)

/* frame.M = when, for how long and where; LENGTH is a register. */
#define SET_SLOW(M, LENGTH) \
	SET(M.latency, LENGTH), \
	SET_IMM(M.pad, 0), \
	SET_FIELD(M.time, "time"), \
	SET_FIELD(M.cpu, "cpu"), \
	SET_FIELD(M.pid_tgid, "pid_tgid"), \
	SET_BYTES(M.comm, "comm")

/* Outputs the stage of VEC from BEGAN to NOW, if it was long; else goto OUT. */
#define SLOW_STAGE(STAGE, OUT) \
	JEQ(BEGAN, 0, OUT), \
	JGT_REG(BEGAN, NOW, OUT), \
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN), \
	LONG_ENOUGH(DELTA, OUT), \
	SET_SLOW(soft, DELTA), \
	SET(soft.softirq, VEC), \
	SET_IMM(soft.stage, STAGE), \
	OUTPUT("slow", soft)

/*
 * It may be asked for several times until it runs, once for all: the first time counts. Nothing is
 * known of those that were asked for before the start.
 */
static const struct insn on_softirq_raise[] = {
	SOFTIRQ_KEY("out"),
	FIELD(NOW, "time"),
	LOOKUP_OR("raised", index, "out"),
	BPF_LDX_MEM(BPF_DW, R1, R0, 0),
	JNE(R1, 0, "out"),
	BPF_STX_MEM(BPF_DW, R0, NOW, 0),	/* if (!raised[cpu, vec]) raised[cpu, vec] = now */
LABEL("out"),
	EXIT,
};

static const struct insn on_softirq_begin[] = {
	SOFTIRQ_KEY("out"),
	FIELD(NOW, "time"),
	LOOKUP_OR("start", index, "out"),		/* start[cpu, vec] = now */
	BPF_STX_MEM(BPF_DW, R0, NOW, 0),
	LOOKUP_OR("raised", index, "out"),		/* t = take raised[cpu, vec] */
	BPF_LDX_MEM(BPF_DW, BEGAN, R0, 0),
	BPF_ST_MEM(BPF_DW, R0, 0, 0),
	SLOW_STAGE(SOFTIRQ_WAIT, "out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_softirq_end[] = {
	SOFTIRQ_KEY("out"),
	FIELD(NOW, "time"),
	LOOKUP_OR("start", index, "out"),		/* t = take start[cpu, vec] */
	BPF_LDX_MEM(BPF_DW, BEGAN, R0, 0),
	BPF_ST_MEM(BPF_DW, R0, 0, 0),
	SLOW_STAGE(SOFTIRQ_RUN, "out"),
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
	BPF_ALU64_REG(BPF_SUB, RENAME(LENGTH, ENDED), SINCE),	/* delta = now - i.time */
	JUMP_UNLESS("min", "count"),
	COPY_FROM(hard.name, R0, struct running, name),
	LONG_ENOUGH(LENGTH, "out"),
	SET_SLOW(hard, LENGTH),
	OUTPUT("slow", hard),				/* output { i.name, delta } */
	JUMP("out"),
LABEL("count"),
	COPY_FROM(irq.name, R0, struct running, name),
	BPF_MOV64_IMM(IN_SLOT, 0),
	JUMP_UNLESS("dist", "sum"),
	IN_MICROSECONDS(LENGTH),
	VALUE_SLOT(IN_SLOT, LENGTH),
	JUMP_UNLESS("exact", "one"),
	SET_EPOCH(irq.epoch),
	SET_IMM(irq.slot, LOG2_SLOTS),
	ADD("irqs", irq, LENGTH),		/* behind the slots: irqs[i.name] += delta */
LABEL("one"),
	BPF_MOV64_IMM(ADDED, 1),
LABEL("sum"),
	JUMP_UNLESS("events", "add"),
	BPF_MOV64_IMM(ADDED, 1),
LABEL("add"),
	SET_EPOCH(irq.epoch),
	SET(irq.slot, IN_SLOT),
	ADD("irqs", irq, RENAME(ADDED, LENGTH)),	/* irqs[i.name, slot] += delta, or 1 */
LABEL("out"),
	EXIT,
};

static const struct program softirq_programs[] = {
	PROGRAM("softirq.entry", on_softirq_entry, .option = "timed"),
	PROGRAM("softirq.exit", on_softirq_exit, .option = "timed"),
	PROGRAM("softirq.entry", on_softirq_count, .option = "events"),
	PROGRAM("softirq.raise", on_softirq_raise, .option = "min"),
	PROGRAM("softirq.entry", on_softirq_begin, .option = "min"),
	PROGRAM("softirq.exit", on_softirq_end, .option = "min"),
	{ }
}, slower_programs[] = {
	PROGRAM("softirq.raise", on_softirq_raise),
	PROGRAM("softirq.entry", on_softirq_begin),
	PROGRAM("softirq.exit", on_softirq_end),
	{ }
}, hardirq_programs[] = {
	PROGRAM("irq.entry", on_irq_entry),
	PROGRAM("irq.exit", on_irq_exit),
	{ }
};

const struct program_set softirqs_programs = { softirq_programs, softirq_maps };
const struct program_set softirqslower_programs = { slower_programs, slower_maps };
const struct program_set hardirqs_programs = { hardirq_programs, hardirq_maps };
