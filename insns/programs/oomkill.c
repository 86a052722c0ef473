// SPDX-License-Identifier: GPL-2.0
/*
 * oom.kill:	kills[tid] = pages
 * oom.victim:	if (a signal tells: it is not KILL, or not sent between oom.kill and oom.end) out
 *		output { victim, kills[tid], who }
 * oom.end:	drop kills[tid]
 */
#include "insns/programs/oomkill.h"

#include <stddef.h>

#include "insns/common.h"

#define KILL 9

static const struct map maps[] = {
	{ "kills", MAP_HASH, ROLE_JOIN, 4, 8, 1024 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define KEY -8
#define VALUE -16
#define RECORD(MEMBER) (-96 + (int)offsetof(struct oomkill_record, MEMBER))

static const struct insn on_kill[] = {
	FIELD(R6, "tid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	BPF_MOV64_IMM(R6, -1),
	UNLESS("input:pages", "unknown"),
	FIELD(R6, "pages?"),
LABEL("unknown"),
	BPF_STX_MEM(BPF_DW, R10, R6, VALUE),
	STORE("kills", KEY, VALUE),			/* kills[tid] = pages */
	EXIT,
};

static const struct insn on_victim[] = {
	FIELD(R7, "pid_tgid"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(pid_tgid)),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	BPF_MOV64_IMM(R6, -1),				/* r.pages = kills[tid] */
	LOOKUP("kills", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "outside"),
	BPF_LDX_MEM(BPF_DW, R6, R0, 0),
	JUMP("inside"),
LABEL("outside"),
	FIELD(R1, "window"),
	JUMP_IF(BPF_JNE, R1, 0, "out"),
LABEL("inside"),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(pages)),
	FIELD(R6, "sig"),
	JUMP_IF(BPF_JNE, R6, KILL, "out"),
	FIELD(R6, "pid"),
	BPF_STX_MEM(BPF_W, R10, R6, RECORD(victim)),	/* r.victim */
	BPF_ST_MEM(BPF_W, R10, RECORD(pad), 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(name), 0),
	BPF_ST_MEM(BPF_DW, R10, RECORD(name) + 8, 0),
	UNLESS("input:name", "named"),
	STRING(R6, "name?"),
	READ_KERNEL_STRING(RECORD(name), 16, R6),	/* r.name */
LABEL("named"),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(time)),
	BYTES(RECORD(comm), "comm", 16),
	OUTPUT("events", RECORD(time), sizeof(struct oomkill_record)),
LABEL("out"),
	EXIT,
};

static const struct insn on_end[] = {
	FIELD(R6, "tid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	DELETE("kills", KEY),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("oom.kill", on_kill, .optional = true),
	PROGRAM("oom.victim", on_victim),
	PROGRAM("oom.end", on_end, .optional = true, .spare = true),
	{ }
};

const struct program_set oomkill_programs = { programs, maps };
