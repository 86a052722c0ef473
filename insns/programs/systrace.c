// SPDX-License-Identifier: GPL-2.0
/*
 * calls.enter:	plan = plans[slot(id)]; if (!plan) out
 *		start[tid] = { now, slot, plan, args }
 *		with BPF, if the plan has texts: texts[tid] = { args[a] as text, args[b] as text }
 *		if the call never returns: output it
 * calls.exit:	s = take start[tid]; if (!s || now - s.time < min || it did not fail) out
 *		with --summary: sums[task, slot] += { 1, failed, now - s.time }
 *		otherwise output { s, ret, texts[tid] }
 * task.exit:	drop start[pid], texts[pid]
 *
 * Texts are read when the call begins: later the program may have overwritten them. The rings have
 * no texts of user memory here. A child's first return has no entry.
 */
#include "insns/programs/systrace.h"

#include <stddef.h>
#include <sys/socket.h>

#include "insns/call_slot.h"
#include "insns/hist.h"
#include "insns/programs/task_slots.h"

struct start {
	u64 time;			/* 0: the call has returned */
	u64 slot;
	u64 plan;
	u64 args[SYSTRACE_ARGUMENTS];
	s64 id;
	u64 owner;
};

struct texts {
	struct systrace_text texts[SYSTRACE_TEXTS];
};

/* The same, where the first text is an address. */
struct words {
	s64 length;
	u64 of[SOCKADDR_READ / 8];
};

static const struct map maps[] = {
	{ "plans", MAP_ARRAY, ROLE_TABLE, 4, 8, CALL_SLOTS },
	TASK_MAPS("start", struct start),
	{ "texts", MAP_HASH, ROLE_HINT, 4, sizeof(struct texts), 10240, .detail = true },
	{ "sums", MAP_HASH, ROLE_RESULT, sizeof(struct systrace_key),
	  sizeof(struct systrace_sums), 20480, .key = &systrace_key_layout,
	  .value = &systrace_sums_layout,
	  .combine = { [3] = COMBINE_MIN, [4] = COMBINE_MAX } },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &systrace_record_layout },
	{ }
};

struct frame {
	uint32_t pid;
	uint32_t slot;
	union {
		struct {
			struct start start;
			union {
				struct texts texts;
				struct words words;
			};
		};
		struct {
			struct systrace_key key;
			struct systrace_sums sums;
		};
		struct systrace_record record;
	};
};

/* Registers. */
enum {
	TASK = R6, POINTER = R6, TOOK = R6,
	NUMBER = R7, RET = R7,
	PLAN = R8, NOW = R8,
	WHICH = R9, FAMILY = R9,
};

/* POINTER = the argument whose number, plus 1, is in WHICH */
#define ARGUMENT(WHAT) \
	JNE(WHICH, (WHAT) + 1, ".not_" #WHAT), \
	GET(POINTER, start.args[WHAT]), \
	LABEL(".not_" #WHAT)
#define THE_ARGUMENT \
	ARGUMENT(0), ARGUMENT(1), ARGUMENT(2), ARGUMENT(3), ARGUMENT(4)

/* texts[N] = the text of the argument that the plan names at SHIFT; NONE: there is none */
#define READ_TEXT(N, SHIFT, NONE) \
	BPF_MOV64_REG(WHICH, PLAN), \
	BPF_ALU64_IMM(BPF_RSH, WHICH, SHIFT), \
	BPF_ALU64_IMM(BPF_AND, WHICH, PLAN_ARGUMENT_MASK), \
	JEQ(WHICH, 0, NONE), \
	THE_ARGUMENT, \
	SET_USER_STRING(texts.texts[N].text, POINTER), \
	SET(texts.texts[N].length, R0)

/* texts[0] = the first bytes of the address in the first argument of the plan: a struct sockaddr */
#define READ_SOCKADDR(NONE) \
	BPF_MOV64_REG(WHICH, PLAN), \
	BPF_ALU64_IMM(BPF_RSH, WHICH, PLAN_FIRST_SHIFT), \
	BPF_ALU64_IMM(BPF_AND, WHICH, PLAN_ARGUMENT_MASK), \
	THE_ARGUMENT, \
	JEQ(POINTER, 0, NONE), \
	FOLLOW(FAMILY, POINTER, 2, false, true), \
	SYMBOLIC(SYM_ELSE, NONE, 0, 0, 0, 0), \
	JNE(FAMILY, AF_UNIX, ".words"), \
	BPF_ALU64_IMM(BPF_ADD, POINTER, 2), \
	SET_USER_STRING(texts.texts[0].text, POINTER), \
	SET(texts.texts[0].length, R0), \
	JUMP(".read"), \
	LABEL(".words"), \
	READ_WORD(0, NONE), \
	READ_WORD(1, ".short"), \
	READ_WORD(2, ".short"), \
	READ_WORD(3, ".short"), \
	LABEL(".short"), \
	SET_IMM(texts.texts[0].length, SOCKADDR_READ), \
	LABEL(".read"), \
	BPF_ALU64_IMM(BPF_LSH, FAMILY, PLAN_FAMILY_SHIFT), \
	BPF_ALU64_REG(BPF_OR, PLAN, FAMILY), \
	SET(start.plan, PLAN)
#define READ_WORD(N, NONE) \
	FOLLOW(R1, POINTER, 8, false, true), \
	SYMBOLIC(SYM_ELSE, NONE, 0, 0, 0, 0), \
	SET(words.of[N], R1), \
	BPF_ALU64_IMM(BPF_ADD, POINTER, 8)

/* texts[tid] = what the plan wants to be read; UNREAD: nothing */
#define READ_TEXTS(UNREAD) \
	BPF_MOV64_REG(R1, PLAN), \
	BPF_ALU64_IMM(BPF_RSH, R1, PLAN_FIRST_SHIFT), \
	JEQ(R1, 0, UNREAD), \
	ZERO(texts), \
	BPF_MOV64_IMM(R1, -1), \
	SET(texts.texts[0].length, R1), \
	SET(texts.texts[1].length, R1), \
	JSET(PLAN, PLAN_SOCKADDR, ".sockaddr"), \
	READ_TEXT(0, PLAN_FIRST_SHIFT, ".texts"), \
	READ_TEXT(1, PLAN_SECOND_SHIFT, ".texts"), \
	JUMP(".texts"), \
	LABEL(".sockaddr"), \
	READ_SOCKADDR(".texts"), \
	LABEL(".texts"), \
	UPDATE("texts", pid, texts)

/* frame.record.call = the entry at R0, of the current task */
#define CALL_RECORD \
	COPY_FROM(record.call.slot, R0, struct start, slot), \
	COPY_FROM(record.call.plan, R0, struct start, plan), \
	COPY_FROM(record.call.args, R0, struct start, args), \
	COPY_FROM(record.call.id, R0, struct start, id), \
	PUT_IMM(R0, struct start, time, 0), \
	SET_FIELD(record.call.pid_tgid, "pid_tgid"), \
	SET_BYTES(record.call.comm, "comm")

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	CALL_SLOT(NUMBER, PLAN, WHICH),			/* NUMBER = slot(id) */
	SET(slot, NUMBER),
	LOOKUP_OR("plans", slot, "out"),
	BPF_LDX_MEM(BPF_DW, PLAN, R0, 0),
	JEQ(PLAN, 0, "out"),				/* plan = plans[slot]; if (!plan) out */
	SET(pid, TASK),
	SET_FIELD(start.time, "time"),
	SET(start.slot, NUMBER),
	SET(start.plan, PLAN),
	SET_FIELD(start.id, "id"),
	SET_FIELD(start.args[0], "arg0"), SET_FIELD(start.args[1], "arg1"),
	SET_FIELD(start.args[2], "arg2"), SET_FIELD(start.args[3], "arg3"),
	SET_FIELD(start.args[4], "arg4"), SET_FIELD(start.args[5], "arg5"),
	JSET(PLAN, PLAN_NO_RETURN, "never"),
	JUMP_UNLESS("target:bpf", "stored"),
	JUMP_UNLESS("lines", "stored"),
	READ_TEXTS("stored"),			/* texts[tid] = { args[a] as text, ... } */
LABEL("stored"),
	UPDATE_TASK("start", struct start, start),	/* start[tid] = { now, ... } */
	JUMP("out"),
LABEL("never"),
	JUMP_UNLESS("lines", "out"),
	JUMP_UNLESS("never_returns", "out"),
	UPDATE_TASK("start", struct start, start),
	LOOKUP_TASK("start", struct start),
	JEQ(R0, 0, "out"),
	CALL_RECORD,
	SET_FIELD(record.call.time, "time"),
	SET_IMM(record.call.took, 0),
	SET_IMM(record.call.ret, 0),
	OUTPUT("events", record.call),			/* if it never returns: output it */
LABEL("out"),
	EXIT,
};

/* if (TOOK < min, or RET is no failure and only failures are wanted) goto OUT */
#define WANTED_CALL(OUT) \
	JUMP_UNLESS("min_ns", ".any_time"), \
	CONST(R1, "min_ns"), \
	JGT_REG(R1, TOOK, OUT), \
	LABEL(".any_time"), \
	JUMP_UNLESS("failed", ".any_result"), \
	JGT(RET, -4096, ".any_result"),			/* -4095 to -1 */ \
	JUMP(OUT), \
	LABEL(".any_result")

/* sums[task, slot] += { 1, failed, TOOK }; the entry at R0 is of the call. */
#define SUM_UP \
	LOAD(R1, R0, struct start, slot), \
	SET(key.slot, R1), \
	PUT_IMM(R0, struct start, time, 0), \
	SET_IMM(sums.calls, 1), \
	SET_IMM(sums.errors, 0), \
	JLE(RET, -4096, ".fine"), \
	SET_IMM(sums.errors, 1), \
	LABEL(".fine"), \
	SET(sums.took, TOOK), \
	SET(sums.least, TOOK), \
	SET(sums.most, TOOK), \
	SET_FIELD(key.pid_tgid, "pid_tgid"), \
	SET_BYTES(key.comm, "comm"), \
	SET_EPOCH(key.epoch), \
	LOOKUP("sums", key), \
	JNE(R0, 0, ".found"), \
	STORE("sums", key, sums), \
	JUMP(".summed"), \
	LABEL(".found"), \
	ADD_TO(calls), \
	ADD_TO(errors), \
	ADD_TO(took), \
	LOAD(R1, R0, struct systrace_sums, least), \
	JGE_REG(TOOK, R1, ".not_least"), \
	PUT(R0, struct systrace_sums, least, TOOK), \
	LABEL(".not_least"), \
	LOAD(R1, R0, struct systrace_sums, most), \
	JGE_REG(R1, TOOK, ".summed"), \
	PUT(R0, struct systrace_sums, most, TOOK), \
	LABEL(".summed")
#define ADD_TO(M)	ADD_MEMBER(struct systrace_sums, sums, M)

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(pid, TASK),
	FIELD(NOW, "time"),
	FIELD(RET, "ret"),
	LOOKUP_TASK("start", struct start),		/* s = take start[tid] */
	JEQ(R0, 0, "out"),
	LOAD(R1, R0, struct start, time),
	JEQ(R1, 0, "out"),
	BPF_MOV64_REG(WHICH, R0),
	JGT_REG(R1, NOW, "drop"),			/* the clocks of two CPUs differ */
	BPF_MOV64_REG(TOOK, NOW),
	BPF_ALU64_REG(BPF_SUB, TOOK, R1),
	WANTED_CALL("drop"),			/* if (now - s.time < min || ...) out */
	BPF_MOV64_REG(R0, WHICH),
	JUMP_UNLESS("lines", "sums"),
	CALL_RECORD,
	SET(record.call.time, NOW),
	SET(record.call.took, TOOK),
	SET(record.call.ret, RET),			/* output { s, ret, texts[tid] } */
	GET(R1, record.call.plan),
	BPF_ALU64_IMM(BPF_RSH, R1, PLAN_FIRST_SHIFT),
	JEQ(R1, 0, "short"),
	LOOKUP_OR("texts", pid, "short"),
	COPY_FROM(record.texts, R0, struct texts, texts),
	OUTPUT("events", record),
	JUMP("out"),
LABEL("short"),
	OUTPUT("events", record.call),
	JUMP("out"),
LABEL("sums"),
	JUMP_UNLESS("summary", "drop"),
	SUM_UP,				/* sums[task, slot] += { 1, failed, now - s.time } */
	JUMP("out"),
LABEL("drop"),
	PUT_IMM(WHICH, struct start, time, 0),
LABEL("out"),
	EXIT,
};

static const struct insn on_task_exit[] = {
	SET_FIELD(pid, "pid"),
	DELETE_TASK("start", struct start),		/* drop start[pid], texts[pid] */
	JUMP_UNLESS("target:bpf", "out"),
	JUMP_UNLESS("lines", "out"),
	DELETE("texts", pid),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("calls.enter", on_enter),
	PROGRAM("calls.exit", on_exit),
	PROGRAM("task.exit", on_task_exit),
	{ }
};

const struct program_set systrace_programs = { programs, maps };
