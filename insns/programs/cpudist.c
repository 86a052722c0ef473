// SPDX-License-Identifier: GPL-2.0
/*
 * sched.switch, time on a CPU:		t = since[cpu]; since[cpu] = now
 *					if (t) hists[prev, slot((now - t) / unit)]++
 * sched.switch, time off a CPU:	t = take left[next_pid]
 *					if (t) hists[next, slot((now - t) / unit)]++
 *					if (prev lives on) left[prev_pid] = { now, prev's process }
 *
 * Between two switches of a CPU one task was on it: so the first way needs no task's id, and its
 * map is never full. The second way finds a task on any CPU it comes to. It knows the process since
 * the task left: at a switch the current task is the previous one.
 */
#include "insns/programs/cpudist.h"

#include "insns/sched.h"

#define CPUS 8192			/* the most that a kernel is built for */
#define LINE 64				/* a cache line for each CPU: all write at once */

struct left {
	u64 time;			/* 0: it has come back */
	u64 tgid;
};

static const struct map maps[] = {
	{ "since", MAP_ARRAY, ROLE_JOIN, 4, LINE, CPUS, .of = OF_CPU },
	{ "left", MAP_HASH, ROLE_JOIN, 4, sizeof(struct left), 65536, .of = OF_TASK },
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 496, .key = &slot_key_layout },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct cpudist_key), 8, 65536,
	  .key = &cpudist_key_layout },
	{ "totals", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 2, .key = &total_key_layout },
	{ }
};

struct frame {
	union {
		uint32_t cpu;
		uint32_t pid;
	};
	uint32_t index;
	struct left left;
	struct cpudist_key hist;
};

/* if (the id in REG is an idle task's, and the user does not want these) goto OUT */
#define NO_IDLE(REG, OUT) \
	JNE(REG, 0, ".task"), \
	JUMP_UNLESS("include-idle", ".nobody"), \
	JUMP(".task"), \
	LABEL(".nobody"), \
	JUMP(OUT), \
	LABEL(".task")

/* r6: ns; r8: the id to group by. */
#define COUNT_TIME \
	IN_UNIT(R6), \
	JUMP_UNLESS("extension", ".no_totals"), \
	ADD_TOTALS("totals", index, R6),		/* totals[0] += delta; totals[1]++ */ \
	LABEL(".no_totals"), \
	LOG2(R7, R6), \
	JUMP_UNLESS("grouped", ".one"), \
	SET(hist.id, R8), \
	COUNT_GROUP("hists", hist, R7), \
	JUMP(".was_counted"), \
	LABEL(".one"), \
	COUNT_SLOT("hist", index, R7), \
	LABEL(".was_counted")

static const struct insn on_cpu[] = {
	SET_FIELD(pid, "cpu"),
	FIELD(R7, "time"),
	LOOKUP_OR("since", cpu, "out"),			/* t = since[cpu]; since[cpu] = now */
	BPF_LDX_MEM(BPF_DW, R6, R0, 0),
	BPF_STX_MEM(BPF_DW, R0, R7, 0),
	JEQ(R6, 0, "out"),
	JGT_REG(R6, R7, "out"),
	BPF_ALU64_REG(BPF_SUB, R7, R6),
	BPF_MOV64_REG(R6, R7),				/* delta = now - t */
	FIELD(R8, "prev_pid"),
	NO_IDLE(R8, "out"),
	FIELD(R9, "pid_tgid"),
	FILTER(R9),					/* if (prev was asked for) */
	JUMP_UNLESS("pids", "count"),
	BPF_MOV64_REG(R8, R9),
	BPF_ALU64_IMM(BPF_RSH, R8, 32),
LABEL("count"),
	COUNT_TIME,					/* hists[prev, slot(delta)]++ */
LABEL("out"),
	EXIT,
};

static const struct insn off_cpu[] = {
	FIELD(R9, "time"),
	FIELD(R8, "next_pid"),
	NO_IDLE(R8, "leaves"),
	JNE(R8, 0, "comes"),
	FIELD(R8, "cpu"),		/* each CPU has an idle task of its own; all are task 0 */
	BPF_ALU64_IMM(BPF_OR, R8, 1 << 30),
LABEL("comes"),
	SET(pid, R8),
	LOOKUP_OR("left", pid, "leaves"),	/* t = left[next_pid]; left[next_pid].time = 0 */
	LOAD(R6, R0, struct left, time),
	JEQ(R6, 0, "leaves"),
	PUT_IMM(R0, struct left, time, 0),
	JGT_REG(R6, R9, "leaves"),			/* clocks of two CPUs that disagree */
	JUMP_UNLESS("pids", "by_tid"),
	LOAD(R8, R0, struct left, tgid),
	JUMP("delta"),
LABEL("by_tid"),
	FIELD(R8, "next_pid"),
LABEL("delta"),
	BPF_MOV64_REG(R7, R9),
	BPF_ALU64_REG(BPF_SUB, R7, R6),
	BPF_MOV64_REG(R6, R7),				/* delta = now - t */
	COUNT_TIME,					/* hists[next, slot(delta)]++ */
LABEL("leaves"),
	FIELD(R8, "prev_pid"),
	NO_IDLE(R8, "out"),
	FIELD(R6, "pid_tgid"),
	FILTER(R6),					/* if (prev was asked for) */
	BPF_ALU64_IMM(BPF_RSH, R6, 32),
	JNE(R8, 0, "goes"),
	FIELD(R8, "cpu"),
	BPF_ALU64_IMM(BPF_OR, R8, 1 << 30),
LABEL("goes"),
	SET(pid, R8),
	PREV_STATE(R7),
	JSET(R7, SCHED_DYING, "dies"),
	LOOKUP("left", pid),
	JNE(R0, 0, "known"),
	SET(left.time, R9),
	SET(left.tgid, R6),
	STORE("left", pid, left),			/* left[prev_pid] = { now, its process } */
	JUMP("out"),
LABEL("known"),
	PUT(R0, struct left, time, R9),
	PUT(R0, struct left, tgid, R6),
	JUMP("out"),
LABEL("dies"),
	DELETE("left", pid),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("sched.switch", on_cpu, .option = "oncpu"),
	PROGRAM("sched.switch", off_cpu, .option = "offcpu"),
	{ }
};

const struct program_set cpudist_programs = { programs, maps };
