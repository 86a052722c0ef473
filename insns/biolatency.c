// SPDX-License-Identifier: GPL-2.0
/*
 * block.queue:	start[dev, sector] = { now, 0 }
 * block.frontmerge: the request behind the I/O now begins where the I/O does: move start[dev, end] to start[dev, sector]
 * block.issue:	start[dev, sector] = { now or when it was queued, sectors }
 * block.done:	s = start[dev, sector]; if there are sectors left of s: move it behind those that are done;
 *		otherwise hist[slot((now - s.time) / unit)]++
 *
 * A flush has no sectors: it is issued as sector 0 and done as the last sector there could be, so it has a key of its
 * own, which a write to sector 0 does not meet. The request that asked for the flush is done once more with no sectors,
 * and was never issued. Flushes of one device that overlap can't be told apart: how many are under way is counted, and none
 * of them gets into the histogram. A flush that is issued again would be counted twice and wait forever: half a minute
 * after the first one the count begins anew.
 */
#include "insns/biolatency.h"

#include <stddef.h>

#include "insns/common.h"

struct key {
	uint32_t dev;
	uint32_t flush;
	uint64_t sector;
};

struct start {
	uint64_t time;
	uint64_t sectors;	/* still to come; of flushes: how many are under way, and OVERLAP once there were two */
};

#define OVERLAP 0x40000000

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct key), sizeof(struct start), 10240 },
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 496 },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct hist_key), 8, 10240 },
	{ "totals", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 2 },
	{ }
};

#define KEY(MEMBER) (-16 + (int)offsetof(struct key, MEMBER))
#define START(MEMBER) (-32 + (int)offsetof(struct start, MEMBER))
#define RWBS -40
#define HIST(MEMBER) (-56 + (int)offsetof(struct hist_key, MEMBER))
#define SLOT -60
#define ONE -72

/* key = { dev, 0, sector }, unless the user asked for another disk; r6 = sector, r7 = sectors */
#define REQUEST_KEY \
	FIELD(R6, "dev"), \
	UNLESS("dev", ".any"), \
	CONST(R1, "dev"), \
	JUMP_IF_REG(BPF_JNE, R6, R1, "out"), \
	LABEL(".any"), \
	BPF_STX_MEM(BPF_W, R10, R6, KEY(dev)), \
	BPF_ST_MEM(BPF_W, R10, KEY(flush), 0), \
	FIELD(R6, "sector"), \
	BPF_STX_MEM(BPF_DW, R10, R6, KEY(sector)), \
	FIELD(R7, "sectors")

/* A request without sectors: key = { dev, 1, 0 } for a flush, which says F as its operation; others are left out. */
#define FLUSH_KEY \
	JUMP_IF(BPF_JNE, R7, 0, ".sectors"), \
	BYTES(RWBS, "rwbs", 8), \
	BPF_LDX_MEM(BPF_B, R1, R10, RWBS), \
	JUMP_IF(BPF_JNE, R1, 'F', "out"), \
	BPF_LDX_MEM(BPF_B, R1, R10, RWBS + 1), \
	JUMP_IF(BPF_JEQ, R1, 'F', ".flush"), \
	JUMP_IF(BPF_JNE, R1, 0, "out"), \
	LABEL(".flush"), \
	BPF_ST_MEM(BPF_W, R10, KEY(flush), 1), \
	BPF_ST_MEM(BPF_DW, R10, KEY(sector), 0), \
	LABEL(".sectors")

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
	REQUEST_KEY,
	JUMP_IF(BPF_JEQ, R7, 0, "out"),			/* a flush begins when it is issued */
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, START(time)),
	BPF_ST_MEM(BPF_DW, R10, START(sectors), 0),
	STORE("start", KEY(dev), START(time)),		/* start[dev, sector] = { now, 0 } */
LABEL("out"),
	EXIT,
};

static const struct insn on_frontmerge[] = {
	REQUEST_KEY,
	BPF_MOV64_REG(R8, R6),
	BPF_ALU64_REG(BPF_ADD, R6, R7),
	BPF_STX_MEM(BPF_DW, R10, R6, KEY(sector)),	/* where the request began until now */
	LOOKUP("start", KEY(dev)),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, time)),
	BPF_STX_MEM(BPF_DW, R10, R1, START(time)),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, sectors)),
	BPF_STX_MEM(BPF_DW, R10, R1, START(sectors)),
	DELETE("start", KEY(dev)),
	BPF_STX_MEM(BPF_DW, R10, R8, KEY(sector)),
	STORE("start", KEY(dev), START(time)),		/* start[dev, sector] = what was there */
LABEL("out"),
	EXIT,
};

static const struct insn on_issue[] = {
	REQUEST_KEY,
	FLUSH_KEY,
	FIELD(R8, "time"),
	BPF_LDX_MEM(BPF_W, R1, R10, KEY(flush)),
	JUMP_IF(BPF_JNE, R1, 0, "flush"),
	UNLESS("queued", "now"),
	LOOKUP("start", KEY(dev)),			/* if (queued) start[dev, sector].sectors = sectors */
	JUMP_IF(BPF_JEQ, R0, 0, "now"),
	BPF_STX_MEM(BPF_DW, R0, R7, offsetof(struct start, sectors)),
	JUMP("out"),
LABEL("flush"),
	BPF_MOV64_IMM(R7, 1),
	LOOKUP("start", KEY(dev)),			/* if (another flush is under way) count it there */
	JUMP_IF(BPF_JEQ, R0, 0, "now"),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, time)),
	BPF_MOV64_REG(R2, R8),
	BPF_ALU64_REG(BPF_SUB, R2, R1),
	BPF_ALU64_IMM(BPF_RSH, R2, 35),			/* 34 s */
	JUMP_IF(BPF_JNE, R2, 0, "now"),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, sectors)),
	BPF_ALU64_IMM(BPF_ADD, R1, 1),
	BPF_ALU64_IMM(BPF_OR, R1, OVERLAP),
	BPF_STX_MEM(BPF_DW, R0, R1, offsetof(struct start, sectors)),
	JUMP("out"),
LABEL("now"),
	BPF_STX_MEM(BPF_DW, R10, R8, START(time)),
	BPF_STX_MEM(BPF_DW, R10, R7, START(sectors)),
	STORE("start", KEY(dev), START(time)),		/* start[dev, sector] = { now, sectors } */
LABEL("out"),
	EXIT,
};

static const struct insn on_done[] = {
	REQUEST_KEY,
	FLUSH_KEY,
	LOOKUP("start", KEY(dev)),			/* s = start[dev, sector] */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R8, R0, offsetof(struct start, time)),
	BPF_LDX_MEM(BPF_DW, R9, R0, offsetof(struct start, sectors)),
	BPF_LDX_MEM(BPF_W, R1, R10, KEY(flush)),
	JUMP_IF(BPF_JEQ, R1, 0, "sectors"),
	BPF_ALU64_IMM(BPF_SUB, R9, 1),			/* a flush: one less under way */
	BPF_STX_MEM(BPF_DW, R0, R9, offsetof(struct start, sectors)),
	BPF_MOV64_REG(R1, R9),
	BPF_ALU64_IMM(BPF_AND, R1, OVERLAP - 1),
	JUMP_IF(BPF_JNE, R1, 0, "out"),
	DELETE("start", KEY(dev)),
	JUMP_IF(BPF_JNE, R9, 0, "out"),			/* it overlapped */
	JUMP("whole"),
LABEL("sectors"),
	DELETE("start", KEY(dev)),
	JUMP_IF_REG(BPF_JGE, R7, R9, "whole"),
	BPF_ALU64_REG(BPF_SUB, R9, R7),			/* part of it: { s.time, s.sectors - sectors } */
	BPF_ALU64_REG(BPF_ADD, R6, R7),
	BPF_STX_MEM(BPF_DW, R10, R6, KEY(sector)),	/* waits at [dev, sector + sectors] */
	BPF_STX_MEM(BPF_DW, R10, R8, START(time)),
	BPF_STX_MEM(BPF_DW, R10, R9, START(sectors)),
	STORE("start", KEY(dev), START(time)),
	JUMP("out"),
LABEL("whole"),
	FIELD(R6, "time"),
	BPF_ALU64_REG(BPF_SUB, R6, R8),			/* delta = now - s.time */
	JUMP_IF(BPF_JSGE, R6, 0, "forward"),
	JUMP("out"),					/* clocks of two CPUs that disagree */
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
	BPF_LDX_MEM(BPF_W, R6, R10, KEY(dev)),
	BPF_STX_MEM(BPF_DW, R10, R6, HIST(group)),	/* hists[dev, slot]++ */
LABEL("group"),
	COUNT_KEY("hists", HIST(epoch), ONE),
	JUMP("out"),
LABEL("one"),
	BPF_STX_MEM(BPF_W, R10, R7, SLOT),
	COUNT("hist", SLOT),				/* hist[slot]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("block.queue", on_queue, .option = "queued"),
	PROGRAM("block.frontmerge", on_frontmerge, .option = "queued", .optional = true),
	PROGRAM("block.issue", on_issue),
	PROGRAM("block.done", on_done),
	{ }
};

const struct program_set biolatency_programs = { programs, maps };
