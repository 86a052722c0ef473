// SPDX-License-Identifier: GPL-2.0
/*
 * block.issue:	sizes[name, slot(bytes / 1024)]++
 *
 * Up to 4.9 only pass-through commands, which have no sectors, have the event's `bytes`.
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

static const struct insn on_issue[] = {
	JUMP_UNLESS("dev", "all"),
	FIELD(R6, "dev"),
	CONST(R1, "dev"),
	JNE_REG(R6, R1, "out"),
LABEL("all"),
	FIELD(R6, "sectors"),
	BPF_ALU64_IMM(BPF_MUL, R6, 512),
	JNE(R6, 0, "sized"),
	FIELD(R6, "bytes"),
LABEL("sized"),
	BPF_ALU64_IMM(BPF_DIV, R6, 1024),
	LOG2(R7, R6),
	SET_BYTES(size.name, "name"),
	COUNT_GROUP("sizes", size, R7),			/* sizes[name, slot(bytes / 1024)]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("block.issue", on_issue),
	{ }
};

const struct program_set bitesize_programs = { programs, maps };
