// SPDX-License-Identifier: GPL-2.0
/*
 * lock.begin:	if (a mutex was spun for, and now is slept for) out
 *		waits[task, place] = { now, lock, flags, stack }
 * lock.end:	w = take waits[task, place]; delta = now - w.time
 *		if (delta < min) out
 *		hists[flags, slot(delta)]++ or
 *		sums[cpu, what is shown] += { 1, delta }; its max = delta if that is more
 *
 * With --hold a hold is like a wait, from the return of the call that takes a mutex:
 * hold.ask:	waits[task, 1] = { now, lock, held, stack }
 * hold.begin:	w = take waits[task, 1]; if it has the lock: waits[task, w.lock] = w, w.time = now
 * hold.end:	as lock.end
 *
 * A task may spin for a lock within its wait for another one, and an interrupt may spin within
 * both: so the place is the lock. A mutex begins twice if spinning does not get it, and ends once.
 */
#include "insns/programs/lockstat.h"

#include <errno.h>

#include "insns/hist.h"

static const struct map maps[] = {
	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	{ "waits", MAP_HASH, ROLE_JOIN, sizeof(struct lockstat_wait_key),
	  sizeof(struct lockstat_wait), 16384, .value = &lockstat_wait_layout, .calls = true },
	{ "sums", MAP_HASH, ROLE_RESULT, sizeof(struct lockstat_key),
	  sizeof(struct lockstat_sums), 16384, .key = &lockstat_key_layout,
	  .value = &lockstat_sums_layout, .combine = { [2] = COMBINE_MAX } },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct lockstat_slot), 8, 10240,
	  .key = &lockstat_slot_layout },
	{ }
};

struct frame {
	struct lockstat_wait_key key;
	struct lockstat_wait wait;
	union {
		struct lockstat_key sum;
		struct lockstat_slot hist;
	};
	struct lockstat_sums sums;
};

/* Registers. */
enum {
	TASK = R6,
	LOCK = R7, BEGAN = R7, SLOT = R7,
	FLAGS = R8,
	STACK_NUMBER = R9, NOW = R9, DELTA = R9,
};

/* frame.key = who waits, and where; if the user did not ask for the task, out. */
#define WHO_WAITS \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	BPF_MOV64_REG(R0, TASK), \
	JNE(TASK, 0, ".task"), \
	FIELD(R0, "cpu"), \
	BPF_ALU64_IMM(BPF_ADD, R0, 1), \
	LABEL(".task"), \
	SET(key.task, R0), \
	SET_FIELD(key.place, "place")

/* A second beginning, of a mutex: the task spun for it in vain. goto OUT */
#define UNLESS_GOES_ON(OUT) \
	JNE(FLAGS, LOCK_MUTEX, ".begins"), \
	LOOKUP_OR("waits", key, ".begins"), \
	LOAD(R1, R0, struct lockstat_wait, flags), \
	JNE(R1, LOCK_MUTEX | LOCK_SPIN, ".begins"), \
	PUT(R0, struct lockstat_wait, flags, FLAGS), \
	JUMP(OUT), \
	LABEL(".begins")

static const struct insn on_begin[] = {
	WHO_WAITS,
	FIELD(LOCK, "lock"),
	JUMP_UNLESS("of_lock", "any"),
	CONST(R1, "of_lock"),
	JNE_REG(LOCK, R1, "out"),
LABEL("any"),
	FIELD(FLAGS, "flags"),
	JUMP_UNLESS("types", "any_type"),
	CONST(R1, "types"),
	BPF_ALU64_REG(BPF_RSH, R1, FLAGS),
	JSET(R1, 1, "any_type"),
	JUMP("out"),
LABEL("any_type"),
	UNLESS_GOES_ON("out"),
	BPF_MOV64_IMM(STACK_NUMBER, -EFAULT),
	JUMP_UNLESS("stacked", "bare"),
	STACK(STACK_NUMBER, "kernel_stack"),
LABEL("bare"),
	SET(wait.kernel_stack, STACK_NUMBER),
	SET(wait.flags, FLAGS),
	SET(wait.lock, LOCK),
	SET_FIELD(wait.time, "time"),
	STORE_CALL("waits", key, wait),	/* waits[task, place] = { now, lock, flags, stack } */
LABEL("out"),
	EXIT,
};

/* frame.sum = what is shown of a wait */
#define SUM_OF \
	ZERO(sum), \
	SET_IMM(sum.pid_tgid, -1), \
	SET_FIELD(sum.cpu, "cpu"), \
	COPY(sum.kernel_stack, wait.kernel_stack), \
	JUMP_UNLESS("per-thread", ".no_thread"), \
	SET(sum.pid_tgid, TASK), \
	SET_BYTES(sum.comm, "comm"), \
	JUMP(".shown"), \
	LABEL(".no_thread"), \
	SET(sum.flags, FLAGS), \
	JUMP_UNLESS("locks", ".shown"), \
	COPY(sum.lock, wait.lock), \
	LABEL(".shown"), \
	SET_EPOCH(sum.epoch)

/* sums[frame.sum] += { 1, DELTA }, with the longest */
#define ADD_WAIT \
	LOOKUP("sums", sum), \
	JNE(R0, 0, ".known"), \
	SET_IMM(sums.count, 1), \
	SET(sums.total, DELTA), \
	SET(sums.max, DELTA), \
	STORE("sums", sum, sums), \
	JUMP(".added"), \
	LABEL(".known"), \
	BPF_MOV64_IMM(R1, 1), \
	XADD(R0, struct lockstat_sums, count, R1), \
	XADD(R0, struct lockstat_sums, total, DELTA), \
	LOAD(R1, R0, struct lockstat_sums, max), \
	JGE_REG(R1, DELTA, ".added"), \
	PUT(R0, struct lockstat_sums, max, DELTA), \
	LABEL(".added")

static const struct insn on_end[] = {
	WHO_WAITS,
	FIELD(NOW, "time"),
	LOOKUP_OR("waits", key, "out"),			/* w = waits[task, place] */
	COPY_ALL(wait, R0),
	DELETE("waits", key),
	GET(BEGAN, wait.time),
	JGT_REG(BEGAN, NOW, "out"),			/* the clocks of two CPUs differ */
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),	/* delta = now - w.time */
	JUMP_UNLESS("min_ns", "long"),
	CONST(R1, "min_ns"),
	JLT_REG(DELTA, R1, "out"),			/* if (delta < min) out */
LABEL("long"),
	GET(FLAGS, wait.flags),
	JEQ(FLAGS, LOCK_HELD, "type"),
	JSET(FLAGS, LOCK_MUTEX, "mutex"),
	JUMP("type"),
LABEL("mutex"),
	BPF_MOV64_IMM(FLAGS, LOCK_MUTEX),
LABEL("type"),
	JUMP_UNLESS("hist", "sum"),
	VALUE_SLOT(SLOT, DELTA),
	SET(hist.flags, FLAGS),
	COUNT_GROUP("hists", hist, SLOT, DELTA),		/* hists[flags, slot(delta)]++ */
	JUMP("out"),
LABEL("sum"),
	SUM_OF,
	ADD_WAIT,				/* sums[what is shown] += { 1, delta } */
LABEL("out"),
	EXIT,
};

static const struct insn on_held[] = {
	WHO_WAITS,
	LOOKUP_OR("waits", key, "out"),			/* w = take waits[task, 1] */
	COPY_ALL(wait, R0),
	DELETE("waits", key),
	FIELD(R1, "ret"),
	FIELD(R2, "got"),
	JNE_REG(R1, R2, "out"),
	GET(R1, wait.lock),
	SET(key.place, R1),
	SET_FIELD(wait.time, "time"),
	STORE("waits", key, wait),			/* waits[task, w.lock] = w */
LABEL("out"),
	EXIT,
};

/*
 * The kernel runs the newest probe of a function first, and a return probe hides the callers from
 * those that run behind it: so the returns come first.
 */
static const struct program programs[] = {
	PROGRAM("lock.end", on_end, .option = "waits"),
	PROGRAM("lock.begin", on_begin, .option = "waits"),
	PROGRAM("hold.end", on_end, .option = "holds"),
	PROGRAM("hold.begin", on_held, .option = "holds"),
	PROGRAM("hold.ask", on_begin, .option = "holds"),
	{ }
};

const struct program_set lockstat_programs = { programs, maps };
