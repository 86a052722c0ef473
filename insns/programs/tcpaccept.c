// SPDX-License-Identifier: GPL-2.0
/*
 * tcp.accept:	output { task, both ends of the socket }, if there is a socket and it is wanted
 */
#include "insns/programs/tcpaccept.h"

static const struct map maps[] = {
	TCP_PORT_MAPS,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &tcpaccept_record_layout },
	{ }
};

struct frame {
	struct tcpaccept_record record;
};

/* Registers. */
enum { SK = R6, FAMILY = R6, TASK = R9 };

static const struct insn on_accept[] = {
	FIELD(SK, "sk"),			/* 0: the call failed, or no client came */
	JEQ(SK, 0, "out"),
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	TCP_ENDS(record.ends, FAMILY, "out"),
	SET_FIELD(record.time, "time"),
	SET(record.pid_tgid, TASK),
	SET_BYTES(record.comm, "comm"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("tcp.accept", on_accept),
	{ }
};

const struct program_set tcpaccept_programs = { programs, maps };
