// SPDX-License-Identifier: GPL-2.0
/*
 * sched.switch:	t = left[next_pid].time
 *			if (t) left[next_pid].kept += now - t
 *			left[next_pid].time = 0
 *			if (left[prev_pid] has other stacks)
 *				times[prev, those stacks] += left[prev_pid].kept
 *			left[prev_pid] = { now, prev's stacks }
 * sched.waking:	if (left[pid].time) left[pid].waker = current's stacks
 *			until_woken: times[pid, current's stacks] += now - left[pid].time
 *				     left[pid].time = 0
 * task.new:		with -u or -k: if (kthreadd made it) kthreads[pid] = 1
 *
 * With -u nothing is counted until all existing threads of the kernel are in kthreads.
 *
 * A thread goes to sleep at a switch: it is current there, and has the stacks it sleeps with. Its
 * time is counted when it runs again, under the name and the process it had when it left. A thread
 * that still sleeps at the end is in `left`, where user space counts it: so the programs change
 * nothing after the run has stopped.
 *
 * Most threads sleep again and again with the same stacks. Their time is added up in `left.kept`,
 * which is cheap, until the stacks change, the thread ends, or user space takes it; `times` has a
 * long key. In the rings all time goes to `times`, because lost events make entries of `left`
 * invalid. It also does if the key has the waker's stacks.
 *
 * A runnable task that left its CPU was preempted: no task wakes it. A wakeup may come while the
 * sleeper is still leaving its CPU, before the switch: then it runs again at once, and its waker is
 * unknown.
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

/* if (the run has stopped) goto OUT; frame.key's epoch = the epoch. */
#define UNLESS_STOPPED(OUT) \
	EPOCH(R0), \
	JGT(R0, 1, OUT), \
	SET(key.key.epoch, R0)

/* Registers of on_switch. */
enum {
	SINCE = R6, DELTA = R6,		/* of the next thread: when it left, and its time */
	TASK = R6, TGID = R6, KERNEL_STACK = R6, KEPT = R6,	/* of the previous thread */
	STATE = R7, USER_STACK = R7, ENTRY = R7,
	NEXT = R8, PREV = R8,
	NOW = R9,
};

/* DELTA = the ns from SINCE to NOW; if (the user asked for other times) goto OUT */
#define PERIOD(OUT) \
	JGT_REG(SINCE, NOW, OUT),			/* the clocks of two CPUs differ */ \
	BPF_MOV64_REG(R1, NOW), \
	BPF_ALU64_REG(BPF_SUB, R1, SINCE), \
	BPF_MOV64_REG(DELTA, R1), \
	JUMP_UNLESS("min_ns", ".any_length"), \
	CONST(R1, "min_ns"), \
	JLT_REG(DELTA, R1, OUT), \
	LABEL(".any_length"), \
	JUMP_UNLESS("max_ns", ".no_most"), \
	CONST(R1, "max_ns"), \
	JGT_REG(DELTA, R1, OUT), \
	LABEL(".no_most")

/*
 * The next thread runs again, if it had left: DELTA is added to left.kept, or to `times`. If there
 * is nothing to count, goto DONE.
 */
#define COMES_BACK(DONE) \
	FIELD(NEXT, "next_pid"), \
	JEQ(NEXT, 0, DONE), \
	SET(pid, NEXT), \
	LOOKUP_OR("left", pid, DONE), \
	LOAD(SINCE, R0, struct offcpu_left, time), \
	JEQ(SINCE, 0, DONE), \
	PUT_IMM(R0, struct offcpu_left, time, 0),	/* left[next_pid].time = 0 */ \
	PERIOD(DONE), \
	UNLESS_KEPT(".at_once"), \
	LOAD(R1, R0, struct offcpu_left, kept), \
	BPF_ALU64_REG(BPF_ADD, R1, DELTA), \
	PUT(R0, struct offcpu_left, kept, R1),		/* left[next_pid].kept += delta */ \
	JUMP(DONE), \
	LABEL(".at_once"), \
	COPY_FROM(key.key.sleeper, R0, struct offcpu_left, sleeper), \
	JUMP_UNLESS("waker", ".count"), \
	COPY_FROM(key.waker, R0, struct offcpu_left, waker), \
	LABEL(".count"), \
	SET(key.key.tid, NEXT), \
	ADD("times", key, DELTA)			/* times[next, its stacks] += delta */

/* if (left.kept is not used) goto ELSE */
#define UNLESS_KEPT(ELSE) \
	JUMP_UNLESS("target:bpf", ELSE), \
	JUMP_UNLESS("alone", ELSE)

/* if (by STATE, prev_state, the thread ends) goto OUT; a parked thread does not. */
#define UNLESS_DYING(OUT) \
	JSET(STATE, SCHED_DYING, ".ends"), \
	JUMP(".lives"), \
	LABEL(".ends"), \
	JSET(STATE, SCHED_DYING & ~SCHED_PARKED, OUT), \
	CONST(R1, "sleeping_states"), \
	JGT(R1, SCHED_REPORTED, OUT), \
	LABEL(".lives")

/*
 * if (frame.pid is not a wanted thread: of the kernel, or of user space) goto OUT. Threads are
 * unknown until user space has entered all of the kernel's, KTHREADD last.
 */
#define THREAD_WANTED(OUT) \
	JUMP_UNLESS("threads", ".all"), \
	LOOKUP("kthreads", pid), \
	JUMP_UNLESS("user-threads-only", ".kernel"), \
	JNE(R0, 0, OUT), \
	SET_IMM(one, KTHREADD), \
	LOOKUP_OR("kthreads", one, OUT), \
	LABEL(".kernel"), \
	JUMP_UNLESS("kernel-threads-only", ".all"), \
	JEQ(R0, 0, OUT), \
	LABEL(".all")

/*
 * STATE = prev_state without the bit of preemption; 0: the thread is runnable. If the user did not
 * ask for that state, goto OUT. No task wakes a runnable thread.
 */
#define STATE_WANTED(OUT) \
	CONST(R1, "sleeping_states"), \
	BPF_ALU64_REG(BPF_AND, STATE, R1), \
	JUMP_UNLESS("until_woken", ".state"), \
	JEQ(STATE, 0, OUT), \
	LABEL(".state"), \
	JUMP_UNLESS("of_state", ".wanted"), \
	JUMP_UNLESS("runnable", ".bits"), \
	JNE(STATE, 0, OUT), \
	LABEL(".bits"), \
	JUMP_UNLESS("states", ".wanted"), \
	CONST(R1, "states"), \
	JSET_REG(STATE, R1, ".wanted"), \
	JUMP(OUT), \
	LABEL(".wanted")

/* frame.left = { now, TASK, no waker yet } */
#define SET_LEFT \
	SET(left.time, NOW), \
	SET_IMM(left.kept, 0), \
	BPF_ALU64_IMM(BPF_RSH, RENAME(TGID, TASK), 32), \
	SET(left.sleeper.tgid, TGID), \
	SET_IMM(left.sleeper.zero, 0), \
	SET_BYTES(left.sleeper.comm, "prev_comm"), \
	JUMP_UNLESS("waker", ".no_waker"), \
	BPF_MOV64_IMM(R1, STACK_PREEMPTED), \
	JEQ(STATE, 0, ".not_woken"), \
	BPF_MOV64_IMM(R1, STACK_NOT_SEEN), \
	LABEL(".not_woken"), \
	ZERO(left.waker), \
	SET(left.waker.kernel_stack, R1), \
	SET_IMM(left.waker.user_stack, -EFAULT), \
	SET_IMM(left.waker.tgid, -1), \
	LABEL(".no_waker")

/* frame.left.sleeper's stacks, as far as they are wanted */
#define SET_SLEEPER_STACKS \
	BPF_MOV64_IMM(KERNEL_STACK, -EFAULT), \
	BPF_MOV64_IMM(USER_STACK, -EFAULT), \
	SET_IMM(left.sleeper.caller, 0), \
	JUMP_UNLESS("sleeper", ".stacked"), \
	JUMP_UNLESS("kernel_stacks", ".user"), \
	STACK(KERNEL_STACK, "kernel_stack"), \
	LABEL(".user"), \
	JUMP_UNLESS("user_stacks", ".stacked"), \
	STACK(USER_STACK, "user_stack"), \
	JSLT(USER_STACK, 0, ".stacked"), \
	SET_FIELD(left.sleeper.caller, "caller"), \
	LABEL(".stacked"), \
	SET(left.sleeper.kernel_stack, KERNEL_STACK), \
	SET(left.sleeper.user_stack, USER_STACK)

/* if (the sleeper in the frame differs from the one at r0) goto ELSE */
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

/*
 * r0: the entry of the previous thread. If it still says since when the thread is away, the switch
 * back to it was not seen (backends/stream/switches.h), and that time is unknown: count it. In the
 * rings the engine finds this. A thread that user space entered may never have been away.
 */
#define COUNT_UNSEEN(SINCE) \
	JUMP_UNLESS("target:bpf", ".back"), \
	LOAD(SINCE, R0, struct offcpu_left, time), \
	JEQ(SINCE, 0, ".back"), \
	LOAD(R1, R0, struct offcpu_left, sleeper.kernel_stack), \
	BPF_ALU64_IMM(BPF_LSH, R1, 32), \
	BPF_ALU64_IMM(BPF_ARSH, R1, 32), \
	JEQ(R1, STACK_BEFORE, ".back"), \
	BPF_MOV64_REG(ENTRY, R0), \
	COUNT_SWITCH, \
	BPF_MOV64_REG(R0, ENTRY), \
	LABEL(".back")

static const struct insn on_switch[] = {
	UNLESS_STOPPED("out"),
	FIELD(NOW, "time"),
	COMES_BACK("leaves"),			/* left[next_pid].kept or times[next] += delta */
LABEL("leaves"),
	FIELD(PREV, "prev_pid"),
	JEQ(PREV, 0, "out"),
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(pid, PREV),
	PREV_STATE(STATE),
	UNLESS_DYING("dies"),				/* if (it ends) forget it */
	THREAD_WANTED("out"),				/* if (not asked for) out */
	STATE_WANTED("unwanted"),			/* state without preemption */
	SET_LEFT,					/* l = { now, prev, its stacks } */
	SET_SLEEPER_STACKS,
	LOOKUP("left", pid),
	JNE(R0, 0, "known"),
	STORE("left", pid, left),			/* left[prev_pid] = l */
	JUMP("out"),

LABEL("known"),					/* writing to the entry is cheaper */
	COUNT_UNSEEN(SINCE),
	PUT(R0, struct offcpu_left, time, NOW),
	UNLESS_KEPT("others"),
	UNLESS_SAME_SLEEPER("flush"),
	JUMP("out"),
LABEL("flush"),
	LOAD(KEPT, R0, struct offcpu_left, kept),
	PUT_IMM(R0, struct offcpu_left, kept, 0),
	COPY_FROM(key.key.sleeper, R0, struct offcpu_left, sleeper),
	COPY_TO(R0, struct offcpu_left, sleeper, left.sleeper),
	JEQ(KEPT, 0, "out"),
	SET(key.key.tid, PREV),
	ADD("times", key, KEPT),	/* times[prev, its stacks until now] += kept */
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
	UNLESS_KEPT("forget"),
	LOOKUP_OR("left", pid, "forget"),
	LOAD(KEPT, R0, struct offcpu_left, kept),
	JEQ(KEPT, 0, "forget"),
	COPY_FROM(key.key.sleeper, R0, struct offcpu_left, sleeper),
	SET(key.key.tid, PREV),
	ADD("times", key, KEPT),			/* times[prev, its stacks] += kept */
LABEL("forget"),
	DELETE("left", pid),
	JUMP_UNLESS("threads", "out"),
	DELETE("kthreads", pid),
LABEL("out"),
	EXIT,
};

/* Registers of on_waking, beside SINCE, DELTA and NOW. */
enum { WAKER = R7, WAKER_STACK = R7, SLEEPER = R7, LEFT_AT = R8 };

static const struct insn on_waking[] = {
	UNLESS_STOPPED("out"),
	SET_FIELD(pid, "pid"),
	LOOKUP_OR("left", pid, "out"),
	LOAD(SINCE, R0, struct offcpu_left, time),
	JEQ(SINCE, 0, "out"),
	BPF_MOV64_REG(LEFT_AT, R0),
	JUMP_UNLESS("until_woken", "who"),
	PUT_IMM(LEFT_AT, struct offcpu_left, time, 0),	/* left[pid].time = 0 */
	FIELD(NOW, "time"),
	PERIOD("out"),
	COPY_FROM(key.key.sleeper, LEFT_AT, struct offcpu_left, sleeper),
LABEL("who"),
	FIELD(WAKER, "pid_tgid"),
	BPF_ALU64_IMM(BPF_RSH, WAKER, 32),
	SET(key.waker.tgid, WAKER),
	SET_IMM(key.waker.zero, 0),
	SET_BYTES(key.waker.comm, "comm"),
	BPF_MOV64_IMM(WAKER_STACK, -EFAULT),
	JUMP_UNLESS("kernel_stacks", "user"),
	STACK(WAKER_STACK, "kernel_stack"),
LABEL("user"),
	SET(key.waker.kernel_stack, WAKER_STACK),
	BPF_MOV64_IMM(WAKER_STACK, -EFAULT),
	SET_IMM(key.waker.caller, 0),
	JUMP_UNLESS("user_stacks", "woken"),
	STACK(WAKER_STACK, "user_stack"),
	JSLT(WAKER_STACK, 0, "woken"),
	SET_FIELD(key.waker.caller, "caller"),
LABEL("woken"),
	SET(key.waker.user_stack, WAKER_STACK),
	JUMP_UNLESS("until_woken", "keep"),
	GET(SLEEPER, pid),
	SET(key.key.tid, SLEEPER),
	ADD("times", key, DELTA),		/* times[pid, current's stacks] += delta */
	JUMP("out"),
LABEL("keep"),
	COPY_TO(LEFT_AT, struct offcpu_left, waker, key.waker),	/* left[pid].waker = current */
LABEL("out"),
	EXIT,
};

/* A register of on_new: the parent. */
enum { PARENT = R6 };

static const struct insn on_new[] = {
	SET_FIELD(pid, "pid"),
	FIELD(PARENT, "tid"),
	JNE(PARENT, KTHREADD, "other"),
	SET_IMM(one, 1),
	STORE("kthreads", pid, one),			/* kthreads[pid] = 1 */
	JUMP("out"),
LABEL("other"),
	DELETE("kthreads", pid),		/* the end of its id's last task may be missed */
LABEL("out"),
	EXIT,
};

static const struct program alone_programs[] = {
	PROGRAM("sched.switch", on_switch, .own_stacks = true),
	PROGRAM("task.new", on_new, .option = "threads"),
	{ }
}, programs[] = {
	PROGRAM("sched.switch", on_switch, .own_stacks = true),
	PROGRAM("sched.waking", on_waking),
	PROGRAM("task.new", on_new, .option = "threads"),
	{ }
};

const struct program_set offcputime_programs = { alone_programs, alone_maps };
const struct program_set wakeuptime_programs = { programs, waker_maps };
const struct program_set offwaketime_programs = { programs, maps };
