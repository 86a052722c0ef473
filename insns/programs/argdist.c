// SPDX-License-Identifier: GPL-2.0
/*
 * spec.hit:	if (the filter is true) counts[values]++, or hist[slot(value)]++, or
 *		sums[values, task] = { count + 1, sum + value, min(value), max(value) }
 * spec.enter:	with $latency or $entry: start[call] = { now, pid_tgid, arguments }
 */
#include "insns/programs/argdist.h"

#include "insns/calls.h"
#include "insns/hist.h"

#define START { "start", MAP_HASH, ROLE_JOIN, sizeof(struct call_key), \
		sizeof(struct argdist_start), 65536, .calls = true }

const struct map argdist_start = START;

static const struct map maps[] = {
	[ARGDIST_COUNTS] = { "counts", MAP_HASH, ROLE_RESULT, sizeof(struct argdist_key), 8, 10240,
			     .key = &argdist_key_layout },
	[ARGDIST_HIST] = { "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, ARGDIST_TOTAL + 1,
			   .key = &slot_key_layout },
	[ARGDIST_SUMS] = { "sums", MAP_HASH, ROLE_RESULT, sizeof(struct argdist_key),
			   sizeof(struct argdist_sums), 65536, .key = &argdist_key_layout,
			   .value = &argdist_sums_layout,
			   .combine = { [3] = COMBINE_MIN, [4] = COMBINE_MAX } },
	START,
	{ }
};

struct frame {
	union {
		struct argdist_key key;
		struct call_key call;
	};
	struct argdist_start start;
};

_Static_assert(FRAME(start) == ARGDIST_START && FRAME_SIZE == ARGDIST_CALL, "see argdist.h");

/* Tracepoints of system calls have no stack pointer; but a thread is in one call at a time. */
#define BY_THREAD(REG, PID_TGID) \
	FIELD(REG, "thread"), \
	BPF_ALU64_REG(BPF_MUL, REG, PID_TGID), \
	BPF_LDX_MEM(BPF_DW, R0, R10, FRAME(call.sp)), \
	BPF_ALU64_REG(BPF_ADD, R0, REG), \
	SET(call.sp, R0)

/* Registers. */
enum { TASK = R6, OWNER = R7, NOW = R7, DELTA = R7, SPARE = R7, BEGAN = R8 };

const struct insn argdist_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	CALL_BEGINS(call, TASK),
	BY_THREAD(SPARE, TASK),
	SET(start.pid_tgid, TASK),
	SET_FIELD(start.time, "time"),
	SET_IMM(start.unknown, 0),
	SET_IMM(start.none, 0),
};

/*
 * Not for system calls: if a call has no arguments, 64-bit and 32-bit tasks use the same function,
 * and both probes see each call.
 */
const struct insn argdist_again[] = {
	CALL_AGAIN("start", call, struct argdist_start, TASK),
};

const struct insn argdist_keep[] = {
	STORE("start", call, start),			/* start[call] = { now, pid_tgid, ... } */
};

const struct insn argdist_return[] = {
	CALL_ENDS(call, TASK, SPARE),
	BY_THREAD(SPARE, TASK),
	LOOKUP_OR("start", call, "out"),
	LOAD(BEGAN, R0, struct argdist_start, time),
	LOAD(OWNER, R0, struct argdist_start, pid_tgid),
};

const struct insn argdist_forget[] = {
	DELETE("start", call),
	JNE_REG(OWNER, TASK, "out"),			/* it is the entry of another thread */
	FIELD(NOW, "time"),
	JGT_REG(BEGAN, NOW, "out"),			/* the clocks of two CPUs differ */
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),
	SET(start.time, DELTA),				/* latency = now - s.time */
};

const unsigned int argdist_enter_n = sizeof(argdist_enter) / sizeof(argdist_enter[0]);
const unsigned int argdist_again_n = sizeof(argdist_again) / sizeof(argdist_again[0]);
const unsigned int argdist_keep_n = sizeof(argdist_keep) / sizeof(argdist_keep[0]);
const unsigned int argdist_return_n = sizeof(argdist_return) / sizeof(argdist_return[0]);
const unsigned int argdist_forget_n = sizeof(argdist_forget) / sizeof(argdist_forget[0]);

/* A spec without values. */
static const struct insn on_hit[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET_IMM(key.unknown, 0),
	SET_EPOCH(key.epoch),
	COUNT("counts", key),				/* counts[]++ */
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("spec.hit", on_hit),
	{ }
};

const struct program_set argdist_programs = { programs, maps };
