// SPDX-License-Identifier: GPL-2.0
/*
 * retransmit.skb:	if (sent) output { now, state, sequence number, flow }, or flows[flow]++
 * retransmit.probe:	the same, without a sequence number
 */
#include "insns/programs/tcpretrans.h"

#include <stddef.h>

#include "insns/common.h"

#define AF_INET 2

static const struct map maps[] = {
	{ "flows", MAP_HASH, ROLE_RESULT, sizeof(struct tcpretrans_flow), 8, 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define RECORD(MEMBER) (-64 + (int)offsetof(struct tcpretrans_record, MEMBER))
#define FLOW(MEMBER) RECORD(flow.MEMBER)
#define ONE -72

/* An address of IPv4 as one of IPv6. */
#define MAPPED(MEMBER, NAME) \
	BPF_ST_MEM(BPF_DW, R10, FLOW(MEMBER), 0), \
	CONST(R1, "mapped"), \
	BPF_STX_MEM(BPF_W, R10, R1, FLOW(MEMBER) + 8), \
	BYTES(FLOW(MEMBER) + 12, NAME, 4)

#define RETRANSMIT(TYPE) \
	FIELD(R6, "family"), \
	JUMP_IF(BPF_JNE, R6, AF_INET, "inet6"), \
	MAPPED(laddr, "laddr"), \
	MAPPED(raddr, "raddr"), \
	JUMP("addresses"), \
LABEL("inet6"), \
	BYTES(FLOW(laddr), "laddr6?", 16), \
	BYTES(FLOW(raddr), "raddr6?", 16), \
LABEL("addresses"), \
	UNLESS("version", "any"),			/* version = raddr is a mapped one ? 4 : 6 */ \
	BPF_MOV64_IMM(R6, 6), \
	BPF_LDX_MEM(BPF_DW, R1, R10, FLOW(raddr)), \
	JUMP_IF(BPF_JNE, R1, 0, "version"), \
	BPF_LDX_MEM(BPF_W, R1, R10, FLOW(raddr) + 8), \
	CONST(R2, "mapped"), \
	JUMP_IF_REG(BPF_JNE, R1, R2, "version"), \
	BPF_MOV64_IMM(R6, 4), \
LABEL("version"), \
	CONST(R1, "version"), \
	JUMP_IF_REG(BPF_JNE, R6, R1, "out"), \
LABEL("any"), \
	FIELD(R6, "lport"), \
	BPF_STX_MEM(BPF_H, R10, R6, FLOW(lport)), \
	FIELD(R6, "rport"), \
	BPF_STX_MEM(BPF_H, R10, R6, FLOW(rport)), \
	BPF_ST_MEM(BPF_W, R10, FLOW(zero), 0), \
	BPF_ST_MEM(BPF_W, R10, FLOW(type), TYPE), \
	EPOCH(R6), \
	BPF_STX_MEM(BPF_W, R10, R6, FLOW(epoch)), \
	UNLESS("count", "each"), \
	COUNT_KEY("flows", FLOW(epoch), ONE),		/* flows[flow]++ */ \
	JUMP("out"), \
LABEL("each"), \
	FIELD(R6, "time"), \
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(time)), \
	FIELD(R6, "state?"), \
	BPF_STX_MEM(BPF_W, R10, R6, RECORD(state)), \
	BPF_STX_MEM(BPF_W, R10, R7, RECORD(sequence)), \
	OUTPUT("events", RECORD(time), sizeof(struct tcpretrans_record)), \
LABEL("out"), \
	EXIT

static const struct insn on_resend[] = {
	FIELD(R6, "err"),				/* if (it could not be sent) out */
	JUMP_IF(BPF_JNE, R6, 0, "out"),
	BPF_MOV64_IMM(R7, 0),
	UNLESS("sequence", "no_sequence"),
	FIELD(R7, "seq?"),
LABEL("no_sequence"),
	RETRANSMIT(TCPRETRANS_RESENT),
};

static const struct insn on_probe[] = {
	BPF_MOV64_IMM(R7, 0),
	RETRANSMIT(TCPRETRANS_PROBE),
};

static const struct program programs[] = {
	PROGRAM("retransmit.skb", on_resend),
	PROGRAM("retransmit.probe", on_probe, .option = "lossprobe"),
	{ }
};

const struct program_set tcpretrans_programs = { programs, maps };
