// SPDX-License-Identifier: GPL-2.0
/*
 * function.hit:		if (the call is nested too deeply for --level) out
 *			start[call] = { now, pid_tgid }
 * function.return:	s = start[call]; if (s.pid_tgid != pid_tgid) out
 *			start[call] = 0; if (many are kept) delete start[call]
 *			hist[slot((now - s.time) / unit)]++, totals += now - s.time
 *
 * levels[thread] has the stack pointers of current calls, outermost first. If a call's stack
 * pointer is not below that of another call, the other call has ended.
 *
 * In the kernel, the outermost of a thread's calls is in a slot, if that is free
 * (insns/programs/task_slots.h).
 *
 * BPF keeps the first KEPT entries of `start` (insns/kept.h): threads call again at the same places
 * of their stacks.
 */
#include "insns/programs/funclatency_count.h"

#include "insns/calls.h"
#include "insns/kept.h"
#include "insns/programs/task_slots.h"

#define KEPT	16384
#define SLOTS	4096		/* a power of two */

struct start {
	u64 time, pid_tgid;	/* both 0: the call has returned */
};

struct slot {
	struct start start;
	u64 function;
	u64 owner;		/* the stack pointer; 0: no call has the slot */
};

struct thread {
	u64 pid_tgid;
	u64 cpu;			/* of thread 0, which each CPU has; otherwise 0 */
};

struct levels {
	u64 sp[FUNC_LEVELS + 1];
};

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct call_key), sizeof(struct start), 65536,
	  .calls = true },
	{ "levels", MAP_HASH, ROLE_JOIN, sizeof(struct thread), sizeof(struct levels), 65536,
	  .detail = true },
	KEPT_MAP,
	{ "slots", MAP_ARRAY, ROLE_TABLE, 4, sizeof(struct slot), SLOTS },
	TIME_MAPS,
	{ }
};

struct frame {
	struct call_key call;
	uint32_t kept;
	uint32_t pid, slot;
	struct thread thread;
	union {
		struct start start;
		struct levels levels;
		struct funclatency_key hist;
		uint32_t index;
	};
};

/* frame.thread = the thread in REG */
#define THREAD(REG) \
	BPF_MOV64_IMM(R0, 0), \
	JNE(REG, 0, ".thread"), \
	FIELD(R0, "cpu"), \
	LABEL(".thread"), \
	SET(thread.pid_tgid, REG), \
	SET(thread.cpu, R0)

/* Registers of on_enter. */
enum { TASK = R6, SP = R7, WAS = R7, NOW = R8, OWNER = R9, CALL = R9 };

/* r0 = the slot of the calls of the thread in TASK; user space, or no slots: goto NONE. */
#define SLOT_OF_CALLS(NONE) \
	JUMP_UNLESS("user_space", ".kernel"), \
	JUMP(NONE), \
	LABEL(".kernel"), \
	SET(pid, TASK), \
	SLOT_AMONG(SLOTS, NONE)

/*
 * r0 is the thread's levels. If the call at SP is within N others, goto ASKED, or, if the user did
 * not ask for that level, goto OUT. If it is within more, goto ELSE, behind this.
 */
#define LEVEL(N, SP, ASKED, OUT, ELSE) \
	LOAD(R1, R0, struct levels, sp[N]), \
	JGT_REG(R1, SP, ELSE), \
	CONST(R2, "level"), \
	JLE(R2, N, OUT), \
	PUT(R0, struct levels, sp[N], SP), \
	PUT_IMM(R0, struct levels, sp[(N) + 1], 0), \
	JUMP(ASKED), \
	LABEL(ELSE)

/* start[call] = { NOW, TASK }, in a slot; if another call has it, goto HASH. */
#define STORE_IN_SLOT(HASH) \
	SLOT_OF_CALLS(HASH), \
	BPF_MOV64_REG(CALL, R0), \
	BPF_MOV64_IMM(R0, 0), \
	CMPXCHG(CALL, struct slot, owner, SP), \
	JEQ(R0, 0, ".taken"), \
	JNE_REG(R0, SP, HASH), \
	FIELD(R0, "function"), \
	LOAD(R1, CALL, struct slot, function), \
	JNE_REG(R0, R1, HASH), \
	JUMP_UNLESS("returns:untold", ".taken"),	/* a call's return was missed */ \
	LOAD(R1, CALL, struct slot, start.pid_tgid), \
	JNE_REG(R1, TASK, ".taken"), \
	COUNT_UNRETURNED(0), \
	LABEL(".taken"), \
	PUT(CALL, struct slot, start.time, NOW), \
	PUT(CALL, struct slot, start.pid_tgid, TASK), \
	FIELD(R0, "function"), \
	PUT(CALL, struct slot, function, R0)

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	FIELD(SP, "sp"),
	JUMP_UNLESS("level", "asked"),
	THREAD(TASK),
	LOOKUP_OR("levels", thread, "outermost"),
	LEVEL(0, SP, "asked", "out", ".1"),
	LEVEL(1, SP, "asked", "out", ".2"),
	LEVEL(2, SP, "asked", "out", ".3"),
	LEVEL(3, SP, "asked", "out", ".4"),
	LEVEL(4, SP, "asked", "out", ".5"),
	LEVEL(5, SP, "asked", "out", ".6"),
	LEVEL(6, SP, "asked", "out", ".7"),
	LEVEL(7, SP, "asked", "out", ".8"),
	JUMP("out"),
LABEL("outermost"),
	ZERO(levels),
	SET(levels.sp[0], SP),
	STORE("levels", thread, levels),		/* levels[thread] = { sp } */
LABEL("asked"),
	FIELD(NOW, "time"),
	STORE_IN_SLOT("hash"),				/* start[call] = { now, pid_tgid } */
	JUMP("out"),
LABEL("hash"),
	CALL_AT(call, TASK, SP),
	JUMP_UNLESS("target:bpf", "ring"),
	LOOKUP_OR("start", call, "new"),
	JUMP_UNLESS("returns:untold", "kept"),
	LOAD(WAS, R0, struct start, time),
	LOAD(OWNER, R0, struct start, pid_tgid),
	PUT(R0, struct start, time, NOW),		/* start[call] = { now, pid_tgid } */
	PUT(R0, struct start, pid_tgid, TASK),
	JEQ(WAS, 0, "out"),
	JNE_REG(OWNER, TASK, "out"),
	COUNT_UNRETURNED(0),				/* its return was missed (calls.h) */
	JUMP("out"),
LABEL("kept"),
	PUT(R0, struct start, time, NOW),		/* start[call] = { now, pid_tgid } */
	PUT(R0, struct start, pid_tgid, TASK),
	JUMP("out"),
LABEL("new"),
	KEEP_ONE_MORE(kept),
	JUMP("store"),
LABEL("ring"),
	CALL_AGAIN("start", call, struct start, TASK),
LABEL("store"),
	SET(start.time, NOW),
	SET(start.pid_tgid, TASK),
	STORE("start", call, start),			/* start[call] = { now, pid_tgid } */
LABEL("out"),
	EXIT,
};

/* Registers of on_exit, beside TASK and SP. */
enum { ENDED = R7, DELTA = R7, BEGAN = R8, SLOT = R8, FUNCTION = R9 };

/* BEGAN = start[call].time, and the slot is given back; if it is not in one, goto HASH. */
#define TAKE_FROM_SLOT(HASH) \
	SLOT_OF_CALLS(HASH), \
	LOAD(R1, R0, struct slot, owner), \
	JNE_REG(R1, SP, HASH), \
	LOAD(R1, R0, struct slot, start.pid_tgid), \
	JNE_REG(R1, TASK, HASH), \
	BPF_MOV64_REG(CALL, R0), \
	FIELD(R0, "function"), \
	LOAD(R1, CALL, struct slot, function), \
	JNE_REG(R0, R1, HASH), \
	LOAD(BEGAN, CALL, struct slot, start.time), \
	BPF_MOV64_REG(R0, SP), \
	BPF_MOV64_IMM(R1, 0), \
	CMPXCHG(CALL, struct slot, owner, R1)	/* after all that was loaded from it */

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	CALL_BEGAN_AT(SP),
	TAKE_FROM_SLOT("hash"),				/* s = start[call]; start[call] = 0 */
	JUMP("ended"),
LABEL("hash"),
	CALL_AT(call, TASK, SP),
	LOOKUP_OR("start", call, "out"),
	LOAD(BEGAN, R0, struct start, time),
	LOAD(R1, R0, struct start, pid_tgid),
	JNE_REG(R1, TASK, "out"),			/* it is the entry of another thread */
	JUMP_UNLESS("target:bpf", "delete"),
	JEQ(BEGAN, 0, "out"),
	PUT_IMM(R0, struct start, time, 0),
	PUT_IMM(R0, struct start, pid_tgid, 0),
	KEEP_OR_DELETE(kept, KEPT, "ended"),
LABEL("delete"),
	DELETE("start", call),
LABEL("ended"),
	JUMP_UNLESS("level", "all"),
	THREAD(TASK),
	LOOKUP_OR("levels", thread, "all"),
	LOAD(R1, R0, struct levels, sp[0]),
	JNE_REG(R1, SP, "all"),
	DELETE("levels", thread),			/* the outermost call has ended */
LABEL("all"),
	FIELD(ENDED, "time"),
	JGT_REG(BEGAN, ENDED, "out"),			/* the clocks of two CPUs differ */
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, ENDED), BEGAN),	/* delta = now - s.time */
	COUNT_TIME(DELTA, SLOT),			/* totals += delta */
	JUMP_UNLESS("functions", "one"),
	FUNCTION_OF(FUNCTION, TASK),
	SET(hist.id, FUNCTION),
	COUNT_GROUP("hists", hist, SLOT, DELTA),		/* hists[function, slot]++ */
	JUMP("out"),
LABEL("one"),
	COUNT_VALUE("hist", index, SLOT, DELTA),		/* hist[slot]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("function.hit", on_enter),
	PROGRAM("function.return", on_exit),
	{ }
};

const struct program_set funclatency_programs = { programs, maps };
