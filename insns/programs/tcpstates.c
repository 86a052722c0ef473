// SPDX-License-Identifier: GPL-2.0
/*
 * tcp.set_state:	if (both states are the same) out
 *			r = { since[socket], both states, both ends }
 *			since[socket] = now, or delete it if the socket closes
 *			if (a program acts, not a packet) r.task = current task
 *			output r, if it is wanted
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

/* Registers. */
enum { PROTOCOL = R6, OLD = R6, FAMILY = R6, CLONED = R7, NEW = R8, SINCE = R9 };

static const struct insn on_state[] = {
	FIELD(PROTOCOL, "protocol"),			/* if (not TCP) out */
	JNE(PROTOCOL, 6, "out"),
	FIELD(OLD, "oldstate"),
	SET(record.oldstate, OLD),
	FIELD(NEW, "newstate"),
	SET(record.newstate, NEW),
	JEQ_REG(OLD, NEW, "out"),			/* close() after shutdown() */
	SET_FIELD(record.sk, "sk"),
	SET_FIELD(record.time, "time"),
	TAKE(SINCE, "since", record.sk),		/* r.since = take since[sk] */
	JEQ(OLD, TCP_IS_CLOSE, "fresh"),		/* of an earlier socket */
	JEQ(OLD, TCP_IS_LISTEN, "listened"),
	JNE(OLD, TCP_IS_SYN_RECV, "old"),
	FIELD(CLONED, "cloned"),
	JEQ(CLONED, 0, "fresh"),
	JUMP("old"),
LABEL("listened"),
	JNE(NEW, TCP_IS_SYN_RECV, "old"),		/* a new socket is a copy of its listener */
LABEL("fresh"),
	BPF_MOV64_IMM(SINCE, 0),
LABEL("old"),
	SET(record.since, SINCE),
	JEQ(NEW, TCP_IS_CLOSE, "closed"),
	STORE("since", record.sk, record),		/* since[sk] = now */
	JUMP("who"),
LABEL("closed"),
	JEQ(OLD, TCP_IS_LISTEN, "own"),
LABEL("who"),
	SET_IMM(record.pid_tgid, -1),			/* r.task = none */
	ZERO(record.comm),
	JEQ(NEW, TCP_IS_SYN_SENT, "own"),
	JEQ(NEW, TCP_IS_LISTEN, "own"),
	JEQ(NEW, TCP_IS_FIN_WAIT1, "own"),
	JNE(NEW, TCP_IS_LAST_ACK, "ends"),
LABEL("own"),
	SET_FIELD(record.pid_tgid, "pid_tgid"),		/* r.task = current task */
	SET_BYTES(record.comm, "comm"),
LABEL("ends"),
	TCP_ENDS(record.ends, FAMILY, "out"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("tcp.set_state", on_state),
	{ }
};

const struct program_set tcpstates_programs = { programs, maps };
