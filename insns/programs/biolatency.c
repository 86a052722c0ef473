// SPDX-License-Identifier: GPL-2.0
/*
 * key = { dev, operation, sector }
 * block.queue:		queue[key] = now; if another request waits there already, both are in doubt
 * block.frontmerge:	move queue[end of the I/O] to queue[key]: the request behind the I/O now
 *			begins where the I/O does
 * block.merge:		drop queue[key]: the request became part of another
 * block.issue:		start[key] = { now or take queue[key], sectors }; if another request is
 *			under way there, they overlap
 * block.requeue:	start[key] will be issued once more
 * block.done:		s = start[key]; if there are sectors left of s: move it behind those that
 *			are done; otherwise hist[slot((now - s.time) / unit)]++, or untimed++ if it
 *			is not known which request it was
 *
 * Requests that are under way at the same time with one key can't be told apart (insns/disk.h):
 * they are counted without a time, as is a request whose time in the queue is in doubt.
 *
 * Most requests are alone, and a hash takes a lock to let each of them in and another one to let it
 * out. So where the kernel can compare and exchange (5.12), a request goes into `slots`, an array,
 * while `start` is empty and nobody has its slot: one instruction takes the slot, and one gives it
 * back. The second request with a key moves the first one to `start`, which does the rest. `start`
 * tells by `started` that it is not empty.
 */
#include "insns/programs/biolatency.h"

#include <errno.h>

#include "insns/disk.h"
#include "insns/hist.h"

struct start {
	u64 time;		/* with OVERLAP_BIT: there were several, whose times are unknown */
	uint32_t sectors;	/* still to come */
	uint32_t under_way;	/* how many requests */
};

struct waiting {
	u64 time;
	u64 waiting;
};

/* A request in `slots`. */
struct slot {
	u64 who;		/* its key, in one number; 0: nobody has the slot */
	u64 time;
	u64 sectors;
};
#define SLOT_BITS 10

/* How much of a key that number has: of the sector, the operation, a letter, and the device. */
#define SECTOR_BITS 40
#define LETTER_BITS 5
#define MAJOR_BITS 9
#define MINOR_BITS 10
#define BELOW_SECTOR (LETTER_BITS + MAJOR_BITS + MINOR_BITS)
#define DEV_MINOR_BITS 20	/* of the kernel's dev_t */

_Static_assert(SECTOR_BITS + BELOW_SECTOR == 64, "a key is one number");

#define OVERLAP_BIT 63	/* so the time is a negative number */

/* Flags of start.sectors. */
#define AGAIN 0x20000000	/* it was given back, and will be issued again */
#define UNTIMED 0x10000000	/* when it was queued is in doubt */
#define LEFT (UNTIMED - 1)	/* the sectors that are still to come */

static const struct map maps[] = {
	{ "queue", MAP_HASH, ROLE_HINT, sizeof(struct disk_key), sizeof(struct waiting),
	  DISK_WAITING },
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct disk_key), sizeof(struct start),
	  DISK_REQUESTS },
	{ "slots", MAP_ARRAY, ROLE_TABLE, 4, sizeof(struct slot), 1 << SLOT_BITS },
	{ "started", MAP_ARRAY, ROLE_TABLE, 4, 8, 1 },		/* how many are in `start` */
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 496, .key = &slot_key_layout },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct hist_key), 8, 10240,
	  .key = &hist_key_layout },
	{ "totals", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 2, .key = &total_key_layout },
	{ "overlaps", MAP_ARRAY, ROLE_TABLE, 4, 8, 1 },	/* not 0: there were some */
	{ "untimed", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 1, .key = &index_key_layout },
	{ }
};

struct frame {
	struct disk_key key;
	char rwbs[8];
	struct waiting waiting;
	struct start start;
	struct start older;		/* of another request with its key */
	u64 who;
	uint32_t index;
	uint32_t slot;
	struct hist_key hist;
};

/* Registers beside those of disk.h. */
enum {
	SLOT_AT = R6, LENGTH = R6,
	INDEX = R7,
	NOW = R8, AGE = R8, BEGAN = R8,
	TO_COME = R9,			/* sectors, and flags of start.sectors */
};

/* frame.START is one request, which has its time and sectors. */
#define ALONE(START) SET_IMM(START.under_way, 1)

/* started += N */
#define COUNT_STARTED(N) ADD_NUMBER("started", index, N, ".uncounted"), LABEL(".uncounted")

/* start[key] = frame.START, if there is none; else, and where there is no room, r0 is not 0. */
#define ENTER(START) \
	STORE_NEW("start", key, START), \
	JUMP_UNLESS("cmpxchg", ".not_entered"), \
	JNE(R0, 0, ".not_entered"), \
	COUNT_STARTED(1), \
	BPF_MOV64_IMM(R0, 0), \
	LABEL(".not_entered")

/* delete start[key] */
#define LEAVE \
	DELETE("start", key), \
	JUMP_UNLESS("cmpxchg", ".not_left"), \
	JNE(R0, 0, ".not_left"), \
	COUNT_STARTED(-1), \
	LABEL(".not_left")

/* start[key] = frame.start, whatever was there; a full map is counted. */
#define REPLACE \
	LEAVE, \
	ENTER(start), \
	JEQ(R0, 0, ".replaced"), \
	JEQ(R0, -EEXIST, ".replaced"), \
	COUNT_FULL, \
	LABEL(".replaced")

/*
 * Behind REQUEST_KEY: frame.who = the key in one number, r0 = address of its slot. Goes to OUT
 * where there are no slots, and if the number has no room for the key. The slot is that of the
 * sector's page and the device, multiplied by a number whose bits are mixed.
 */
#define SLOT(OUT) \
	JUMP_UNLESS("cmpxchg", OUT), \
	GET(R2, key.sector), \
	BPF_MOV64_REG(R1, R2), \
	BPF_ALU64_IMM(BPF_RSH, R1, SECTOR_BITS), \
	JNE(R1, 0, OUT), \
	BPF_ALU64_IMM(BPF_LSH, R2, BELOW_SECTOR), \
	GET(R1, key.operation), \
	BPF_ALU64_IMM(BPF_AND, R1, (1 << LETTER_BITS) - 1), \
	BPF_ALU64_IMM(BPF_LSH, R1, MAJOR_BITS + MINOR_BITS), \
	BPF_ALU64_REG(BPF_OR, R2, R1), \
	GET(R1, key.dev), \
	BPF_MOV64_REG(R3, R1), \
	BPF_ALU64_IMM(BPF_RSH, R3, DEV_MINOR_BITS), \
	JGT(R3, (1 << MAJOR_BITS) - 1, OUT), \
	BPF_ALU64_IMM(BPF_LSH, R3, MINOR_BITS), \
	BPF_ALU64_REG(BPF_OR, R2, R3), \
	BPF_ALU64_IMM(BPF_AND, R1, (1 << DEV_MINOR_BITS) - 1), \
	JGT(R1, (1 << MINOR_BITS) - 1, OUT), \
	BPF_ALU64_REG(BPF_OR, R2, R1), \
	SET(who, R2), \
	BPF_MOV64_REG(R1, R2), \
	BPF_ALU64_IMM(BPF_RSH, R1, BELOW_SECTOR + 3), \
	BPF_ALU64_REG(BPF_XOR, R2, R1), \
	BPF_ALU64_IMM(BPF_MUL, R2, 0x61c88647), \
	BPF_ALU64_IMM(BPF_LSH, R2, 32), \
	BPF_ALU64_IMM(BPF_RSH, R2, 64 - SLOT_BITS), \
	SET(slot, R2), \
	LOOKUP_OR("slots", slot, OUT)

/* Gives the slot at BASE back; goes to OUT if frame.who does not have it, or not any more. */
#define GIVE_BACK(BASE, OUT) \
	GET(R0, who), \
	BPF_MOV64_REG(R2, R0), \
	BPF_MOV64_IMM(R1, 0), \
	CMPXCHG(BASE, struct slot, who, R1), \
	JNE_REG(R0, R2, OUT)

/* The bytes behind the NUL of rwbs are left from before: they are not part of the key. */
#define CUT(N)	GET(R1, rwbs[N - 1]), JEQ(R1, 0, ".cut" #N)
#define CLEAR(N) LABEL(".cut" #N), SET_IMM(rwbs[N], 0)
#define CUT_RWBS \
	CUT(2), CUT(3), CUT(4), CUT(5), CUT(6), CUT(7), \
	JUMP(".whole"), \
	CLEAR(2), CLEAR(3), CLEAR(4), CLEAR(5), CLEAR(6), CLEAR(7), \
	LABEL(".whole")

static const struct insn on_queue[] = {
	REQUEST_KEY(rwbs, "out"),
	JEQ(N_SECTORS, 0, "out"),			/* a flush begins when it is issued */
	FIELD(NOW, "time"),
	SET(waiting.time, NOW),
	SET_IMM(waiting.waiting, 1),
	STORE_NEW("queue", key, waiting),		/* queue[key] = { now, 1 } */
	JEQ(R0, 0, "out"),
	LOOKUP_OR("queue", key, "store"),		/* gone again, or there is no room */
	LOAD(R1, R0, struct waiting, time),
	BPF_ALU64_REG(BPF_SUB, NOW, R1),
	BPF_ALU64_IMM(BPF_RSH, AGE, QUEUE_SHIFT),
	JNE(AGE, 0, "store"),
	LOAD(R1, R0, struct waiting, waiting),
	BPF_ALU64_IMM(BPF_ADD, R1, 1),
	BPF_ALU64_IMM(BPF_OR, R1, DOUBT),		/* one waits there: DOUBT */
	PUT(R0, struct waiting, waiting, R1),
	JUMP("out"),
LABEL("store"),
	STORE("queue", key, waiting),
LABEL("out"),
	EXIT,
};

static const struct insn on_frontmerge[] = {
	REQUEST_KEY(rwbs, "out"),
	MOVE_FRONT("queue", waiting, "out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_merge[] = {
	REQUEST_KEY(rwbs, "out"),
	FORGET_MERGED("queue", struct waiting, "out"),
LABEL("out"),
	EXIT,
};

/*
 * Where the user asked for the time in the queue, too: BEGAN = take queue[key]. If it is not there,
 * or in doubt, BEGAN stays.
 */
#define TAKE_QUEUED \
	JUMP_UNLESS("queued", ".now"), \
	LOOKUP_OR("queue", key, ".now"), \
	LOAD(R1, R0, struct waiting, time), \
	LOAD(R2, R0, struct waiting, waiting), \
	JSET(R2, DOUBT, ".doubt"), \
	BPF_MOV64_REG(BEGAN, R1), \
	JUMP(".last"), \
	LABEL(".doubt"), \
	BPF_ALU64_IMM(BPF_OR, N_SECTORS, UNTIMED), \
	ONE_LESS_WAITS(struct waiting, ".last"), \
	JUMP(".now"), \
	LABEL(".last"), \
	DELETE("queue", key), \
	LABEL(".now")

/*
 * The request takes its slot, if nobody has it: goto OUT. Else, and where one with this key has it,
 * which moves to `start`, goto ENTER.
 */
#define TAKE_SLOT(OUT, ENTER_IT) \
	SLOT(ENTER_IT), \
	BPF_MOV64_REG(SLOT_AT, R0), \
	SET_IMM(index, 0), \
	LOOKUP_OR("started", index, ENTER_IT), \
	BPF_LDX_MEM(BPF_DW, R1, R0, 0), \
	GET(R2, who), \
	JNE(R1, 0, ".look"), \
	BPF_MOV64_IMM(R0, 0), \
	CMPXCHG(SLOT_AT, struct slot, who, R2),		/* slots[who].who = who */ \
	JNE(R0, 0, ".whose"), \
	PUT(SLOT_AT, struct slot, time, BEGAN),		/* only who has it does, or ends it */ \
	PUT(SLOT_AT, struct slot, sectors, N_SECTORS), \
	JUMP(OUT), \
	LABEL(".look"), \
	LOAD(R0, SLOT_AT, struct slot, who), \
	LABEL(".whose"), \
	JNE_REG(R0, R2, ENTER_IT),			/* nobody's, or another request's */ \
	COUNT_INDEX("overlaps", index, 0),		/* one with this key: it moves to start */ \
	LOAD(R1, SLOT_AT, struct slot, time), \
	SET(older.time, R1), \
	LOAD(R1, SLOT_AT, struct slot, sectors), \
	SET(older.sectors, R1), \
	ALONE(older), \
	ENTER(older),					/* so that its end finds it anywhere */ \
	JNE(R0, 0, ENTER_IT), \
	GIVE_BACK(SLOT_AT, ".ended"), \
	JUMP(ENTER_IT), \
	LABEL(".ended"),				/* just now */ \
	LEAVE

/*
 * Another request with this key is under way at r0, a struct start: from now on their times are
 * unknown. If its end was never told, or it has ended meanwhile, goto REPLACE_IT.
 */
#define OVERLAPS(REPLACE_IT) \
	BPF_MOV64_IMM(R2, 1), \
	BPF_ALU64_IMM(BPF_LSH, R2, OVERLAP_BIT), \
	BPF_ALU64_REG(BPF_OR, R1, R2), \
	BPF_ALU64_REG(BPF_OR, BEGAN, R2), \
	BPF_ALU64_REG(BPF_SUB, BEGAN, R1), \
	BPF_ALU64_IMM(BPF_RSH, AGE, DEVICE_SHIFT), \
	JNE(AGE, 0, REPLACE_IT),			/* its end was never told */ \
	PUT(R0, struct start, time, R1),		/* they overlap */ \
	BPF_MOV64_IMM(R1, 1), \
	XADD(R0, struct start, under_way, R1),		/* one more is under way there */ \
	LOOKUP_OR("start", key, REPLACE_IT),		/* the other one has ended meanwhile */ \
	COUNT_INDEX("overlaps", index, 0)

static const struct insn on_issue[] = {
	REQUEST_KEY(rwbs, "out"),
	FIELD(BEGAN, "time"),
	TAKE_QUEUED,				/* began = now or take queue[key] */
	TAKE_SLOT("out", "enter"),		/* slots[who] = { who, began, sectors } */
LABEL("enter"),
	SET(start.time, BEGAN),
	SET(start.sectors, N_SECTORS),
	ALONE(start),
	ENTER(start),					/* start[key] = { began, sectors } */
	JEQ(R0, 0, "out"),
	LOOKUP_OR("start", key, "store"),		/* gone again, or there is no room */
	LOAD(R1, R0, struct start, time),
	LOAD(R2, R0, struct start, sectors),
	JSET(R2, AGAIN, "again"),
	OVERLAPS("store"),
	JUMP("out"),
LABEL("again"),
	BPF_ALU64_IMM(BPF_AND, R2, AGAIN - 1),
	PUT(R0, struct start, sectors, R2),
	JUMP_UNLESS("issued", "out"),	/* the last issue counts; the first time in the queue */
	PUT(R0, struct start, time, BEGAN),
	JUMP("out"),
LABEL("store"),
	REPLACE,
LABEL("out"),
	EXIT,
};

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
	REPLACE,					/* it moves to start */
	JUMP("out"),
LABEL("start"),
	LOOKUP_OR("start", key, "out"),
	LOAD(R1, R0, struct start, time),
	JSLT(R1, 0, "out"),				/* it will count twice there */
	LOAD(R1, R0, struct start, sectors),
	BPF_ALU64_IMM(BPF_OR, R1, AGAIN),
	PUT(R0, struct start, sectors, R1),
LABEL("out"),
	EXIT,
};

/*
 * The key's request has ended: BEGAN and TO_COME = what it was. If there are several of them, goto
 * OVERLAP, with start[key] at r0; if none is known, goto UNKNOWN.
 */
#define TAKE_REQUEST(OVERLAP, UNKNOWN) \
	SLOT(".start"), \
	BPF_MOV64_REG(R3, R0), \
	LOAD(BEGAN, R3, struct slot, time), \
	LOAD(TO_COME, R3, struct slot, sectors), \
	GIVE_BACK(R3, ".start"), \
	JUMP(".alone"), \
	LABEL(".start"), \
	LOOKUP_OR("start", key, UNKNOWN), \
	LOAD(BEGAN, R0, struct start, time), \
	LOAD(TO_COME, R0, struct start, sectors), \
	JSLT(BEGAN, 0, OVERLAP), \
	LEAVE, \
	LABEL(".alone")

/* Only N_SECTORS of TO_COME are done: the rest waits behind them. */
#define REST_WAITS \
	BPF_ALU64_REG(BPF_SUB, TO_COME, N_SECTORS), \
	BPF_ALU64_REG(BPF_ADD, SECTOR, N_SECTORS), \
	SET(key.sector, SECTOR), \
	SET(start.time, BEGAN), \
	SET(start.sectors, TO_COME), \
	ALONE(start), \
	REPLACE

/* frame.hist.group = rwbs, or the disk: what the user asked for histograms of */
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

static const struct insn on_done[] = {
	REQUEST_KEY(rwbs, "out"),
	TAKE_REQUEST("overlap", "unknown"),		/* s = take slots[who] or start[key] */
	BPF_MOV64_REG(R1, TO_COME),
	BPF_ALU64_IMM(BPF_AND, R1, LEFT),
	JGE_REG(N_SECTORS, R1, "whole"),
	REST_WAITS,	/* start[sector + sectors] = { s.time, s.sectors - sectors } */
	JUMP("out"),

LABEL("overlap"),					/* one of several: one less is under way */
	BPF_MOV64_IMM(R1, -1),
	XADD(R0, struct start, under_way, R1),
	LOAD(R1, R0, struct start, under_way),
	BPF_ALU64_IMM(BPF_SUB, R1, 1),			/* 0 has become the largest number */
	JSGE(R1, 0, "untimed"),
	LEAVE,
	JUMP("untimed"),

LABEL("whole"),
	JSET(TO_COME, AGAIN | UNTIMED, "untimed"),
	FIELD(LENGTH, "time"),
	BPF_ALU64_REG(BPF_SUB, LENGTH, BEGAN),		/* length = now - s.time */
	JSLT(LENGTH, 0, "untimed"),			/* clocks of two CPUs that disagree */
	IN_UNIT(LENGTH),
	JUMP_UNLESS("extension", "no_totals"),
	ADD_TOTALS("totals", index, LENGTH),		/* totals[0] += length; totals[1]++ */
LABEL("no_totals"),
	JUMP_UNLESS("grouped", "one"),
	SET_GROUP,
	LOG2(INDEX, LENGTH),
	COUNT_GROUP("hists", hist, INDEX),		/* hists[rwbs or dev, slot]++ */
	JUMP("out"),
LABEL("one"),
	LOG2(INDEX, LENGTH),
	COUNT_SLOT("hist", index, INDEX),		/* hist[slot]++ */
	JUMP("out"),

LABEL("unknown"),		/* begun before sonde; but CPUs may race for one that overlaps */
	SET_IMM(index, 0),
	LOOKUP_OR("overlaps", index, "out"),
	BPF_LDX_MEM(BPF_DW, R1, R0, 0),
	JEQ(R1, 0, "out"),
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

const struct program_set biolatency_programs = { programs, maps };
