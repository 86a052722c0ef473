// SPDX-License-Identifier: GPL-2.0
/*
 * calls.enter:	plan = plans[slot(id)]; if (!plan) out
 *		start[tid] = { now, slot, plan, args }
 *		with BPF, if the plan has texts: texts[tid] = { args[a] as text, args[b] as text },
 *		or an address of a socket, or the arguments of an exec
 *		if the call never returns: output it
 * calls.exit:	s = take start[tid]; if (!s || now - s.time < min || it did not fail) out
 *		with --summary: sums[task, slot] += { 1, failed, now - s.time }
 *		otherwise output { s, ret, texts[tid] }
 * exec.again:	texts[tid] = { what could not be read when the call began }
 * exec.done:	if (the thread's id changes) start[pid], texts[pid] = take start[old], texts[old]
 * task.exit:	drop start[pid], texts[pid]
 *
 * Texts are read when the call begins: later the program may have overwritten them. Those that are
 * not in memory yet are read when it returns, because the kernel has read them by then. The rings
 * have no texts of user memory here. A child's first return has no entry.
 */
#include "insns/programs/systrace.h"

#include <stddef.h>

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

static const struct map maps[] = {
	{ "plans", MAP_ARRAY, ROLE_TABLE, 4, 8, CALL_SLOTS },
	TASK_MAPS("start", struct start),
	{ "texts", MAP_HASH, ROLE_HINT, 4, sizeof(union systrace_memory), 10240, .detail = true },
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
			union systrace_memory memory;
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
	TASK = R6, POINTER = R6, TOOK = R6, OLD = R6,
	NUMBER = R7, RET = R7, LEFT = R7, NEW = R7,
	PLAN = R8, NOW = R8,
	WHICH = R9, FOUND = R9,
};

/* REG = ARGS[N], if WHICH is THAT */
#define ARGUMENT_IF(REG, ARGS, N, THAT) \
	JNE(WHICH, THAT, ".not_" #N), \
	GET(REG, ARGS[N]), \
	LABEL(".not_" #N)

/* POINTER = the argument whose number, plus 1, is in WHICH */
#define THE_ARGUMENT(ARGS) \
	BPF_MOV64_IMM(POINTER, 0), \
	ARGUMENT_IF(POINTER, ARGS, 0, 1), ARGUMENT_IF(POINTER, ARGS, 1, 2), \
	ARGUMENT_IF(POINTER, ARGS, 2, 3), ARGUMENT_IF(POINTER, ARGS, 3, 4), \
	ARGUMENT_IF(POINTER, ARGS, 4, 5), ARGUMENT_IF(POINTER, ARGS, 5, 6)

/* WHICH = the number of the argument that the plan names at SHIFT; none: goto NONE */
#define WHICH_ARGUMENT(SHIFT, NONE) \
	BPF_MOV64_REG(WHICH, PLAN), \
	BPF_ALU64_IMM(BPF_RSH, WHICH, SHIFT), \
	BPF_ALU64_IMM(BPF_AND, WHICH, PLAN_ARGUMENT_MASK), \
	JEQ(WHICH, 0, NONE)

/* TEXT = the text of the argument that the plan names at SHIFT; NONE: there is none */
#define READ_TEXT(ARGS, TEXT, SHIFT, NONE) \
	WHICH_ARGUMENT(SHIFT, NONE), \
	THE_ARGUMENT(ARGS), \
	SET_USER_STRING(TEXT.text, POINTER), \
	SET(TEXT.length, R0)

/* WHICH = the next pointer of a row of them; POINTER goes behind it */
#define NEXT_POINTER(FAULT) \
	JSET(PLAN, PLAN_NARROW, ".narrow"), \
	FOLLOW(WHICH, POINTER, 8, false, true), \
	SYMBOLIC(SYM_ELSE, FAULT, 0, 0, 0, 0), \
	BPF_ALU64_IMM(BPF_ADD, POINTER, 8), \
	JUMP(".pointer"), \
	LABEL(".narrow"), \
	FOLLOW(WHICH, POINTER, 4, false, true), \
	SYMBOLIC(SYM_ELSE, FAULT, 0, 0, 0, 0), \
	BPF_ALU64_IMM(BPF_ADD, POINTER, 4), \
	LABEL(".pointer")
#define READ_ONE(N, END) \
	NEXT_POINTER(".unreadable"), \
	JEQ(WHICH, 0, END), \
	SET_USER_STRING(memory.argv.text[N], WHICH), \
	JSLE(R0, 0, ".unreadable"), \
	SET_IMM(memory.argv.length, (N) + 1)

/*
 * argv = the texts of a row of pointers, as many as there is room for. If one can't be read, it
 * looks as if there were more.
 */
#define READ_ARGV(END) \
	WHICH_ARGUMENT(PLAN_SECOND_SHIFT, END), \
	THE_ARGUMENT(start.args), \
	JEQ(POINTER, 0, END), \
	SET_IMM(memory.argv.length, 0), \
	READ_ONE(0, END), READ_ONE(1, END), READ_ONE(2, END), \
	READ_ONE(3, END), READ_ONE(4, END), READ_ONE(5, END), \
	NEXT_POINTER(".unreadable"), \
	JEQ(WHICH, 0, END), \
	LABEL(".unreadable"), \
	GET(R1, memory.argv.length), \
	BPF_ALU64_IMM(BPF_OR, R1, ARGV_MORE), \
	SET(memory.argv.length, R1)

/* of[N] = the next eight bytes at POINTER, if LEFT bytes are that many */
#define READ_WORD(N) \
	JLT(LEFT, 8 * (N) + 8, ".last"), \
	FOLLOW(R1, POINTER, 8, false, true), \
	SYMBOLIC(SYM_ELSE, ".addressed", 0, 0, 0, 0), \
	SET(memory.address.of[N], R1), \
	SET_IMM(memory.address.length, 8 * (N) + 8), \
	BPF_ALU64_IMM(BPF_ADD, POINTER, 8)
#define READ_WORDS(N)	READ_WORD(N), READ_WORD((N) + 1), READ_WORD((N) + 2), READ_WORD((N) + 3)

/*
 * address = the bytes at the first argument of the plan, a struct sockaddr, as many as the argument
 * behind it says: the kernel reads no more either, and there may be no more.
 */
#define READ_SOCKADDR \
	WHICH_ARGUMENT(PLAN_FIRST_SHIFT, ".addressed"), \
	THE_ARGUMENT(start.args), \
	JEQ(POINTER, 0, ".addressed"), \
	BPF_MOV64_IMM(LEFT, 0), \
	ARGUMENT_IF(LEFT, start.args, 2, 2), ARGUMENT_IF(LEFT, start.args, 5, 5), \
	BPF_MOV32_REG(LEFT, LEFT), \
	JLE(LEFT, SYSTRACE_READ, ".fits"), \
	BPF_MOV64_IMM(LEFT, SYSTRACE_READ), \
	LABEL(".fits"), \
	JLT(LEFT, 8, ".few"), \
	BPF_MOV64_REG(WHICH, POINTER), \
	READ_WORDS(0), READ_WORDS(4), READ_WORDS(8), READ_WORDS(12), \
	LABEL(".last"), \
	BPF_ALU64_REG(BPF_ADD, WHICH, LEFT), \
	BPF_ALU64_IMM(BPF_SUB, WHICH, 8), \
	FOLLOW(R1, WHICH, 8, false, true), \
	SYMBOLIC(SYM_ELSE, ".addressed", 0, 0, 0, 0), \
	SET(memory.address.last, R1), \
	SET(memory.address.whole, LEFT), \
	JUMP(".addressed"), \
	LABEL(".few"), \
	JLT(LEFT, 2, ".addressed"), \
	FOLLOW(R1, POINTER, 2, false, true), \
	SYMBOLIC(SYM_ELSE, ".addressed", 0, 0, 0, 0), \
	SET(memory.address.family, R1), \
	SET_IMM(memory.address.length, 2), \
	LABEL(".addressed")

/* memory[tid] = what the plan wants to be read; UNREAD: nothing */
#define READ_MEMORY(UNREAD) \
	BPF_MOV64_REG(R1, PLAN), \
	BPF_ALU64_IMM(BPF_RSH, R1, PLAN_FIRST_SHIFT), \
	JEQ(R1, 0, UNREAD), \
	ZERO(memory), \
	BPF_MOV64_IMM(R1, -1), \
	SET(memory.first.length, R1), \
	JSET(PLAN, PLAN_SOCKADDR, ".sockaddr"), \
	SET(memory.second.length, R1), \
	READ_TEXT(start.args, memory.first, PLAN_FIRST_SHIFT, ".read"), \
	JSET(PLAN, PLAN_ARGV, ".argv"), \
	READ_TEXT(start.args, memory.second, PLAN_SECOND_SHIFT, ".read"), \
	JUMP(".read"), \
	LABEL(".argv"), \
	READ_ARGV(".read"), \
	JUMP(".read"), \
	LABEL(".sockaddr"), \
	SET(memory.address.whole, R1), \
	READ_SOCKADDR, \
	LABEL(".read"), \
	UPDATE("texts", pid, memory)

/* A text that could not be read when the call began: since then the kernel has read it. */
#define READ_AGAIN(TEXT, SHIFT) \
	GET(R1, TEXT.length), \
	JSGE(R1, 0, ".readable"), \
	READ_TEXT(record.call.args, TEXT, SHIFT, ".readable"), \
	LABEL(".readable")

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
	READ_MEMORY("stored"),			/* texts[tid] = { args[a] as text, ... } */
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
	COPY_ALL(record.memory, R0),
	GET(PLAN, record.call.plan),
	JSET(PLAN, PLAN_SOCKADDR, "read"),
	JSET(PLAN, PLAN_ARGV, "execs"),
	READ_AGAIN(record.memory.second, PLAN_SECOND_SHIFT),
	JUMP("first"),
LABEL("execs"),
	JEQ(RET, 0, "read"),				/* the new program has other memory */
LABEL("first"),
	READ_AGAIN(record.memory.first, PLAN_FIRST_SHIFT),
LABEL("read"),
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

/* An exec: texts[tid] = what could not be read when it began. The caller's memory stays. */
static const struct insn on_again[] = {
	SET_FIELD(pid, "tid"),
	LOOKUP_OR("texts", pid, "out"),
	COPY_ALL(memory, R0),
	GET(R1, memory.first.length),
	JSLT(R1, 0, "again"),
	GET(R1, memory.argv.length),
	JSET(R1, ARGV_MORE, "again"),
	JUMP("out"),
LABEL("again"),
	LOOKUP_TASK("start", struct start),
	JEQ(R0, 0, "out"),
	COPY_ALL(start, R0),
	GET(PLAN, start.plan),
	JSET(PLAN, PLAN_ARGV, "exec"),
	JUMP("out"),
LABEL("exec"),
	READ_TEXT(start.args, memory.first, PLAN_FIRST_SHIFT, "out"),
	READ_ARGV("read"),
LABEL("read"),
	UPDATE("texts", pid, memory),
LABEL("out"),
	EXIT,
};

/* A thread that is not the leader gets the leader's id when it execs; the leader has ended. */
static const struct insn on_exec[] = {
	FIELD(OLD, "old_pid"),
	FIELD(NEW, "pid"),
	JEQ_REG(OLD, NEW, "out"),
	SET(pid, OLD),
	LOOKUP_TASK("start", struct start),		/* s = take start[old]; if (!s) out */
	JEQ(R0, 0, "out"),
	COPY_ALL(start, R0),
	PUT_IMM(R0, struct start, time, 0),
	DELETE_TASK("start", struct start),
	SET(pid, NEW),
	UPDATE_TASK("start", struct start, start),	/* start[pid] = s */
	JUMP_UNLESS("target:bpf", "out"),
	JUMP_UNLESS("lines", "out"),
	SET(pid, OLD),
	LOOKUP_OR("texts", pid, "out"),			/* texts[pid] = take texts[old] */
	COPY_ALL(memory, R0),
	DELETE("texts", pid),
	SET(pid, NEW),
	UPDATE("texts", pid, memory),
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
	PROGRAM("exec.again", on_again, .option = "lines", .spare = true),
	PROGRAM("exec.done", on_exec, .optional = true),
	PROGRAM("task.exit", on_task_exit),
	{ }
};

const struct program_set systrace_programs = { programs, maps };
