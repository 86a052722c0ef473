// SPDX-License-Identifier: GPL-2.0
/*
 * sched.wakeup:	tasks[pid].woken = now
 * sched.switch:	cpus[cpu] = { now, next }
 *			n = tasks[next]: n.off = now - n.left, n.delay = now - n.woken,
 *			n.moved = (n.cpu != cpu), n.ran = now, n.cpu = cpu, n.woken = 0
 *			p = tasks[prev]: run = now - p.ran
 *			p.ran = 0, p.left = now, p.woken = now if prev could run on, or else 0
 *			times[prev] += { run, 1, p.moved, p.delay }, or output { now, p, run }
 *			if (prev dies) delete tasks[prev]
 *
 * A stay on a CPU is told at its end, with the time before it: only then is the task current, and
 * its process known. A preempted task waits from then on; the kernel wakes up the others. A wakeup
 * may come before its task has left the CPU; then the task does not sleep, and goes on.
 */
#include "insns/programs/schedlat.h"

#include <stddef.h>

#include "insns/programs/task_slots.h"
#include "insns/sched.h"

struct task {
	u64 ran;			/* when it came to its CPU; 0: it is on none, or unknown */
	u64 left;			/* when it left its CPU; 0: unknown */
	u64 woken;			/* since when it waits for a CPU; 0: it does not */
	u64 off;			/* before `ran`: how long it was off the CPUs */
	u64 delay;			/* before `ran`: how long it waited for a CPU */
	uint32_t cpu;			/* its last CPU, plus 1; 0: unknown */
	uint32_t moved;			/* 1: before that it had another one */
	u64 owner;
};

static const struct map maps[] = {
	TASK_MAPS("tasks", struct task, .of = OF_TASK),
	{ "cpus", MAP_ARRAY, ROLE_JOIN, 4, sizeof(struct schedlat_cpu), SCHED_CPUS,
	  .of = OF_CPU, .detail = true },
	{ "times", MAP_HASH, ROLE_RESULT, sizeof(struct schedlat_key),
	  sizeof(struct schedlat_times), 20480, .key = &schedlat_key_layout,
	  .value = &schedlat_times_layout, .combine = { [6] = COMBINE_MAX } },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &schedlat_record_layout },
	{ }
};

struct frame {
	uint32_t pid;
	uint32_t slot;
	uint32_t cpu;
	struct schedlat_cpu on;
	struct task task;
	struct schedlat_key key;
	struct schedlat_times times;
	struct schedlat_record record;
};

/* Registers. */
enum { TASK = R6, NOW = R7, CPU = R8, RUN = R8, STATE = R9, WAITS = R9 };

/* frame.task = a task of which nothing is known yet. */
#define UNKNOWN_TASK \
	ZERO(task), \
	BPF_MOV64_IMM(R1, -1), \
	SET(task.off, R1), \
	SET(task.delay, R1)

static const struct insn on_wakeup[] = {
	FIELD(NOW, "time"),
	SET_FIELD(pid, "pid"),
	LOOKUP_TASK("tasks", struct task),
	JNE(R0, 0, "known"),
	UNKNOWN_TASK,
	SET(task.woken, NOW),
	STORE_TASK("tasks", struct task, task),			/* tasks[pid].woken = now */
	JUMP("out"),
LABEL("known"),
	PUT(R0, struct task, woken, NOW),
LABEL("out"),
	EXIT,
};

/* R0->M = NOW - R0->SINCE; -1 if that is unknown, or if the clocks of two CPUs differ. */
#define SINCE(M, SINCE_WHEN) \
	LOAD(R1, R0, struct task, SINCE_WHEN), \
	BPF_MOV64_IMM(R2, -1), \
	JEQ(R1, 0, ".unknown"), \
	JGT_REG(R1, NOW, ".unknown"), \
	BPF_MOV64_REG(R2, NOW), \
	BPF_ALU64_REG(BPF_SUB, R2, R1), \
	LABEL(".unknown"), \
	PUT(R0, struct task, M, R2)

/* The next task comes to this CPU; frame.pid is its id. */
#define COMES \
	LOOKUP_TASK("tasks", struct task), \
	JNE(R0, 0, ".known"), \
	UNKNOWN_TASK, \
	SET(task.ran, NOW), \
	SET(task.cpu, CPU), \
	STORE_TASK("tasks", struct task, task), \
	JUMP(".came"), \
	LABEL(".known"), \
	SINCE(off, left), \
	SINCE(delay, woken), \
	PUT_IMM(R0, struct task, woken, 0), \
	PUT(R0, struct task, ran, NOW), \
	LOAD(R1, R0, struct task, cpu), \
	BPF_MOV64_IMM(R2, 0), \
	JEQ(R1, 0, ".stays"), \
	JEQ_REG(R1, CPU, ".stays"), \
	BPF_MOV64_IMM(R2, 1), \
	LABEL(".stays"), \
	PUT(R0, struct task, moved, R2), \
	PUT(R0, struct task, cpu, CPU), \
	LABEL(".came")

/* cpus[cpu] = { now, next }, for the tool */
#define NOTE_CPU \
	SET_FIELD(cpu, "cpu"), \
	SET(on.since, NOW), \
	SET_FIELD(on.tid, "next_pid"), \
	SET_BYTES(on.comm, "next_comm"), \
	UPDATE("cpus", cpu, on)

/*
 * The previous task leaves, and frame.task = what is known of it. WAITS = now if it could run on,
 * or else 0.
 */
#define LEAVES \
	LOOKUP_TASK("tasks", struct task), \
	JNE(R0, 0, ".known"), \
	UNKNOWN_TASK, \
	SET(task.left, NOW), \
	SET(task.woken, WAITS), \
	STORE_TASK("tasks", struct task, task), \
	JUMP(".left"), \
	LABEL(".known"), \
	COPY_ALL(task, R0), \
	PUT_IMM(R0, struct task, ran, 0), \
	PUT(R0, struct task, left, NOW), \
	PUT(R0, struct task, woken, WAITS), \
	LABEL(".left")

/* RUN = now - p.ran; if the beginning of the stay is unknown, -1, and so is what was before it */
#define STAY \
	GET(R1, task.ran), \
	JEQ(R1, 0, ".no_stay"), \
	JGT_REG(R1, NOW, ".no_stay"), \
	BPF_MOV64_REG(RUN, NOW), \
	BPF_ALU64_REG(BPF_SUB, RUN, R1), \
	JUMP(".stay"), \
	LABEL(".no_stay"), \
	BPF_MOV64_IMM(RUN, -1), \
	SET(task.off, RUN), \
	SET(task.delay, RUN), \
	SET_IMM(task.moved, 0), \
	LABEL(".stay")

/* frame.times = { RUN, ... } of this stay */
#define MEASURE \
	ZERO(times), \
	JEQ(RUN, -1, ".no_run"), \
	SET(times.run, RUN), \
	LABEL(".no_run"), \
	JNE(WAITS, 0, ".involuntary"), \
	SET_IMM(times.voluntary, 1), \
	JUMP(".switched"), \
	LABEL(".involuntary"), \
	SET_IMM(times.involuntary, 1), \
	LABEL(".switched"), \
	GET(R1, task.moved), \
	SET(times.moves, R1), \
	GET(R1, task.delay), \
	JEQ(R1, -1, ".no_delay"), \
	SET(times.delay, R1), \
	SET_IMM(times.delays, 1), \
	BPF_ALU64_IMM(BPF_DIV, R1, 1000), \
	BPF_MOV64_IMM(R2, -1), \
	BPF_ALU64_IMM(BPF_RSH, R2, LONGEST_DELAY_SHIFT), \
	JGT_REG(R2, R1, ".shorter"), \
	BPF_MOV64_REG(R1, R2), \
	LABEL(".shorter"), \
	BPF_ALU64_IMM(BPF_LSH, R1, LONGEST_DELAY_SHIFT), \
	GET(R3, task.ran), \
	BPF_ALU64_IMM(BPF_RSH, R3, LONGEST_END_SHIFT), \
	BPF_ALU64_REG(BPF_AND, R3, R2), \
	BPF_ALU64_REG(BPF_OR, R1, R3), \
	SET(times.longest, R1), \
	LABEL(".no_delay")

#define ADD_TO(M)	ADD_MEMBER(struct schedlat_times, times, M)

/* times[prev] += frame.times. A task leaves one CPU at a time, so nobody else adds to its entry. */
#define ADD_TIMES \
	SET_FIELD(key.tid, "prev_pid"), \
	SET(key.pid_tgid, TASK), \
	SET_IMM(key.owner, 0), \
	JUMP_UNLESS("by-cgroup", ".unasked"), \
	SET_FIELD(key.owner, "whose"), \
	LABEL(".unasked"), \
	SET_BYTES(key.comm, "comm"), \
	SET_EPOCH(key.epoch), \
	LOOKUP("times", key), \
	JNE(R0, 0, ".found"), \
	STORE("times", key, times), \
	JUMP(".added"), \
	LABEL(".found"), \
	ADD_TO(run), \
	ADD_TO(voluntary), \
	ADD_TO(involuntary), \
	ADD_TO(moves), \
	ADD_TO(delays), \
	ADD_TO(delay), \
	RAISE_MEMBER(struct schedlat_times, times, longest), \
	LABEL(".added")

/* output { now, prev, p.off, p.delay, RUN } */
#define OUTPUT_STAY \
	SET(record.time, NOW), \
	SET(record.pid_tgid, TASK), \
	COPY(record.off, task.off), \
	COPY(record.delay, task.delay), \
	SET(record.run, RUN), \
	SET_FIELD(record.cpu, "cpu"), \
	SET_IMM(record.unused, 0), \
	SET_BYTES(record.comm, "comm"), \
	OUTPUT("events", record)

static const struct insn on_switch[] = {
	FIELD(NOW, "time"),
	JUMP_UNLESS("timehist", "table"),
	JUMP("next"),
LABEL("table"),
	NOTE_CPU,					/* cpus[cpu] = { now, next } */
LABEL("next"),
	FIELD(CPU, "next_pid"),
	JEQ(CPU, 0, "leaves"),
	SET(pid, CPU),
	FIELD(CPU, "cpu"),
	BPF_ALU64_IMM(BPF_ADD, CPU, 1),
	COMES,						/* n = tasks[next], ... */
LABEL("leaves"),
	FIELD(TASK, "prev_pid"),
	JEQ(TASK, 0, "out"),				/* the idle task never waits */
	SET(pid, TASK),
	PREV_STATE(STATE),
	JSET(STATE, SCHED_DYING, "dies"),
	CONST(R1, "sleeping_states"),
	JSET_REG(STATE, R1, "sleeps"),
	BPF_MOV64_REG(WAITS, NOW),
	JUMP("left"),
LABEL("sleeps"),
	BPF_MOV64_IMM(WAITS, 0),
LABEL("left"),
	LEAVES,						/* p = tasks[prev], ... */
	JUMP("tell"),
LABEL("dies"),
	BPF_MOV64_IMM(WAITS, 0),
	LEAVES,
	DELETE_TASK("tasks", struct task),		/* if (prev dies) delete tasks[prev] */
LABEL("tell"),
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),					/* if (prev was asked for) */
	STAY,						/* run = now - p.ran */
	JUMP_UNLESS("timehist", "sums"),
	OUTPUT_STAY,					/* output { now, p, run } */
	JUMP("out"),
LABEL("sums"),
	JUMP_UNLESS("sums", "out"),
	MEASURE,
	ADD_TIMES,				/* times[prev] += { run, 1, p.moved, p.delay } */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("sched.wakeup", on_wakeup),
	PROGRAM("sched.switch", on_switch),
	{ }
};

const struct program_set schedlat_programs = { programs, maps };
