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
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define KEY -8
#define START -16

static const struct insn on_begin[] = {
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, START),
	STORE("start", KEY, START),			/* start[tid] = now */
	EXIT,
};

#define RECORD(MEMBER) (-72 + (int)offsetof(struct drsnoop_record, MEMBER))

static const struct insn on_end[] = {
	FIELD(R7, "pid_tgid"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(pid_tgid)),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	FIELD(R7, "pages"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(pages)),	/* r.pages */
	FIELD(R7, "time"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(time)),
	TAKE(R8, "start", KEY),				/* t = take start[tid] */
	JUMP_IF(BPF_JEQ, R8, 0, "out"),
	BPF_ALU64_REG(BPF_SUB, R7, R8),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(latency)),	/* r.latency = now - t */
	FIELD(R7, "uid?"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(uid)),
	BYTES(RECORD(comm), "comm", 16),
	OUTPUT("events", RECORD(time), sizeof(struct drsnoop_record)),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("reclaim.begin", on_begin),
	PROGRAM("reclaim.end", on_end),
	{ }
};

const struct program_set drsnoop_programs = { programs, maps };
