// SPDX-License-Identifier: GPL-2.0
/*
 * block.issue:	sizes[name, slot(bytes / 1024)]++
 *
 * Up to 4.9 the event's `bytes` is set only for pass-through commands, which have no sectors.
 */
#include "insns/programs/bitesize.h"

#include <stddef.h>

#include "insns/hist.h"

static const struct map maps[] = {
	{ "sizes", MAP_HASH, ROLE_RESULT, sizeof(struct bitesize_key), 8, 10240,
	  .key = &bitesize_key_layout },
	{ }
};

struct frame {
	struct bitesize_key size;
};

/* Registers. */
enum { DEV = R6, SECTORS = R6, BYTES = R6, SLOT = R7 };

static const struct insn on_issue[] = {
	JUMP_UNLESS("dev", "all"),
	FIELD(DEV, "dev"),
	CONST(R1, "dev"),
	JNE_REG(DEV, R1, "out"),
LABEL("all"),
	FIELD(SECTORS, "sectors"),
	BPF_ALU64_IMM(BPF_MUL, SECTORS, 512),
	JNE(SECTORS, 0, "sized"),
	FIELD(BYTES, "bytes"),
LABEL("sized"),
	BPF_ALU64_IMM(BPF_DIV, BYTES, 1024),
	LOG2(SLOT, BYTES),
	SET_BYTES(size.name, "name"),
	COUNT_GROUP("sizes", size, SLOT),		/* sizes[name, slot(bytes / 1024)]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("block.issue", on_issue),
	{ }
};

const struct program_set bitesize_programs = { programs, maps };
