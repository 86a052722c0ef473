// SPDX-License-Identifier: GPL-2.0
/*
 * rtt.segment:		if (the user asked for such a connection) hist[slot(srtt)]++, totals[0] += srtt, totals[1]++
 *			by address: hists[address, slot(srtt)]++, sums[address, 0] += srtt, sums[address, 1]++
 *
 * The tracepoint has both ends as a struct sockaddr: family, port, and the address behind them, that of IPv6 after
 * four bytes more.
 */
#include "insns/programs/tcprtt.h"

#include <stddef.h>

#include "insns/common.h"

#define AF_INET 2

static const struct map maps[] = {
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 496 },
	{ "totals", MAP_ARRAY, ROLE_RESULT, 4, 8, 2 },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct tcprtt_key), 8, 65536 },
	{ "sums", MAP_HASH, ROLE_RESULT, sizeof(struct tcprtt_key), 8, 8192 },
	{ }
};

#define KEY(MEMBER) (-24 + (int)offsetof(struct tcprtt_key, MEMBER))
#define SUM -32
#define LOCAL -64			/* struct sockaddr_in or sockaddr_in6, 28 bytes */
#define REMOTE -96
#define OTHER -112			/* the address that is looked at, as one of IPv6 */

/* OTHER = the address of a sockaddr on the stack; r6: its family. */
#define ADDRESS_OF(END) \
	JUMP_IF(BPF_JNE, R6, AF_INET, ".inet6"), \
	BPF_ST_MEM(BPF_DW, R10, OTHER, 0), \
	CONST(R1, "mapped"), \
	BPF_STX_MEM(BPF_W, R10, R1, OTHER + 8), \
	BPF_LDX_MEM(BPF_W, R1, R10, (END) + 4), \
	BPF_STX_MEM(BPF_W, R10, R1, OTHER + 12), \
	JUMP(".address"), \
	LABEL(".inet6"), \
	BPF_LDX_MEM(BPF_DW, R1, R10, (END) + 8), \
	BPF_STX_MEM(BPF_DW, R10, R1, OTHER), \
	BPF_LDX_MEM(BPF_DW, R1, R10, (END) + 16), \
	BPF_STX_MEM(BPF_DW, R10, R1, OTHER + 8), \
	LABEL(".address")

#define IS_ADDRESS(OPTION) \
	UNLESS(OPTION, ".any"), \
	CONST(R1, OPTION ":high"), \
	BPF_LDX_MEM(BPF_DW, R2, R10, OTHER), \
	JUMP_IF_REG(BPF_JNE, R1, R2, "out"), \
	CONST(R1, OPTION ":low"), \
	BPF_LDX_MEM(BPF_DW, R2, R10, OTHER + 8), \
	JUMP_IF_REG(BPF_JNE, R1, R2, "out"), \
	LABEL(".any")

#define GROUP_BY(OPTION) \
	UNLESS(OPTION, ".none"), \
	BPF_LDX_MEM(BPF_DW, R1, R10, OTHER), \
	BPF_STX_MEM(BPF_DW, R10, R1, KEY(address)), \
	BPF_LDX_MEM(BPF_DW, R1, R10, OTHER + 8), \
	BPF_STX_MEM(BPF_DW, R10, R1, KEY(address) + 8), \
	LABEL(".none")

#define IS_PORT(OPTION, INPUT) \
	UNLESS(OPTION, ".any"), \
	FIELD(R7, INPUT), \
	CONST(R1, OPTION), \
	JUMP_IF_REG(BPF_JNE, R7, R1, "out"), \
	LABEL(".any")

static const struct insn on_segment[] = {
	IS_PORT("lport", "lport"),
	IS_PORT("rport", "rport"),
	UNLESS("ends", "any"),
	BYTES(LOCAL, "local", 28),
	BYTES(REMOTE, "remote", 28),
	BPF_LDX_MEM(BPF_H, R6, R10, REMOTE),
	UNLESS("family", "any_family"),
	CONST(R1, "family"),
	JUMP_IF_REG(BPF_JNE, R6, R1, "out"),
LABEL("any_family"),
	ADDRESS_OF(LOCAL),
	IS_ADDRESS("laddr"),
	GROUP_BY("byladdr"),
	ADDRESS_OF(REMOTE),
	IS_ADDRESS("raddr"),
	GROUP_BY("byraddr"),
LABEL("any"),
	FIELD(R8, "srtt"),
	JUMP_IF(BPF_JEQ, R8, 0, "out"),			/* none was measured yet */
	UNLESS("milliseconds", "usecs"),
	BPF_ALU64_IMM(BPF_DIV, R8, 1000),
LABEL("usecs"),
	LOG2_SLOT(R7, R8),
	UNLESS("grouped", "one"),
	EPOCH(R6),
	BPF_STX_MEM(BPF_W, R10, R6, KEY(epoch)),
	BPF_STX_MEM(BPF_W, R10, R7, KEY(slot)),
	COUNT_KEY("hists", KEY(epoch), SUM),		/* hists[address, slot]++ */
	UNLESS("extension", "out"),
	BPF_ST_MEM(BPF_W, R10, KEY(slot), 0),
	ADD_KEY("sums", KEY(epoch), R8, SUM),		/* sums[address, 0] += srtt; sums[address, 1]++ */
	BPF_ST_MEM(BPF_W, R10, KEY(slot), 1),
	COUNT_KEY("sums", KEY(epoch), SUM),
	JUMP("out"),
LABEL("one"),
	BPF_STX_MEM(BPF_W, R10, R7, KEY(slot)),
	COUNT("hist", KEY(slot)),			/* hist[slot]++ */
	UNLESS("extension", "out"),
	BPF_ST_MEM(BPF_W, R10, KEY(slot), 0),
	ADD("totals", KEY(slot), R8),			/* totals[0] += srtt; totals[1]++ */
	BPF_ST_MEM(BPF_W, R10, KEY(slot), 1),
	COUNT("totals", KEY(slot)),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("rtt.segment", on_segment),
	{ }
};

const struct program_set tcprtt_programs = { programs, maps };
