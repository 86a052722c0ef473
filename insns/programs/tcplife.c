// SPDX-License-Identifier: GPL-2.0
/*
 * Changes of state happen where packets are processed, and the current task means nothing there.
 * Programs themselves do only these: they connect (SYN_SENT), and they close or shut down
 * (FIN_WAIT1 for the first of both ends, LAST_ACK for the other).
 *
 * tcp.set_state:
 *	SYN_SENT:		lives[socket] = { now, current task }, if it is wanted
 *	SYN_RECV, ESTABLISHED:	lives[socket] = { now, no task }, unless it has a life
 *	FIN_WAIT1, LAST_ACK:	lives[socket].task = current task, unless that task connected
 *	CLOSE:			output take lives[socket], and the socket's ends and counts
 * tcp.accept:	lives[socket].task = current task, unless one is known
 *
 * The rest is only for kernels without counts of bytes; bytes[socket] begins and ends with
 * lives[socket]:
 * tcp.send:	sends[thread] = socket; bytes[socket].sending++
 * tcp.sent:	take sends[thread]: bytes[socket].tx += return value; bytes[socket].sending--
 * tcp.receive:	bytes[socket].reader, read = thread, 0; or the largest number, if the call only
 * peeks tcp.received:	bytes[socket].rx += the bytes that the thread's call took since the last
 * time;
 *			rx becomes unsure if another thread was the last reader. Setting
 *			TCP_QUICKACK comes here too, with a byte that no call took
 *
 * A thread may wait for bytes in its call, and kernels before 4.13 can track few returns. So
 * receiving is counted without returns: whenever a call makes room for more, it reports the bytes
 * taken so far. A return of a sending call may be missed, but that is noticed: tx is unknown then.
 * It is also unknown if a call begins before the connection's life (TCP fast open, an early
 * accept), and for tcp_sendpage() if it calls tcp_sendmsg().
 *
 * A socket can be accepted before it is established, because its handshake ends on another CPU. If
 * the creation of sockets can't be traced (not `cloned`), its life begins when it is accepted.
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

/* Flags of recvmsg(2) with which a call takes no bytes: MSG_PEEK, MSG_ERRQUEUE. */
#define TAKES_NOTHING 0x2002

/* Registers of all programs. */
enum {
	/* of on_state */
	PROTOCOL = R6, NEW = R6, WHOSE = R6, FAMILY = R6, OLD = R7, CLONED = R8, NOW = R9,
	TASK = R9,			/* a pid_tgid */
	/* of on_accept */
	ACCEPTED = R6, STATE = R8,
	/* of calls that send and receive */
	SENT = R6, SOCKET = R7, FLAGS = R7, COPIED = R7, READER = R8,
};

/* record.life = the current task; if it is not wanted, goto out. */
#define LIFE_OF_CURRENT(WHOSE) \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	SET_IMM(record.life.whose, WHOSE), \
	SET(record.life.pid_tgid, TASK), \
	SET_BYTES(record.life.comm, "comm")

/* lives[sk] = { now, record.life } */
#define LIFE_BEGINS \
	SET_FIELD(record.life.birth, "time"), \
	STORE("lives", sk, record.life)

/*
 * lives[sk].task = record.life's; if there is no lives[sk], goto OUT. The value itself is written:
 * that makes no entry for a socket that was closed meanwhile.
 */
#define LIFE_IS_TAKEN_OVER(OUT) \
	LOOKUP_OR("lives", sk, OUT), \
	COPY_TO(R0, struct tcplife_life, whose, record.life.whose), \
	COPY_TO(R0, struct tcplife_life, pid_tgid, record.life.pid_tgid), \
	COPY_TO(R0, struct tcplife_life, comm, record.life.comm)

/* An earlier socket at this address may have left a life. */
#define CONNECTS \
	JUMP_UNLESS("filtered", ".anyone"), \
	DELETE("lives", sk), \
	LABEL(".anyone"), \
	LIFE_OF_CURRENT(WHOSE_CERTAIN)

/*
 * If lives[sk] is this socket's, goto OUT. If the socket was accepted before it was established,
 * its life begins now: goto BEGUN. If lives[sk] is an earlier socket's, or does not exist, goto
 * UNOWNED.
 */
#define ESTABLISHED(OUT, BEGUN, UNOWNED) \
	FIELD(CLONED, "cloned"), \
	FIELD(NOW, "time"), \
	LOOKUP_OR("lives", sk, UNOWNED), \
	JNE(OLD, TCP_IS_SYN_RECV, OUT), \
	JNE(CLONED, 0, OUT),		/* its creation was traced: the life is its own */ \
	LOAD(R1, R0, struct tcplife_life, whose), \
	JNE(R1, WHOSE_EARLY, UNOWNED), \
	PUT_IMM(R0, struct tcplife_life, whose, WHOSE_ACCEPTED), \
	PUT(R0, struct tcplife_life, birth, NOW), \
	JUMP(BEGUN)

/* lives[sk].task = current task, or WHOSE_OTHERS; unless the socket connected: goto OUT */
#define CLOSES(OUT) \
	LOOKUP_OR("lives", sk, OUT), \
	LOAD(R1, R0, struct tcplife_life, whose), \
	JEQ(R1, WHOSE_CERTAIN, OUT), \
	JUMP_UNLESS("filtered", ".anybody"), \
	PUT_IMM(R0, struct tcplife_life, whose, WHOSE_OTHERS), \
	LABEL(".anybody"), \
	LIFE_OF_CURRENT(WHOSE_CERTAIN), \
	LIFE_IS_TAKEN_OVER(OUT)

/* record.life = take lives[sk]; record.bytes = the kernel's own counts, or take bytes[sk] */
#define TAKE_LIFE(OUT) \
	LOOKUP_OR("lives", sk, OUT), \
	COPY_ALL(record.life, R0), \
	DELETE("lives", sk), \
	ZERO(record.bytes), \
	SET_FIELD(record.bytes.tx, "tx?"), \
	SET_FIELD(record.bytes.rx, "rx?"), \
	SET_IMM(record.bytes.sending, -1), \
	SET_IMM(record.bytes.unsure, -1), \
	JUMP_UNLESS("hook:tcp.sent", ".unsummed"), \
	LOOKUP_OR("bytes", sk, ".unsummed"), \
	COPY_FROM(record.bytes.tx, R0, struct tcplife_bytes, tx), \
	COPY_FROM(record.bytes.rx, R0, struct tcplife_bytes, rx), \
	COPY_FROM(record.bytes.sending, R0, struct tcplife_bytes, sending), \
	COPY_FROM(record.bytes.unsure, R0, struct tcplife_bytes, unsure), \
	DELETE("bytes", sk), \
	LABEL(".unsummed")

/*
 * if (record.life is not wanted) goto OUT. A socket that closes in SYN_RECV and never had a task is
 * a duplicate: two packets of one connection had made a socket each.
 */
#define LIFE_ASKED_FOR(OUT) \
	GET(WHOSE, record.life.whose), \
	JNE(OLD, TCP_IS_SYN_RECV, ".lived"), \
	JEQ(WHOSE, WHOSE_UNKNOWN, OUT), \
	LABEL(".lived"), \
	JUMP_UNLESS("filtered", ".asked"), \
	JEQ(WHOSE, WHOSE_OTHERS, OUT), \
	JEQ(WHOSE, WHOSE_UNKNOWN, OUT), \
	LABEL(".asked")

/* Jumps by the new state. Labels are in the order of a connection's life. */
static const struct insn on_state[] = {
	FIELD(PROTOCOL, "protocol"),			/* if (not TCP) out */
	JNE(PROTOCOL, TCP_PROTOCOL, "out"),
	SET_FIELD(sk, "sk"),
	FIELD(NEW, "newstate"),
	FIELD(OLD, "oldstate"),
	JEQ(NEW, TCP_IS_SYN_SENT, "connects"),
	JEQ(NEW, TCP_IS_SYN_RECV, "answers"),
	JEQ(NEW, TCP_IS_ESTABLISHED, "established"),
	JEQ(NEW, TCP_IS_FIN_WAIT1, "closes"),
	JEQ(NEW, TCP_IS_LAST_ACK, "closes"),
	JEQ(NEW, TCP_IS_CLOSE, "closed"),
	JUMP("out"),

LABEL("connects"),
	CONNECTS,			/* lives[sk] = { now, current task }, if asked for */
	JUMP("begins"),

LABEL("answers"),					/* lives[sk] = { now, no task } */
	/* both ends connect: it has a life already */
	JEQ(OLD, TCP_IS_SYN_SENT, "out"),
	JUMP("unowned"),

LABEL("established"),					/* the same, unless it has a life */
	ESTABLISHED("out", "has_bytes", "unowned"),

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

LABEL("closes"),
	CLOSES("out"),			/* lives[sk].task = current task */
	JUMP("out"),

LABEL("closed"),
	TAKE_LIFE("out"),				/* r = take lives[sk] */
	LIFE_ASKED_FOR("out"),				/* if (not asked for) out */
	TCP_ENDS(record.ends, FAMILY, "out"),		/* r.ends, if they are wanted */
	SET_FIELD(record.time, "time"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct insn on_accept[] = {
	FIELD(ACCEPTED, "sk"),
	JEQ(ACCEPTED, 0, "out"),
	SET(sk, ACCEPTED),
	FIELD(STATE, "state"),	/* first: an established socket has its life */
	LOOKUP_OR("lives", sk, "early"),
	LOAD(R1, R0, struct tcplife_life, whose),	/* if (it has no task) */
	JNE(R1, WHOSE_UNKNOWN, "out"),
	LIFE_OF_CURRENT(WHOSE_ACCEPTED),
	LIFE_IS_TAKEN_OVER("out"),
	JUMP("out"),
LABEL("early"),					/* its handshake has not ended yet */
	JNE(STATE, TCP_IS_SYN_RECV, "out"),
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
	FIELD(SENT, "ret"),
	SET_FIELD(thread, "tid"),
	TAKE(SOCKET, "sends", thread),			/* sk = take sends[thread] */
	SET(sk, SOCKET),
	LOOKUP_OR("bytes", sk, "out"),
	BPF_MOV64_IMM(R1, -1),
	XADD(R0, struct tcplife_bytes, sending, R1),	/* bytes[sk].sending-- */
	JSLE(SENT, 0, "out"),
	XADD(R0, struct tcplife_bytes, tx, SENT),	/* bytes[sk].tx += ret */
LABEL("out"),
	EXIT,
};

static const struct insn on_receive[] = {
	SET_FIELD(sk, "sk"),
	FIELD(FLAGS, "flags"),
	FIELD(READER, "tid"),
	LOOKUP_OR("bytes", sk, "out"),
	PUT(R0, struct tcplife_bytes, reader, READER),	/* bytes[sk].reader = thread */
	BPF_ALU64_IMM(BPF_AND, FLAGS, TAKES_NOTHING),
	JEQ(FLAGS, 0, "takes"),
	BPF_MOV64_IMM(FLAGS, INT32_MAX),
LABEL("takes"),
	PUT(R0, struct tcplife_bytes, read, FLAGS),	/* bytes[sk].read = 0, or the most */
LABEL("out"),
	EXIT,
};

static const struct insn on_received[] = {
	SET_FIELD(sk, "sk"),
	FIELD(COPIED, "copied"),
	FIELD(READER, "tid"),
	JSLE(COPIED, 0, "out"),
	LOOKUP_OR("bytes", sk, "out"),
	LOAD(R1, R0, struct tcplife_bytes, reader),
	JNE_REG(R1, READER, "others"),
	LOAD(R1, R0, struct tcplife_bytes, read),
	JGE_REG(R1, COPIED, "out"),
	PUT(R0, struct tcplife_bytes, read, COPIED),
	BPF_ALU64_REG(BPF_SUB, COPIED, R1),
	XADD(R0, struct tcplife_bytes, rx, COPIED), /* bytes[sk].rx += copied - bytes[sk].read */
	JUMP("out"),
LABEL("others"),				/* not the last reader: bytes[sk].unsure = 1 */
	JEQ(COPIED, 1, "out"),				/* TCP_QUICKACK */
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
