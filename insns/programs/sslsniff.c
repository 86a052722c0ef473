// SPDX-License-Identifier: GPL-2.0
/*
 * tls.call, tls.shake:		calls[place on the stack] = { now, task, where the text is }
 * tls.return, tls.text, tls.shaken:
 *				c = take calls[place on the stack]
 *				if (it moved bytes, or is a handshake that succeeded)
 *					output { c, now - c.time, bytes }, with pieces of the text:
 *					a few, or as many as bcc shows where programs have loops
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
	u64 turn;			/* of the loop */
	u64 from;			/* as record.from, in the loop */
	u64 left;			/* bytes of the text that remain */
	u64 torn;			/* address of what can't be read */
	struct sslsniff_record record;
};

/* Registers. */
enum { CALL = R6, NOW = R6, TEXT = R6, RETVAL = R7, LEFT = R7, MOVED = R8, WORD = R8, TASK = R9 };

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
	JSLE(RENAME(LEFT, RETVAL), 0, FAILED), \
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

/* Word N of a piece; if it can't be read, goto TORN. */
#define WORD_OF_PIECE(N, TORN) \
	FOLLOW(WORD, TEXT, 8, false, true), \
	SYMBOLIC(SYM_ELSE, TORN, 0, 0, 0, 0), \
	BPF_STX_MEM(BPF_DW, R10, WORD, FRAME(record.data) + 8 * (N)), \
	BPF_ALU64_IMM(BPF_ADD, TEXT, 8)
/* The same, if the text is so long. */
#define ONE_WORD(N, TORN) \
	JLE(LEFT, 8 * (N), ".piece"), \
	WORD_OF_PIECE(N, TORN)
#define FOUR(WORDS, N, ...) \
	WORDS(N, ##__VA_ARGS__), WORDS((N) + 1, ##__VA_ARGS__), \
	WORDS((N) + 2, ##__VA_ARGS__), WORDS((N) + 3, ##__VA_ARGS__)
#define ALL_WORDS(WORDS, ...) \
	FOUR(WORDS, 0, ##__VA_ARGS__), FOUR(WORDS, 4, ##__VA_ARGS__), \
	FOUR(WORDS, 8, ##__VA_ARGS__), FOUR(WORDS, 12, ##__VA_ARGS__), \
	FOUR(WORDS, 16, ##__VA_ARGS__), FOUR(WORDS, 20, ##__VA_ARGS__), \
	FOUR(WORDS, 24, ##__VA_ARGS__), FOUR(WORDS, 28, ##__VA_ARGS__)

/* Outputs a piece; after it the text may END. LEFT: bytes that remain, not 0. */
#define PIECE(END, TORN) \
	ALL_WORDS(ONE_WORD, TORN), \
	LABEL(".piece"), \
	JLE(LEFT, SSLSNIFF_PIECE, END), \
	SET_IMM(record.length, SSLSNIFF_PIECE), \
	OUTPUT("events", record), \
	BPF_ALU64_IMM(BPF_SUB, LEFT, SSLSNIFF_PIECE)

/* LEFT = bytes of the text that are wanted, TEXT its address, record.from = 0; or goto SHORT. */
#define RETURNED(FAILED, SHORT, OUT) \
	TAKE_CALL(OUT), \
	FIELD(CALL, "function"), \
	SET(record.call, CALL), \
	FIELD(RETVAL, "retval"), \
	SET(record.ret, RETVAL), \
	BYTES_MOVED(FAILED),				/* r.bytes */ \
	JUMP_UNLESS("data", SHORT), \
	GET(TEXT, begun.buffer), \
	CONST(R1, "most"), \
	JGE_REG(R1, LEFT, ".whole"), \
	BPF_MOV64_REG(LEFT, R1), \
	LABEL(".whole"), \
	JEQ(LEFT, 0, SHORT)

/* record.length = bytes of this piece up to TEXT, from where on nothing can be read; clobbers R1 */
#define TORN_LENGTH \
	GET(R1, begun.buffer), \
	BPF_ALU64_REG(BPF_SUB, TEXT, R1), \
	GET(R1, record.from), \
	BPF_ALU64_REG(BPF_SUB, TEXT, R1), \
	SET(record.length, TEXT)

/* Outputs the call, if it is wanted, without a text. */
#define OUTPUT_SHORT(FAILED, SHORT, OUT) \
	LABEL(FAILED), \
	JUMP_UNLESS("failed", OUT), \
	SET_IMM(record.bytes, -1), \
	LABEL(SHORT), \
	OUTPUT_AT("events", FRAME(record), offsetof(struct sslsniff_record, data))

static const struct insn on_return[] = {
	RETURNED("failed", "short", "out"),
	PIECE("last", "torn"),				/* output pieces of the text */
	SET_IMM(record.from, 1 * SSLSNIFF_PIECE),
	PIECE("last", "torn"),
	SET_IMM(record.from, 2 * SSLSNIFF_PIECE),
	PIECE("last", "torn"),
	SET_IMM(record.from, 3 * SSLSNIFF_PIECE),
	PIECE("last", "torn"),
	JUMP("out"),
LABEL("last"),
	SET(record.length, LEFT),
	JUMP("output"),
LABEL("torn"),
	TORN_LENGTH,
LABEL("output"),
	OUTPUT("events", record),
	JUMP("out"),
	OUTPUT_SHORT("failed", "short", "out"),
LABEL("out"),
	EXIT,
};

/* A verifier that knew whether a word was 0 before would follow a turn for each such word. */
#define OLD_WORD(N) BPF_STX_MEM(BPF_DW, R10, TEXT, FRAME(record.data) + 8 * (N))
/* LEFT, TEXT: of the piece that begins at frame.from */
#define NEXT_PIECE \
	GET(LEFT, left), \
	GET(TEXT, begun.buffer), \
	GET(R1, from), \
	SET(record.from, R1), \
	BPF_ALU64_REG(BPF_ADD, TEXT, R1)

static const struct insn on_return_loop[] = {
	RETURNED("failed", "short", "out"),
	SET(left, LEFT),
	UNKNOWN_AT(FRAME(left)),
	SET_IMM(from, 0),
	UNKNOWN_AT(FRAME(from)),
	ALL_WORDS(OLD_WORD),
	SET(torn, TEXT),
	LOOP("rest", "torn", FRAME(turn)),		/* output whole pieces of the text */
	NEXT_PIECE,
	JLE(LEFT, SSLSNIFF_PIECE, "rest"),
	ALL_WORDS(WORD_OF_PIECE, "tear"),
	SET_IMM(record.length, SSLSNIFF_PIECE),
	OUTPUT("events", record),
	BPF_ALU64_IMM(BPF_SUB, LEFT, SSLSNIFF_PIECE),
	SET(left, LEFT),
	GET(R1, from),
	BPF_ALU64_IMM(BPF_ADD, R1, SSLSNIFF_PIECE),
	SET(from, R1),
	JUMP("again"),
LABEL("tear"),
	SET(torn, TEXT),
	JUMP("torn"),
LABEL("again"),
	NEXT_TURN,
LABEL("rest"),						/* output what is left */
	NEXT_PIECE,
	ALL_WORDS(ONE_WORD, "tear"),
LABEL(".piece"),
	SET(record.length, LEFT),
	JUMP("output"),
LABEL("tear"),
	SET(torn, TEXT),
LABEL("torn"),
	GET(TEXT, torn),
	TORN_LENGTH,
LABEL("output"),
	OUTPUT("events", record),
	JUMP("out"),
	OUTPUT_SHORT("failed", "short", "out"),
LABEL("out"),
	EXIT,
};

#define SIZES \
	PROGRAM("tls.call", on_call), \
	PROGRAM("tls.return", on_return, .option = "sizes"), \
	PROGRAM("tls.shake", on_call, .option = "handshake", .optional = true), \
	PROGRAM("tls.shaken", on_shaken, .option = "handshake", .optional = true)

static const struct program programs[] = {
	SIZES,
	PROGRAM("tls.text", on_return, .option = "data"),
	{ }
}, loops[] = {
	SIZES,
	PROGRAM("tls.text", on_return_loop, .option = "data", .frame = sizeof(struct frame)),
	{ }
};

static const struct program_set sslsniff_without_loops = { programs, maps };

static const enum feature has_loops = FEATURE_BPF_BACK;

const struct program_set sslsniff_programs = {
	loops, maps, .otherwise = &sslsniff_without_loops, .needs = &has_loops,
};
