// SPDX-License-Identifier: GPL-2.0
/*
 * tcp.set_state:	if (it is none: the same state again) leave
 *			r = { since[socket], both states, both ends }; since[socket] = now, or nothing if it closes
 *			if (a program does it, not a packet) r.task = current task
 *			output r, if the user asked for such
 */
#include "insns/programs/tcpstates.h"

static const struct map maps[] = {
	{ "since", MAP_HASH, ROLE_JOIN, 8, 8, 65536 },
	TCP_PORT_MAPS,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define RECORD(MEMBER) (-120 + (int)offsetof(struct tcpstates_record, MEMBER))

static const struct insn on_state[] = {
	FIELD(R6, "protocol"),				/* if (not TCP) out */
	JUMP_IF(BPF_JNE, R6, 6, "out"),
	FIELD(R6, "oldstate"),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(oldstate)),
	FIELD(R8, "newstate"),
	BPF_STX_MEM(BPF_DW, R10, R8, RECORD(newstate)),
	JUMP_IF_REG(BPF_JEQ, R6, R8, "out"),		/* close() after shutdown() */
	FIELD(R7, "sk"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(sk)),
	FIELD(R7, "time"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(time)),
	TAKE(R9, "since", RECORD(sk)),			/* r.since = take since[sk] */
	JUMP_IF(BPF_JEQ, R6, TCP_IS_CLOSE, "fresh"),	/* what was there is of an earlier socket at this address */
	JUMP_IF(BPF_JEQ, R6, TCP_IS_LISTEN, "listened"),
	JUMP_IF(BPF_JNE, R6, TCP_IS_SYN_RECV, "old"),
	FIELD(R7, "cloned"),
	JUMP_IF(BPF_JEQ, R7, 0, "fresh"),
	JUMP("old"),
LABEL("listened"),
	JUMP_IF(BPF_JNE, R8, TCP_IS_SYN_RECV, "old"),	/* a listener's child begins as its copy */
LABEL("fresh"),
	BPF_MOV64_IMM(R9, 0),
LABEL("old"),
	BPF_STX_MEM(BPF_DW, R10, R9, RECORD(since)),
	JUMP_IF(BPF_JEQ, R8, TCP_IS_CLOSE, "closed"),
	STORE("since", RECORD(sk), RECORD(time)),	/* since[sk] = now */
	JUMP("who"),
LABEL("closed"),
	JUMP_IF(BPF_JEQ, R6, TCP_IS_LISTEN, "own"),
LABEL("who"),
	BPF_ST_MEM(BPF_DW, R10, RECORD(own), 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(pid_tgid), 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(comm), 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(comm) + 8, 0),
	JUMP_IF(BPF_JEQ, R8, TCP_IS_SYN_SENT, "own"),
	JUMP_IF(BPF_JEQ, R8, TCP_IS_LISTEN, "own"),
	JUMP_IF(BPF_JEQ, R8, TCP_IS_FIN_WAIT1, "own"),
	JUMP_IF(BPF_JNE, R8, TCP_IS_LAST_ACK, "ends"),
LABEL("own"),
	BPF_ST_MEM(BPF_DW, R10, RECORD(own), 1),
	FIELD(R7, "pid_tgid"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(pid_tgid)),
	BYTES(RECORD(comm), "comm", 16),
LABEL("ends"),
	TCP_ENDS(RECORD(ends)),
	OUTPUT("events", RECORD(time), sizeof(struct tcpstates_record)),
LABEL("out"),
	EXIT,
};

_Static_assert(sizeof(struct tcpstates_record) == 120, "the record fits its place");

static const struct program programs[] = {
	PROGRAM("tcp.set_state", on_state),
	{ }
};

const struct program_set tcpstates_programs = { programs, maps };
