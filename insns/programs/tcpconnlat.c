// SPDX-License-Identifier: GPL-2.0
/*
 * handshake.begin:	begun[socket] = { now, task }
 * handshake.reset:	if (begun[socket]) begun[socket].reset = 1
 * handshake.state:	b = take begun[socket]; if (the socket was not answered) out
 *			output { now, b, now - b.time, addresses, ports }, or
 *			hist[slot((now - b.time) / 1000)]++
 *
 * A socket leaves SYN_SENT when it is answered, at a timeout, or when its program gives up. The
 * last two go straight to CLOSE, as a reset does: handshake.reset marks resets.
 */
#include "insns/programs/tcpconnlat.h"

#include "insns/hist.h"
#include "insns/tcp.h"

static const struct map maps[] = {
	{ "begun", MAP_HASH, ROLE_JOIN, 8, sizeof(struct tcpconnlat_begun), 10240 },
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, HIST_ENTRIES, .key = &slot_key_layout },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &tcpconnlat_record_layout },
	{ }
};

struct frame {
	uint32_t slot;
	u64 sk;
	struct tcpconnlat_begun begun;
	struct tcpconnlat_record record;
};

/* Registers. */
enum {
	NEW = R6, PROTOCOL = R6, OLD = R6, NOW = R6, DELTA = R6,
	BEGAN = R7, FAMILY = R7, SLOT = R7,
	BECOMES = R8,
	TASK = R9, RESET = R9,
};

static const struct insn on_begin[] = {
	FIELD(NEW, "newstate"),
	JNE(NEW, TCP_IS_SYN_SENT, "out"),
	FIELD(PROTOCOL, "protocol"),
	JNE(PROTOCOL, TCP_PROTOCOL, "out"),
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET_FIELD(sk, "sk"),
	SET_FIELD(begun.time, "time"),
	SET(begun.pid_tgid, TASK),
	SET_BYTES(begun.comm, "comm"),
	SET_IMM(begun.reset, 0),
	STORE("begun", sk, begun),			/* begun[sk] = { now, task } */
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
	FIELD(OLD, "oldstate"),
	JNE(OLD, TCP_IS_SYN_SENT, "out"),
	FIELD(PROTOCOL, "protocol"),
	JNE(PROTOCOL, TCP_PROTOCOL, "out"),
	FIELD(NOW, "time"),
	SET(record.time, NOW),
	FIELD(BECOMES, "newstate"),
	SET_FIELD(sk, "sk"),
	LOOKUP_OR("begun", sk, "out"),			/* b = take begun[sk] */
	LOAD(BEGAN, R0, struct tcpconnlat_begun, time),
	LOAD(RESET, R0, struct tcpconnlat_begun, reset),
	COPY_FROM(record.pid_tgid, R0, struct tcpconnlat_begun, pid_tgid),
	COPY_FROM(record.comm, R0, struct tcpconnlat_begun, comm),
	COPY_FROM(record.reset, R0, struct tcpconnlat_begun, reset),
	DELETE("begun", sk),
	JNE(BECOMES, TCP_IS_CLOSE, "answered"),
	JEQ(RESET, 0, "out"),				/* if (closed without a reset) out */
LABEL("answered"),
	JGT_REG(BEGAN, NOW, "out"),			/* the clocks of two CPUs differ */
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),
	JUMP_UNLESS("min_ns", "any_time"),		/* if (now - b.time <= min_ns) out */
	CONST(R1, "min_ns"),
	JGE_REG(R1, DELTA, "out"),
LABEL("any_time"),
	FIELD(FAMILY, "family"),
	TCP_FAMILY(FAMILY, "out"),
	JUMP_UNLESS("dist", "each"),
	IN_UNIT_OF(DELTA, 1000),
	VALUE_SLOT(SLOT, DELTA),
	COUNT_VALUE("hist", slot, SLOT, DELTA),			/* hist[slot(now - b.time)]++ */
	JUMP("out"),
LABEL("each"),
	SET(record.nanoseconds, DELTA),
	SET(record.family, FAMILY),
	SET_FIELD(record.lport, "lport"),
	SET_FIELD(record.dport, "dport"),
	TCP_ADDRESSES(record.saddr, record.daddr, FAMILY),
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
