// SPDX-License-Identifier: GPL-2.0
/*
 * biolatency where events do not tell the request: a key is made of what they tell.
 *
 * key = { dev, operation, sector }
 * block.queue:		queue[key] = now; if another request waits there already, both are in doubt
 * block.frontmerge:	move queue[end of the I/O] to queue[key]: the request behind the I/O now
 *			begins where the I/O does
 * block.merge:		drop queue[key]: the request became part of another
 * block.issue:		start[key] = { now or take queue[key], sectors }; if another request is
 *			under way there, they overlap
 * block.requeue:	start[key] will be issued once more
 * block.done:		s = start[key]; if there are sectors left of s: move it behind those that
 *			are done; otherwise hist[slot((now - s.time) / unit)]++, or untimed++ if the
 *			request can't be told apart from others
 *
 * Several requests may have one key: biolatency_keys.h handles that.
 */
#include "insns/programs/biolatency_count.h"
#include "insns/programs/biolatency_keys.h"

static const struct map maps[] = {
	MADE_KEY_MAPS,
	LATENCY_MAPS,
	{ }
};

struct frame {
	struct disk_key key;
	char rwbs[8];
	struct waiting waiting;
	struct start start;
	struct start older;		/* another request with the same key */
	u64 who;
	uint32_t index;
	uint32_t slot;
	struct hist_key hist;
};

static const struct insn on_queue[] = {
	REQUEST_KEY(rwbs, "out"),
	JEQ(N_SECTORS, 0, "out"),			/* a flush begins when it is issued */
	FIELD(NOW, "time"),
	SET(waiting.time, NOW),
	SET_IMM(waiting.waiting, 1),
	WAIT_IN_QUEUE,					/* queue[key] = { now, 1 } */
LABEL("out"),
	EXIT,
};

static const struct insn on_frontmerge[] = {
	REQUEST_KEY(rwbs, "out"),
	MOVE_FRONT("queue", waiting, "out"),		/* move queue[end] to queue[key] */
LABEL("out"),
	EXIT,
};

static const struct insn on_merge[] = {
	REQUEST_KEY(rwbs, "out"),
	FORGET_MERGED("queue", struct waiting, "out"),	/* drop queue[key] */
LABEL("out"),
	EXIT,
};

/*
 * The request takes its slot if that is free and nothing is in `start`. If a request with the same
 * key has the slot, that one moves to `start`, so its end may find it in both places. In all other
 * cases the request enters `start`. If its key is there, its request was given back and is issued
 * again now; or it is another request with this key: then the times of both are unknown. Of several
 * issues the last one counts, with --queued the first. An entry that is gone again is replaced.
 *
 * What a slot has is written by its owner alone.
 */
static const struct insn on_issue[] = {
	REQUEST_KEY(rwbs, "out"),
	FIELD(BEGAN, "time"),				/* began = now */
	TAKE_QUEUED,					/* began = take queue[key] */
	SLOT("enter"),
	BPF_MOV64_REG(SLOT_AT, R0),
	SET_IMM(index, 0),
	LOOKUP_OR("started", index, "enter"),
	BPF_LDX_MEM(BPF_DW, R1, R0, 0),
	GET(R2, who),
	JNE(R1, 0, "look"),
	BPF_MOV64_IMM(R0, 0),
	CMPXCHG(SLOT_AT, struct slot, who, R2),
	JNE(R0, 0, "whose"),
	PUT(SLOT_AT, struct slot, time, BEGAN),		/* slots[key] = { began, sectors } */
	PUT(SLOT_AT, struct slot, sectors, N_SECTORS),
	JUMP("out"),

LABEL("look"),
	LOAD(R0, SLOT_AT, struct slot, who),
LABEL("whose"),
	JNE_REG(R0, R2, "enter"),
	COUNT_INDEX("overlaps", index, 0),
	LOAD(R1, SLOT_AT, struct slot, time),
	SET(older.time, R1),
	LOAD(R1, SLOT_AT, struct slot, sectors),
	SET(older.sectors, R1),
	ALONE(older),
	ENTER(older),					/* it moves to start */
	JNE(R0, 0, "enter"),
	GIVE_BACK(SLOT_AT, "ended"),
	JUMP("enter"),
LABEL("ended"),
	LEAVE,

LABEL("enter"),
	SET(start.time, BEGAN),
	SET(start.sectors, N_SECTORS),
	ALONE(start),
	ENTER(start),					/* start[key] = { began, sectors } */
	JEQ(R0, 0, "out"),
	LOOKUP_OR("start", key, "replace"),
	LOAD(R1, R0, struct start, time),
	LOAD(R2, R0, struct start, sectors),
	JSET(R2, AGAIN, "again"),
	OVERLAP_AT_R0("replace"),
	JUMP("out"),
LABEL("again"),
	BPF_ALU64_IMM(BPF_AND, R2, AGAIN - 1),
	PUT(R0, struct start, sectors, R2),
	JUMP_UNLESS("issued", "out"),
	PUT(R0, struct start, time, BEGAN),
	JUMP("out"),
LABEL("replace"),
	LEAVE,
	ENTER(start),
	COUNT_UNLESS_ENTERED,
LABEL("out"),
	EXIT,
};

/*
 * The driver gave the request back: start[key].sectors gets the flag AGAIN. Of several with the key
 * this one will be counted twice.
 */
static const struct insn on_requeue[] = {
	REQUEST_KEY(rwbs, "out"),
	SLOT("start"),
	BPF_MOV64_REG(R3, R0),
	LOAD(R1, R3, struct slot, time),
	SET(start.time, R1),
	LOAD(R1, R3, struct slot, sectors),
	BPF_ALU64_IMM(BPF_OR, R1, AGAIN),
	SET(start.sectors, R1),
	ALONE(start),
	GIVE_BACK(R3, "start"),
	LEAVE,
	ENTER(start),					/* it moves to start */
	COUNT_UNLESS_ENTERED,
	JUMP("out"),
LABEL("start"),
	LOOKUP_OR("start", key, "out"),
	LOAD(R1, R0, struct start, time),
	JSLT(R1, 0, "out"),
	LOAD(R1, R0, struct start, sectors),
	BPF_ALU64_IMM(BPF_OR, R1, AGAIN),
	PUT(R0, struct start, sectors, R1),
LABEL("out"),
	EXIT,
};

/* The bytes behind the NUL of rwbs are left from before: they are not part of the key. */
#define CUT(N)	GET(R1, rwbs[N - 1]), JEQ(R1, 0, ".cut" #N)
#define CLEAR(N) LABEL(".cut" #N), SET_IMM(rwbs[N], 0)
#define CUT_RWBS \
	CUT(2), CUT(3), CUT(4), CUT(5), CUT(6), CUT(7), \
	JUMP(".whole"), \
	CLEAR(2), CLEAR(3), CLEAR(4), CLEAR(5), CLEAR(6), CLEAR(7), \
	LABEL(".whole")

/* frame.hist.group = rwbs, or the disk: the user asked for a histogram of each */
#define SET_GROUP \
	JUMP_UNLESS("flags", ".by_disk"), \
	SET_BYTES(rwbs, "rwbs"), \
	CUT_RWBS, \
	GET(R1, key.operation), \
	JNE(R1, 'F', ".flags"), \
	GET(R1, rwbs[1]), \
	JNE(R1, 'W', ".flags"), \
	SET_IMM(rwbs[1], 'F'),				/* a flush before 4.8, in later words */ \
	LABEL(".flags"), \
	COPY(hist.group, rwbs), \
	JUMP(".group"), \
	LABEL(".by_disk"), \
	GET(R1, key.dev), \
	SET(hist.group, R1), \
	LABEL(".group")

/*
 * s = the time and the sectors still to come of the request with this key. If all of it is done,
 * its time is counted. Otherwise the rest waits at the sector behind the ones that are done. Of
 * several requests with this key one less is under way: 0 of them becomes the largest number.
 */
static const struct insn on_done[] = {
	REQUEST_KEY(rwbs, "out"),
	SLOT("start"),
	BPF_MOV64_REG(R3, R0),
	LOAD(BEGAN, R3, struct slot, time),
	LOAD(TO_COME, R3, struct slot, sectors),
	GIVE_BACK(R3, "start"),				/* s = take slots[key] or start[key] */
	JUMP("alone"),
LABEL("start"),
	LOOKUP_OR("start", key, "unknown"),
	LOAD(BEGAN, R0, struct start, time),
	LOAD(TO_COME, R0, struct start, sectors),
	JSLT(BEGAN, 0, "overlap"),
	LEAVE,

LABEL("alone"),
	BPF_MOV64_REG(R1, TO_COME),
	BPF_ALU64_IMM(BPF_AND, R1, LEFT),
	JGE_REG(N_SECTORS, R1, "whole"),
	BPF_ALU64_REG(BPF_SUB, TO_COME, N_SECTORS),
	BPF_ALU64_REG(BPF_ADD, SECTOR, N_SECTORS),
	SET(key.sector, SECTOR),
	SET(start.time, BEGAN),
	SET(start.sectors, TO_COME),
	ALONE(start),
	LEAVE,
	ENTER(start),					/* start[next sector] = the rest of s */
	COUNT_UNLESS_ENTERED,
	JUMP("out"),

LABEL("overlap"),					/* one of several requests is done */
	BPF_MOV64_IMM(R1, -1),
	XADD(R0, struct start, under_way, R1),
	LOAD(R1, R0, struct start, under_way),
	BPF_ALU64_IMM(BPF_SUB, R1, 1),
	JSGE(R1, 0, "others"),
	LEAVE,
LABEL("others"),
	JUMP("untimed"),
LABEL("unknown"),
	UNKNOWN_UNLESS_OVERLAPS("out"),			/* it began before sonde did */
	JUMP("untimed"),

LABEL("whole"),
	JSET(TO_COME, AGAIN | UNTIMED, "untimed"),
	COUNT_LATENCY(BEGAN, SET_GROUP, "untimed"),	/* hist[slot((now - s.time) / unit)]++ */
	JUMP("out"),

LABEL("untimed"),
	COUNT_INDEX("untimed", index, 0),		/* untimed++ */
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

const struct program_set biolatency_made_programs = { programs, maps };
