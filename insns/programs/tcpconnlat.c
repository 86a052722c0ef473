// SPDX-License-Identifier: GPL-2.0
/*
 * handshake.begin:	begun[socket] = { now, who }
 * handshake.reset:	if (begun[socket]) begun[socket].reset = 1
 * handshake.state:	b = take begun[socket]; if (the socket was answered) output { now, b, now - b.time, addresses,
 *			ports }, or hist[slot((now - b.time) / 1000)]++
 *
 * A socket leaves SYN_SENT when it is answered, when nobody does in time, or when its program gives up. The last two go
 * straight to CLOSE, as a reset does, which is told apart by handshake.reset.
 */
#include "insns/programs/tcpconnlat.h"

#include <stddef.h>

#include "insns/common.h"

#define AF_INET 2
#define TCP_SYN_SENT 2
#define TCP_CLOSE 7
#define IPPROTO_TCP 6

static const struct map maps[] = {
	{ "begun", MAP_HASH, ROLE_JOIN, 8, sizeof(struct tcpconnlat_begun), 10240 },
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 496 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define KEY -8
#define BEGUN(MEMBER) (-48 + (int)offsetof(struct tcpconnlat_begun, MEMBER))
#define RECORD(MEMBER) (-96 + (int)offsetof(struct tcpconnlat_record, MEMBER))

static const struct insn on_begin[] = {
	FIELD(R6, "newstate"),
	JUMP_IF(BPF_JNE, R6, TCP_SYN_SENT, "out"),
	FIELD(R6, "protocol"),
	JUMP_IF(BPF_JNE, R6, IPPROTO_TCP, "out"),
	FIELD(R9, "pid_tgid"),
	FILTER(R9),
	FIELD(R6, "sk"),
	BPF_STX_MEM(BPF_DW, R10, R6, KEY),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, BEGUN(time)),
	BPF_STX_MEM(BPF_DW, R10, R9, BEGUN(pid_tgid)),
	BYTES(BEGUN(comm), "comm", 16),
	BPF_ST_MEM(BPF_DW, R10, BEGUN(reset), 0),
	STORE("begun", KEY, BEGUN(time)),		/* begun[sk] = { now, who } */
LABEL("out"),
	EXIT,
};

static const struct insn on_reset[] = {
	FIELD(R6, "sk"),
	BPF_STX_MEM(BPF_DW, R10, R6, KEY),
	LOOKUP("begun", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_ST_MEM(BPF_DW, R0, offsetof(struct tcpconnlat_begun, reset), 1),
LABEL("out"),
	EXIT,
};

#define COPY_WORD(MEMBER, N) \
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct tcpconnlat_begun, MEMBER) + (N)), \
	BPF_STX_MEM(BPF_DW, R10, R1, RECORD(MEMBER) + (N))

static const struct insn on_state[] = {
	FIELD(R6, "oldstate"),
	JUMP_IF(BPF_JNE, R6, TCP_SYN_SENT, "out"),
	FIELD(R6, "protocol"),
	JUMP_IF(BPF_JNE, R6, IPPROTO_TCP, "out"),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(time)),
	FIELD(R8, "newstate"),
	FIELD(R7, "sk"),
	BPF_STX_MEM(BPF_DW, R10, R7, KEY),
	LOOKUP("begun", KEY),				/* b = take begun[sk] */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R7, R0, offsetof(struct tcpconnlat_begun, time)),
	BPF_LDX_MEM(BPF_DW, R9, R0, offsetof(struct tcpconnlat_begun, reset)),
	COPY_WORD(pid_tgid, 0), COPY_WORD(comm, 0), COPY_WORD(comm, 8), COPY_WORD(reset, 0),
	DELETE("begun", KEY),
	JUMP_IF(BPF_JNE, R8, TCP_CLOSE, "answered"),
	JUMP_IF(BPF_JEQ, R9, 0, "out"),			/* if (closed without a reset) out */
LABEL("answered"),
	JUMP_IF_REG(BPF_JGT, R7, R6, "out"),		/* clocks of two CPUs that disagree */
	BPF_ALU64_REG(BPF_SUB, R6, R7),
	UNLESS("min_ns", "any_time"),			/* if (now - b.time <= min_ns) out */
	CONST(R1, "min_ns"),
	JUMP_IF_REG(BPF_JGE, R1, R6, "out"),
LABEL("any_time"),
	FIELD(R7, "family"),
	UNLESS("family", "any_family"),
	CONST(R1, "family"),
	JUMP_IF_REG(BPF_JNE, R7, R1, "out"),
LABEL("any_family"),
	UNLESS("dist", "each"),
	BPF_ALU64_IMM(BPF_DIV, R6, 1000),
	LOG2_SLOT(R7, R6),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	COUNT("hist", KEY),				/* hist[slot(now - b.time)]++ */
	JUMP("out"),
LABEL("each"),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(nanoseconds)),
	BPF_STX_MEM(BPF_W, R10, R7, RECORD(family)),
	FIELD(R6, "lport"),
	BPF_STX_MEM(BPF_H, R10, R6, RECORD(lport)),
	FIELD(R6, "dport"),
	BPF_STX_MEM(BPF_H, R10, R6, RECORD(dport)),
	JUMP_IF(BPF_JNE, R7, AF_INET, "inet6"),
	BPF_ST_MEM(BPF_W, R10, RECORD(saddr) + 4, 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(saddr) + 8, 0),
	BPF_ST_MEM(BPF_W, R10, RECORD(daddr) + 4, 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(daddr) + 8, 0),
	BYTES(RECORD(saddr), "saddr", 4),
	BYTES(RECORD(daddr), "daddr", 4),
	JUMP("output"),
LABEL("inet6"),
	BYTES(RECORD(saddr), "saddr6?", 16),
	BYTES(RECORD(daddr), "daddr6?", 16),
LABEL("output"),
	OUTPUT("events", RECORD(time), sizeof(struct tcpconnlat_record)),
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
