// SPDX-License-Identifier: GPL-2.0
/*
 * bitesize where events tell the request. A task of the kernel often issues requests for others, so
 * the name is that of the task that made the request; `io` is what it is known by until its issue.
 *
 * block.request:	who[io] = name
 * block.merge:		drop who[io]: the request became part of another one
 * block.issue:		sizes[take who[io], slot(bytes / 1024)]++
 *
 * Before 6.5 `io` is the first I/O of the request, or the last one, `tail`, if others were put in
 * front of it. A request may have neither; then it has no name. Flushes and commands that a program
 * sends to the device count for the task that issues them.
 */
#include "insns/programs/bitesize_sizes.h"
#include "insns/request.h"

static const struct map maps[] = {
	{ "who", MAP_HASH, ROLE_HINT, 8, 16, DISK_WAITING, .detail = true },
	SIZES_MAP,
	{ }
};

struct frame {
	u64 io;
	struct disk_numbers numbers;
	char name[16];
	struct bitesize_key size;
};

/* Registers. */
enum { DEV = R6, OPERATION = R6, BYTES = R7, SLOT = R8 };

static const struct insn on_request[] = {
	SET_FIELD(io, "io"),
	SET_BYTES(name, "comm"),
	STORE("who", io, name),				/* who[io] = name */
	EXIT,
};

static const struct insn on_merge[] = {
	SET_FIELD(io, "io"),
	DELETE("who", io),				/* drop who[io] */
	JUMP_UNLESS("constant:tail", "by_io"),
	JUMP("out"),
LABEL("by_io"),
	SET_FIELD(io, "tail"),
	DELETE("who", io),
LABEL("out"),
	EXIT,
};

static const struct insn on_issue[] = {
	OF_THIS_DISK(DEV, "out"),
	FIELD(BYTES, "left"),
	SET_FIELD(io, "io"),
	LOOKUP("who", io),				/* size.name = take who[io] */
	JNE(R0, 0, "known"),
	JUMP_UNLESS("constant:tail", "by_io"),
	JUMP("unknown"),
LABEL("by_io"),
	SET_FIELD(io, "tail"),
	LOOKUP_OR("who", io, "unknown"),
LABEL("known"),
	COPY_ALL(size.name, R0),
	DELETE("who", io),
	JUMP("named"),
LABEL("unknown"),
	ZERO(size.name),
	JEQ(BYTES, 0, "issuer"),
	FIELD(OPERATION, "flags"),
	BPF_ALU64_IMM(BPF_AND, OPERATION, REQ_OP_MASK),
	JGT(OPERATION, REQ_OP_LAST, "issuer"),
	JUMP("named"),
LABEL("issuer"),
	SET_BYTES(size.name, "name"),
LABEL("named"),
	COUNT_SIZE(BYTES, SLOT),			/* sizes[name, slot(bytes / 1024)]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("block.request", on_request),
	PROGRAM("block.merge", on_merge, .spare = true),
	PROGRAM("block.issue", on_issue),
	{ }
};

const struct program_set bitesize_programs = {
	programs, maps, .otherwise = &bitesize_made_programs,
};
