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

static const struct insn on_issue[] = {
	REQUEST_KEY(rwbs, "out"),
	FIELD(BEGAN, "time"),				/* began = now */
	TAKE_QUEUED,					/* began = take queue[key] */
	TAKE_SLOT("out", "enter"),			/* slots[key] = { began, sectors } */
LABEL("enter"),
	ENTER_START,					/* start[key] = { began, sectors } */
LABEL("out"),
	EXIT,
};

static const struct insn on_requeue[] = {
	REQUEST_KEY(rwbs, "out"),
	GIVEN_BACK,					/* start[key] will be issued once more */
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

static const struct insn on_done[] = {
	REQUEST_KEY(rwbs, "out"),
	TAKE_REQUEST("overlap", "unknown"),		/* s = take slots[key] or start[key] */
	REST_WAITS("whole"),				/* start[next sector] = the rest of s */
	JUMP("out"),

LABEL("overlap"),
	ONE_LESS_UNDER_WAY,				/* one of several requests is done */
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
