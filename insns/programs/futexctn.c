// SPDX-License-Identifier: GPL-2.0
/*
 * futex.enter:	if (it does not wait) out
 *		start[tid] = { now, address, what may be the owner, stack }
 * futex.exit:	w = take start[tid]; delta = now - w.time
 *		if (it failed, other than by its timeout, or delta < min) out
 *		hists[process, slot(delta)]++ or
 *		sums[cpu, what is shown] += { 1, delta }; its max = delta if that is more
 *		of a timeout: sums[...].timeouts++
 *
 * A lock that knows its owner has that thread's id in the word itself: those of the kernel (PI),
 * and of musl. A mutex of glibc has 2 in its word while others wait, and the owner 8 bytes behind
 * it. User space shows an owner only if the process has such a thread.
 */
#include "insns/programs/futexctn.h"

#include <errno.h>

#include "insns/hist.h"

static const struct map maps[] = {
	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct futexctn_wait), 65536,
	  .value = &futexctn_wait_layout, .calls = true },
	{ "sums", MAP_HASH, ROLE_RESULT, sizeof(struct futexctn_key),
	  sizeof(struct futexctn_sums), 16384, .key = &futexctn_key_layout,
	  .value = &futexctn_sums_layout, .combine = { [2] = COMBINE_MAX } },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct futexctn_slot), 8, 16384,
	  .key = &futexctn_slot_layout },
	{ }
};

struct frame {
	uint32_t tid;
	struct futexctn_wait wait;
	union {
		struct futexctn_key sum;
		struct futexctn_slot hist;
	};
	struct futexctn_sums sums;
};

/* Registers of on_enter. */
enum { TASK = R6, OP = R7, WORD = R8, ADDRESS = R8, USER_STACK = R8, OWNER = R9 };

/* if (the call does not wait) goto OUT; frame.wait.pi */
#define UNLESS_WAITS(OUT) \
	FIELD(OP, "op"), \
	BPF_ALU64_IMM(BPF_AND, OP, FUTEX_OF_CALL), \
	SET_IMM(wait.pi, 0), \
	JEQ(OP, FUTEX_WAITS, ".waits"), \
	JEQ(OP, FUTEX_WAITS_BITSET, ".waits"), \
	JEQ(OP, FUTEX_WAITS_REQUEUE_PI, ".waits"), \
	SET_IMM(wait.pi, 1), \
	JEQ(OP, FUTEX_LOCKS_PI, ".waits"), \
	JEQ(OP, FUTEX_LOCKS_PI2, ".waits"), \
	JUMP(OUT), \
	LABEL(".waits")

/* frame.wait.owner = what may be the owner */
#define SET_OWNER \
	BPF_MOV64_IMM(OWNER, 0), \
	JUMP_UNLESS("owners", ".owner"), \
	FIELD(WORD, "word?"), \
	JEQ(WORD, 2, ".glibc"), \
	BPF_ALU64_IMM(BPF_AND, WORD, FUTEX_TID), \
	BPF_MOV64_REG(OWNER, WORD), \
	JUMP(".owner"), \
	LABEL(".glibc"), \
	FIELD(OWNER, "owner?"), \
	LABEL(".owner"), \
	SET(wait.owner, OWNER)

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	UNLESS_WAITS("out"),				/* if (it does not wait) out */
	SET_IMM(wait.unused, 0),
	SET_OWNER,
	FIELD(ADDRESS, "address"),
	JUMP_UNLESS("of_lock", "any"),
	CONST(R1, "of_lock"),
	JNE_REG(ADDRESS, R1, "out"),
LABEL("any"),
	SET(wait.address, ADDRESS),
	BPF_MOV64_IMM(USER_STACK, -EFAULT),
	SET_IMM(wait.caller, 0),
	JUMP_UNLESS("stacked", "bare"),
	STACK(USER_STACK, "user_stack"),
	JSLT(USER_STACK, 0, "bare"),
	SET_FIELD(wait.caller, "caller"),
LABEL("bare"),
	SET(wait.user_stack, USER_STACK),
	SET_FIELD(wait.time, "time"),
	SET(tid, TASK),
	STORE_CALL("start", tid, wait),		/* start[tid] = { now, address, owner, stack } */
LABEL("out"),
	EXIT,
};

/* Registers of on_exit, beside TASK. */
enum { BEGAN = R7, SLOT = R7, RET = R8, NOW = R9, DELTA = R9 };

/* frame.sum = what is shown of a wait */
#define SUM_OF \
	ZERO(sum), \
	SET_FIELD(sum.cpu, "cpu"), \
	SET_BYTES(sum.comm, "comm"), \
	COPY(sum.address, wait.address), \
	COPY(sum.caller, wait.caller), \
	COPY(sum.user_stack, wait.user_stack), \
	COPY(sum.owner, wait.owner), \
	COPY(sum.pi, wait.pi), \
	BPF_MOV64_REG(R1, TASK), \
	BPF_ALU64_IMM(BPF_RSH, R1, 32), \
	SET(sum.tgid, R1), \
	JUMP_UNLESS("threads", ".process"), \
	SET(sum.tid, TASK), \
	LABEL(".process"), \
	SET_EPOCH(sum.epoch)

/* frame.sums = a wait of DELTA, or, if it failed, a timeout */
#define SUMS_OF \
	ZERO(sums), \
	JSLT(RET, 0, ".timeout"), \
	SET_IMM(sums.waits, 1), \
	SET(sums.total, DELTA), \
	SET(sums.max, DELTA), \
	JUMP(".sums"), \
	LABEL(".timeout"), \
	SET_IMM(sums.timeouts, 1), \
	LABEL(".sums")

#define ADD_TO(M)	ADD_MEMBER(struct futexctn_sums, sums, M)

/* sums[frame.sum] += frame.sums */
#define ADD_SUMS \
	LOOKUP("sums", sum), \
	JNE(R0, 0, ".known"), \
	STORE("sums", sum, sums), \
	JUMP(".added"), \
	LABEL(".known"), \
	ADD_TO(waits), \
	ADD_TO(total), \
	ADD_TO(timeouts), \
	RAISE_MEMBER(struct futexctn_sums, sums, max), \
	LABEL(".added")

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	SET(tid, TASK),
	LOOKUP_OR("start", tid, "out"),			/* w = start[tid] */
	COPY_ALL(wait, R0),
	DELETE("start", tid),
	FIELD(RET, "ret"),
	JSGE(RET, 0, "waited"),
	JEQ(RET, -ETIMEDOUT, "waited"),
	JUMP("out"),					/* it failed */
LABEL("waited"),
	FIELD(NOW, "time"),
	GET(BEGAN, wait.time),
	JGT_REG(BEGAN, NOW, "out"),			/* the clocks of two CPUs differ */
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),	/* delta = now - w.time */
	JUMP_UNLESS("min_ns", "long"),
	CONST(R1, "min_ns"),
	JLT_REG(DELTA, R1, "out"),
LABEL("long"),
	JUMP_UNLESS("hist", "sum"),
	JSLT(RET, 0, "out"),
	VALUE_SLOT(SLOT, DELTA),
	BPF_ALU64_IMM(BPF_RSH, TASK, 32),
	SET(hist.tgid, TASK),
	COUNT_GROUP("hists", hist, SLOT, DELTA),		/* hists[process, slot(delta)]++ */
	JUMP("out"),
LABEL("sum"),
	SUM_OF,
	SUMS_OF,
	ADD_SUMS,				/* sums[what is shown] += { 1, delta } */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("futex.enter", on_enter),
	PROGRAM("futex.exit", on_exit),
	{ }
};

const struct program_set futexctn_programs = { programs, maps };
