// SPDX-License-Identifier: GPL-2.0
/*
 * gc.begin:	begun[thread, what, about] = { now, before }
 * gc.end:	b = take begun[thread, what, about]
 *		if (now - b.time >= min) output { now - b.time, b.before, after, most, pool }
 *			with --hist: hists[what, slot(now - b.time)]++ instead
 *
 * A thread that ends within a collection leaves its entry.
 */
#include "insns/programs/ugc.h"

#include <errno.h>

#include "insns/hist.h"

struct gc_key {
	u64 about;
	u64 what;
	u64 tid;
};

struct begun {
	u64 time;
	u64 before;
};

static const struct map maps[] = {
	{ "begun", MAP_HASH, ROLE_JOIN, sizeof(struct gc_key), sizeof(struct begun), 10240 },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct ugc_slot), 8, 4096,
	  .key = &ugc_slot_layout },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &ugc_record_layout },
	{ }
};

struct frame {
	struct gc_key key;
	struct begun begun;
	union {
		struct ugc_record record;
		struct ugc_slot hist;
	};
};

/* Registers. */
enum { TASK = R6, NOW = R7, DELTA = R7, BEGAN = R8, POOL = R8, SLOT = R8, WHAT = R9 };

/* frame.key = the collection of the current thread */
#define GC_KEY \
	FIELD(WHAT, "what"), \
	SET(key.what, WHAT), \
	SET(key.tid, TASK), \
	SET_FIELD(key.about, "about")

static const struct insn on_begin[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	GC_KEY,
	SET_FIELD(begun.time, "time"),
	SET_FIELD(begun.before, "before"),
	STORE("begun", key, begun),			/* begun[...] = { now, before } */
	EXIT,
};

static const struct insn on_end[] = {
	FIELD(TASK, "pid_tgid"),
	GC_KEY,
	LOOKUP_OR("begun", key, "out"),			/* b = take begun[...] */
	LOAD(BEGAN, R0, struct begun, time),
	COPY_FROM(begun.before, R0, struct begun, before),
	DELETE("begun", key),
	FIELD(NOW, "time"),
	JGT_REG(BEGAN, NOW, "out"),			/* the clocks of two CPUs differ */
	SET(begun.time, NOW),
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),	/* delta = now - b.time */
	CONST(R1, "min"),
	JGT_REG(R1, DELTA, "out"),
	CONST(R1, "first"),				/* of those that are wanted */
	JGT_REG(R1, WHAT, "out"),
	CONST(R1, "last"),
	JGT_REG(WHAT, R1, "out"),
	JUMP_UNLESS("hist", "line"),
	IN_UNIT(DELTA),
	VALUE_SLOT(SLOT, DELTA),
	SET(hist.what, WHAT),
	COUNT_GROUP("hists", hist, SLOT, DELTA),		/* hists[what, slot(delta)]++ */
	JUMP("out"),
LABEL("line"),
	JUMP_UNLESS("lines", "out"),
	SET(record.pid_tgid, TASK),
	SET(record.what, WHAT),
	SET(record.ns, DELTA),
	COPY(record.time, begun.time),
	COPY(record.before, begun.before),
	SET_FIELD(record.cpu, "cpu"),
	SET_FIELD(record.after, "after"),
	SET_FIELD(record.most, "most"),
	SET_BYTES(record.comm, "comm"),
	NO_PATH(record.pool),
	JUMP_UNLESS("pools", "named"),
	JUMP_UNLESS("input:pool", "named"),
	STRING(POOL, "pool?"),
	SET_USER_PATH(record.pool, POOL),
LABEL("named"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("gc.begin", on_begin),
	PROGRAM("gc.end", on_end),
	{ }
}, java_programs[] = {
	PROGRAM("gc.java_begin", on_begin),
	PROGRAM("gc.java_end", on_end),
	{ }
};

const struct program_set ugc_programs = { programs, maps };
const struct program_set javagc_programs = { java_programs, maps };
