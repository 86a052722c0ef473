// SPDX-License-Identifier: GPL-2.0
/*
 * cap.check:	audit = !(opts & NOAUDIT), before 5.1 !!opts; if (!audit && !--all) out
 *		with --unique: if (seen[tgid] has cap) out; seen[tgid] |= cap
 *		output { cap, audit, ... }
 * task.exit:	with --unique: drop seen[pid]
 */
#include "insns/programs/capable.h"

#include <stddef.h>

#include "insns/common.h"

/* The kernel's CAP_OPT_*, from 5.1 on. */
#define NOAUDIT (1 << 1)
#define INSETID (1 << 2)

static const struct map maps[] = {
	{ "seen", MAP_HASH, ROLE_TABLE, 4, 8, 65536 },	/* tgid: a bit for each capability */
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &capable_record_layout },
	{ }
};

struct frame {
	uint32_t tgid;
	u64 seen;
	struct capable_record record;
};

static const struct insn on_check[] = {
	FIELD(R7, "pid_tgid"),
	FILTER(R7),
	SET(record.pid_tgid, R7),
	BPF_MOV64_IMM(R8, CAPABLE_UNKNOWN),
	BPF_MOV64_IMM(R9, CAPABLE_UNKNOWN),
	JUMP_UNLESS("input:opts", "untold"),
	FIELD(R6, "opts?"),
	FIELD(R1, "flags"),
	JEQ(R1, 0, "truth"),
	BPF_MOV64_IMM(R8, 0),			/* from 5.1 on: r.audit = !(opts & NOAUDIT) */
	JSET(R6, NOAUDIT, "not_audited"),
	BPF_MOV64_IMM(R8, 1),
LABEL("not_audited"),
	BPF_MOV64_IMM(R9, 0),				/* r.insetid = !!(opts & INSETID) */
	JSET(R6, INSETID, "in_setid"),
	JUMP("untold"),
LABEL("in_setid"),
	BPF_MOV64_IMM(R9, 1),
	JUMP("untold"),
LABEL("truth"),
	BPF_MOV64_IMM(R8, 0),				/* before: r.audit = !!opts */
	JEQ(R6, 0, "untold"),
	BPF_MOV64_IMM(R8, 1),
LABEL("untold"),
	JUMP_UNLESS("audited", "all"),
	JEQ(R8, 0, "out"),
LABEL("all"),
	SET(record.audit, R8),
	SET(record.insetid, R9),
	FIELD(R9, "cap"),
	SET(record.cap, R9),
	JUMP_UNLESS("unique", "new"),
	BPF_ALU64_IMM(BPF_AND, R9, 63),
	BPF_MOV64_IMM(R8, 1),
	BPF_ALU64_REG(BPF_LSH, R8, R9),			/* r8 = 1 << cap */
	BPF_ALU64_IMM(BPF_RSH, R7, 32),
	SET(tgid, R7),
	LOOKUP_OR("seen", tgid, "first"),
	BPF_LDX_MEM(BPF_DW, R6, R0, 0),
	BPF_MOV64_REG(R1, R6),
	BPF_ALU64_REG(BPF_AND, R1, R8),
	JNE(R1, 0, "out"),				/* if (seen[tgid] & 1 << cap) out */
	BPF_ALU64_REG(BPF_OR, R6, R8),
	BPF_STX_MEM(BPF_DW, R0, R6, 0),			/* seen[tgid] |= 1 << cap */
	JUMP("new"),
LABEL("first"),
	SET(seen, R8),
	STORE("seen", tgid, seen),			/* seen[tgid] = 1 << cap */
LABEL("new"),
	SET_FIELD(record.uid, "uid?"),
	SET_FIELD(record.time, "time"),
	SET_BYTES(record.comm, "comm"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct insn on_exit[] = {
	SET_FIELD(tgid, "pid"),
	DELETE("seen", tgid),				/* its id may come again */
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("cap.check", on_check),
	PROGRAM("task.exit", on_exit, .option = "unique"),
	{ }
};

const struct program_set capable_programs = { programs, maps };
