// SPDX-License-Identifier: GPL-2.0
/*
 * oom.kill:	kills[tid] = pages
 * oom.victim:	if (the event is a signal: not KILL, or not between oom.kill and oom.end) out
 *		output { victim, kills[tid], task }
 * oom.end:	drop kills[tid]
 */
#include "insns/programs/oomkill.h"

#include <stddef.h>

#include "insns/common.h"

#define KILL 9

static const struct map maps[] = {
	{ "kills", MAP_HASH, ROLE_JOIN, 4, 8, 1024 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &oomkill_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	u64 pages;
	struct oomkill_record record;
};

/* Registers. */
enum { PAGES = R6, SIG = R6, NAME = R6, TASK = R7 };

static const struct insn on_kill[] = {
	SET_FIELD(tid, "tid"),
	BPF_MOV64_IMM(PAGES, -1),
	JUMP_UNLESS("input:pages", "unknown"),
	FIELD(PAGES, "pages?"),
LABEL("unknown"),
	SET(pages, PAGES),
	STORE("kills", tid, pages),			/* kills[tid] = pages */
	EXIT,
};

static const struct insn on_victim[] = {
	FIELD(TASK, "pid_tgid"),
	SET(record.pid_tgid, TASK),
	SET(tid, TASK),
	BPF_MOV64_IMM(PAGES, -1),			/* r.pages = kills[tid] */
	LOOKUP_OR("kills", tid, "outside"),
	BPF_LDX_MEM(BPF_DW, PAGES, R0, 0),
	JUMP("inside"),
LABEL("outside"),
	FIELD(R1, "window"),
	JNE(R1, 0, "out"),
LABEL("inside"),
	SET(record.pages, PAGES),
	FIELD(SIG, "sig"),
	JNE(SIG, KILL, "out"),
	SET_FIELD(record.victim, "pid"),		/* r.victim */
	SET_IMM(record.pad, 0),
	ZERO(record.name),
	JUMP_UNLESS("input:name", "named"),
	STRING(NAME, "name?"),
	SET_KERNEL_STRING(record.name, NAME),		/* r.name */
LABEL("named"),
	SET_FIELD(record.time, "time"),
	SET_BYTES(record.comm, "comm"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct insn on_end[] = {
	SET_FIELD(tid, "tid"),
	DELETE("kills", tid),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("oom.kill", on_kill, .optional = true),
	PROGRAM("oom.victim", on_victim),
	PROGRAM("oom.end", on_end, .optional = true, .spare = true),
	{ }
};

const struct program_set oomkill_programs = { programs, maps };
