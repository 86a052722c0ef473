// SPDX-License-Identifier: GPL-2.0
/*
 * backlog.add:		hists[limit of the listener's backlog, slot(connections in it)]++
 *
 * A listener of IPv6 passes on to the function of IPv4 what comes from there: it is counted where it came by first.
 */
#include "insns/programs/tcpsynbl.h"

#include <stddef.h>

#include "insns/common.h"

static const struct map maps[] = {
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct tcpsynbl_key), 8, 16384 },
	{ }
};

#define KEY(MEMBER) (-16 + (int)offsetof(struct tcpsynbl_key, MEMBER))
#define ONE -24

static const struct insn on_add[] = {
	FIELD(R6, "family"),				/* if (the listener is not of this function's family) out */
	FIELD(R7, "own_family"),
	JUMP_IF_REG(BPF_JNE, R6, R7, "out"),
	UNLESS("family", "any"),
	CONST(R1, "family"),
	JUMP_IF_REG(BPF_JNE, R6, R1, "out"),
LABEL("any"),
	FIELD(R6, "limit"),
	BPF_STX_MEM(BPF_DW, R10, R6, KEY(limit)),
	FIELD(R6, "backlog"),
	LOG2_SLOT(R7, R6),
	BPF_STX_MEM(BPF_W, R10, R7, KEY(slot)),
	EPOCH(R6),
	BPF_STX_MEM(BPF_W, R10, R6, KEY(epoch)),
	COUNT_KEY("hists", KEY(epoch), ONE),		/* hists[limit, slot]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("backlog.add", on_add),
	{ }
};

const struct program_set tcpsynbl_programs = { programs, maps };
