// SPDX-License-Identifier: GPL-2.0
/*
 * biosnoop and biotop where events tell the request. Since 6.5:
 *
 * block.request:	start[request] = { now, task }
 * block.merge:		drop start[request]: the request became part of another
 * block.issue:		start[request] += { now, sector, bytes }
 * block.requeue:	start[request].time = 0: the request will be issued again; before that a
 *			driver may give it back several times
 * block.done:		s = take start[request], when all is done; output { s, now }, or
 *			sums[task, dev, operation] += { 1, bytes, now - s.time }
 *
 * Before 6.5 the kernel tells a task only with the first I/O of its request:
 *
 * block.request:	who[io] = { now, task }
 * block.merge:		drop who[io]
 * block.issue:		start[request] = { take who[io], now, sector, bytes }
 *
 * Another I/O may be put in front of it. Then it is the last one of the request, `tail`; or it is
 * neither, and the request has no task. Since 6.5 there is no `tail`.
 *
 * Often a task of the kernel issues requests for other tasks, so the shown task is the one that
 * made the request. A flush serves all tasks that asked for one, and has no task.
 */
#include "insns/programs/biosnoop_rows.h"
#include "insns/request.h"

/* A request under way. */
struct start {
	struct task task;
	u64 time;		/* of its issue; 0: to be issued, for the first time or again */
	u64 sector;
	u64 bytes;		/* 0: not issued yet; or a flush */
};

#define REQUEST_MAPS \
	{ "who", MAP_HASH, ROLE_HINT, 8, sizeof(struct task), DISK_WAITING, .detail = true }, \
	{ "start", MAP_HASH, ROLE_JOIN, 8, sizeof(struct start), DISK_REQUESTS }

static const struct map snoop_maps[] = {
	REQUEST_MAPS,
	EVENTS_MAP,
	{ }
}, top_maps[] = {
	REQUEST_MAPS,
	SUMS_MAP,
	{ }
};

struct frame {
	u64 request;
	u64 io;
	struct disk_numbers numbers;
	struct start start;
	struct biosnoop_record record;
	struct biotop_key top;
	struct biotop_sums sums;
};

/* Registers beside those of a request that is done. */
enum {
	OPERATION = R6, DEV = R8, LETTER = R6, FLAGS = R8, LETTERS = R9,
	TASK = R6,			/* a pid_tgid, or its WHOSE() */
	SECTOR = R6, NOW = R9,
};

/*
 * MAP[io].task = the current task, if the user asked for it. Of other tasks it is -1: their
 * requests are followed, too, because the next one may have the same io.
 */
#define SET_TASK(MAP, TYPE, M, OUT) \
	JUMP_UNLESS("filtered", ".everybody"), \
	FILTER_WHOSE(TASK), \
	LOOKUP_OR(MAP, io, OUT), \
	PUT(R0, TYPE, M, TASK), \
	LABEL(".everybody")

static const struct insn on_request[] = {
	SET_FIELD(io, "io"),
	MADE_NOW(start.task),
	JUMP_UNLESS("constant:tail", "by_io"),
	SET_IMM(start.time, 0),
	SET_IMM(start.sector, 0),
	SET_IMM(start.bytes, 0),
	STORE("start", io, start),			/* start[request] = { now, task } */
	SET_TASK("start", struct start, task.pid_tgid, "out"),
	JUMP("out"),
LABEL("by_io"),
	SET_FIELD(io, "tail"),				/* it has no other I/O yet */
	STORE("who", io, start.task),			/* who[io] = { now, task } */
	SET_TASK("who", struct task, pid_tgid, "out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_merge[] = {
	SET_FIELD(io, "io"),
	JUMP_UNLESS("constant:tail", "by_io"),
	DELETE("start", io),				/* drop start[request] */
	JUMP("out"),
LABEL("by_io"),
	DELETE("who", io),				/* drop who[io] */
	SET_FIELD(io, "tail"),
	DELETE("who", io),
LABEL("out"),
	EXIT,
};

/* frame.start.task = take who[io], or nobody. */
#define TAKE_TASK \
	SET_IMM(start.task.time, 0), \
	NOBODY(start.task), \
	JUMP_UNLESS("constant:tail", ".by_io"), \
	JUMP(".taken"), \
	LABEL(".by_io"), \
	SET_FIELD(io, "io"), \
	LOOKUP("who", io), \
	JNE(R0, 0, ".who"), \
	SET_FIELD(io, "tail"), \
	LOOKUP_OR("who", io, ".taken"), \
	LABEL(".who"), \
	COPY_ALL(start.task, R0), \
	DELETE("who", io), \
	LABEL(".taken")

static const struct insn on_issue[] = {
	SET_FIELD(request, "request"),
	FOLLOWED_REQUEST(OPERATION, DEV, "other"),
	FIELD(NOW, "time"),
	FIELD(SECTOR, "sector"),
	FIELD(BYTES, "left"),
	LOOKUP_OR("start", request, "new"),
	LOAD(R1, R0, struct start, time),
	JNE(R1, 0, "new"),				/* its end was missed */
	PUT(R0, struct start, time, NOW),		/* start[request].time = now */
	LOAD(R1, R0, struct start, bytes),
	JNE(R1, 0, "out"),				/* issued again: that much is left */
	PUT(R0, struct start, sector, SECTOR),
	PUT(R0, struct start, bytes, BYTES),
	JUMP("out"),
LABEL("new"),
	TAKE_TASK,					/* start = { take who[io], now, ... } */
	SET(start.time, NOW),
	SET(start.sector, SECTOR),
	SET(start.bytes, BYTES),
	STORE("start", request, start),			/* start[request] = start */
	JUMP("out"),
LABEL("other"),
	DELETE("start", request),			/* there is one if its end was missed */
LABEL("out"),
	EXIT,
};

static const struct insn on_requeue[] = {
	SET_FIELD(request, "request"),
	LOOKUP_OR("start", request, "out"),
	PUT_IMM(R0, struct start, time, 0),		/* start[request].time = 0 */
LABEL("out"),
	EXIT,
};

/*
 * frame.record.rwbs, operation, dev: of the event. If it is a command that a program sent to the
 * device, goto OUT.
 */
#define DESCRIBE(OUT) \
	FIELD(FLAGS, "flags"), \
	BPF_MOV64_REG(LETTER, FLAGS), \
	BPF_ALU64_IMM(BPF_AND, LETTER, REQ_OP_MASK), \
	JGT(LETTER, REQ_OP_LAST, OUT), \
	OPERATION_LETTER(LETTER), \
	SET(record.operation, LETTER), \
	JUMP_UNLESS("snoop", ".no_letters"), \
	REQUEST_LETTERS(LETTERS, LETTER, FLAGS), \
	SET(record.rwbs, LETTERS), \
	LABEL(".no_letters"), \
	REQUEST_DEV(DEV), \
	SET(record.dev, DEV)

static const struct insn on_done[] = {
	SET_FIELD(request, "request"),
	WHOLE_REQUEST_DONE(BYTES, "nothing", "out"),
	OF_THIS_DISK(DEV, "out"),
	DESCRIBE("out"),
	DONE_NOW,
	LOOKUP_OR("start", request, "unknown"),
	COPY_ALL(start, R0),				/* start = take start[request] */
	DELETE("start", request),
	LATENCIES(ENDED),
	JUMP("done"),

LABEL("unknown"),
	SET_IMM(start.task.time, 0),
	NOBODY(start.task),
	SET_FIELD(start.sector, "sector"),
	SET(start.bytes, BYTES),
LABEL("done"),
	ASKED_FOR("out"),
	GET(BYTES, start.bytes),
	COPY(record.sector, start.sector),
	SHOW_REQUEST,			/* output, or sums[task, dev, operation] += ... */
	JUMP("out"),
LABEL("nothing"),
	DELETE("start", request),			/* it was made, and never issued */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("block.request", on_request, .option = "everybody", .optional = true),
	/* required: it alone tells the task of a request */
	PROGRAM("block.request", on_request, .option = "tasks"),
	PROGRAM("block.merge", on_merge, .spare = true),
	PROGRAM("block.issue", on_issue),
	PROGRAM("block.requeue", on_requeue),
	PROGRAM("block.done", on_done),
	{ }
};

const struct program_set biosnoop_programs = {
	programs, snoop_maps, .otherwise = &biosnoop_made_programs,
};
const struct program_set biotop_programs = {
	programs, top_maps, .otherwise = &biotop_made_programs,
};
