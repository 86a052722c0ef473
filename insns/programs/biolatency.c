// SPDX-License-Identifier: GPL-2.0
/*
 * biolatency where events tell the request: start[request] = { time, waits }.
 *
 * block.queue:		start[request] = { now, waits }; if it was given back, its time stays
 * block.merge:		drop start[request]: the request became part of another
 * block.requeue:	start[request].waits = given back
 * block.issue:		start[request] = now; a request that waits keeps the time since when it does
 * block.done:		hist[slot((now - take start[request]) / unit)]++, when all is done
 *
 * Without --queued there are only block.issue and block.done: the last issue counts.
 */
#include "insns/programs/biolatency_count.h"
#include "insns/programs/biolatency_start.h"
#include "insns/request.h"

static const struct map maps[] = {
	START_MAPS,
	LATENCY_MAPS,
	{ }
};

struct frame {
	u64 request;
	struct disk_numbers numbers;
	struct start start;
	uint32_t slot;
	uint32_t index;
	struct hist_key hist;
};

/* Registers beside those of biolatency_count.h and biolatency_start.h. */
enum { OPERATION = R6, DEV = R7, BYTES = R7, LETTERS = R7, FLAGS = R8, LETTER = R9 };

static const struct insn on_queue[] = {
	FOLLOWED_REQUEST(OPERATION, DEV, "out"),
	JEQ(OPERATION, REQ_OP_FLUSH, "out"),		/* a flush begins when it is issued */
	THIS_REQUEST,
	FIELD(NOW, "time"),
	FIELD(R1, "again"),				/* this may be its second time here */
	JEQ(R1, 0, "new"),
	STATE_OF(STATE, "new"),
	JEQ(STATE, GIVEN_BACK, "out"),
LABEL("new"),
	BEGIN(NOW, WAITS),				/* start[request] = { now, waits } */
LABEL("out"),
	EXIT,
};

static const struct insn on_merge[] = {
	THIS_REQUEST,
	TAKE_START(BEGAN, "out"),			/* drop start[request] */
LABEL("out"),
	EXIT,
};

static const struct insn on_requeue[] = {
	THIS_REQUEST,
	BECOMES(GIVEN_BACK),
	EXIT,
};

static const struct insn on_issue[] = {
	FOLLOWED_REQUEST(OPERATION, DEV, "other"),
	THIS_REQUEST,
	FIELD(NOW, "time"),
	JUMP_UNLESS("queued", "new"),
	STATE_OF(STATE, "new"),
	JEQ(STATE, WITH_DEVICE, "new"),			/* its end was missed */
	BECOMES(WITH_DEVICE),
	JUMP("out"),
LABEL("new"),
	BEGIN(NOW, WITH_DEVICE),			/* start[request] = now */
	JUMP("out"),
LABEL("other"),
	THIS_REQUEST,
	TAKE_START(BEGAN, "out"),			/* there is one if its end was missed */
LABEL("out"),
	EXIT,
};

/* frame.hist.group = rwbs, or the disk: the user asked for a histogram of each. Keeps r6. */
#define SET_GROUP \
	JUMP_UNLESS("flags", ".by_disk"), \
	FIELD(FLAGS, "flags"), \
	BPF_MOV64_REG(LETTER, FLAGS), \
	BPF_ALU64_IMM(BPF_AND, LETTER, REQ_OP_MASK), \
	OPERATION_LETTER(LETTER), \
	REQUEST_LETTERS(LETTERS, LETTER, FLAGS), \
	SET(hist.group, LETTERS), \
	JUMP(".group"), \
	LABEL(".by_disk"), \
	REQUEST_DEV(DEV), \
	SET(hist.group, DEV), \
	LABEL(".group")

static const struct insn on_done[] = {
	WHOLE_REQUEST_DONE(BYTES, "out", "out"),
	THIS_REQUEST,
	TAKE_START(BEGAN, "out"),			/* began = take start[request] */
	COUNT_LATENCY(BEGAN, SET_GROUP, "untimed"),	/* hist[slot((now - began) / unit)]++ */
	JUMP("out"),
LABEL("untimed"),
	COUNT_INDEX("untimed", index, 0),		/* untimed++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("block.queue", on_queue, .option = "queued"),
	PROGRAM("block.merge", on_merge, .option = "queued"),
	PROGRAM("block.requeue", on_requeue, .option = "queued"),
	PROGRAM("block.issue", on_issue),
	PROGRAM("block.done", on_done),
	{ }
};

const struct program_set biolatency_programs = {
	programs, maps, .otherwise = &biolatency_made_programs,
};
