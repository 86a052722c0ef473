// SPDX-License-Identifier: GPL-2.0
/*
 * work.queue:	with --workqueue: if its name is another one, leave
 *		queued[work] = now
 *		with --workqueues: queues[work] = its name
 * work.start:	t = take queued[work]; with --workqueue: if there is none, leave
 *		running[task, work] = { now, function, now - t, or -1, name }
 * work.end:	r = take running[task, work]
 *		with --hist: hist[slot]++, hists[function, slot]++ or queue_hists[name, slot]++, of
 *		r.wait or now - r.time
 *		else sums[cpu, function] += { 1, now - r.time, 1, r.wait }, with the longest
 *
 * A worker does one work at a time. But a soft interrupt may do others over any task: so the work
 * is in the key, too. Memory of a work may be another work's before the first one has ended.
 */
#include "insns/programs/wqlat.h"

#include "insns/hist.h"

struct run_key {
	u64 work;
	u64 tid;
};

struct run {
	u64 time;
	u64 function;
	u64 wait;			/* ns; -1: unknown */
	char queue[WQLAT_QUEUE];	/* with --workqueues; empty: unknown */
};

static const struct map maps[] = {
	{ "queued", MAP_HASH, ROLE_HINT, 8, 8, 16384, .detail = true },
	{ "queues", MAP_HASH, ROLE_HINT, 8, WQLAT_QUEUE, 16384, .detail = true },
	{ "running", MAP_HASH, ROLE_JOIN, sizeof(struct run_key), sizeof(struct run), 10240 },
	{ "sums", MAP_HASH, ROLE_RESULT, sizeof(struct wqlat_key), sizeof(struct wqlat_sums), 10240,
	  .key = &wqlat_key_layout, .value = &wqlat_sums_layout,
	  .combine = { [2] = COMBINE_MAX, [5] = COMBINE_MAX } },
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, HIST_ENTRIES, .key = &slot_key_layout },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct wqlat_slot), 8, 16384,
	  .key = &wqlat_slot_layout },
	{ "queue_hists", MAP_HASH, ROLE_RESULT, sizeof(struct wqlat_queue_slot), 8, 16384,
	  .key = &wqlat_queue_slot_layout },
	{ }
};

struct frame {
	u64 work;
	u64 now;
	struct run_key key;
	struct run run;
	uint32_t index;
	union {
		struct wqlat_key sum;
		struct wqlat_slot hist;
		struct wqlat_queue_slot queue_hist;
	};
	/* of the work that is queued; in quarters to compare with --workqueue */
	union {
		char queue[WQLAT_QUEUE];
		u64 quarter[4];
	};
	struct wqlat_sums sums;
};

/* Registers. */
enum { NAME = R6, BEGAN = R6, FUNCTION = R7, SLOT = R7, NOW = R8, DELTA = R8, WAIT = R9 };

/* If the queue's name differs from the constant, which has it in quarters, goto OUT. */
#define IS_QUARTER(N, OUT) \
	GET(R1, quarter[N]), \
	CONST(R2, "quarter" #N), \
	JNE_REG(R1, R2, OUT)

static const struct insn on_queue[] = {
	SET_FIELD(work, "work"),
	JUMP_UNLESS("named", "any"),
	ZERO(queue),
	STRING(NAME, "queue"),
	SET_KERNEL_STRING(queue, NAME),
	JUMP_UNLESS("workqueue", "keep"),
	IS_QUARTER(0, "out"),
	IS_QUARTER(1, "out"),
	IS_QUARTER(2, "out"),
	IS_QUARTER(3, "out"),
LABEL("keep"),
	JUMP_UNLESS("workqueues", "any"),
	UPDATE("queues", work, queue),			/* queues[work] = its name */
LABEL("any"),
	SET_FIELD(now, "time"),
	UPDATE("queued", work, now),			/* queued[work] = now */
LABEL("out"),
	EXIT,
};

/* frame.key = the work that the current task does */
#define RUN_KEY \
	SET_FIELD(key.work, "work"), \
	SET_FIELD(key.tid, "tid")

static const struct insn on_start[] = {
	FIELD(NOW, "time"),
	SET_FIELD(work, "work"),
	TAKE(BEGAN, "queued", work),			/* t = take queued[work] */
	JUMP_UNLESS("workqueue", "each"),
	JEQ(BEGAN, 0, "out"),
LABEL("each"),
	FIELD(FUNCTION, "function"),
	JUMP_UNLESS("of_function", "any"),
	CONST(R1, "of_function"),
	JNE_REG(FUNCTION, R1, "out"),
LABEL("any"),
	BPF_MOV64_IMM(WAIT, -1),
	JEQ(BEGAN, 0, "waited"),
	JGT_REG(BEGAN, NOW, "waited"),			/* the clocks of two CPUs differ */
	BPF_MOV64_REG(WAIT, NOW),
	BPF_ALU64_REG(BPF_SUB, WAIT, BEGAN),
LABEL("waited"),
	RUN_KEY,
	SET(run.time, NOW),
	SET(run.function, FUNCTION),
	SET(run.wait, WAIT),
	ZERO(run.queue),
	JUMP_UNLESS("workqueues", "unnamed"),
	LOOKUP_OR("queues", work, "unnamed"),
	COPY_ALL(run.queue, R0),
	DELETE("queues", work),
LABEL("unnamed"),
	STORE("running", key, run),		/* running[task, work] = { now, function, wait } */
LABEL("out"),
	EXIT,
};

/* frame.sums = a run of DELTA after WAIT */
#define SUMS_OF \
	ZERO(sums), \
	SET_IMM(sums.runs, 1), \
	SET(sums.run, DELTA), \
	SET(sums.longest_run, DELTA), \
	JEQ(WAIT, -1, ".no_wait"), \
	SET_IMM(sums.waits, 1), \
	SET(sums.wait, WAIT), \
	SET(sums.longest_wait, WAIT), \
	LABEL(".no_wait")

#define ADD_TO(M)	ADD_MEMBER(struct wqlat_sums, sums, M)
#define LONGEST(M)	RAISE_MEMBER(struct wqlat_sums, sums, M)

static const struct insn on_end[] = {
	RUN_KEY,
	LOOKUP_OR("running", key, "out"),		/* r = take running[task, work] */
	COPY_ALL(run, R0),
	DELETE("running", key),
	FIELD(NOW, "time"),
	GET(BEGAN, run.time),
	JGT_REG(BEGAN, NOW, "out"),
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),	/* delta = now - r.time */
	GET(WAIT, run.wait),
	JUMP_UNLESS("hist", "sum"),
	JUMP_UNLESS("of_waits", "slot"),
	JEQ(WAIT, -1, "out"),
	BPF_MOV64_REG(DELTA, WAIT),
LABEL("slot"),
	JUMP_UNLESS("usecs", "nsecs"),
	IN_UNIT_OF(DELTA, 1000),
LABEL("nsecs"),
	VALUE_SLOT(SLOT, DELTA),
	JUMP_UNLESS("workqueues", "functions"),
	COPY(queue_hist.queue, run.queue),
	COUNT_GROUP("queue_hists", queue_hist, SLOT, DELTA),	/* queue_hists[name, slot]++ */
	JUMP("out"),
LABEL("functions"),
	JUMP_UNLESS("functions", "one"),
	COPY(hist.function, run.function),
	COUNT_GROUP("hists", hist, SLOT, DELTA),		/* hists[function, slot]++ */
	JUMP("out"),
LABEL("one"),
	COUNT_VALUE("hist", index, SLOT, DELTA),		/* hist[slot]++ */
	JUMP("out"),
LABEL("sum"),
	SUMS_OF,
	COPY(sum.function, run.function),
	SET_FIELD(sum.cpu, "cpu"),
	SET_EPOCH(sum.epoch),
	LOOKUP("sums", sum),
	JNE(R0, 0, "known"),
	STORE("sums", sum, sums),
	JUMP("out"),
LABEL("known"),
	ADD_TO(runs),				/* sums[cpu, function] += { 1, delta, 1, r.wait } */
	ADD_TO(run),
	ADD_TO(waits),
	ADD_TO(wait),
	LONGEST(longest_run),
	LONGEST(longest_wait),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("work.queue", on_queue),
	PROGRAM("work.start", on_start),
	PROGRAM("work.end", on_end),
	{ }
};

const struct program_set wqlat_programs = { programs, maps };
