// SPDX-License-Identifier: GPL-2.0
/*
 * tcp.connect:	r = { task, addresses, ports }, if it is wanted; then one of
 *		connects[addresses, port]++		to count
 *		waiting[socket] = r			if the local port is chosen later
 *		output r
 * tcp.state:	r = take waiting[socket]; if (r) { r.lport = local port; output r }
 */
#include "insns/programs/tcpconnect.h"

#include <stddef.h>

#include "insns/hist.h"
#include "insns/tcp.h"

static const struct map maps[] = {
	{ "waiting", MAP_HASH, ROLE_JOIN, 8, sizeof(struct tcpconnect_record), 4096 },
	{ "connects", MAP_HASH, ROLE_RESULT, sizeof(struct tcpconnect_key), 8, 10240,
	  .key = &tcpconnect_key_layout },
	{ "ports", MAP_HASH, ROLE_TABLE, 4, 4, TCPCONNECT_PORTS },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &tcpconnect_record_layout },
	{ }
};

struct frame {
	uint32_t port;
	u64 sk;
	struct tcpconnect_record record;
	struct tcpconnect_key counted;
};

/* Registers. */
enum { NEW = R6, PROTOCOL = R6, FAMILY = R6, STATE = R7, DPORT = R7, LPORT = R7, TASK = R9 };

static const struct insn on_connect[] = {
	FIELD(NEW, "newstate"),				/* if (not SYN_SENT, or not TCP) out */
	JNE(NEW, TCP_IS_SYN_SENT, "out"),
	FIELD(PROTOCOL, "protocol"),
	JNE(PROTOCOL, TCP_PROTOCOL, "out"),
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	FIELD(FAMILY, "family"),
	TCP_FAMILY(FAMILY, "out"),
	SET(record.family, FAMILY),
	FIELD(DPORT, "dport"),
	JUMP_UNLESS("port", "any_port"),
	SET(port, DPORT),
	LOOKUP_OR("ports", port, "out"),
LABEL("any_port"),
	SET(record.dport, DPORT),
	SET_FIELD(record.lport, "lport?"),
	JNE(FAMILY, TCP_INET, "inet6"),
	ZERO(record.saddr),
	ZERO(record.daddr),
	SET_BYTES_N(record.saddr, "saddr?", 4),
	SET_BYTES_N(record.daddr, "daddr?", 4),
	JUMP("addresses"),
LABEL("inet6"),
	JUMP_UNLESS("input:daddr6", "out"),		/* another probe of this hook has IPv6 */
	SET_BYTES(record.saddr, "saddr6?"),
	SET_BYTES(record.daddr, "daddr6?"),
LABEL("addresses"),
	JUMP_UNLESS("count", "each"),
	SET_EPOCH(counted.epoch),
	SET(counted.family, FAMILY),
	GET(DPORT, record.dport),
	SET(counted.dport, DPORT),
	COPY(counted.saddr, record.saddr),
	COPY(counted.daddr, record.daddr),
	COUNT("connects", counted),			/* connects[addresses, port]++ */
	JUMP("out"),
LABEL("each"),
	SET_FIELD(record.time, "time"),		/* r.time, pid_tgid, uid, comm of the task */
	SET(record.pid_tgid, TASK),
	SET_FIELD(record.uid, "uid?"),
	SET_BYTES(record.comm, "comm"),
	JUMP_UNLESS("hook:tcp.state", "output"),
	FIELD(LPORT, "lport?"),
	JNE(LPORT, 0, "output"),			/* a bound socket has its port already */
	SET_FIELD(sk, "sk"),
	STORE("waiting", sk, record),			/* waiting[sk] = r */
	JUMP("out"),
LABEL("output"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct insn on_state[] = {
	SET_FIELD(sk, "sk"),
	FIELD(STATE, "newstate"),	/* its own SYN_SENT is where the socket began to wait */
	JEQ(STATE, TCP_IS_SYN_SENT, "out"),
	FIELD(LPORT, "lport"),
	LOOKUP_OR("waiting", sk, "out"),		/* r = take waiting[sk] */
	COPY_ALL(record, R0),
	DELETE("waiting", sk),
	SET(record.lport, LPORT),			/* r.lport = lport */
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("tcp.connect", on_connect),
	PROGRAM("tcp.state", on_state, .option = "lport", .spare = true),
	{ }
};

const struct program_set tcpconnect_programs = { programs, maps };
