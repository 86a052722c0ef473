// SPDX-License-Identifier: GPL-2.0
/*
 * sched.switch, time on a CPU:		t = since[cpu]; since[cpu] = now
 *					if (t) hists[prev, slot((now - t) / unit)]++
 * sched.switch, time off a CPU:	t = take left[next_pid]
 *					if (t) hists[next, slot((now - t) / unit)]++
 *					if (prev lives on) left[prev_pid] = { now, prev's process }
 *
 * Between two switches of a CPU one task was on it: so time on a CPU needs no task's id, and its
 * map is never full. For time off a CPU, a task may come back on any CPU. Its process was stored
 * when it left, because the current task of a switch is the previous one.
 */
#include "insns/programs/cpudist.h"

#include "insns/programs/task_slots.h"
#include "insns/sched.h"

#define CPUS 8192			/* the most that a kernel is built for */
#define LINE 64				/* a cache line for each CPU: all write at once */

struct left {
	u64 time;			/* 0: it runs again */
	u64 tgid;
	u64 owner;
};

static const struct map maps[] = {
	{ "since", MAP_ARRAY, ROLE_JOIN, 4, LINE, CPUS, .of = OF_CPU },
	TASK_MAPS("left", struct left, .of = OF_TASK),
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, HIST_ENTRIES, .key = &slot_key_layout },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct cpudist_key), 8, 65536,
	  .key = &cpudist_key_layout },
	TOTALS_MAP(MAP_PERCPU_ARRAY),
	{ }
};

struct frame {
	union {
		uint32_t cpu;
		uint32_t pid;
	};
	uint32_t slot;
	uint32_t index;
	struct left left;
	struct cpudist_key hist;
};

/* if (the id in REG is an idle task's, and idle tasks are not wanted) goto OUT */
#define NO_IDLE(REG, OUT) \
	JNE(REG, 0, ".task"), \
	JUMP_UNLESS("include-idle", ".nobody"), \
	JUMP(".task"), \
	LABEL(".nobody"), \
	JUMP(OUT), \
	LABEL(".task")

/* Registers. */
enum {
	SINCE = R6, DELTA = R6, PROCESS = R6,
	SLOT = R7, NOW = R7, STATE = R7,
	PREV = R8, NEXT = R8, CPU = R8, ID = R8,
	TASK = R9, SWITCHED = R9,
};

/* hist[slot(DELTA)]++ or hists[ID, slot(DELTA)]++; DELTA is in ns. */
#define COUNT_TIME \
	IN_UNIT(DELTA), \
	JUMP_UNLESS("extension", ".no_totals"), \
	ADD_TOTALS(index, DELTA),		/* totals += delta */ \
	LABEL(".no_totals"), \
	VALUE_SLOT(SLOT, DELTA), \
	JUMP_UNLESS("grouped", ".one"), \
	SET(hist.id, ID), \
	COUNT_GROUP("hists", hist, SLOT, DELTA), \
	JUMP(".was_counted"), \
	LABEL(".one"), \
	COUNT_VALUE("hist", index, SLOT, DELTA), \
	LABEL(".was_counted")

static const struct insn on_cpu[] = {
	SET_FIELD(pid, "cpu"),
	FIELD(NOW, "time"),
	LOOKUP_OR("since", cpu, "out"),			/* t = since[cpu]; since[cpu] = now */
	BPF_LDX_MEM(BPF_DW, SINCE, R0, 0),
	BPF_STX_MEM(BPF_DW, R0, NOW, 0),
	JEQ(SINCE, 0, "out"),
	JGT_REG(SINCE, NOW, "out"),
	BPF_ALU64_REG(BPF_SUB, NOW, SINCE),
	BPF_MOV64_REG(DELTA, NOW),			/* delta = now - t */
	FIELD(PREV, "prev_pid"),
	NO_IDLE(RENAME(ID, PREV), "out"),
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),					/* if (prev was asked for) */
	JUMP_UNLESS("pids", "count"),
	BPF_MOV64_REG(ID, TASK),
	BPF_ALU64_IMM(BPF_RSH, ID, 32),
LABEL("count"),
	COUNT_TIME,					/* hists[prev, slot(delta)]++ */
LABEL("out"),
	EXIT,
};

static const struct insn off_cpu[] = {
	FIELD(SWITCHED, "time"),
	FIELD(NEXT, "next_pid"),
	NO_IDLE(NEXT, "leaves"),
	JNE(NEXT, 0, "comes"),
	FIELD(CPU, "cpu"),		/* each CPU has an idle task of its own; all are task 0 */
	BPF_ALU64_IMM(BPF_OR, RENAME(NEXT, CPU), 1 << 30),
LABEL("comes"),
	SET(pid, NEXT),
	LOOKUP_TASK("left", struct left),	/* t = left[next_pid]; left[next_pid].time = 0 */
	JEQ(R0, 0, "leaves"),
	LOAD(SINCE, R0, struct left, time),
	JEQ(SINCE, 0, "leaves"),
	PUT_IMM(R0, struct left, time, 0),
	JGT_REG(SINCE, SWITCHED, "leaves"),		/* the clocks of two CPUs differ */
	JUMP_UNLESS("pids", "by_tid"),
	LOAD(ID, R0, struct left, tgid),
	JUMP("delta"),
LABEL("by_tid"),
	FIELD(ID, "next_pid"),
LABEL("delta"),
	BPF_MOV64_REG(NOW, SWITCHED),
	BPF_ALU64_REG(BPF_SUB, NOW, SINCE),
	BPF_MOV64_REG(DELTA, NOW),			/* delta = now - t */
	COUNT_TIME,					/* hists[next, slot(delta)]++ */
LABEL("leaves"),
	FIELD(PREV, "prev_pid"),
	NO_IDLE(PREV, "out"),
	FIELD(PROCESS, "pid_tgid"),
	FILTER(PROCESS),				/* if (prev was asked for) */
	BPF_ALU64_IMM(BPF_RSH, PROCESS, 32),
	JNE(PREV, 0, "goes"),
	FIELD(CPU, "cpu"),
	BPF_ALU64_IMM(BPF_OR, RENAME(PREV, CPU), 1 << 30),
LABEL("goes"),
	SET(pid, PREV),
	PREV_STATE(STATE),
	JSET(STATE, SCHED_DYING, "dies"),
	LOOKUP_TASK("left", struct left),
	JNE(R0, 0, "known"),
	SET(left.time, SWITCHED),
	SET(left.tgid, PROCESS),
	STORE_TASK("left", struct left, left),		/* left[prev_pid] = { now, its process } */
	JUMP("out"),
LABEL("known"),
	PUT(R0, struct left, time, SWITCHED),
	PUT(R0, struct left, tgid, PROCESS),
	JUMP("out"),
LABEL("dies"),
	DELETE_TASK("left", struct left),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("sched.switch", on_cpu, .option = "oncpu"),
	PROGRAM("sched.switch", off_cpu, .option = "offcpu"),
	{ }
};

const struct program_set cpudist_programs = { programs, maps };
