// SPDX-License-Identifier: GPL-2.0
/*
 * tcp.accept:	output { who, both ends of the socket }, if there is one and the user asked for such
 */
#include "insns/programs/tcpaccept.h"

static const struct map maps[] = {
	TCP_PORT_MAPS,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define RECORD(MEMBER) (-80 + (int)offsetof(struct tcpaccept_record, MEMBER))

static const struct insn on_accept[] = {
	FIELD(R6, "sk"),				/* none: the call failed, or nobody had come */
	JUMP_IF(BPF_JEQ, R6, 0, "out"),
	FIELD(R9, "pid_tgid"),
	FILTER(R9),
	TCP_ENDS(RECORD(ends)),
	FIELD(R7, "time"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(time)),
	BPF_STX_MEM(BPF_DW, R10, R9, RECORD(pid_tgid)),
	BYTES(RECORD(comm), "comm", 16),
	OUTPUT("events", RECORD(time), sizeof(struct tcpaccept_record)),
LABEL("out"),
	EXIT,
};

_Static_assert(sizeof(struct tcpaccept_record) == 80, "the record fits its place");

static const struct program programs[] = {
	PROGRAM("tcp.accept", on_accept),
	{ }
};

const struct program_set tcpaccept_programs = { programs, maps };
