// SPDX-License-Identifier: GPL-2.0
/*
 * Bytes that calls moved, by process and socket: flows[process, name, socket].rx or .tx += bytes.
 *
 * Since 6.5 an event tells how much each call on a socket has moved:
 *
 * socket.sent, socket.received:	flows[task, ends of the socket] += bytes
 *
 * Otherwise functions of TCP tell:
 *
 * flow.send:		sends[thread] = ends of the socket
 * flow.sent:		flows[task, take sends[thread]].tx += return value
 * flow.returned:	flows[task, ends of the socket].tx += return value: instead of these two,
 *			where a return still tells the arguments (fexit)
 * flow.receive:	reads[socket, thread] = 0; or the largest number, if the call only looks
 * flow.received:	copied = bytes that the thread's call has taken so far
 *			flows[task, ends].rx += copied - reads[socket, thread]
 *			reads[socket, thread] = copied
 * length.sent, length.received, with --all: as socket.*, for all sockets but TCP's
 *
 * A thread may wait for bytes for days, and kernels before 5.5 can track few returns of a function.
 * So receiving is counted without returns: a call reports the bytes that it has taken when it makes
 * room for more, and when it ends. A call that began before has no entry: all of its bytes are
 * counted, as the events of 6.5 do. Setting TCP_QUICKACK comes to the same place with a byte that
 * no call took: a single byte without an entry is not counted.
 *
 * Where there are neither kprobes nor programs in the kernel, a socket's ends come from other
 * events:
 *
 * ends.state, ends.adjust:	known[socket] = ends of the socket
 * length.sent, length.received:	flows[task, known[socket]] += bytes
 */
#include "insns/programs/tcptop.h"

#include "insns/hist.h"

#define MPTCP_PROTOCOL 262

struct reader {
	u64 sk;
	u64 thread;
};

/* Bytes that a call has taken so far. */
struct progress {
	u64 taken;
};

#define FLOWS \
	{ "flows", MAP_HASH, ROLE_RESULT, sizeof(struct tcptop_key), sizeof(struct tcptop_bytes), \
	  10240, .key = &tcptop_key_layout, .value = &tcptop_bytes_layout }

#define READS \
	{ "reads", MAP_HASH, ROLE_HINT, sizeof(struct reader), 8, 16384, .detail = true }

static const struct map maps[] = {
	FLOWS,
	{ }
}, returns_maps[] = {
	READS,
	FLOWS,
	{ }
}, calls_maps[] = {
	{ "sends", MAP_HASH, ROLE_JOIN, 4, sizeof(struct tcptop_ends), 16384, .calls = true },
	READS,
	FLOWS,
	{ }
}, known_maps[] = {
	{ "known", MAP_HASH, ROLE_HINT, 8, sizeof(struct tcptop_ends), 65536, .detail = true },
	FLOWS,
	{ }
};

struct frame {
	uint32_t thread;
	u64 sk;
	u64 taken;
	struct reader reader;
	struct tcptop_key flow;
	struct tcptop_bytes bytes;
};

/* Flags of recvmsg(2) with which a call takes no bytes: MSG_PEEK, MSG_ERRQUEUE. */
#define TAKES_NOTHING 0x2002

/* Registers of all programs. */
enum { TASK = R6, FAMILY = R7, FLAGS = R7, PROTOCOL = R9, COPIED = R9, STATE = R9, MOVED = R8 };

/* frame.flow.ends = the ends of the event's socket; FAMILY keeps the family. */
#define SOCKET_ENDS \
	SET(flow.ends.family, FAMILY), \
	SET_FIELD(flow.ends.protocol, "protocol"), \
	SET_FIELD(flow.ends.lport, "lport"), \
	SET_FIELD(flow.ends.rport, "dport"), \
	TCP_ADDRESSES(flow.ends.laddr, flow.ends.raddr, FAMILY)

/* The same where only the family and the protocol are known. */
#define NO_ENDS \
	ZERO(flow.ends), \
	SET(flow.ends.family, FAMILY), \
	SET(flow.ends.protocol, PROTOCOL)

/* flows[owner, frame.flow.ends].M += MOVED */
#define ADD_MOVED(M) \
	JUMP_UNLESS("by-cgroup", ".of_process"), \
	FIELD(TASK, "whose"), \
	JUMP(".owned"), \
	LABEL(".of_process"), \
	BPF_ALU64_IMM(BPF_RSH, TASK, 32), \
	LABEL(".owned"), \
	SET(flow.owner, TASK), \
	SET_IMM(flow.unused, 0), \
	SET_BYTES(flow.comm, "comm"), \
	SET_EPOCH(flow.epoch), \
	LOOKUP("flows", flow), \
	JNE(R0, 0, ".found"), \
	ZERO(bytes), \
	STORE_NEW("flows", flow, bytes), \
	LOOKUP("flows", flow),				/* nothing, if there is no room */ \
	JNE(R0, 0, ".found"), \
	COUNT_FULL, \
	JUMP(".moved"), \
	LABEL(".found"), \
	XADD(R0, struct tcptop_bytes, M, MOVED), \
	LABEL(".moved")

/* MOVED = what a call has moved, FAMILY, PROTOCOL of its socket; if it is not wanted, goto OUT. */
#define LENGTH(OUT) \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	FIELD(MOVED, "ret"), \
	JSLE(MOVED, 0, OUT), \
	FIELD(FLAGS, "flags"), \
	BPF_ALU64_IMM(BPF_AND, FLAGS, TAKES_NOTHING), \
	JNE(FLAGS, 0, OUT), \
	FIELD(FAMILY, "family"), \
	TCP_FAMILY(FAMILY, OUT), \
	FIELD(PROTOCOL, "protocol"), \
	JUMP_UNLESS("all", ".tcp"), \
	JUMP(".any"), \
	LABEL(".tcp"), \
	JEQ(PROTOCOL, MPTCP_PROTOCOL, ".any"), \
	JNE(PROTOCOL, TCP_PROTOCOL, OUT), \
	LABEL(".any")

#define LENGTH_WITH_ENDS(M, OUT) \
	LENGTH(OUT), \
	JEQ(FAMILY, TCP_INET, ".inet"), \
	JEQ(FAMILY, TCP_INET6, ".inet"), \
	NO_ENDS, \
	JUMP(".ends"), \
	LABEL(".inet"), \
	SOCKET_ENDS, \
	LABEL(".ends"), \
	ADD_MOVED(M)

static const struct insn on_socket_sent[] = { LENGTH_WITH_ENDS(tx, "out"), LABEL("out"), EXIT };
static const struct insn on_socket_received[] = { LENGTH_WITH_ENDS(rx, "out"), LABEL("out"), EXIT };

/* The ends are those of known[socket]. */
#define LENGTH_OF_KNOWN(M, OUT) \
	LENGTH(OUT), \
	NO_ENDS, \
	JNE(PROTOCOL, TCP_PROTOCOL, ".ends"), \
	SET_FIELD(sk, "sk"), \
	LOOKUP_OR("known", sk, ".ends"), \
	COPY_ALL(flow.ends, R0),			/* ends = known[sk] */ \
	LABEL(".ends"), \
	ADD_MOVED(M)

static const struct insn on_sent_length[] = { LENGTH_OF_KNOWN(tx, "out"), LABEL("out"), EXIT };
static const struct insn on_received_length[] = { LENGTH_OF_KNOWN(rx, "out"), LABEL("out"), EXIT };

/* All sockets but those whose bytes the functions of TCP tell. */
#define LENGTH_OF_OTHERS(M, OUT) \
	LENGTH(OUT), \
	JEQ(PROTOCOL, TCP_PROTOCOL, OUT), \
	NO_ENDS, \
	ADD_MOVED(M)

static const struct insn on_others_sent[] = { LENGTH_OF_OTHERS(tx, "out"), LABEL("out"), EXIT };
static const struct insn on_others_received[] = { LENGTH_OF_OTHERS(rx, "out"), LABEL("out"), EXIT };

static const struct insn on_state[] = {
	FIELD(STATE, "newstate"),
	JNE(STATE, TCP_IS_ESTABLISHED, "out"),
	FIELD(PROTOCOL, "protocol"),
	JNE(PROTOCOL, TCP_PROTOCOL, "out"),
	FIELD(FAMILY, "family"),
	SET_FIELD(sk, "sk"),
	SOCKET_ENDS,
	UPDATE("known", sk, flow.ends),			/* known[sk] = ends */
LABEL("out"),
	EXIT,
};

static const struct insn on_adjust[] = {
	SET_FIELD(sk, "sk"),
	LOOKUP("known", sk),				/* if (known[sk]) out */
	JNE(R0, 0, "out"),
	FIELD(FAMILY, "family"),
	SET(flow.ends.family, FAMILY),
	SET_IMM(flow.ends.protocol, TCP_PROTOCOL),
	SET_FIELD(flow.ends.lport, "lport"),
	SET_FIELD(flow.ends.rport, "dport"),
	TCP_ADDRESSES(flow.ends.laddr, flow.ends.raddr, FAMILY),
	UPDATE("known", sk, flow.ends),			/* known[sk] = ends */
LABEL("out"),
	EXIT,
};

static const struct insn on_send[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	FIELD(FAMILY, "family"),
	TCP_FAMILY(FAMILY, "out"),
	SOCKET_ENDS,
	SET_FIELD(thread, "tid"),
	STORE("sends", thread, flow.ends),	/* sends[thread] = ends */
LABEL("out"),
	EXIT,
};

static const struct insn on_sent[] = {
	FIELD(TASK, "pid_tgid"),
	FIELD(MOVED, "ret"),
	SET_FIELD(thread, "tid"),
	LOOKUP_OR("sends", thread, "out"),		/* ends = take sends[thread] */
	COPY_ALL(flow.ends, R0),
	DELETE("sends", thread),
	JSLE(MOVED, 0, "out"),
	ADD_MOVED(tx),					/* flows[task, ends].tx += ret */
LABEL("out"),
	EXIT,
};

static const struct insn on_returned[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	FIELD(MOVED, "ret"),
	JSLE(MOVED, 0, "out"),
	FIELD(FAMILY, "family"),
	TCP_FAMILY(FAMILY, "out"),
	SOCKET_ENDS,
	ADD_MOVED(tx),					/* flows[task, ends].tx += ret */
LABEL("out"),
	EXIT,
};

/* frame.reader = the socket and the current thread. */
#define READER \
	SET_FIELD(reader.sk, "sk"), \
	SET_FIELD(reader.thread, "tid")

static const struct insn on_receive[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	READER,
	FIELD(FLAGS, "flags"),
	BPF_MOV64_IMM(R1, 0),
	BPF_ALU64_IMM(BPF_AND, FLAGS, TAKES_NOTHING),
	JEQ(FLAGS, 0, "takes"),
	BPF_MOV64_IMM(R1, INT32_MAX),
LABEL("takes"),
	SET(taken, R1),
	LOOKUP_OR("reads", reader, "new"),		/* reads[sk, thread] = 0, or the most */
	COPY_TO(R0, struct progress, taken, taken),	/* cheaper than a new entry */
	EXIT,
LABEL("new"),
	UPDATE("reads", reader, taken),
	EXIT,
};

static const struct insn on_received[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	FIELD(COPIED, "copied"),
	FIELD(FAMILY, "family"),
	TCP_FAMILY(FAMILY, "out"),
	READER,
	BPF_MOV64_REG(MOVED, COPIED),
	LOOKUP_OR("reads", reader, "began_before"),
	LOAD(R1, R0, struct progress, taken),
	JSLT(COPIED, 0, "failed"),
	JGE_REG(R1, COPIED, "out"),
	PUT(R0, struct progress, taken, COPIED),
	BPF_ALU64_REG(BPF_SUB, MOVED, R1),	/* copied - reads[sk, thread] */
	JUMP("took"),
LABEL("failed"),			/* nothing is taken before the next call */
	PUT_IMM(R0, struct progress, taken, INT32_MAX),
	JUMP("out"),
LABEL("began_before"),
	JSLE(COPIED, 1, "out"),				/* 1: TCP_QUICKACK */
	SET(taken, COPIED),
	UPDATE("reads", reader, taken),
LABEL("took"),
	SOCKET_ENDS,
	ADD_MOVED(rx),					/* flows[task, ends].rx += ... */
LABEL("out"),
	EXIT,
};

#define RECEIVES_AND_OTHERS \
	PROGRAM("flow.receive", on_receive), \
	PROGRAM("flow.received", on_received), \
	PROGRAM("length.sent", on_others_sent, .option = "all"), \
	PROGRAM("length.received", on_others_received, .option = "all")

static const struct program programs[] = {
	PROGRAM("socket.sent", on_socket_sent),
	PROGRAM("socket.received", on_socket_received),
	{ }
}, returns_programs[] = {
	PROGRAM("flow.returned", on_returned),
	RECEIVES_AND_OTHERS,
	{ }
}, calls_programs[] = {
	PROGRAM("flow.send", on_send),
	PROGRAM("flow.sent", on_sent),
	RECEIVES_AND_OTHERS,
	{ }
}, known_programs[] = {
	PROGRAM("length.sent", on_sent_length),
	PROGRAM("length.received", on_received_length),
	PROGRAM("ends.state", on_state),
	PROGRAM("ends.adjust", on_adjust),
	{ }
};

const struct program_set tcptop_known_programs = { known_programs, known_maps };
const struct program_set tcptop_calls_programs = {
	calls_programs, calls_maps, .otherwise = &tcptop_known_programs,
};

/* Elsewhere a function has a fexit only if nothing else serves it: the kernel may skip events. */
static const enum feature whole = FEATURE_FENTRY_WHOLE;

static const struct program_set tcptop_returns_programs = {
	returns_programs, returns_maps, .otherwise = &tcptop_calls_programs, .needs = &whole,
};
const struct program_set tcptop_programs = {
	programs, maps, .otherwise = &tcptop_returns_programs,
};
