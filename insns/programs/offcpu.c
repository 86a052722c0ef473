// SPDX-License-Identifier: GPL-2.0
/*
 * sched.switch:	t = left[next_pid].time
 *			if (t) left[next_pid].kept += now - t
 *			left[next_pid].time = 0
 *			if (left[prev_pid] has other stacks)
 *				times[prev, the stacks there] += left[prev_pid].kept
 *			left[prev_pid] = { now, prev's stacks }
 * sched.waking:	if (left[pid].time) left[pid].waker = current's stacks
 *			until_woken: times[pid, current's stacks] += now - left[pid].time
 *				     left[pid].time = 0
 * task.new:		with -u or -k: if (kthreadd made it) kthreads[pid] = 1
 *
 * With -u nothing is counted until all of the kernel's threads that there were are in kthreads.
 *
 * A switch is where a thread goes to sleep: it is current, and its stacks are those it sleeps with.
 * What it did is counted when it is back, under the name and the process it had when it left. Who
 * has not come back by the end is in `left`, where user space counts it: so the programs touch
 * nothing any more when the run has stopped.
 *
 * Most threads sleep again and again with the same stacks. Their time is kept beside these, where
 * it takes an addition, until others come, the thread ends, or user space counts what is kept:
 * `times` has a long key. Not in the rings, where entries of `left` are not believed any more when
 * events were lost, and not if the key has the waker's stacks too: there all goes to `times`.
 *
 * A task that could run on was preempted: nobody wakes it. A wakeup that comes while the sleeper is
 * still on its way out is seen before the switch: the sleeper is back at once, and who woke it is
 * not known.
 */
#include "insns/programs/offcpu.h"

#include <errno.h>

#include "insns/hist.h"
#include "insns/sched.h"

#define STACKS		{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 }
#define LEFT(VALUE) \
	{ "left", MAP_HASH, ROLE_JOIN, 4, sizeof(struct VALUE), 65536, .value = &VALUE##_layout, \
	  .of = OF_TASK }
#define TIMES(KEY) \
	{ "times", MAP_HASH, ROLE_RESULT, sizeof(struct KEY), 8, 16384, .key = &KEY##_layout }
#define KTHREADS	{ "kthreads", MAP_HASH, ROLE_TABLE, 4, 4, 65536 }

static const struct map alone_maps[] = {
	STACKS, LEFT(offcpu_alone), TIMES(offcpu_key), KTHREADS, { }
}, waker_maps[] = {
	STACKS, LEFT(offcpu_left), TIMES(wake_key), KTHREADS, { }
}, maps[] = {
	STACKS, LEFT(offcpu_left), TIMES(offwake_key), KTHREADS, { }
};

struct frame {
	uint32_t pid;
	uint32_t one;
	struct offcpu_left left;
	struct offwake_key key;
};

/* if (the run has stopped) goto OUT; the epoch goes into the key. */
#define UNLESS_STOPPED(OUT) \
	EPOCH(R0), \
	JGT(R0, 1, OUT), \
	SET(key.key.epoch, R0)

/* r6 = the ns from r6 to r9; if (they are not of those that were asked for) goto OUT */
#define PERIOD(OUT) \
	JGT_REG(R6, R9, OUT),				/* clocks of two CPUs that disagree */ \
	BPF_MOV64_REG(R1, R9), \
	BPF_ALU64_REG(BPF_SUB, R1, R6), \
	BPF_MOV64_REG(R6, R1), \
	JUMP_UNLESS("min_ns", ".any_length"), \
	CONST(R1, "min_ns"), \
	JLT_REG(R6, R1, OUT), \
	LABEL(".any_length"), \
	JUMP_UNLESS("max_ns", ".no_most"), \
	CONST(R1, "max_ns"), \
	JGT_REG(R6, R1, OUT), \
	LABEL(".no_most")

/* if (r7, prev_state, says that the thread is at its end) goto OUT; a parked one is not. */
#define UNLESS_DYING(OUT) \
	JSET(R7, SCHED_DYING, ".ends"), \
	JUMP(".lives"), \
	LABEL(".ends"), \
	JSET(R7, SCHED_DYING & ~SCHED_PARKED, OUT), \
	CONST(R1, "sleeping_states"), \
	JGT(R1, SCHED_REPORTED, OUT), \
	LABEL(".lives")

/* r7 = prev_state without the bit of who was preempted: 0: it could run on. */
#define STATE \
	CONST(R1, "sleeping_states"), \
	BPF_ALU64_REG(BPF_AND, R7, R1)

/* if (the sleeper in the frame is not that at r0) goto ELSE */
#define SLEEPER_WORD(N, ELSE) \
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct offcpu_left, sleeper) + 8 * (N)), \
	BPF_LDX_MEM(BPF_DW, R2, BPF_REG_10, FRAME(left.sleeper) + 8 * (N)), \
	JNE_REG(R1, R2, ELSE)
#define UNLESS_SAME_SLEEPER(ELSE) \
	SLEEPER_WORD(0, ELSE), \
	SLEEPER_WORD(1, ELSE), \
	SLEEPER_WORD(2, ELSE), \
	SLEEPER_WORD(3, ELSE), \
	SLEEPER_WORD(4, ELSE)

_Static_assert(sizeof(struct offcpu_task) == 5 * 8, "it has as many words");

static const struct insn on_switch[] = {
	UNLESS_STOPPED("out"),
	FIELD(R9, "time"),
	FIELD(R8, "next_pid"),
	JEQ(R8, 0, "leaves"),
	SET(pid, R8),
	LOOKUP_OR("left", pid, "leaves"),
	LOAD(R6, R0, struct offcpu_left, time),
	JEQ(R6, 0, "leaves"),
	PUT_IMM(R0, struct offcpu_left, time, 0),	/* left[next_pid].time = 0 */
	PERIOD("leaves"),
	JUMP_UNLESS("target:bpf", "keep_none"),
	JUMP_UNLESS("alone", "keep_none"),
	LOAD(R1, R0, struct offcpu_left, kept),
	BPF_ALU64_REG(BPF_ADD, R1, R6),
	PUT(R0, struct offcpu_left, kept, R1),		/* left[next_pid].kept += delta */
	JUMP("leaves"),
LABEL("keep_none"),
	COPY_FROM(key.key.sleeper, R0, struct offcpu_left, sleeper),
	JUMP_UNLESS("waker", "count"),
	COPY_FROM(key.waker, R0, struct offcpu_left, waker),
LABEL("count"),
	SET(key.key.tid, R8),
	ADD("times", key, R6),				/* times[next, its stacks] += delta */
LABEL("leaves"),
	FIELD(R8, "prev_pid"),
	JEQ(R8, 0, "out"),
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	SET(pid, R8),
	PREV_STATE(R7),
	UNLESS_DYING("dies"),
	JUMP_UNLESS("threads", "all"),
	LOOKUP("kthreads", pid),
	JUMP_UNLESS("user-threads-only", "kernel"),
	JNE(R0, 0, "out"),
	SET_IMM(one, KTHREADD),				/* the last that user space enters */
	LOOKUP_OR("kthreads", one, "out"),
LABEL("kernel"),
	JUMP_UNLESS("kernel-threads-only", "all"),
	JEQ(R0, 0, "out"),
LABEL("all"),
	STATE,
	JUMP_UNLESS("until_woken", "state"),
	JEQ(R7, 0, "unwanted"),
LABEL("state"),
	JUMP_UNLESS("of_state", "wanted"),
	JUMP_UNLESS("runnable", "bits"),
	JNE(R7, 0, "unwanted"),
LABEL("bits"),
	JUMP_UNLESS("states", "wanted"),
	CONST(R1, "states"),
	JSET_REG(R7, R1, "wanted"),
	JUMP("unwanted"),
LABEL("wanted"),
	SET(left.time, R9),
	SET_IMM(left.kept, 0),
	BPF_ALU64_IMM(BPF_RSH, R6, 32),
	SET(left.sleeper.tgid, R6),
	SET_IMM(left.sleeper.zero, 0),
	SET_BYTES(left.sleeper.comm, "prev_comm"),
	JUMP_UNLESS("waker", "stacks"),
	BPF_MOV64_IMM(R1, STACK_PREEMPTED),
	JEQ(R7, 0, "not_woken"),
	BPF_MOV64_IMM(R1, STACK_NOT_SEEN),
LABEL("not_woken"),
	ZERO(left.waker),
	SET(left.waker.kernel_stack, R1),
	SET_IMM(left.waker.user_stack, -EFAULT),
	SET_IMM(left.waker.tgid, -1),
LABEL("stacks"),
	BPF_MOV64_IMM(R6, -EFAULT),
	BPF_MOV64_IMM(R7, -EFAULT),
	SET_IMM(left.sleeper.caller, 0),
	JUMP_UNLESS("sleeper", "put"),
	JUMP_UNLESS("kernel_stacks", "user"),
	STACK(R6, "kernel_stack"),
LABEL("user"),
	JUMP_UNLESS("user_stacks", "put"),
	STACK(R7, "user_stack"),
	JSLT(R7, 0, "put"),
	SET_FIELD(left.sleeper.caller, "caller"),
LABEL("put"),
	SET(left.sleeper.kernel_stack, R6),
	SET(left.sleeper.user_stack, R7),
	LOOKUP("left", pid),
	JNE(R0, 0, "known"),
	STORE("left", pid, left),			/* left[prev_pid] = { now, its stacks } */
	JUMP("out"),
LABEL("known"),
	PUT(R0, struct offcpu_left, time, R9),
	JUMP_UNLESS("target:bpf", "others"),
	JUMP_UNLESS("alone", "others"),
	UNLESS_SAME_SLEEPER("flush"),
	JUMP("out"),
LABEL("flush"),
	LOAD(R6, R0, struct offcpu_left, kept),
	PUT_IMM(R0, struct offcpu_left, kept, 0),
	COPY_FROM(key.key.sleeper, R0, struct offcpu_left, sleeper),
	COPY_TO(R0, struct offcpu_left, sleeper, left.sleeper),
	JEQ(R6, 0, "out"),
	SET(key.key.tid, R8),
	ADD("times", key, R6),		/* times[prev, its stacks until now] += kept */
	JUMP("out"),
LABEL("others"),
	COPY_TO(R0, struct offcpu_left, sleeper, left.sleeper),
	JUMP_UNLESS("waker", "out"),
	COPY_TO(R0, struct offcpu_left, waker, left.waker),
	JUMP("out"),
LABEL("unwanted"),
	LOOKUP_OR("left", pid, "out"),
	PUT_IMM(R0, struct offcpu_left, time, 0),
	JUMP("out"),
LABEL("dies"),
	JUMP_UNLESS("target:bpf", "forget"),
	JUMP_UNLESS("alone", "forget"),
	LOOKUP_OR("left", pid, "forget"),
	LOAD(R6, R0, struct offcpu_left, kept),
	JEQ(R6, 0, "forget"),
	COPY_FROM(key.key.sleeper, R0, struct offcpu_left, sleeper),
	SET(key.key.tid, R8),
	ADD("times", key, R6),				/* times[prev, its stacks] += kept */
LABEL("forget"),
	DELETE("left", pid),
	JUMP_UNLESS("threads", "out"),
	DELETE("kthreads", pid),
LABEL("out"),
	EXIT,
};

static const struct insn on_waking[] = {
	UNLESS_STOPPED("out"),
	SET_FIELD(pid, "pid"),
	LOOKUP_OR("left", pid, "out"),
	LOAD(R6, R0, struct offcpu_left, time),
	JEQ(R6, 0, "out"),
	BPF_MOV64_REG(R8, R0),
	JUMP_UNLESS("until_woken", "who"),
	PUT_IMM(R8, struct offcpu_left, time, 0),	/* left[pid].time = 0 */
	FIELD(R9, "time"),
	PERIOD("out"),
	COPY_FROM(key.key.sleeper, R8, struct offcpu_left, sleeper),
LABEL("who"),
	FIELD(R7, "pid_tgid"),
	BPF_ALU64_IMM(BPF_RSH, R7, 32),
	SET(key.waker.tgid, R7),
	SET_IMM(key.waker.zero, 0),
	SET_BYTES(key.waker.comm, "comm"),
	BPF_MOV64_IMM(R7, -EFAULT),
	JUMP_UNLESS("kernel_stacks", "user"),
	STACK(R7, "kernel_stack"),
LABEL("user"),
	SET(key.waker.kernel_stack, R7),
	BPF_MOV64_IMM(R7, -EFAULT),
	SET_IMM(key.waker.caller, 0),
	JUMP_UNLESS("user_stacks", "woken"),
	STACK(R7, "user_stack"),
	JSLT(R7, 0, "woken"),
	SET_FIELD(key.waker.caller, "caller"),
LABEL("woken"),
	SET(key.waker.user_stack, R7),
	JUMP_UNLESS("until_woken", "keep"),
	GET(R7, pid),
	SET(key.key.tid, R7),
	ADD("times", key, R6),			/* times[pid, current's stacks] += delta */
	JUMP("out"),
LABEL("keep"),
	COPY_TO(R8, struct offcpu_left, waker, key.waker),	/* left[pid].waker = current */
LABEL("out"),
	EXIT,
};

static const struct insn on_new[] = {
	SET_FIELD(pid, "pid"),
	FIELD(R6, "tid"),
	JNE(R6, KTHREADD, "other"),
	SET_IMM(one, 1),
	STORE("kthreads", pid, one),			/* kthreads[pid] = 1 */
	JUMP("out"),
LABEL("other"),
	DELETE("kthreads", pid),		/* what had its id before may have ended unseen */
LABEL("out"),
	EXIT,
};

static const struct program alone_programs[] = {
	PROGRAM("sched.switch", on_switch),
	PROGRAM("task.new", on_new, .option = "threads"),
	{ }
}, programs[] = {
	PROGRAM("sched.switch", on_switch),
	PROGRAM("sched.waking", on_waking),
	PROGRAM("task.new", on_new, .option = "threads"),
	{ }
};

const struct program_set offcputime_programs = { alone_programs, alone_maps };
const struct program_set wakeuptime_programs = { programs, waker_maps };
const struct program_set offwaketime_programs = { programs, maps };
