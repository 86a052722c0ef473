// SPDX-License-Identifier: GPL-2.0
/*
 * biosnoop and biotop where events do not tell the request: a key is made of what they tell.
 *
 * key = { dev, operation, sector }
 * block.request:	who[key] = { now, task }; if another request waits there already, both are
 *			in doubt
 * block.frontmerge:	move who[end of the I/O] to who[key]: the request behind the I/O now begins
 *			where the I/O does
 * block.merge:		drop who[key]: the request became part of another
 * block.issue:		start[key] = { take who[key], now, sectors }; if another request is under
 *			way there, they overlap
 * block.requeue:	start[key].time = 0: the request will be issued again; before that a driver
 *			may give it back several times
 * block.done:		s = start[key]; if there are sectors left of s: move it behind those that
 *			are done; otherwise output { s, now }, or
 *			sums[task, dev, operation] += { 1, bytes, now - s.time }
 *
 * Often a task of the kernel issues requests for other tasks, so the shown task is the one that
 * made the request. Several requests may have one key: biosnoop_keys.h handles that.
 *
 * A flush serves all tasks that asked for one, and has no task. A request to flush is completed
 * once more without sectors, and was never issued.
 */
#include "insns/programs/biosnoop_keys.h"
#include "insns/programs/biosnoop_rows.h"

static const struct map snoop_maps[] = {
	MADE_KEY_MAPS,
	EVENTS_MAP,
	{ }
}, top_maps[] = {
	MADE_KEY_MAPS,
	SUMS_MAP,
	{ }
};

struct frame {
	struct disk_key key;
	struct who who;
	struct start start;
	struct biosnoop_record record;
	struct biotop_key top;
	struct biotop_sums sums;
};

/*
 * If the user asked for some tasks, the requests of other tasks are followed too, with task -1: two
 * requests with one key may be of different tasks.
 */
static const struct insn on_request[] = {
	REQUEST_KEY(record.rwbs, "out"),
	JEQ(N_SECTORS, 0, "out"),			/* a flush has no task */
	MADE_NOW(who.task),
	WAIT_FOR_ISSUE(TASK),				/* who[key] = { now, task } */
	JUMP_UNLESS("filtered", "out"),
	JNE(N_WAITING, 1, "out"),
	FILTER_WHOSE(TASK),
	LOOKUP_OR("who", key, "out"),			/* who[key].task = the current task */
	PUT(R0, struct who, task.pid_tgid, TASK),
LABEL("out"),
	EXIT,
};

static const struct insn on_frontmerge[] = {
	REQUEST_KEY(record.rwbs, "out"),
	MOVE_FRONT("who", who, "out"),			/* move who[end] to who[key] */
LABEL("out"),
	EXIT,
};

static const struct insn on_merge[] = {
	REQUEST_KEY(record.rwbs, "out"),
	FORGET_MERGED("who", struct who, "out"),	/* drop who[key] */
LABEL("out"),
	EXIT,
};

static const struct insn on_issue[] = {
	REQUEST_KEY(record.rwbs, "out"),
	FIELD(NOW, "time"),
	ISSUED_AGAIN("store"),				/* start[key].time = now */
	TAKE_WHO,					/* who = take who[key] */
	COPY(start.task, who.task),
	SET(start.time, NOW),
	SET(start.sectors, N_SECTORS),
	SET(start.first, SECTOR),
	SET(start.total, N_SECTORS),
	STORE_NEW("start", key, start),			/* start[key] = { who, now, sectors } */
	JEQ(R0, 0, "out"),
	ONE_MORE_UNDER_WAY,				/* its task stays if both have the same */
LABEL("store"),
	STORE("start", key, start),
LABEL("out"),
	EXIT,
};

static const struct insn on_requeue[] = {
	REQUEST_KEY(record.rwbs, "out"),
	LOOKUP_OR("start", key, "out"),
	LOAD(R1, R0, struct start, sectors),
	JSET(R1, OVERLAP, "out"),			/* it will be counted twice there */
	PUT_IMM(R0, struct start, time, 0),		/* start[key].time = 0 */
LABEL("out"),
	EXIT,
};

static const struct insn on_done[] = {
	REQUEST_KEY(record.rwbs, "out"),
	DONE_NOW,
	SET_IMM(start.task.time, 0),
	NOBODY(start.task),
	SET(start.first, SECTOR),
	SET(start.total, N_SECTORS),
	LOOKUP_OR("start", key, "done"),		/* s = start[key] */
	COPY_ALL(start, R0),
	GET(TO_COME, start.sectors),
	JSET(TO_COME, OVERLAP, "overlap"),
	DELETE("start", key),
	JGE_REG(N_SECTORS, TO_COME, "whole"),
	REST_WAITS,			/* start[sector + sectors] = { s, s.sectors - sectors } */
	JUMP("out"),

LABEL("overlap"),
	ONE_LESS_UNDER_WAY("done"),
	JUMP("done"),

LABEL("whole"),
	GET(R1, record.time),
	LATENCIES(R1),

LABEL("done"),
	ASKED_FOR("out"),
	GET(BYTES, start.total),
	BPF_ALU64_IMM(BPF_MUL, BYTES, 512),
	COPY(record.dev, key.dev),
	COPY(record.operation, key.operation),
	COPY(record.sector, start.first),
	SET_BYTES(record.rwbs, "rwbs"),
	SHOW_REQUEST,			/* output, or sums[task, dev, operation] += ... */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("block.request", on_request, .option = "everybody", .optional = true),
	/* required: it alone tells the task of a request */
	PROGRAM("block.request", on_request, .option = "tasks"),
	PROGRAM("block.frontmerge", on_frontmerge, .spare = true),
	PROGRAM("block.merge", on_merge, .spare = true),
	PROGRAM("block.issue", on_issue),
	PROGRAM("block.requeue", on_requeue, .spare = true),
	PROGRAM("block.done", on_done),
	{ }
};

const struct program_set biosnoop_made_programs = { programs, snoop_maps };
const struct program_set biotop_made_programs = { programs, top_maps };
