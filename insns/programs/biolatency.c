// SPDX-License-Identifier: GPL-2.0
/*
 * key = { dev, operation, sector }
 * block.queue:		queue[key] = now; if another request waits there already, both are in doubt
 * block.frontmerge:	the request behind the I/O now begins where the I/O does: move queue[end of the I/O] to queue[key]
 * block.merge:		the request became part of another: drop queue[key]
 * block.issue:		start[key] = { now or take queue[key], sectors }; if another request is under way there, they overlap
 * block.requeue:	start[key] will be issued once more
 * block.done:		s = start[key]; if there are sectors left of s: move it behind those that are done;
 *			otherwise hist[slot((now - s.time) / unit)]++, or untimed++ if nobody knows which it was
 *
 * Requests that are under way at the same time with one key can't be told apart (insns/disk.h): they are counted without
 * a time, and so is one whose time in the queue is in doubt.
 */
#include "insns/programs/biolatency.h"

#include <stddef.h>

#include "insns/disk.h"

struct start {
	uint64_t time;
	uint64_t sectors;	/* still to come */
	uint32_t under_way;	/* how many requests */
	uint32_t overlap;	/* there were more than one: none of them can have a time */
};

struct waiting {
	uint64_t time;
	uint64_t waiting;
};

/* Flags of start.sectors. */
#define AGAIN 0x20000000	/* it was given back, and will be issued again */
#define UNTIMED 0x10000000	/* when it was queued is in doubt */
#define SECTORS (UNTIMED - 1)

static const struct map maps[] = {
	{ "queue", MAP_HASH, ROLE_HINT, sizeof(struct disk_key), sizeof(struct waiting), DISK_WAITING },
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct disk_key), sizeof(struct start), DISK_REQUESTS },
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 496 },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct hist_key), 8, 10240 },
	{ "totals", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 2 },
	{ "overlaps", MAP_ARRAY, ROLE_TABLE, 4, 8, 1 },	/* not 0: there were some */
	{ "untimed", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 1 },
	{ }
};

#define KEY -16
#define START(MEMBER) (-40 + (int)offsetof(struct start, MEMBER))
#define WAITING(MEMBER) (-32 + (int)offsetof(struct waiting, MEMBER))
#define RWBS -48
#define HIST(MEMBER) (-64 + (int)offsetof(struct hist_key, MEMBER))
#define SLOT -68
#define ONE -80

/* One request at stack[START], which has its time and sectors. */
#define ALONE \
	BPF_ST_MEM(BPF_W, R10, START(under_way), 1), \
	BPF_ST_MEM(BPF_W, R10, START(overlap), 0)

/* What stands behind the NUL of rwbs is whatever was in the buffer before: not part of the key. */
#define CUT_RWBS \
	BPF_LDX_MEM(BPF_B, R1, R10, HIST(group) + 1), JUMP_IF(BPF_JEQ, R1, 0, "cut2"), \
	BPF_LDX_MEM(BPF_B, R1, R10, HIST(group) + 2), JUMP_IF(BPF_JEQ, R1, 0, "cut3"), \
	BPF_LDX_MEM(BPF_B, R1, R10, HIST(group) + 3), JUMP_IF(BPF_JEQ, R1, 0, "cut4"), \
	BPF_LDX_MEM(BPF_B, R1, R10, HIST(group) + 4), JUMP_IF(BPF_JEQ, R1, 0, "cut5"), \
	BPF_LDX_MEM(BPF_B, R1, R10, HIST(group) + 5), JUMP_IF(BPF_JEQ, R1, 0, "cut6"), \
	BPF_LDX_MEM(BPF_B, R1, R10, HIST(group) + 6), JUMP_IF(BPF_JEQ, R1, 0, "cut7"), \
	JUMP("group"), \
	LABEL("cut2"), BPF_ST_MEM(BPF_B, R10, HIST(group) + 2, 0), \
	LABEL("cut3"), BPF_ST_MEM(BPF_B, R10, HIST(group) + 3, 0), \
	LABEL("cut4"), BPF_ST_MEM(BPF_B, R10, HIST(group) + 4, 0), \
	LABEL("cut5"), BPF_ST_MEM(BPF_B, R10, HIST(group) + 5, 0), \
	LABEL("cut6"), BPF_ST_MEM(BPF_B, R10, HIST(group) + 6, 0), \
	LABEL("cut7"), BPF_ST_MEM(BPF_B, R10, HIST(group) + 7, 0)

static const struct insn on_queue[] = {
	REQUEST_KEY(KEY, RWBS),
	JUMP_IF(BPF_JEQ, R7, 0, "out"),			/* a flush begins when it is issued */
	FIELD(R8, "time"),
	BPF_STX_MEM(BPF_DW, R10, R8, WAITING(time)),
	BPF_ST_MEM(BPF_DW, R10, WAITING(waiting), 1),
	STORE_NEW("queue", KEY, WAITING(time)),		/* queue[key] = { now, 1 } */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	LOOKUP("queue", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "store"),		/* gone again, or there is no room */
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct waiting, time)),
	BPF_ALU64_REG(BPF_SUB, R8, R1),
	BPF_ALU64_IMM(BPF_RSH, R8, QUEUE_SHIFT),
	JUMP_IF(BPF_JNE, R8, 0, "store"),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct waiting, waiting)),
	BPF_ALU64_IMM(BPF_ADD, R1, 1),
	BPF_ALU64_IMM(BPF_OR, R1, DOUBT),		/* one waits there: DOUBT */
	BPF_STX_MEM(BPF_DW, R0, R1, offsetof(struct waiting, waiting)),
	JUMP("out"),
LABEL("store"),
	STORE("queue", KEY, WAITING(time)),
LABEL("out"),
	EXIT,
};

static const struct insn on_frontmerge[] = {
	REQUEST_KEY(KEY, RWBS),
	MOVE_FRONT("queue", KEY, WAITING(time), COPY_WORD(WAITING(time), 0), COPY_WORD(WAITING(time), 1)),
LABEL("out"),
	EXIT,
};

static const struct insn on_merge[] = {
	REQUEST_KEY(KEY, RWBS),
	FORGET_MERGED("queue", KEY, offsetof(struct waiting, waiting)),
LABEL("out"),
	EXIT,
};

static const struct insn on_issue[] = {
	REQUEST_KEY(KEY, RWBS),
	FIELD(R8, "time"),
	UNLESS("queued", "now"),
	LOOKUP("queue", KEY),				/* if (queued) time = take queue[key], as far as it is known */
	JUMP_IF(BPF_JEQ, R0, 0, "now"),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct waiting, time)),
	BPF_LDX_MEM(BPF_DW, R2, R0, offsetof(struct waiting, waiting)),
	JUMP_IF(BPF_JSET, R2, DOUBT, "doubt"),
	BPF_MOV64_REG(R8, R1),
	JUMP(".last"),
LABEL("doubt"),
	BPF_ALU64_IMM(BPF_OR, R7, UNTIMED),
	ONE_LESS_WAITS(offsetof(struct waiting, waiting)),
	JUMP("now"),
LABEL(".last"),
	DELETE("queue", KEY),
LABEL("now"),
	BPF_STX_MEM(BPF_DW, R10, R8, START(time)),
	BPF_STX_MEM(BPF_DW, R10, R7, START(sectors)),
	ALONE,
	STORE_NEW("start", KEY, START(time)),		/* start[key] = { time, sectors } */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	LOOKUP("start", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "store"),		/* gone again, or there is no room */
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, time)),
	BPF_LDX_MEM(BPF_DW, R2, R0, offsetof(struct start, sectors)),
	JUMP_IF(BPF_JSET, R2, AGAIN, "again"),
	BPF_ALU64_REG(BPF_SUB, R8, R1),
	BPF_ALU64_IMM(BPF_RSH, R8, DEVICE_SHIFT),
	JUMP_IF(BPF_JNE, R8, 0, "store"),		/* its end was never told */
	BPF_ST_MEM(BPF_W, R0, offsetof(struct start, overlap), 1),
	BPF_MOV64_IMM(R1, 1),
	BPF_STX_XADD(BPF_W, R0, R1, offsetof(struct start, under_way)),	/* one more is under way there */
	LOOKUP("start", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "store"),		/* the other one has ended meanwhile */
	BPF_ST_MEM(BPF_W, R10, SLOT, 0),
	COUNT("overlaps", SLOT),
	JUMP("out"),
LABEL("again"),
	BPF_ALU64_IMM(BPF_AND, R2, AGAIN - 1),
	BPF_STX_MEM(BPF_DW, R0, R2, offsetof(struct start, sectors)),
	UNLESS("issued", "out"),			/* the last issue counts; the first time in the queue */
	BPF_STX_MEM(BPF_DW, R0, R8, offsetof(struct start, time)),
	JUMP("out"),
LABEL("store"),
	STORE("start", KEY, START(time)),
LABEL("out"),
	EXIT,
};

static const struct insn on_requeue[] = {
	REQUEST_KEY(KEY, RWBS),
	LOOKUP("start", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_W, R1, R0, offsetof(struct start, overlap)),
	JUMP_IF(BPF_JNE, R1, 0, "out"),			/* it will count twice there */
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, sectors)),
	BPF_ALU64_IMM(BPF_OR, R1, AGAIN),
	BPF_STX_MEM(BPF_DW, R0, R1, offsetof(struct start, sectors)),
LABEL("out"),
	EXIT,
};

static const struct insn on_done[] = {
	REQUEST_KEY(KEY, RWBS),
	LOOKUP("start", KEY),				/* s = start[key] */
	JUMP_IF(BPF_JEQ, R0, 0, "unknown"),
	BPF_LDX_MEM(BPF_DW, R8, R0, offsetof(struct start, time)),
	BPF_LDX_MEM(BPF_DW, R9, R0, offsetof(struct start, sectors)),
	BPF_LDX_MEM(BPF_W, R1, R0, offsetof(struct start, overlap)),
	JUMP_IF(BPF_JNE, R1, 0, "overlap"),
	DELETE("start", KEY),
	BPF_MOV64_REG(R1, R9),
	BPF_ALU64_IMM(BPF_AND, R1, SECTORS),
	JUMP_IF_REG(BPF_JGE, R7, R1, "whole"),
	BPF_ALU64_REG(BPF_SUB, R9, R7),			/* part of it: { s.time, s.sectors - sectors } */
	BPF_ALU64_REG(BPF_ADD, R6, R7),
	BPF_STX_MEM(BPF_DW, R10, R6, KEY_OF(KEY, sector)),	/* waits at sector + sectors */
	BPF_STX_MEM(BPF_DW, R10, R8, START(time)),
	BPF_STX_MEM(BPF_DW, R10, R9, START(sectors)),
	ALONE,
	STORE("start", KEY, START(time)),
	JUMP("out"),
LABEL("overlap"),
	BPF_MOV64_IMM(R1, -1),
	BPF_STX_XADD(BPF_W, R0, R1, offsetof(struct start, under_way)),	/* one less is under way */
	BPF_LDX_MEM(BPF_W, R1, R0, offsetof(struct start, under_way)),
	BPF_ALU64_IMM(BPF_SUB, R1, 1),			/* 0 has become the largest number */
	JUMP_IF(BPF_JSGT, R1, -1, "untimed"),
	DELETE("start", KEY),
	JUMP("untimed"),
LABEL("whole"),
	JUMP_IF(BPF_JSET, R9, AGAIN | UNTIMED, "untimed"),
	FIELD(R6, "time"),
	BPF_ALU64_REG(BPF_SUB, R6, R8),			/* delta = now - s.time */
	JUMP_IF(BPF_JSGE, R6, 0, "forward"),
	JUMP("untimed"),				/* clocks of two CPUs that disagree */
LABEL("forward"),
	UNLESS("milliseconds", "usecs"),
	BPF_ALU64_IMM(BPF_DIV, R6, 1000000),
	JUMP("unit"),
LABEL("usecs"),
	BPF_ALU64_IMM(BPF_DIV, R6, 1000),
LABEL("unit"),
	UNLESS("extension", "no_totals"),
	BPF_ST_MEM(BPF_W, R10, SLOT, 0),
	ADD("totals", SLOT, R6),			/* totals[0] += delta */
	BPF_ST_MEM(BPF_W, R10, SLOT, 1),
	COUNT("totals", SLOT),				/* totals[1]++ */
LABEL("no_totals"),
	LOG2_SLOT(R7, R6),
	UNLESS("grouped", "one"),
	EPOCH(R6),
	BPF_STX_MEM(BPF_W, R10, R6, HIST(epoch)),
	BPF_STX_MEM(BPF_W, R10, R7, HIST(slot)),
	UNLESS("flags", "by_disk"),
	BYTES(HIST(group), "rwbs", 8),			/* hists[rwbs, slot]++ */
	CUT_RWBS,
	JUMP("group"),
LABEL("by_disk"),
	BPF_LDX_MEM(BPF_W, R6, R10, KEY_OF(KEY, dev)),
	BPF_STX_MEM(BPF_DW, R10, R6, HIST(group)),	/* hists[dev, slot]++ */
LABEL("group"),
	COUNT_KEY("hists", HIST(epoch), ONE),
	JUMP("out"),
LABEL("one"),
	BPF_STX_MEM(BPF_W, R10, R7, SLOT),
	COUNT("hist", SLOT),				/* hist[slot]++ */
	JUMP("out"),
LABEL("unknown"),					/* begun before sonde; but CPUs may race for one that overlaps */
	BPF_ST_MEM(BPF_W, R10, SLOT, 0),
	LOOKUP("overlaps", SLOT),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R1, R0, 0),
	JUMP_IF(BPF_JEQ, R1, 0, "out"),
LABEL("untimed"),
	BPF_ST_MEM(BPF_W, R10, SLOT, 0),
	COUNT("untimed", SLOT),				/* untimed++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("block.queue", on_queue, .option = "queued"),
	PROGRAM("block.frontmerge", on_frontmerge, .option = "queued", .optional = true),
	PROGRAM("block.merge", on_merge, .option = "queued", .spare = true),
	PROGRAM("block.issue", on_issue),
	PROGRAM("block.requeue", on_requeue, .spare = true),
	PROGRAM("block.done", on_done),
	{ }
};

const struct program_set biolatency_programs = { programs, maps };
