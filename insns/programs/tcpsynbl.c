// SPDX-License-Identifier: GPL-2.0
/*
 * backlog.add:		hists[limit of the listener's backlog, slot(connections in it)]++
 *
 * For an IPv4 connection to an IPv6 listener the kernel calls the functions of both: it is counted
 * once, in the first function.
 */
#include "insns/programs/tcpsynbl.h"

#include <stddef.h>

#include "insns/hist.h"

static const struct map maps[] = {
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct tcpsynbl_key), 8, 16384,
	  .key = &tcpsynbl_key_layout },
	{ }
};

struct frame {
	struct tcpsynbl_key hist;
};

/* Registers. */
enum { FAMILY = R6, BACKLOG = R6, SUPPORTED = R7, SLOT = R7 };

static const struct insn on_add[] = {
	FIELD(FAMILY, "family"),	/* if (the listener is not of this function's family) out */
	FIELD(SUPPORTED, "own_family"),
	JNE_REG(FAMILY, SUPPORTED, "out"),
	JUMP_UNLESS("family", "any"),
	CONST(R1, "family"),
	JNE_REG(FAMILY, R1, "out"),
LABEL("any"),
	SET_FIELD(hist.limit, "limit"),
	FIELD(BACKLOG, "backlog"),
	VALUE_SLOT(SLOT, BACKLOG),
	COUNT_GROUP("hists", hist, SLOT, BACKLOG),		/* hists[limit, slot]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("backlog.add", on_add),
	{ }
};

const struct program_set tcpsynbl_programs = { programs, maps };
