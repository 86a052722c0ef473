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
 * Only where the kernel's own counts of bytes can't be had; bytes[socket] begin and end with lives[socket]:
 * tcp.send:	sends[thread] = socket; bytes[socket].sending++
 * tcp.sent:	take sends[thread]: bytes[socket].tx += what it returns; bytes[socket].sending--
 * tcp.receive:	bytes[socket].reader, read = thread, 0; or as much as there can be, if it only looks
 * tcp.received:	bytes[socket].rx += what thread's call took since the last time; unsure of all if it was not the last
 *			reader. Whoever sets TCP_QUICKACK comes by, too, with a byte that nobody took
 *
 * A thread waits for bytes in its call, and kernels before 4.13 remember few returns: so nothing rests on the return of
 * a call that receives. Each tells, as often as it makes room for more, what it took so far. A return of a call that
 * sends may be missed, but not unnoticed. The same goes for a call that begins before its connection lives (TCP fast
 * open, an early accept), and for tcp_sendpage() where it leaves its work to tcp_sendmsg(): then tx is not known.
 *
 * A socket can be accepted before it is established: its handshake ends on another CPU. Where a socket's making is not
 * seen (not `cloned`), it begins its life then.
 */
#include "insns/programs/tcplife.h"

static const struct map maps[] = {
	{ "lives", MAP_HASH, ROLE_JOIN, 8, sizeof(struct tcplife_life), 65536 },
	{ "bytes", MAP_HASH, ROLE_JOIN, 8, sizeof(struct tcplife_bytes), 65536 },
	{ "sends", MAP_HASH, ROLE_JOIN, 4, 8, 16384 },
	TCP_PORT_MAPS,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define RECORD(MEMBER) (-128 + (int)offsetof(struct tcplife_record, MEMBER))
#define KEY -136
#define THREAD -144
#define IN_LIFE(MEMBER) ((int)offsetof(struct tcplife_life, MEMBER))
#define IN_BYTES(MEMBER) ((int)offsetof(struct tcplife_bytes, MEMBER))

/* Flags of recvmsg(2) with which a call takes nothing: MSG_PEEK, MSG_ERRQUEUE. */
#define TAKES_NOTHING 0x2002

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

#define COPY_BYTES(MEMBER) \
	BPF_LDX_MEM(BPF_DW, R1, R0, IN_BYTES(MEMBER)), \
	BPF_STX_MEM(BPF_DW, R10, R1, RECORD(bytes.MEMBER))

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
	JUMP("has_bytes"),
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
LABEL("has_bytes"),
	UNLESS("hook:tcp.sent", "out"),
	BPF_ST_MEM(BPF_DW, R10, RECORD(bytes.tx), 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(bytes.rx), 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(bytes.sending), 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(bytes.reader), 0),
	STORE("bytes", KEY, RECORD(bytes)),		/* bytes[sk] = { } */
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
	FIELD(R6, "tx?"),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(bytes.tx)),
	FIELD(R6, "rx?"),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(bytes.rx)),
	BPF_ST_MEM(BPF_DW, R10, RECORD(bytes.sending), -1),
	BPF_ST_MEM(BPF_DW, R10, RECORD(bytes.reader), 0),
	UNLESS("hook:tcp.sent", "unsummed"),
	LOOKUP("bytes", KEY),				/* take bytes[sk] */
	JUMP_IF(BPF_JEQ, R0, 0, "unsummed"),
	COPY_BYTES(tx), COPY_BYTES(rx), COPY_BYTES(sending),
	DELETE("bytes", KEY),
LABEL("unsummed"),
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

static const struct insn on_send[] = {
	FIELD(R6, "sk"),
	FIELD(R7, "tid"),
	BPF_STX_MEM(BPF_DW, R10, R6, KEY),
	BPF_STX_MEM(BPF_W, R10, R7, THREAD),
	STORE("sends", THREAD, KEY),			/* sends[thread] = sk */
	LOOKUP("bytes", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_MOV64_IMM(R1, 1),
	BPF_STX_XADD(BPF_W, R0, R1, IN_BYTES(sending)),	/* bytes[sk].sending++ */
LABEL("out"),
	EXIT,
};

static const struct insn on_sent[] = {
	FIELD(R6, "ret"),
	FIELD(R7, "tid"),
	BPF_STX_MEM(BPF_W, R10, R7, THREAD),
	TAKE(R7, "sends", THREAD),
	BPF_STX_MEM(BPF_DW, R10, R7, KEY),
	LOOKUP("bytes", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_MOV64_IMM(R1, -1),
	BPF_STX_XADD(BPF_W, R0, R1, IN_BYTES(sending)),	/* bytes[sk].sending-- */
	JUMP_IF(BPF_JSGT, R6, 0, "some"),
	JUMP("out"),
LABEL("some"),
	BPF_STX_XADD(BPF_DW, R0, R6, IN_BYTES(tx)),	/* bytes[sk].tx += ret */
LABEL("out"),
	EXIT,
};

static const struct insn on_receive[] = {
	FIELD(R6, "sk"),
	FIELD(R7, "flags"),
	FIELD(R8, "tid"),
	BPF_STX_MEM(BPF_DW, R10, R6, KEY),
	LOOKUP("bytes", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_STX_MEM(BPF_W, R0, R8, IN_BYTES(reader)),
	BPF_ALU64_IMM(BPF_AND, R7, TAKES_NOTHING),
	JUMP_IF(BPF_JEQ, R7, 0, "takes"),
	BPF_MOV64_IMM(R7, 0x7fffffff),
LABEL("takes"),
	BPF_STX_MEM(BPF_W, R0, R7, IN_BYTES(read)),
LABEL("out"),
	EXIT,
};

static const struct insn on_received[] = {
	FIELD(R6, "sk"),
	FIELD(R7, "copied"),
	FIELD(R8, "tid"),
	JUMP_IF(BPF_JSGT, R7, 0, "some"),
	JUMP("out"),
LABEL("some"),
	BPF_STX_MEM(BPF_DW, R10, R6, KEY),
	LOOKUP("bytes", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_W, R1, R0, IN_BYTES(reader)),
	JUMP_IF_REG(BPF_JNE, R1, R8, "others"),
	BPF_LDX_MEM(BPF_W, R1, R0, IN_BYTES(read)),
	JUMP_IF_REG(BPF_JGE, R1, R7, "out"),
	BPF_STX_MEM(BPF_W, R0, R7, IN_BYTES(read)),
	BPF_ALU64_REG(BPF_SUB, R7, R1),
	BPF_STX_XADD(BPF_DW, R0, R7, IN_BYTES(rx)),	/* bytes[sk].rx += copied - bytes[sk].read */
	JUMP("out"),
LABEL("others"),
	JUMP_IF(BPF_JEQ, R7, 1, "out"),			/* TCP_QUICKACK */
	BPF_ST_MEM(BPF_W, R0, IN_BYTES(unsure), 1),
LABEL("out"),
	EXIT,
};

_Static_assert(sizeof(struct tcplife_record) == 128, "the record fits its place");

#define SUMMING .spare = true, .option = "lacks:tcp.set_state.tx"

static const struct program programs[] = {
	PROGRAM("tcp.set_state", on_state),
	PROGRAM("tcp.accept", on_accept, .optional = true),
	PROGRAM("tcp.send", on_send, SUMMING),
	PROGRAM("tcp.sent", on_sent, SUMMING),
	PROGRAM("tcp.receive", on_receive, SUMMING),
	PROGRAM("tcp.received", on_received, SUMMING),
	{ }
};

const struct program_set tcplife_programs = { programs, maps };
