// SPDX-License-Identifier: GPL-2.0
/*
 * cap.check:	audit = !(opts & NOAUDIT), before 5.1 !!opts; if (!audit && !--all) out
 *		with --unique: if (seen[tgid] has cap) out; seen[tgid] |= cap
 *		output { cap, audit, stacks ... }
 * task.exit:	with --unique: drop seen[pid]
 */
#include "insns/programs/capable.h"

#include <errno.h>
#include <stddef.h>

#include "insns/common.h"

/* The kernel's CAP_OPT_*, from 5.1 on. */
#define NOAUDIT (1 << 1)
#define INSETID (1 << 2)

static const struct map maps[] = {
	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	{ "seen", MAP_HASH, ROLE_TABLE, 4, 8, 65536 },	/* tgid: a bit for each capability */
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &capable_record_layout },
	{ }
};

struct frame {
	uint32_t tgid;
	u64 seen;
	struct capable_record record;
};

/* Registers. */
enum {
	OPTS = R6, SEEN = R6, KERNEL_STACK = R6,
	TASK = R7, TGID = R7, USER_STACK = R7,
	AUDIT = R8, CAP_BIT = R8,
	IN_SETID = R9, CAP = R9,
};

static const struct insn on_check[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(record.pid_tgid, TASK),
	BPF_MOV64_IMM(AUDIT, CAPABLE_UNKNOWN),
	BPF_MOV64_IMM(IN_SETID, CAPABLE_UNKNOWN),
	JUMP_UNLESS("input:opts", "untold"),
	FIELD(OPTS, "opts?"),
	FIELD(R1, "flags"),
	JEQ(R1, 0, "truth"),
	BPF_MOV64_IMM(AUDIT, 0),		/* from 5.1 on: r.audit = !(opts & NOAUDIT) */
	JSET(OPTS, NOAUDIT, "not_audited"),
	BPF_MOV64_IMM(AUDIT, 1),
LABEL("not_audited"),
	BPF_MOV64_IMM(IN_SETID, 0),			/* r.insetid = !!(opts & INSETID) */
	JSET(OPTS, INSETID, "in_setid"),
	JUMP("untold"),
LABEL("in_setid"),
	BPF_MOV64_IMM(IN_SETID, 1),
	JUMP("untold"),
LABEL("truth"),
	BPF_MOV64_IMM(AUDIT, 0),			/* before: r.audit = !!opts */
	JEQ(OPTS, 0, "untold"),
	BPF_MOV64_IMM(AUDIT, 1),
LABEL("untold"),
	JUMP_UNLESS("audited", "all"),
	JEQ(AUDIT, 0, "out"),
LABEL("all"),
	SET(record.audit, AUDIT),
	SET(record.insetid, IN_SETID),
	FIELD(CAP, "cap"),
	SET(record.cap, CAP),
	JUMP_UNLESS("unique", "new"),
	BPF_ALU64_IMM(BPF_AND, CAP, 63),
	BPF_MOV64_IMM(CAP_BIT, 1),
	BPF_ALU64_REG(BPF_LSH, CAP_BIT, CAP),		/* 1 << cap */
	BPF_ALU64_IMM(BPF_RSH, RENAME(TGID, TASK), 32),
	SET(tgid, TGID),
	LOOKUP_OR("seen", tgid, "first"),
	BPF_LDX_MEM(BPF_DW, SEEN, R0, 0),
	BPF_MOV64_REG(R1, SEEN),
	BPF_ALU64_REG(BPF_AND, R1, CAP_BIT),
	JNE(R1, 0, "out"),				/* if (seen[tgid] & 1 << cap) out */
	BPF_ALU64_REG(BPF_OR, SEEN, CAP_BIT),
	BPF_STX_MEM(BPF_DW, R0, SEEN, 0),		/* seen[tgid] |= 1 << cap */
	JUMP("new"),
LABEL("first"),
	SET(seen, CAP_BIT),
	STORE("seen", tgid, seen),			/* seen[tgid] = 1 << cap */
LABEL("new"),
	ASKED_STACKS(KERNEL_STACK, USER_STACK),
	SET(record.kernel_stack, KERNEL_STACK),
	SET(record.user_stack, USER_STACK),
	SET_IMM(record.caller, 0),
	SET_FIELD(record.uid, "uid?"),
	SET_FIELD(record.time, "time"),
	SET_BYTES(record.comm, "comm"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct insn on_exit[] = {
	SET_FIELD(tgid, "pid"),
	DELETE("seen", tgid),				/* its id may be reused */
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("cap.check", on_check),
	PROGRAM("task.exit", on_exit, .option = "unique"),
	{ }
};

const struct program_set capable_programs = { programs, maps };
