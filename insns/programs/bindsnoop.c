// SPDX-License-Identifier: GPL-2.0
/*
 * bind.enter:		start[tid] = { address that is asked for, and what the socket is }, if the
 *			address's family is wanted
 * listen.enter:	start[tid] = { address and limit of the socket }
 * bind.exit, listen.exit:
 *			r = take start[tid]; if (r) r += { result, the port that it got }
 *			output r, or binds[address, port]++ to count
 *
 * Which port the kernel chose is read of the socket itself, by BPF only: a ring's event has no
 * value of another event.
 */
#include "insns/programs/bindsnoop.h"

#include "insns/hist.h"

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct bindsnoop_record), 10240, .calls = true },
	{ "ports", MAP_HASH, ROLE_TABLE, 4, 4, TCP_PORTS },
	{ "binds", MAP_HASH, ROLE_RESULT, sizeof(struct bindsnoop_key), 8, 10240,
	  .key = &bindsnoop_key_layout },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &bindsnoop_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	uint32_t port;
	struct bindsnoop_key counted;
	struct bindsnoop_record record;
};

/* Registers. */
enum { TASK = R6, RET_CODE = R6, FAMILY = R7, TEXT = R8, SOCK = R7, NETNS = R6 };

#define MPTCP_PROTOCOL	262
#define SOCK_PORT	14	/* the offset in struct sock_common since 3.10 */
#define SOCK_DEVICE	20

/* If the user asked for other tasks, leave; if for another family, goto out. */
#define BEGINS \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	ZERO(record), \
	SET(tid, TASK), \
	SET(record.pid_tgid, TASK), \
	TCP_FAMILY(FAMILY, "out"), \
	SET(record.family, FAMILY)

/* If the user asked for another network namespace, goto OUT. */
#define SET_NETNS(OUT) \
	JUMP_UNLESS("show-netns", ".hidden"), \
	SET_FIELD(record.netns, "netns?"), \
	LABEL(".hidden"), \
	JUMP_UNLESS("netns-id", ".any"), \
	FIELD(NETNS, "netns?"), \
	CONST(R1, "netns-id"), \
	JNE_REG(NETNS, R1, OUT), \
	LABEL(".any")

/* What the kernel has of the socket. */
#define SOCKET(OUT) \
	SET_NETNS(OUT), \
	SET_FIELD(record.sk, "sk?"), \
	SET_FIELD(record.own_family, "own_family"), \
	SET_FIELD(record.reuse, "reuse"), \
	SET_FIELD(record.device, "device"), \
	SET_FIELD(record.protocol, "protocol"), \
	SET_FIELD(record.words, "words"), \
	SET_FIELD(record.inet, "inet")

/* frame.M = a text of the kernel's copy, or of the program's memory. */
#define SET_STRING(M, REG) \
	JUMP_UNLESS("constant:checked", ".user"), \
	SET_KERNEL_STRING(M, REG), \
	JUMP(".read"), \
	LABEL(".user"), \
	SET_USER_STRING(M, REG), \
	LABEL(".read")

/* A path, or a name behind a NUL. */
#define PATH \
	STRING(TEXT, "path?"), \
	SET_STRING(record.path, TEXT), \
	SET(record.length, R0), \
	GET(R1, record.path[0]), \
	JNE(R1, 0, ".path"), \
	SET_IMM(record.named, 1), \
	STRING(TEXT, "name?"), \
	SET_STRING(record.path, TEXT), \
	SET(record.length, R0), \
	LABEL(".path")

static const struct insn on_bind[] = {
	FIELD(FAMILY, "family"),
	JNE(FAMILY, 0, "asked"),	/* IPv4 takes it as its own */
	FIELD(FAMILY, "own_family"),
LABEL("asked"),
	BEGINS,
	SET_FIELD(record.size, "size"),
	SOCKET("out"),
	JEQ(FAMILY, BIND_UNIX, "unix"),
	SET_FIELD(record.port, "port"),
	JEQ(FAMILY, TCP_INET6, "inet6"),
	JNE(FAMILY, TCP_INET, "out"),
	SET_BYTES_N(record.address, "address", 4),
	JUMP("begun"),
LABEL("inet6"),
	SET_BYTES(record.address, "address6"),
	JUMP("begun"),
LABEL("unix"),
	JUMP_UNLESS("unix", "out"),
	PATH,
LABEL("begun"),
	STORE_CALL("start", tid, record),		/* start[tid] = r */
LABEL("out"),
	EXIT,
};

static const struct insn on_listen[] = {
	FIELD(R1, "newstate"),
	JNE(R1, TCP_IS_LISTEN, "out"),
	FIELD(FAMILY, "family"),
	BEGINS,
	SET_FIELD(record.sk, "sk"),
	SET_NETNS("out"),
	SET_FIELD(record.port, "lport"),
	FIELD(R1, "protocol?"),
	JEQ(R1, MPTCP_PROTOCOL, "out"),			/* it has a TCP socket that listens */
	SET(record.protocol, R1),
	SET_FIELD(record.limit, "limit?"),
	JEQ(FAMILY, TCP_INET6, "inet6"),
	SET_BYTES_N(record.address, "saddr", 4),
	JUMP("begun"),
LABEL("inet6"),
	SET_BYTES(record.address, "saddr6?"),
LABEL("begun"),
	STORE_CALL("start", tid, record),		/* start[tid] = r */
LABEL("out"),
	EXIT,
};

/* r = take start[tid], with its result; if only failures are wanted and it is none, goto OUT. */
#define ENDS(OUT) \
	SET_FIELD(tid, "tid"), \
	LOOKUP_OR("start", tid, OUT), \
	COPY_ALL(record, R0), \
	DELETE("start", tid), \
	FIELD(RET_CODE, "ret"), \
	SET(record.ret, RET_CODE), \
	JUMP_UNLESS("failed", ".any"), \
	JEQ(RET_CODE, 0, OUT), \
	LABEL(".any")

/* The port that the socket got, and its interface: an IPv6 address may have set that. */
#define FOLLOW_SOCKET(END) \
	JUMP_UNLESS("target:bpf", END), \
	JNE(RET_CODE, 0, END), \
	GET(R1, record.family), \
	JEQ(R1, BIND_UNIX, END), \
	GET(SOCK, record.sk), \
	JEQ(SOCK, 0, END), \
	BPF_ALU64_IMM(BPF_ADD, SOCK, SOCK_PORT), \
	FOLLOW(R1, SOCK, 2, false, false), \
	SET(record.bound, R1), \
	BPF_ALU64_IMM(BPF_ADD, SOCK, SOCK_DEVICE - SOCK_PORT), \
	FOLLOW(R1, SOCK, 4, true, false), \
	SET(record.device, R1)

static const struct insn on_exit[] = {
	ENDS("out"),
	GET(R1, record.port),
	SET(record.bound, R1),				/* if it asked for one, it got this one */
	FOLLOW_SOCKET("followed"),
LABEL("followed"),
	GET(R1, record.bound),
	SET(port, R1),
	JUMP_UNLESS("some_ports", "any_port"),
	LOOKUP_OR("ports", port, "out"),
LABEL("any_port"),
	JUMP_UNLESS("count", "each"),
	JNE(RET_CODE, 0, "out"),
	SET_EPOCH(counted.epoch),
	GET(R1, record.family),
	JEQ(R1, BIND_UNIX, "out"),
	SET(counted.family, R1),
	GET(R1, port),
	SET(counted.port, R1),
	COPY(counted.address, record.address),
	COUNT("binds", counted),			/* binds[address, port]++ */
	JUMP("out"),
LABEL("each"),
	SET_FIELD(record.time, "time"),			/* r.time = now, r.uid, r.comm */
	SET_BYTES(record.comm, "comm"),
	JUMP_UNLESS("print-uid", "output"),
	SET_FIELD(record.uid, "uid?"),
LABEL("output"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("bind.enter", on_bind, .option = "binds"),
	PROGRAM("bind.exit", on_exit, .option = "binds"),
	PROGRAM("listen.enter", on_listen, .option = "listen"),
	PROGRAM("listen.exit", on_exit, .option = "listen"),
	{ }
};

const struct program_set bindsnoop_programs = { programs, maps };
