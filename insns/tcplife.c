// SPDX-License-Identifier: GPL-2.0
/*
 * Changes of state happen where packets are worked on, whoever is current there. Only these are done by a program
 * itself: it connects (SYN_SENT), and it closes or shuts down (FIN_WAIT1 where it is the first to, LAST_ACK else).
 *
 * tcp.set_state:
 *	SYN_SENT:		lives[socket] = { now, current task }, if the user asked for the task
 *	SYN_RECV, ESTABLISHED:	lives[socket] = { now, nobody }, unless it lives
 *	FIN_WAIT1, LAST_ACK:	lives[socket].task = current task, unless it connected
 *	CLOSE:			output take lives[socket] and what the socket says of itself
 * tcp.accept:	lives[socket].task = current task, unless one is known
 *
 * A socket can be accepted before it is established: its handshake ends on another CPU. Where a socket's making is not
 * seen (not `cloned`), it begins its life then.
 */
#include "insns/tcplife.h"

static const struct map maps[] = {
	{ "lives", MAP_HASH, ROLE_JOIN, 8, sizeof(struct tcplife_life), 65536 },
	TCP_PORT_MAPS,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define RECORD(MEMBER) (-112 + (int)offsetof(struct tcplife_record, MEMBER))
#define KEY -120
#define IN_LIFE(MEMBER) ((int)offsetof(struct tcplife_life, MEMBER))

/* life.whose, pid_tgid, comm: the current task, who was asked for. */
#define CURRENT(WHOSE) \
	FIELD(R9, "pid_tgid"), \
	FILTER(R9), \
	BPF_ST_MEM(BPF_DW, R10, RECORD(life.whose), WHOSE), \
	BPF_STX_MEM(BPF_DW, R10, R9, RECORD(life.pid_tgid)), \
	BYTES(RECORD(life.comm), "comm", 16)

/* lives[sk] = life, where it stands: a socket that was closed meanwhile stays forgotten. */
#define COPY_OUT(MEMBER) \
	BPF_LDX_MEM(BPF_DW, R1, R10, RECORD(life.MEMBER)), \
	BPF_STX_MEM(BPF_DW, R0, R1, IN_LIFE(MEMBER))
#define MAKE_CURRENT_ITS_OWN \
	LOOKUP("lives", KEY), \
	JUMP_IF(BPF_JEQ, R0, 0, "out"), \
	COPY_OUT(whose), COPY_OUT(pid_tgid), COPY_OUT(comm[0]), COPY_OUT(comm[8])

#define COPY_IN(MEMBER) \
	BPF_LDX_MEM(BPF_DW, R1, R0, IN_LIFE(MEMBER)), \
	BPF_STX_MEM(BPF_DW, R10, R1, RECORD(life.MEMBER))

static const struct insn on_state[] = {
	FIELD(R6, "protocol"),				/* if (not TCP) out */
	JUMP_IF(BPF_JNE, R6, 6, "out"),
	FIELD(R6, "sk"),
	BPF_STX_MEM(BPF_DW, R10, R6, KEY),
	FIELD(R6, "newstate"),
	FIELD(R7, "oldstate"),
	JUMP_IF(BPF_JEQ, R6, TCP_IS_CLOSE, "closed"),
	JUMP_IF(BPF_JEQ, R6, TCP_IS_FIN_WAIT1, "closes"),
	JUMP_IF(BPF_JEQ, R6, TCP_IS_LAST_ACK, "closes"),
	JUMP_IF(BPF_JEQ, R6, TCP_IS_SYN_SENT, "connects"),
	JUMP_IF(BPF_JEQ, R6, TCP_IS_ESTABLISHED, "established"),
	JUMP_IF(BPF_JNE, R6, TCP_IS_SYN_RECV, "out"),
	JUMP_IF(BPF_JEQ, R7, TCP_IS_SYN_SENT, "out"),	/* both connect to each other */
	JUMP("unowned"),
LABEL("established"),
	FIELD(R8, "cloned"),
	FIELD(R9, "time"),
	LOOKUP("lives", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "unowned"),
	JUMP_IF(BPF_JNE, R7, TCP_IS_SYN_RECV, "out"),
	JUMP_IF(BPF_JNE, R8, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R1, R0, IN_LIFE(whose)),	/* else it is of an earlier socket */
	JUMP_IF(BPF_JNE, R1, WHOSE_EARLY, "unowned"),
	BPF_ST_MEM(BPF_DW, R0, IN_LIFE(whose), WHOSE_ACCEPTED),
	BPF_STX_MEM(BPF_DW, R0, R9, IN_LIFE(birth)),
	JUMP("out"),
LABEL("unowned"),
	BPF_ST_MEM(BPF_DW, R10, RECORD(life.whose), WHOSE_UNKNOWN),
	BPF_ST_MEM(BPF_DW, R10, RECORD(life.pid_tgid), 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(life.comm), 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(life.comm) + 8, 0),
	JUMP("begins"),
LABEL("connects"),
	UNLESS("filtered", "anyone"),
	DELETE("lives", KEY),
LABEL("anyone"),
	CURRENT(WHOSE_CERTAIN),
LABEL("begins"),
	FIELD(R7, "time"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(life.birth)),
	STORE("lives", KEY, RECORD(life)),		/* lives[sk] = life */
	JUMP("out"),
LABEL("closes"),
	LOOKUP("lives", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R1, R0, IN_LIFE(whose)),
	JUMP_IF(BPF_JEQ, R1, WHOSE_CERTAIN, "out"),
	UNLESS("filtered", "anyone"),
	BPF_ST_MEM(BPF_DW, R0, IN_LIFE(whose), WHOSE_OTHERS),
LABEL("anyone"),
	CURRENT(WHOSE_CERTAIN),
	MAKE_CURRENT_ITS_OWN,
	JUMP("out"),
LABEL("closed"),
	LOOKUP("lives", KEY),				/* take lives[sk] */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	COPY_IN(birth), COPY_IN(whose), COPY_IN(pid_tgid), COPY_IN(comm[0]), COPY_IN(comm[8]),
	DELETE("lives", KEY),
	BPF_LDX_MEM(BPF_DW, R6, R10, RECORD(life.whose)),
	JUMP_IF(BPF_JNE, R7, TCP_IS_SYN_RECV, "lived"),	/* two packets made a listener's child, and this one lost */
	JUMP_IF(BPF_JEQ, R6, WHOSE_UNKNOWN, "out"),
LABEL("lived"),
	UNLESS("filtered", "show"),
	JUMP_IF(BPF_JEQ, R6, WHOSE_OTHERS, "out"),
	JUMP_IF(BPF_JEQ, R6, WHOSE_UNKNOWN, "out"),
LABEL("show"),
	TCP_ENDS(RECORD(ends)),
	FIELD(R7, "time"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(time)),
	FIELD(R7, "tx?"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(tx)),
	FIELD(R7, "rx?"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(rx)),
	OUTPUT("events", RECORD(time), sizeof(struct tcplife_record)),
LABEL("out"),
	EXIT,
};

static const struct insn on_accept[] = {
	FIELD(R6, "sk"),
	JUMP_IF(BPF_JEQ, R6, 0, "out"),
	BPF_STX_MEM(BPF_DW, R10, R6, KEY),
	FIELD(R8, "state"),				/* read first: the life of what is established by now is there */
	LOOKUP("lives", KEY),				/* if (lives[sk].whose is not known) it is the current task's */
	JUMP_IF(BPF_JEQ, R0, 0, "early"),
	BPF_LDX_MEM(BPF_DW, R1, R0, IN_LIFE(whose)),
	JUMP_IF(BPF_JNE, R1, WHOSE_UNKNOWN, "out"),
	CURRENT(WHOSE_ACCEPTED),
	MAKE_CURRENT_ITS_OWN,
	JUMP("out"),
LABEL("early"),
	JUMP_IF(BPF_JNE, R8, TCP_IS_SYN_RECV, "out"),
	CURRENT(WHOSE_EARLY),
	FIELD(R7, "time"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(life.birth)),
	STORE("lives", KEY, RECORD(life)),
LABEL("out"),
	EXIT,
};

_Static_assert(sizeof(struct tcplife_record) == 112, "the record fits its place");

static const struct program programs[] = {
	PROGRAM("tcp.set_state", on_state),
	PROGRAM("tcp.accept", on_accept, .optional = true),
	{ }
};

const struct program_set tcplife_programs = { programs, maps };
