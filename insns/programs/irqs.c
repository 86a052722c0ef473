// SPDX-License-Identifier: GPL-2.0
/*
 * softirq.entry:	start[cpu, vec] = now
 * softirq.exit:	t = take start[cpu, vec]; if (t) hist[vec, slot((now - t) / unit)]++ or sums[vec] += now - t
 * irq.entry:		running[cpu] = { now, name }
 * irq.exit:		i = take running[cpu]; if (i, and it was the device's)
 *				irqs[i.name, slot((now - i.time) / unit)]++ or irqs[i.name] += now - i.time
 *
 * A CPU serves one interrupt at a time. A soft one may be interrupted by others than its own kind where they run in
 * threads (PREEMPT_RT), so each kind waits for its end apart.
 */
#include "insns/programs/irqs.h"

#include <stddef.h>

#include "insns/common.h"

#define CPUS 8192			/* the most a kernel is built for */

struct running {
	uint64_t time;			/* 0: none */
	char name[IRQ_NAME];
};

static const struct map softirq_maps[] = {
	{ "start", MAP_ARRAY, ROLE_JOIN, 4, 8, CPUS * SOFTIRQS },
	{ "sums", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, SOFTIRQS },
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, SOFTIRQS * SOFTIRQ_SLOTS },
	{ }
}, hardirq_maps[] = {
	{ "running", MAP_ARRAY, ROLE_JOIN, 4, sizeof(struct running), CPUS },
	{ "irqs", MAP_HASH, ROLE_RESULT, sizeof(struct irq_key), 8, 10240 },
	{ }
};

#define KEY -8
#define SUM -16
#define RUNNING(MEMBER) (-64 + (int)offsetof(struct running, MEMBER))
#define IRQ(MEMBER) (-64 + (int)offsetof(struct irq_key, MEMBER))

_Static_assert(offsetof(struct running, name) == offsetof(struct irq_key, name), "a name's words are copied");

/* if (the user asked for another CPU than REG) goto OUT */
#define ASKED_FOR(REG, OUT) \
	UNLESS("one_cpu", ".any"), \
	CONST(R1, "cpu"), \
	JUMP_IF_REG(BPF_JNE, REG, R1, OUT), \
	LABEL(".any")

/* r7 = vec; stack[KEY] = cpu * SOFTIRQS + vec */
#define SOFTIRQ_KEY(OUT) \
	FIELD(R7, "vec"), \
	JUMP_IF(BPF_JGT, R7, SOFTIRQS - 1, OUT), \
	FIELD(R6, "cpu"), \
	ASKED_FOR(R6, OUT), \
	BPF_ALU64_IMM(BPF_MUL, R6, SOFTIRQS), \
	BPF_ALU64_REG(BPF_ADD, R6, R7), \
	BPF_STX_MEM(BPF_W, R10, R6, KEY)

/* reg, in ns, becomes what the user asked for. */
#define IN_UNIT(REG) \
	UNLESS("usecs", ".nsecs"), \
	BPF_ALU64_IMM(BPF_DIV, REG, 1000), \
	LABEL(".nsecs")

static const struct insn on_softirq_entry[] = {
	SOFTIRQ_KEY("out"),
	FIELD(R6, "time"),
	LOOKUP("start", KEY),				/* start[cpu, vec] = now */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_STX_MEM(BPF_DW, R0, R6, 0),
LABEL("out"),
	EXIT,
};

static const struct insn on_softirq_exit[] = {
	SOFTIRQ_KEY("out"),
	FIELD(R6, "time"),
	LOOKUP("start", KEY),				/* t = start[cpu, vec]; start[cpu, vec] = 0 */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R8, R0, 0),
	BPF_ST_MEM(BPF_DW, R0, 0, 0),
	JUMP_IF(BPF_JEQ, R8, 0, "out"),
	JUMP_IF_REG(BPF_JGT, R8, R6, "out"),
	BPF_ALU64_REG(BPF_SUB, R6, R8),			/* delta = now - t */
	UNLESS("dist", "sum"),
	IN_UNIT(R6),
	LOG2_SLOT(R8, R6),
	BPF_ALU64_IMM(BPF_MUL, R7, SOFTIRQ_SLOTS),
	BPF_ALU64_REG(BPF_ADD, R7, R8),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	COUNT("hist", KEY),				/* hist[vec, slot]++ */
LABEL("sum"),
	UNLESS("sums", "out"),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	ADD("sums", KEY, R6),				/* sums[vec] += delta */
LABEL("out"),
	EXIT,
};

static const struct insn on_softirq_count[] = {
	SOFTIRQ_KEY("out"),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	COUNT("sums", KEY),				/* sums[vec]++ */
LABEL("out"),
	EXIT,
};

#define ZERO_NAME \
	BPF_ST_MEM(BPF_DW, R10, RUNNING(name), 0), \
	BPF_ST_MEM(BPF_DW, R10, RUNNING(name) + 8, 0), \
	BPF_ST_MEM(BPF_DW, R10, RUNNING(name) + 16, 0), \
	BPF_ST_MEM(BPF_DW, R10, RUNNING(name) + 24, 0), \
	BPF_ST_MEM(BPF_DW, R10, RUNNING(name) + 32, 0)

#define COPY_NAME_WORD(N) \
	BPF_LDX_MEM(BPF_DW, R1, R0, (int)offsetof(struct running, name) + 8 * (N)), \
	BPF_STX_MEM(BPF_DW, R10, R1, IRQ(name) + 8 * (N))

_Static_assert(IRQ_NAME == 40, "five words are zeroed and copied");

static const struct insn on_irq_entry[] = {
	FIELD(R6, "cpu"),
	ASKED_FOR(R6, "out"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	STRING(R7, "name"),
	ZERO_NAME,
	READ_KERNEL_STRING(RUNNING(name), IRQ_NAME, R7),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, RUNNING(time)),
	STORE("running", KEY, RUNNING(time)),		/* running[cpu] = { now, name } */
LABEL("out"),
	EXIT,
};

static const struct insn on_irq_exit[] = {
	FIELD(R6, "cpu"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	FIELD(R7, "time"),
	FIELD(R8, "ret"),
	LOOKUP("running", KEY),				/* i = running[cpu]; running[cpu].time = 0 */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R6, R0, offsetof(struct running, time)),
	JUMP_IF(BPF_JEQ, R6, 0, "out"),
	BPF_ST_MEM(BPF_DW, R0, offsetof(struct running, time), 0),
	JUMP_IF(BPF_JEQ, R8, 0, "out"),			/* IRQ_NONE: of another device on the same line */
	JUMP_IF_REG(BPF_JGT, R6, R7, "out"),
	COPY_NAME_WORD(0), COPY_NAME_WORD(1), COPY_NAME_WORD(2), COPY_NAME_WORD(3), COPY_NAME_WORD(4),
	BPF_ALU64_REG(BPF_SUB, R7, R6),			/* delta = now - i.time */
	BPF_MOV64_IMM(R8, 0),
	UNLESS("dist", "sum"),
	IN_UNIT(R7),
	LOG2_SLOT(R8, R7),
	BPF_MOV64_IMM(R7, 1),
LABEL("sum"),
	UNLESS("events", "add"),
	BPF_MOV64_IMM(R7, 1),
LABEL("add"),
	EPOCH(R6),
	BPF_STX_MEM(BPF_W, R10, R6, IRQ(epoch)),
	BPF_STX_MEM(BPF_W, R10, R8, IRQ(slot)),
	ADD_KEY("irqs", IRQ(epoch), R7, SUM),		/* irqs[i.name, slot] += delta, or 1 */
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
