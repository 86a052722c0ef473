// SPDX-License-Identifier: GPL-2.0
/*
 * tty.asked:	if (an argument is ours) ttys[tty] = 1, output { found }
 * tty.closed:	if (take ttys[tty]) output { closed }: another terminal may get its address
 * tty.write, tty.more, tty.most:
 *		if (ttys[tty]) output { write, bytes } with each piece; writes[tid] = 1
 * tty.wrote:	if (take writes[tid]) output { wrote, ret }
 */
#include "insns/programs/ttysnoop.h"

#include "insns/common.h"

static const struct map maps[] = {
	{ "ttys", MAP_HASH, ROLE_TABLE, 8, 8, 16 },
	{ "writes", MAP_HASH, ROLE_JOIN, 4, 8, 1024, .calls = true },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &ttysnoop_record_layout },
	{ }
};

struct frame {
	u64 tty, one;
	uint32_t tid, unused;
	struct ttysnoop_record record;
};

/* Registers. */
enum { TTY = R6, TASK = R6, VALUE = R7, NR = R8 };

/* Outputs the record without a text. */
#define OUTPUT_EVENT(EVENT) \
	SET_IMM(record.event, EVENT), \
	SET_FIELD(record.time, "time"), \
	OUTPUT_AT("events", FRAME(record), offsetof(struct ttysnoop_record, data))

static const struct insn on_asked[] = {
	FIELD(VALUE, "third"),
	CONST(R1, "marker"),
	JEQ_REG(VALUE, R1, "ours"),
	FIELD(VALUE, "fourth?"),
	CONST(R1, "marker"),
	JNE_REG(VALUE, R1, "out"),
LABEL("ours"),
	SET_FIELD(tty, "tty"),
	SET_IMM(one, 1),
	STORE("ttys", tty, one),			/* ttys[tty] = 1 */
	ZERO(record),
	OUTPUT_EVENT(TTY_FOUND),
LABEL("out"),
	EXIT,
};

static const struct insn on_closed[] = {
	SET_FIELD(tty, "tty"),
	TAKE(VALUE, "ttys", tty),
	JEQ(VALUE, 0, "out"),				/* if (!take ttys[tty]) out */
	ZERO(record),
	OUTPUT_EVENT(TTY_CLOSED),
LABEL("out"),
	EXIT,
};

/* frame.record = a write of the current task to our terminal; NR = its bytes */
#define A_WRITE(OUT) \
	SET_FIELD(tty, "tty"), \
	LOOKUP_OR("ttys", tty, OUT), \
	FIELD(TASK, "pid_tgid"), \
	ZERO(record), \
	SET(record.pid_tgid, TASK), \
	FIELD(NR, "nr"), \
	SET(record.bytes, NR), \
	SET_IMM(record.event, TTY_WRITE), \
	SET_FIELD(record.time, "time"), \
	SET_BYTES(record.comm, "comm")

/* Outputs the piece at FROM, if the write has so many bytes; else goto END. */
#define PIECE(FROM, END) \
	JLE(NR, FROM, END), \
	SET_IMM(record.from, FROM), \
	BPF_MOV64_REG(R1, NR), \
	BPF_ALU64_IMM(BPF_SUB, R1, FROM), \
	JLE(R1, TTY_PIECE, ".length"), \
	BPF_MOV64_IMM(R1, TTY_PIECE), \
	LABEL(".length"), \
	SET(record.length, R1), \
	SET_BYTES(record.data, "data" #FROM), \
	OUTPUT("events", record)

static const struct insn on_write[] = {
	A_WRITE("out"),
	SET(tid, TASK),
	SET_IMM(one, 1),
	STORE_CALL("writes", tid, one),			/* writes[tid] = 1 */
	PIECE(0, "out"),				/* output the pieces */
	PIECE(128, "out"),
	PIECE(256, "out"),
	PIECE(384, "out"),
	PIECE(512, "out"),
	PIECE(640, "out"),
	PIECE(768, "out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_more[] = {
	A_WRITE("out"),
	PIECE(896, "out"),
	PIECE(1024, "out"),
	PIECE(1152, "out"),
	PIECE(1280, "out"),
	PIECE(1408, "out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_most[] = {
	A_WRITE("out"),
	PIECE(1536, "out"),
	PIECE(1664, "out"),
	PIECE(1792, "out"),
	PIECE(1920, "out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_wrote[] = {
	FIELD(TASK, "pid_tgid"),
	SET(tid, TASK),
	TAKE(VALUE, "writes", tid),
	JEQ(VALUE, 0, "out"),				/* if (!take writes[tid]) out */
	ZERO(record),
	SET(record.pid_tgid, TASK),
	SET_FIELD(record.bytes, "ret"),
	SET_BYTES(record.comm, "comm"),
	OUTPUT_EVENT(TTY_WROTE),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("tty.asked", on_asked),
	PROGRAM("tty.closed", on_closed),
	PROGRAM("tty.write", on_write),
	PROGRAM("tty.more", on_more),
	PROGRAM("tty.most", on_most),
	PROGRAM("tty.wrote", on_wrote),
	{ }
};

const struct program_set ttysnoop_programs = { programs, maps };
