// SPDX-License-Identifier: GPL-2.0
/*
 * reclaim.begin:	start[tid] = now
 * reclaim.end:		t = take start[tid]; if (t) output { now - t, pages }
 */
#include "insns/programs/drsnoop.h"

#include <stddef.h>

#include "insns/common.h"

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, 8, 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &drsnoop_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	u64 start;
	struct drsnoop_record record;
};

/* Registers. */
enum { WHO = R6, TASK = R7, NOW = R7, DELTA = R7, BEGAN = R8 };

static const struct insn on_begin[] = {
	FIELD(WHO, "pid_tgid"),
	FILTER(WHO),
	SET(tid, WHO),
	SET_FIELD(start, "time"),
	STORE("start", tid, start),			/* start[tid] = now */
	EXIT,
};

static const struct insn on_end[] = {
	FIELD(TASK, "pid_tgid"),
	SET(record.pid_tgid, TASK),
	SET(tid, TASK),
	SET_FIELD(record.pages, "pages"),		/* r.pages */
	FIELD(NOW, "time"),
	SET(record.time, NOW),
	TAKE(BEGAN, "start", tid),			/* t = take start[tid] */
	JEQ(BEGAN, 0, "out"),
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),
	SET(record.latency, DELTA),			/* r.latency = now - t */
	SET_FIELD(record.uid, "uid?"),
	SET_BYTES(record.comm, "comm"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("reclaim.begin", on_begin),
	PROGRAM("reclaim.end", on_end),
	{ }
};

const struct program_set drsnoop_programs = { programs, maps };
