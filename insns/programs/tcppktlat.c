// SPDX-License-Identifier: GPL-2.0
/*
 * segment.in:		if (it has data) arrived[socket] = now, unless there is an earlier one
 * segment.read:	t = take arrived[socket]
 *			if (t, and it is wanted) output { task, now - t, ends of the socket }
 * segment.end:		drop arrived[socket]
 *
 * The oldest segment that nobody has read is what the program keeps waiting. The socket's number,
 * its cookie, is never used again for another one.
 */
#include "insns/programs/tcppktlat.h"

#include <errno.h>

static const struct map maps[] = {
	{ "arrived", MAP_HASH, ROLE_JOIN, 8, 8, 65536 },
	{ "lports", MAP_HASH, ROLE_TABLE, 4, 4, TCP_PORTS },
	{ "rports", MAP_HASH, ROLE_TABLE, 4, 4, TCP_PORTS },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &tcppktlat_record_layout },
	{ }
};

struct frame {
	u64 cookie;
	u64 time;
	struct tcppktlat_record record;
};

/* Registers. */
enum { LENGTH = R6, ARRIVED = R6, NOW = R7, TASK = R8 };

static const struct insn on_segment[] = {
	FIELD(LENGTH, "data_len"),
	JEQ(LENGTH, 0, "out"),
	SET_FIELD(cookie, "cookie"),
	SET_FIELD(time, "time"),
	STORE_NEW("arrived", cookie, time),	/* arrived[socket] = now, unless there is one */
	JEQ(R0, 0, "out"),
	JEQ(R0, -EEXIST, "out"),
	COUNT_FULL,
LABEL("out"),
	EXIT,
};

static const struct insn on_read[] = {
	SET_FIELD(cookie, "cookie"),
	TAKE(ARRIVED, "arrived", cookie),		/* t = take arrived[socket] */
	JEQ(ARRIVED, 0, "out"),
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	FIELD(NOW, "time"),
	SET(record.time, NOW),
	BPF_ALU64_REG(BPF_SUB, NOW, ARRIVED),
	CONST(R1, "min_ns"),
	JLT_REG(NOW, R1, "out"),			/* if (now - t < min) out */
	SET(record.latency, NOW),
	SET(record.pid_tgid, TASK),
	TCP_PORT(record.lport, "lport", "localport", "lports", "out"),
	TCP_PORT(record.rport, "rport", "remoteport", "rports", "out"),
	SET_BYTES(record.laddr, "laddr"),
	SET_BYTES(record.raddr, "raddr"),
	SET_BYTES(record.comm, "comm"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct insn on_end[] = {
	SET_FIELD(cookie, "cookie"),
	DELETE("arrived", cookie),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("segment.in", on_segment),
	PROGRAM("segment.read", on_read),
	PROGRAM("segment.end", on_end, .tidies = true),
	{ }
};

const struct program_set tcppktlat_programs = { programs, maps };
