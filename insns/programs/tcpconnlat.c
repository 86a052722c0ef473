// SPDX-License-Identifier: GPL-2.0
/*
 * handshake.begin:	begun[socket] = { now, who }
 * handshake.reset:	if (begun[socket]) begun[socket].reset = 1
 * handshake.state:	b = take begun[socket]; if (the socket was not answered) out
 *			output { now, b, now - b.time, addresses, ports }, or
 *			hist[slot((now - b.time) / 1000)]++
 *
 * A socket leaves SYN_SENT when it is answered, when the time is up, or when its program gives up.
 * The last two go straight to CLOSE, as a reset does: handshake.reset tells that apart.
 */
#include "insns/programs/tcpconnlat.h"

#include "insns/hist.h"
#include "insns/tcp.h"

static const struct map maps[] = {
	{ "begun", MAP_HASH, ROLE_JOIN, 8, sizeof(struct tcpconnlat_begun), 10240 },
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 496, .key = &slot_key_layout },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &tcpconnlat_record_layout },
	{ }
};

struct frame {
	uint32_t slot;
	u64 sk;
	struct tcpconnlat_begun begun;
	struct tcpconnlat_record record;
};

static const struct insn on_begin[] = {
	FIELD(R6, "newstate"),
	JNE(R6, TCP_IS_SYN_SENT, "out"),
	FIELD(R6, "protocol"),
	JNE(R6, TCP_PROTOCOL, "out"),
	FIELD(R9, "pid_tgid"),
	FILTER(R9),
	SET_FIELD(sk, "sk"),
	SET_FIELD(begun.time, "time"),
	SET(begun.pid_tgid, R9),
	SET_BYTES(begun.comm, "comm"),
	SET_IMM(begun.reset, 0),
	STORE("begun", sk, begun),			/* begun[sk] = { now, who } */
LABEL("out"),
	EXIT,
};

static const struct insn on_reset[] = {
	SET_FIELD(sk, "sk"),
	LOOKUP_OR("begun", sk, "out"),
	PUT_IMM(R0, struct tcpconnlat_begun, reset, 1),
LABEL("out"),
	EXIT,
};

static const struct insn on_state[] = {
	FIELD(R6, "oldstate"),
	JNE(R6, TCP_IS_SYN_SENT, "out"),
	FIELD(R6, "protocol"),
	JNE(R6, TCP_PROTOCOL, "out"),
	FIELD(R6, "time"),
	SET(record.time, R6),
	FIELD(R8, "newstate"),
	SET_FIELD(sk, "sk"),
	LOOKUP_OR("begun", sk, "out"),			/* b = take begun[sk] */
	LOAD(R7, R0, struct tcpconnlat_begun, time),
	LOAD(R9, R0, struct tcpconnlat_begun, reset),
	COPY_FROM(record.pid_tgid, R0, struct tcpconnlat_begun, pid_tgid),
	COPY_FROM(record.comm, R0, struct tcpconnlat_begun, comm),
	COPY_FROM(record.reset, R0, struct tcpconnlat_begun, reset),
	DELETE("begun", sk),
	JNE(R8, TCP_IS_CLOSE, "answered"),
	JEQ(R9, 0, "out"),				/* if (closed without a reset) out */
LABEL("answered"),
	JGT_REG(R7, R6, "out"),				/* clocks of two CPUs that disagree */
	BPF_ALU64_REG(BPF_SUB, R6, R7),
	JUMP_UNLESS("min_ns", "any_time"),		/* if (now - b.time <= min_ns) out */
	CONST(R1, "min_ns"),
	JGE_REG(R1, R6, "out"),
LABEL("any_time"),
	FIELD(R7, "family"),
	TCP_FAMILY(R7, "out"),
	JUMP_UNLESS("dist", "each"),
	BPF_ALU64_IMM(BPF_DIV, R6, 1000),
	LOG2(R7, R6),
	COUNT_SLOT("hist", slot, R7),			/* hist[slot(now - b.time)]++ */
	JUMP("out"),
LABEL("each"),
	SET(record.nanoseconds, R6),
	SET(record.family, R7),
	SET_FIELD(record.lport, "lport"),
	SET_FIELD(record.dport, "dport"),
	TCP_ADDRESSES(record.saddr, record.daddr, R7),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("handshake.begin", on_begin),
	PROGRAM("handshake.reset", on_reset, .optional = true),
	PROGRAM("handshake.state", on_state),
	{ }
};

const struct program_set tcpconnlat_programs = { programs, maps };
