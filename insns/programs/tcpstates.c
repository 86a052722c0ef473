// SPDX-License-Identifier: GPL-2.0
/*
 * tcp.set_state:	if (it is the same state again) out
 *			r = { since[socket], both states, both ends }
 *			since[socket] = now, or delete it if the socket closes
 *			if (a program does it, not a packet) r.task = current task
 *			output r, if the user asked for such
 */
#include "insns/programs/tcpstates.h"

static const struct map maps[] = {
	{ "since", MAP_HASH, ROLE_JOIN, 8, 8, 65536, .detail = true },
	TCP_PORT_MAPS,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &tcpstates_record_layout },
	{ }
};

struct frame {
	struct tcpstates_record record;
};

static const struct insn on_state[] = {
	FIELD(R6, "protocol"),				/* if (not TCP) out */
	JNE(R6, 6, "out"),
	FIELD(R6, "oldstate"),
	SET(record.oldstate, R6),
	FIELD(R8, "newstate"),
	SET(record.newstate, R8),
	JEQ_REG(R6, R8, "out"),				/* close() after shutdown() */
	SET_FIELD(record.sk, "sk"),
	SET_FIELD(record.time, "time"),
	TAKE(R9, "since", record.sk),			/* r.since = take since[sk] */
	JEQ(R6, TCP_IS_CLOSE, "fresh"),			/* of an earlier socket */
	JEQ(R6, TCP_IS_LISTEN, "listened"),
	JNE(R6, TCP_IS_SYN_RECV, "old"),
	FIELD(R7, "cloned"),
	JEQ(R7, 0, "fresh"),
	JUMP("old"),
LABEL("listened"),
	JNE(R8, TCP_IS_SYN_RECV, "old"),		/* a listener's child begins as its copy */
LABEL("fresh"),
	BPF_MOV64_IMM(R9, 0),
LABEL("old"),
	SET(record.since, R9),
	JEQ(R8, TCP_IS_CLOSE, "closed"),
	STORE("since", record.sk, record),		/* since[sk] = now */
	JUMP("who"),
LABEL("closed"),
	JEQ(R6, TCP_IS_LISTEN, "own"),
LABEL("who"),
	SET_IMM(record.pid_tgid, -1),			/* r.task = none */
	ZERO(record.comm),
	JEQ(R8, TCP_IS_SYN_SENT, "own"),
	JEQ(R8, TCP_IS_LISTEN, "own"),
	JEQ(R8, TCP_IS_FIN_WAIT1, "own"),
	JNE(R8, TCP_IS_LAST_ACK, "ends"),
LABEL("own"),
	SET_FIELD(record.pid_tgid, "pid_tgid"),		/* r.task = current task */
	SET_BYTES(record.comm, "comm"),
LABEL("ends"),
	TCP_ENDS(record.ends, "out"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("tcp.set_state", on_state),
	{ }
};

const struct program_set tcpstates_programs = { programs, maps };
