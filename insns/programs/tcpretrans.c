// SPDX-License-Identifier: GPL-2.0
/*
 * retransmit.skb:	if (sent) output { now, state, sequence number, flow }, or flows[flow]++
 * retransmit.probe:	the same, without a sequence number
 */
#include "insns/programs/tcpretrans.h"

#include <stddef.h>

#include "insns/hist.h"
#include "insns/tcp.h"

static const struct map maps[] = {
	{ "flows", MAP_HASH, ROLE_RESULT, sizeof(struct tcpretrans_flow), 8, 10240,
	  .key = &tcpretrans_flow_layout },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &tcpretrans_record_layout },
	{ }
};

struct frame {
	struct tcpretrans_record record;
};

/* An IPv4 address as an IPv6 address. */
#define MAPPED(M, NAME) \
	ZERO(M), \
	CONST(R1, "mapped"), \
	BPF_STX_MEM(BPF_W, R10, R1, FRAME(M[8])), \
	SET_BYTES_N(M[12], NAME, 4)

/* Registers. */
enum { FAMILY = R6, VERSION = R6, ERR = R6, SEQ = R7 };

/* Counts or outputs the segment; if it is not wanted, goto OUT. */
#define RETRANSMIT(TYPE, OUT) \
	FIELD(FAMILY, "family"), \
	JNE(FAMILY, TCP_INET, ".inet6"), \
	MAPPED(record.flow.laddr, "laddr"), \
	MAPPED(record.flow.raddr, "raddr"), \
	JUMP(".addresses"), \
	LABEL(".inet6"), \
	SET_BYTES(record.flow.laddr, "laddr6?"), \
	SET_BYTES(record.flow.raddr, "raddr6?"), \
	LABEL(".addresses"), \
	JUMP_UNLESS("version", ".any"),			/* version = raddr is mapped ? 4 : 6 */ \
	BPF_MOV64_IMM(VERSION, 6), \
	BPF_LDX_MEM(BPF_DW, R1, R10, FRAME(record.flow.raddr)), \
	JNE(R1, 0, ".version"), \
	BPF_LDX_MEM(BPF_W, R1, R10, FRAME(record.flow.raddr[8])), \
	CONST(R2, "mapped"), \
	JNE_REG(R1, R2, ".version"), \
	BPF_MOV64_IMM(VERSION, 4), \
	LABEL(".version"), \
	CONST(R1, "version"), \
	JNE_REG(VERSION, R1, OUT), \
	LABEL(".any"), \
	SET_FIELD(record.flow.lport, "lport"), \
	SET_FIELD(record.flow.rport, "rport"), \
	SET_IMM(record.flow.zero, 0), \
	SET_IMM(record.flow.type, TYPE), \
	SET_EPOCH(record.flow.epoch), \
	JUMP_UNLESS("count", ".each"), \
	COUNT("flows", record.flow),		/* flows[flow]++ */ \
	JUMP(OUT), \
	LABEL(".each"), \
	SET_FIELD(record.time, "time"), \
	SET_FIELD(record.state, "state?"), \
	SET(record.sequence, SEQ), \
	OUTPUT("events", record)

static const struct insn on_resend[] = {
	FIELD(ERR, "err"),				/* if (sending failed) out */
	JNE(ERR, 0, "out"),
	BPF_MOV64_IMM(SEQ, 0),
	JUMP_UNLESS("sequence", "no_sequence"),
	FIELD(SEQ, "seq?"),
LABEL("no_sequence"),
	RETRANSMIT(TCPRETRANS_RESENT, "out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_probe[] = {
	BPF_MOV64_IMM(SEQ, 0),
	RETRANSMIT(TCPRETRANS_PROBE, "out"),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("retransmit.skb", on_resend),
	PROGRAM("retransmit.probe", on_probe, .option = "lossprobe"),
	{ }
};

const struct program_set tcpretrans_programs = { programs, maps };
