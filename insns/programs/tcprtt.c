// SPDX-License-Identifier: GPL-2.0
/*
 * rtt.segment:	if (the connection is not wanted) out
 *		hist[slot(srtt)]++, totals[0] += srtt, totals[1]++; or by address:
 *		hists[address, slot(srtt)]++, sums[address, 0] += srtt, sums[address, 1]++
 *
 * The tracepoint has both ends as a struct sockaddr_in or sockaddr_in6.
 */
#include "insns/programs/tcprtt.h"

#include "insns/hist.h"
#include "insns/tcp.h"

static const struct map maps[] = {
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, HIST_ENTRIES, .key = &slot_key_layout },
	TOTALS_MAP(MAP_ARRAY),
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct tcprtt_key), 8, 65536,
	  .key = &tcprtt_key_layout },
	{ "sums", MAP_HASH, ROLE_RESULT, sizeof(struct tcprtt_key), 8, 8192,
	  .key = &tcprtt_key_layout },
	{ }
};

/* The used bytes of a struct sockaddr_in or sockaddr_in6. */
#define SOCKADDR 28

struct sockaddr_bytes {
	uint16_t family, port;
	uint32_t inet;
	u64 inet6[2];
	uint32_t scope;
};

struct frame {
	uint32_t index;
	struct tcprtt_key hist;
	struct sockaddr_bytes local, remote;
	union {				/* the address to filter or group by, as IPv6 */
		struct {
			u64 zero;
			uint32_t mapped, inet;
		};
		u64 address[2];
	};
};

/* Registers. */
enum { FAMILY = R6, SLOT = R7, PORT = R7, SRTT = R8 };

/* frame.address = the address of a sockaddr of FAMILY. */
#define ADDRESS_OF(END) \
	JNE(FAMILY, TCP_INET, ".inet6"), \
	SET_IMM(zero, 0), \
	CONST(R1, "mapped"), \
	SET(mapped, R1), \
	COPY(inet, END.inet), \
	JUMP(".address"), \
	LABEL(".inet6"), \
	COPY(address, END.inet6), \
	LABEL(".address")

/* if (the user asked for another address than frame.address) goto OUT */
#define IS_ADDRESS(OPTION, OUT) \
	JUMP_UNLESS(OPTION, ".any"), \
	CONST(R1, OPTION ":high"), \
	GET(R2, address[0]), \
	JNE_REG(R1, R2, OUT), \
	CONST(R1, OPTION ":low"), \
	GET(R2, address[1]), \
	JNE_REG(R1, R2, OUT), \
	LABEL(".any")

#define GROUP_BY(OPTION) \
	JUMP_UNLESS(OPTION, ".none"), \
	COPY(hist.address, address), \
	LABEL(".none")

/* if (the user asked for another port) goto OUT */
#define IS_PORT(OPTION, INPUT, OUT) \
	JUMP_UNLESS(OPTION, ".any"), \
	FIELD(PORT, INPUT), \
	CONST(R1, OPTION), \
	JNE_REG(PORT, R1, OUT), \
	LABEL(".any")

static const struct insn on_segment[] = {
	IS_PORT("lport", "lport", "out"),
	IS_PORT("rport", "rport", "out"),
	JUMP_UNLESS("ends", "any"),
	SET_BYTES_N(local, "local", SOCKADDR),
	SET_BYTES_N(remote, "remote", SOCKADDR),
	GET(FAMILY, remote.family),
	TCP_FAMILY(FAMILY, "out"),
	ADDRESS_OF(local),
	IS_ADDRESS("laddr", "out"),
	GROUP_BY("byladdr"),
	ADDRESS_OF(remote),
	IS_ADDRESS("raddr", "out"),
	GROUP_BY("byraddr"),
LABEL("any"),
	FIELD(SRTT, "srtt"),
	JEQ(SRTT, 0, "out"),				/* none was measured yet */
	JUMP_UNLESS("milliseconds", "usecs"),
	IN_UNIT_OF(SRTT, 1000),
LABEL("usecs"),
	VALUE_SLOT(SLOT, SRTT),
	JUMP_UNLESS("grouped", "one"),
	COUNT_GROUP("hists", hist, SLOT, SRTT),		/* hists[address, slot]++ */
	JUMP_UNLESS("extension", "out"),
	SET_IMM(hist.slot, 0),
	ADD("sums", hist, SRTT),		/* sums[address, 0] += srtt; sums[address, 1]++ */
	SET_IMM(hist.slot, 1),
	COUNT("sums", hist),
	JUMP("out"),
LABEL("one"),
	COUNT_VALUE("hist", index, SLOT, SRTT),		/* hist[slot]++ */
	JUMP_UNLESS("extension", "out"),
	ADD_TOTALS(index, SRTT),		/* totals += srtt */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("rtt.segment", on_segment),
	{ }
};

const struct program_set tcprtt_programs = { programs, maps };
