// SPDX-License-Identifier: GPL-2.0
/*
 * tcp.connect:	r = { who, addresses, ports }, if the user asked for such; then one of
 *		connects[addresses, port]++		to count
 *		waiting[socket] = r			where the local port is wanted and comes later
 *		output r
 * tcp.state:	r = take waiting[socket]; if (r) { r.lport = local port; output r }
 */
#include "insns/programs/tcpconnect.h"

#include <stddef.h>

#include "insns/common.h"

#define AF_INET 2

static const struct map maps[] = {
	{ "waiting", MAP_HASH, ROLE_JOIN, 8, sizeof(struct tcpconnect_record), 4096 },
	{ "connects", MAP_HASH, ROLE_RESULT, sizeof(struct tcpconnect_key), 8, 10240 },
	{ "ports", MAP_HASH, ROLE_TABLE, 4, 4, TCPCONNECT_PORTS },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define RECORD(MEMBER) (-88 + (int)offsetof(struct tcpconnect_record, MEMBER))
#define KEY -96
#define COUNTED(MEMBER) (-136 + (int)offsetof(struct tcpconnect_key, MEMBER))
#define ONE -144

static const struct insn on_connect[] = {
	FIELD(R6, "newstate"),				/* if (not SYN_SENT, or not TCP) out */
	JUMP_IF(BPF_JNE, R6, 2, "out"),
	FIELD(R6, "protocol"),
	JUMP_IF(BPF_JNE, R6, 6, "out"),
	FIELD(R9, "pid_tgid"),
	FILTER(R9),
	FIELD(R6, "family"),
	UNLESS("family", "any_family"),
	CONST(R1, "family"),
	JUMP_IF_REG(BPF_JNE, R6, R1, "out"),
LABEL("any_family"),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(family)),
	FIELD(R7, "dport"),
	UNLESS("port", "any_port"),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	LOOKUP("ports", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
LABEL("any_port"),
	BPF_STX_MEM(BPF_H, R10, R7, RECORD(dport)),
	FIELD(R7, "lport?"),
	BPF_STX_MEM(BPF_H, R10, R7, RECORD(lport)),
	JUMP_IF(BPF_JNE, R6, AF_INET, "inet6"),
	BPF_ST_MEM(BPF_W, R10, RECORD(saddr) + 4, 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(saddr) + 8, 0),
	BPF_ST_MEM(BPF_W, R10, RECORD(daddr) + 4, 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(daddr) + 8, 0),
	BYTES(RECORD(saddr), "saddr?", 4),
	BYTES(RECORD(daddr), "daddr?", 4),
	JUMP("addresses"),
LABEL("inet6"),
	UNLESS("input:daddr6", "out"),			/* another probe of this hook has those */
	BYTES(RECORD(saddr), "saddr6?", 16),
	BYTES(RECORD(daddr), "daddr6?", 16),
LABEL("addresses"),
	UNLESS("count", "each"),
	EPOCH(R7),
	BPF_STX_MEM(BPF_W, R10, R7, COUNTED(epoch)),
	BPF_STX_MEM(BPF_H, R10, R6, COUNTED(family)),
	BPF_LDX_MEM(BPF_H, R7, R10, RECORD(dport)),
	BPF_STX_MEM(BPF_H, R10, R7, COUNTED(dport)),
	BPF_LDX_MEM(BPF_DW, R1, R10, RECORD(saddr)),
	BPF_STX_MEM(BPF_DW, R10, R1, COUNTED(saddr)),
	BPF_LDX_MEM(BPF_DW, R1, R10, RECORD(saddr) + 8),
	BPF_STX_MEM(BPF_DW, R10, R1, COUNTED(saddr) + 8),
	BPF_LDX_MEM(BPF_DW, R1, R10, RECORD(daddr)),
	BPF_STX_MEM(BPF_DW, R10, R1, COUNTED(daddr)),
	BPF_LDX_MEM(BPF_DW, R1, R10, RECORD(daddr) + 8),
	BPF_STX_MEM(BPF_DW, R10, R1, COUNTED(daddr) + 8),
	COUNT_KEY("connects", COUNTED(epoch), ONE),	/* connects[addresses, port]++ */
	JUMP("out"),
LABEL("each"),
	FIELD(R7, "time"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(time)),	/* r.time, pid_tgid, uid, comm: who connects */
	BPF_STX_MEM(BPF_DW, R10, R9, RECORD(pid_tgid)),
	FIELD(R7, "uid?"),
	BPF_STX_MEM(BPF_W, R10, R7, RECORD(uid)),
	BYTES(RECORD(comm), "comm", 16),
	UNLESS("hook:tcp.state", "output"),
	FIELD(R7, "lport?"),
	JUMP_IF(BPF_JNE, R7, 0, "output"),		/* a bound socket has its port already */
	FIELD(R7, "sk"),
	BPF_STX_MEM(BPF_DW, R10, R7, KEY),
	STORE("waiting", KEY, RECORD(time)),		/* waiting[sk] = r */
	JUMP("out"),
LABEL("output"),
	OUTPUT("events", RECORD(time), sizeof(struct tcpconnect_record)),
LABEL("out"),
	EXIT,
};

#define COPY_WORD(N) \
	BPF_LDX_MEM(BPF_DW, R1, R0, 8 * (N)), \
	BPF_STX_MEM(BPF_DW, R10, R1, RECORD(time) + 8 * (N))

static const struct insn on_state[] = {
	FIELD(R6, "sk"),
	BPF_STX_MEM(BPF_DW, R10, R6, KEY),
	FIELD(R7, "newstate"),				/* its own SYN_SENT is where the socket began to wait */
	JUMP_IF(BPF_JEQ, R7, 2, "out"),
	FIELD(R7, "lport"),
	LOOKUP("waiting", KEY),				/* r = take waiting[sk] */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	COPY_WORD(0), COPY_WORD(1), COPY_WORD(2), COPY_WORD(3), COPY_WORD(4), COPY_WORD(5),
	COPY_WORD(6), COPY_WORD(7), COPY_WORD(8), COPY_WORD(9),
	DELETE("waiting", KEY),
	BPF_STX_MEM(BPF_H, R10, R7, RECORD(lport)),	/* r.lport = lport */
	OUTPUT("events", RECORD(time), sizeof(struct tcpconnect_record)),
LABEL("out"),
	EXIT,
};

_Static_assert(sizeof(struct tcpconnect_record) == 80, "on_state copies ten words");

static const struct program programs[] = {
	PROGRAM("tcp.connect", on_connect),
	PROGRAM("tcp.state", on_state, .option = "lport", .spare = true),
	{ }
};

const struct program_set tcpconnect_programs = { programs, maps };
