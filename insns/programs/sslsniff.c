// SPDX-License-Identifier: GPL-2.0
/*
 * tls.call, tls.shake:		calls[place on the stack] = { now, task, where the text is }
 * tls.return, tls.text, tls.shaken:
 *				c = take calls[place on the stack]
 *				if (it moved bytes, or is a handshake that succeeded)
 *					output { c, now - c.time, bytes }, with pieces of the text
 *
 * A library may use a connection within a call for another one. The text is read when the call
 * returns: what was read is there then, and what was written is in memory.
 */
#include "insns/programs/sslsniff.h"

#include <stddef.h>

#include "insns/calls.h"

/* A file with layers, as NSPR numbers its kinds: plain files and sockets have none. */
#define LAYERED	4

struct begun {
	u64 time, pid_tgid, buffer, moved;
};

static const struct map maps[] = {
	/* A thread that ends within a call leaves its entry. */
	{ "calls", MAP_HASH, ROLE_HINT, sizeof(struct call_key), sizeof(struct begun), 16384 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &sslsniff_record_layout },
	{ }
};

struct frame {
	struct call_key key;
	struct begun begun;
	struct sslsniff_record record;
};

/* Registers. */
enum { CALL = R6, NOW = R6, RETVAL = R7, LEFT = R7, MOVED = R8, WORD = R8, TASK = R9, TEXT = R9 };

static const struct insn on_call[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	FIELD(R1, "layer"),
	JNE(R1, LAYERED, "out"),
	CALL_BEGINS(key, TASK),
	SET(begun.pid_tgid, TASK),
	SET_FIELD(begun.time, "time"),			/* c.time = now, pid_tgid, ... */
	SET_FIELD(begun.buffer, "buffer"),
	SET_FIELD(begun.moved, "moved"),
	STORE("calls", key, begun),
LABEL("out"),
	EXIT,
};

/* frame.record = the call that ends, as it began; clobbers CALL. */
#define TAKE_CALL(OUT) \
	FIELD(TASK, "pid_tgid"), \
	CALL_ENDS(key, TASK, CALL), \
	LOOKUP_OR("calls", key, OUT), \
	COPY_ALL(begun, R0), \
	DELETE("calls", key), \
	GET(R1, begun.pid_tgid), \
	JNE_REG(R1, TASK, OUT), \
	ZERO(record), \
	SET(record.pid_tgid, TASK), \
	FIELD(NOW, "time"), \
	SET(record.time, NOW), \
	GET(R1, begun.time), \
	BPF_ALU64_REG(BPF_SUB, NOW, R1), \
	SET(record.ns, NOW), \
	SET_BYTES(record.comm, "comm"), \
	JUMP_UNLESS("extra", ".taken"), \
	SET_FIELD(record.uid, "uid?"), \
	LABEL(".taken")

/* LEFT = bytes that the call moved. Of SSL_read_ex() and its kin only BPF finds them. */
#define BYTES_MOVED(FAILED) \
	JEQ(CALL, SSLSNIFF_READ_EX, ".ex"), \
	JEQ(CALL, SSLSNIFF_WRITE_EX, ".ex"), \
	JSLE(RETVAL, 0, FAILED), \
	JUMP(".moved"), \
	LABEL(".ex"), \
	JNE(RETVAL, 1, FAILED), \
	BPF_MOV64_IMM(LEFT, -1), \
	JUMP_UNLESS("target:bpf", ".moved"), \
	GET(MOVED, begun.moved), \
	PEEK_USER(LEFT, MOVED, "sp"), \
	LABEL(".moved"), \
	SET(record.bytes, LEFT)

static const struct insn on_shaken[] = {
	TAKE_CALL("out"),
	FIELD(CALL, "function"),
	SET(record.call, CALL),
	FIELD(RETVAL, "retval"),
	SET(record.ret, RETVAL),
	SET_IMM(record.bytes, -1),
	JUMP_UNLESS("failed", "successes"),
	JUMP("show"),
LABEL("successes"),
	JEQ(CALL, SSLSNIFF_GNUTLS_HANDSHAKE, "gnutls"),
	JNE(RETVAL, 1, "out"),
	JUMP("show"),
LABEL("gnutls"),
	JNE(RETVAL, 0, "out"),
LABEL("show"),
	OUTPUT_AT("events", FRAME(record), offsetof(struct sslsniff_record, data)),
LABEL("out"),
	EXIT,
};

/* Word N of a piece, if the text is so long; if it can't be read, goto TORN. */
#define ONE_WORD(N, TORN) \
	JLE(LEFT, 8 * (N), ".piece"), \
	FOLLOW(WORD, TEXT, 8, false, true), \
	SYMBOLIC(SYM_ELSE, TORN, 0, 0, 0, 0), \
	BPF_STX_MEM(BPF_DW, R10, WORD, FRAME(record.data) + 8 * (N)), \
	BPF_ALU64_IMM(BPF_ADD, TEXT, 8)
#define FOUR_WORDS(N, TORN) \
	ONE_WORD(N, TORN), ONE_WORD((N) + 1, TORN), ONE_WORD((N) + 2, TORN), ONE_WORD((N) + 3, TORN)

/* Outputs a piece; after it the text may END. LEFT: bytes that remain, not 0. */
#define PIECE(N, END, TORN) \
	SET_IMM(record.from, (N) * SSLSNIFF_PIECE), \
	FOUR_WORDS(0, TORN), FOUR_WORDS(4, TORN), FOUR_WORDS(8, TORN), FOUR_WORDS(12, TORN), \
	FOUR_WORDS(16, TORN), FOUR_WORDS(20, TORN), FOUR_WORDS(24, TORN), FOUR_WORDS(28, TORN), \
	LABEL(".piece"), \
	JLE(LEFT, SSLSNIFF_PIECE, END), \
	SET_IMM(record.length, SSLSNIFF_PIECE), \
	OUTPUT("events", record), \
	BPF_ALU64_IMM(BPF_SUB, LEFT, SSLSNIFF_PIECE)

static const struct insn on_return[] = {
	TAKE_CALL("out"),
	FIELD(CALL, "function"),
	SET(record.call, CALL),
	FIELD(RETVAL, "retval"),
	SET(record.ret, RETVAL),
	BYTES_MOVED("failed"),				/* r.bytes */
	JUMP_UNLESS("data", "short"),
	GET(TEXT, begun.buffer),
	CONST(R1, "most"),
	JGE_REG(R1, LEFT, "whole"),
	BPF_MOV64_REG(LEFT, R1),
LABEL("whole"),
	JEQ(LEFT, 0, "short"),
	PIECE(0, "last", "torn"),			/* output pieces of the text */
	PIECE(1, "last", "torn"),
	PIECE(2, "last", "torn"),
	PIECE(3, "last", "torn"),
	JUMP("out"),
LABEL("last"),
	SET(record.length, LEFT),
	JUMP("output"),
LABEL("torn"),						/* the word at TEXT can't be read */
	GET(R1, begun.buffer),
	BPF_ALU64_REG(BPF_SUB, TEXT, R1),
	GET(R1, record.from),
	BPF_ALU64_REG(BPF_SUB, TEXT, R1),
	SET(record.length, TEXT),
LABEL("output"),
	OUTPUT("events", record),
	JUMP("out"),
LABEL("failed"),
	JUMP_UNLESS("failed", "out"),
	SET_IMM(record.bytes, -1),
LABEL("short"),
	OUTPUT_AT("events", FRAME(record), offsetof(struct sslsniff_record, data)),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("tls.call", on_call),
	PROGRAM("tls.return", on_return, .option = "sizes"),
	PROGRAM("tls.text", on_return, .option = "data"),
	PROGRAM("tls.shake", on_call, .option = "handshake", .optional = true),
	PROGRAM("tls.shaken", on_shaken, .option = "handshake", .optional = true),
	{ }
};

const struct program_set sslsniff_programs = { programs, maps };
