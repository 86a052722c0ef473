// SPDX-License-Identifier: GPL-2.0
/*
 * block.issue:	sizes[name, slot(bytes / 1024)]++
 *
 * Up to 4.9 the event's `bytes` are those of pass-through commands only, which have no sectors.
 */
#include "insns/programs/bitesize.h"

#include <stddef.h>

#include "insns/common.h"

static const struct map maps[] = {
	{ "sizes", MAP_HASH, ROLE_RESULT, sizeof(struct bitesize_key), 8, 10240 },
	{ }
};

#define SIZE(MEMBER) (-24 + (int)offsetof(struct bitesize_key, MEMBER))
#define ONE -32

static const struct insn on_issue[] = {
	UNLESS("dev", "all"),
	FIELD(R6, "dev"),
	CONST(R1, "dev"),
	JUMP_IF_REG(BPF_JNE, R6, R1, "out"),
LABEL("all"),
	FIELD(R6, "sectors"),
	BPF_ALU64_IMM(BPF_MUL, R6, 512),
	JUMP_IF(BPF_JNE, R6, 0, "sized"),
	FIELD(R6, "bytes"),
LABEL("sized"),
	BPF_ALU64_IMM(BPF_DIV, R6, 1024),
	LOG2_SLOT(R7, R6),
	BYTES(SIZE(name), "name", 16),
	EPOCH(R6),
	BPF_STX_MEM(BPF_W, R10, R6, SIZE(epoch)),
	BPF_STX_MEM(BPF_W, R10, R7, SIZE(slot)),
	COUNT_KEY("sizes", SIZE(epoch), ONE),		/* sizes[name, slot(bytes / 1024)]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("block.issue", on_issue),
	{ }
};

const struct program_set bitesize_programs = { programs, maps };
