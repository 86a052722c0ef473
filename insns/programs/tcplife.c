// SPDX-License-Identifier: GPL-2.0
/*
 * Changes of state happen where packets are processed, and the current task means nothing there.
 * Programs themselves do only these: they connect (SYN_SENT), and they close or shut down
 * (FIN_WAIT1 for the first of both ends, LAST_ACK for the other).
 *
 * tcp.set_state:
 *	SYN_SENT:		lives[socket] = { now, current task }, if asked for
 *	SYN_RECV, ESTABLISHED:	lives[socket] = { now, no task }, unless it lives
 *	FIN_WAIT1, LAST_ACK:	lives[socket].task = current task, unless it connected
 *	CLOSE:			output take lives[socket] and what the socket says of itself
 * tcp.accept:	lives[socket].task = current task, unless one is known
 *
 * Only where the kernel's own counts of bytes are unavailable; bytes[socket] begins and ends with
 * lives[socket]:
 * tcp.send:	sends[thread] = socket; bytes[socket].sending++
 * tcp.sent:	take sends[thread]: bytes[socket].tx += what it returns; bytes[socket].sending--
 * tcp.receive:	bytes[socket].reader, read = thread, 0; or the largest number, if it only looks
 * tcp.received:	bytes[socket].rx += what the thread's call took since the last time
 *			unsure of all, if it was not the last reader. Setting TCP_QUICKACK passes
 *			here too, with a byte that no call took
 *
 * A thread waits for bytes in its call, and kernels before 4.13 remember few returns: so nothing
 * depends on the return of a call that receives. As often as such a call makes room for more, it
 * tells what it took so far. A return of a call that sends may be missed, but that is noticed. The
 * same goes for a call that begins before its connection lives (TCP fast open, an early accept),
 * and for tcp_sendpage() if it calls tcp_sendmsg(): then tx is not known.
 *
 * A socket can be accepted before it is established: its handshake ends on another CPU. Where the
 * creation of a socket is not seen (not `cloned`), its life begins then.
 */
#include "insns/programs/tcplife.h"

static const struct map maps[] = {
	{ "lives", MAP_HASH, ROLE_JOIN, 8, sizeof(struct tcplife_life), 65536 },
	{ "bytes", MAP_HASH, ROLE_JOIN, 8, sizeof(struct tcplife_bytes), 65536, .detail = true },
	{ "sends", MAP_HASH, ROLE_JOIN, 4, 8, 16384, .detail = true },
	TCP_PORT_MAPS,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &tcplife_record_layout },
	{ }
};

struct frame {
	u64 sk;
	uint32_t thread;
	struct tcplife_record record;
};

/* Flags of recvmsg(2) with which a call takes nothing: MSG_PEEK, MSG_ERRQUEUE. */
#define TAKES_NOTHING 0x2002

/* record.life = the current task; if the user did not ask for it, out. */
#define LIFE_OF_CURRENT(WHOSE) \
	FIELD(R9, "pid_tgid"), \
	FILTER(R9), \
	SET_IMM(record.life.whose, WHOSE), \
	SET(record.life.pid_tgid, R9), \
	SET_BYTES(record.life.comm, "comm")

/* lives[sk] = { now, record.life } */
#define LIFE_BEGINS \
	SET_FIELD(record.life.birth, "time"), \
	STORE("lives", sk, record.life)

/*
 * lives[sk].task = record.life's; if it has gone, goto OUT. The value itself is written, so that a socket that was closed
 * meanwhile stays forgotten.
 */
#define LIFE_IS_TAKEN_OVER(OUT) \
	LOOKUP_OR("lives", sk, OUT), \
	COPY_TO(R0, struct tcplife_life, whose, record.life.whose), \
	COPY_TO(R0, struct tcplife_life, pid_tgid, record.life.pid_tgid), \
	COPY_TO(R0, struct tcplife_life, comm, record.life.comm)

/* Jumps by the new state. Labels are in the order of a connection's life. */
static const struct insn on_state[] = {
	FIELD(R6, "protocol"),				/* if (not TCP) out */
	JNE(R6, TCP_PROTOCOL, "out"),
	SET_FIELD(sk, "sk"),
	FIELD(R6, "newstate"),
	FIELD(R7, "oldstate"),
	JEQ(R6, TCP_IS_SYN_SENT, "connects"),
	JEQ(R6, TCP_IS_SYN_RECV, "answers"),
	JEQ(R6, TCP_IS_ESTABLISHED, "established"),
	JEQ(R6, TCP_IS_FIN_WAIT1, "closes"),
	JEQ(R6, TCP_IS_LAST_ACK, "closes"),
	JEQ(R6, TCP_IS_CLOSE, "closed"),
	JUMP("out"),

LABEL("connects"),		/* lives[sk] = { now, current task }, if that was asked for */
	JUMP_UNLESS("filtered", "anyone"),
	DELETE("lives", sk),			/* what an earlier socket left, if it was not */
LABEL("anyone"),
	LIFE_OF_CURRENT(WHOSE_CERTAIN),
	JUMP("begins"),

LABEL("answers"),					/* lives[sk] = { now, no task } */
	JEQ(R7, TCP_IS_SYN_SENT, "out"),		/* both connect to each other: it lives */
	JUMP("unowned"),

LABEL("established"),					/* the same, unless it lives */
	FIELD(R8, "cloned"),
	FIELD(R9, "time"),
	LOOKUP_OR("lives", sk, "unowned"),
	JNE(R7, TCP_IS_SYN_RECV, "out"),
	JNE(R8, 0, "out"),			/* its making was seen: what is there is its own */
	LOAD(R1, R0, struct tcplife_life, whose),
	JNE(R1, WHOSE_EARLY, "unowned"),		/* what is there is of an earlier socket */
	PUT_IMM(R0, struct tcplife_life, whose, WHOSE_ACCEPTED),
	PUT(R0, struct tcplife_life, birth, R9),	/* accepted before: its life begins now */
	JUMP("has_bytes"),

LABEL("unowned"),
	SET_IMM(record.life.whose, WHOSE_UNKNOWN),
	SET_IMM(record.life.pid_tgid, -1),
	ZERO(record.life.comm),
LABEL("begins"),
	LIFE_BEGINS,
LABEL("has_bytes"),
	JUMP_UNLESS("hook:tcp.sent", "out"),
	ZERO(record.bytes),
	STORE("bytes", sk, record.bytes),		/* bytes[sk] = { } */
	JUMP("out"),

LABEL("closes"),			/* lives[sk].task = current task, unless it connected */
	LOOKUP_OR("lives", sk, "out"),
	LOAD(R1, R0, struct tcplife_life, whose),
	JEQ(R1, WHOSE_CERTAIN, "out"),
	JUMP_UNLESS("filtered", "anybody"),
	PUT_IMM(R0, struct tcplife_life, whose, WHOSE_OTHERS),	/* unless that was asked for */
LABEL("anybody"),
	LIFE_OF_CURRENT(WHOSE_CERTAIN),
	LIFE_IS_TAKEN_OVER("out"),
	JUMP("out"),

LABEL("closed"),					/* r.life = take lives[sk] */
	LOOKUP_OR("lives", sk, "out"),
	COPY_ALL(record.life, R0),
	DELETE("lives", sk),
	ZERO(record.bytes),		/* r.bytes = the kernel's own counts, or take bytes[sk] */
	SET_FIELD(record.bytes.tx, "tx?"),
	SET_FIELD(record.bytes.rx, "rx?"),
	SET_IMM(record.bytes.sending, -1),
	SET_IMM(record.bytes.unsure, -1),
	JUMP_UNLESS("hook:tcp.sent", "unsummed"),
	LOOKUP_OR("bytes", sk, "unsummed"),
	COPY_FROM(record.bytes.tx, R0, struct tcplife_bytes, tx),
	COPY_FROM(record.bytes.rx, R0, struct tcplife_bytes, rx),
	COPY_FROM(record.bytes.sending, R0, struct tcplife_bytes, sending),
	COPY_FROM(record.bytes.unsure, R0, struct tcplife_bytes, unsure),
	DELETE("bytes", sk),
LABEL("unsummed"),
	GET(R6, record.life.whose),
	JNE(R7, TCP_IS_SYN_RECV, "lived"),		/* a lost twin of another child */
	JEQ(R6, WHOSE_UNKNOWN, "out"),
LABEL("lived"),
	JUMP_UNLESS("filtered", "show"),	/* if (not asked for) out */
	JEQ(R6, WHOSE_OTHERS, "out"),
	JEQ(R6, WHOSE_UNKNOWN, "out"),
LABEL("show"),
	TCP_ENDS(record.ends, "out"),				/* r.ends, if the user asked for such */
	SET_FIELD(record.time, "time"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct insn on_accept[] = {
	FIELD(R6, "sk"),
	JEQ(R6, 0, "out"),
	SET(sk, R6),
	FIELD(R8, "state"),	/* read first: the life of what is established by now is there */
	LOOKUP_OR("lives", sk, "early"),
	LOAD(R1, R0, struct tcplife_life, whose),	/* if (it is of no task) */
	JNE(R1, WHOSE_UNKNOWN, "out"),
	LIFE_OF_CURRENT(WHOSE_ACCEPTED),
	LIFE_IS_TAKEN_OVER("out"),
	JUMP("out"),
LABEL("early"),					/* the end of its handshake was not seen yet */
	JNE(R8, TCP_IS_SYN_RECV, "out"),
	LIFE_OF_CURRENT(WHOSE_EARLY),
	LIFE_BEGINS,
LABEL("out"),
	EXIT,
};

static const struct insn on_send[] = {
	SET_FIELD(sk, "sk"),
	SET_FIELD(thread, "tid"),
	STORE("sends", thread, sk),			/* sends[thread] = sk */
	LOOKUP_OR("bytes", sk, "out"),
	BPF_MOV64_IMM(R1, 1),
	XADD(R0, struct tcplife_bytes, sending, R1),	/* bytes[sk].sending++ */
LABEL("out"),
	EXIT,
};

static const struct insn on_sent[] = {
	FIELD(R6, "ret"),
	SET_FIELD(thread, "tid"),
	TAKE(R7, "sends", thread),			/* sk = take sends[thread] */
	SET(sk, R7),
	LOOKUP_OR("bytes", sk, "out"),
	BPF_MOV64_IMM(R1, -1),
	XADD(R0, struct tcplife_bytes, sending, R1),	/* bytes[sk].sending-- */
	JSLE(R6, 0, "out"),
	XADD(R0, struct tcplife_bytes, tx, R6),		/* bytes[sk].tx += ret */
LABEL("out"),
	EXIT,
};

static const struct insn on_receive[] = {
	SET_FIELD(sk, "sk"),
	FIELD(R7, "flags"),
	FIELD(R8, "tid"),
	LOOKUP_OR("bytes", sk, "out"),
	PUT(R0, struct tcplife_bytes, reader, R8),	/* bytes[sk].reader = thread */
	BPF_ALU64_IMM(BPF_AND, R7, TAKES_NOTHING),
	JEQ(R7, 0, "takes"),
	BPF_MOV64_IMM(R7, INT32_MAX),
LABEL("takes"),
	PUT(R0, struct tcplife_bytes, read, R7),	/* bytes[sk].read = 0, or the most */
LABEL("out"),
	EXIT,
};

static const struct insn on_received[] = {
	SET_FIELD(sk, "sk"),
	FIELD(R7, "copied"),
	FIELD(R8, "tid"),
	JSLE(R7, 0, "out"),
	LOOKUP_OR("bytes", sk, "out"),
	LOAD(R1, R0, struct tcplife_bytes, reader),
	JNE_REG(R1, R8, "others"),
	LOAD(R1, R0, struct tcplife_bytes, read),
	JGE_REG(R1, R7, "out"),
	PUT(R0, struct tcplife_bytes, read, R7),
	BPF_ALU64_REG(BPF_SUB, R7, R1),
	XADD(R0, struct tcplife_bytes, rx, R7),	/* bytes[sk].rx += copied - bytes[sk].read */
	JUMP("out"),
LABEL("others"),				/* not the last reader: bytes[sk].unsure = 1 */
	JEQ(R7, 1, "out"),				/* TCP_QUICKACK */
	PUT_IMM(R0, struct tcplife_bytes, unsure, 1),
LABEL("out"),
	EXIT,
};

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
