// SPDX-License-Identifier: GPL-2.0
/*
 * compact.begin:	start[tid] = { now, whether it waits for writing }
 *		with --extended: start[tid].room.index = take indices[tid]
 * compact.index:	indices[tid] = how fragmented the zone is
 * compact.room:	start[tid].room = the zone's pages, the first time
 * compact.look:	start[tid].node, zone, order = those of the zone
 * compact.end:		s = take start[tid]; if (s) output { now - s.time, s, status }
 *
 * Between the beginning and the end the kernel looks whether it has done enough, at least once:
 * only then it tells the zone.
 */
#include "insns/programs/compactsnoop.h"

#include <errno.h>

#include "insns/common.h"

static const struct map maps[] = {
	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct compactsnoop_zone), 10240 },
	{ "indices", MAP_HASH, ROLE_HINT, 4, 4, 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &compactsnoop_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	int32_t index;
	struct compactsnoop_zone zone;
	struct compactsnoop_record record;
};

/* Registers. */
enum { TASK = R6, BEGAN = R7, ZONE = R7, NUMBER = R8, STACK_NUMBER = R8, NOW = R9 };

static const struct insn on_begin[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(tid, TASK),
	SET_IMM(zone.node, COMPACT_UNKNOWN),
	SET_IMM(zone.zone, COMPACT_UNKNOWN),
	SET_IMM(zone.order, COMPACT_UNKNOWN),
	SET_FIELD(zone.sync, "sync"),
	SET_FIELD(zone.time, "time"),
	ZERO(zone.room),
	JUMP_UNLESS("extended", "store"),
	SET_IMM(zone.room.index, COMPACT_NO_INDEX),
	LOOKUP_OR("indices", tid, "store"),
	COPY_ALL(zone.room.index, R0),
	DELETE("indices", tid),
LABEL("store"),
	STORE("start", tid, zone),			/* start[tid] = { now, sync } */
	EXIT,
};

static const struct insn on_index[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(tid, TASK),
	SET_FIELD(index, "index"),
	STORE("indices", tid, index),			/* indices[tid] = index */
	EXIT,
};

static const struct insn on_room[] = {
	SET_FIELD(tid, "tid"),
	LOOKUP_OR("start", tid, "out"),
	BPF_MOV64_REG(ZONE, R0),
	LOAD(R1, ZONE, struct compactsnoop_zone, room.known),
	JNE(R1, 0, "out"),
	COPY_FROM(zone.room, ZONE, struct compactsnoop_zone, room),
	SET_BYTES(zone.room.marks, "room"),
	SET_FIELD(zone.room.boost, "boost"),
	SET_FIELD(zone.room.free, "free"),
	SET_IMM(zone.room.known, 1),
	COPY_TO(ZONE, struct compactsnoop_zone, room, zone.room),	/* start[tid].room = r */
LABEL("out"),
	EXIT,
};

#define SET_ZONE(M) \
	FIELD(NUMBER, #M), \
	PUT(ZONE, struct compactsnoop_zone, M, NUMBER)

static const struct insn on_look[] = {
	SET_FIELD(tid, "tid"),
	LOOKUP_OR("start", tid, "out"),
	BPF_MOV64_REG(ZONE, R0),
	SET_ZONE(node),				/* start[tid].node, zone, order = the zone's */
	SET_ZONE(zone),
	SET_ZONE(order),
LABEL("out"),
	EXIT,
};

static const struct insn on_end[] = {
	FIELD(TASK, "pid_tgid"),
	SET(tid, TASK),
	LOOKUP_OR("start", tid, "out"),			/* s = take start[tid] */
	COPY_ALL(zone, R0),
	DELETE("start", tid),
	ZERO(record),
	SET(record.pid_tgid, TASK),
	FIELD(NOW, "time"),
	SET(record.time, NOW),
	GET(BEGAN, zone.time),
	JGT_REG(BEGAN, NOW, "out"),
	BPF_ALU64_REG(BPF_SUB, NOW, BEGAN),
	SET(record.latency, NOW),			/* r.latency = now - s.time */
	COPY(record.node, zone.node),
	COPY(record.zone, zone.zone),
	COPY(record.order, zone.order),
	COPY(record.sync, zone.sync),
	COPY(record.room, zone.room),
	SET_FIELD(record.status, "status"),
	SET_BYTES(record.comm, "comm"),
	BPF_MOV64_IMM(STACK_NUMBER, -EFAULT),
	SET(record.user_stack, STACK_NUMBER),
	JUMP_UNLESS("kernel-stacks", "bare"),
	STACK(STACK_NUMBER, "kernel_stack"),
LABEL("bare"),
	SET(record.kernel_stack, STACK_NUMBER),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("compact.begin", on_begin),
	PROGRAM("compact.room", on_room, .option = "extended"),
	PROGRAM("compact.look", on_look),
	PROGRAM("compact.index", on_index, .option = "extended", .optional = true),
	PROGRAM("compact.end", on_end),
	{ }
};

const struct program_set compactsnoop_programs = { programs, maps };
