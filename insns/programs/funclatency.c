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
 * BPF keeps the first KEPT entries of `start` (insns/kept.h): threads call again at the same places
 * of their stacks.
 */
#include "insns/programs/funclatency_count.h"

#include "insns/calls.h"
#include "insns/kept.h"

#define KEPT 16384

struct start {
	u64 time, pid_tgid;	/* both 0: the call has returned */
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
	TIME_MAPS,
	{ }
};

struct frame {
	struct call_key call;
	uint32_t kept;
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
enum { TASK = R6, SP = R7, WAS = R7, NOW = R8, OWNER = R9 };

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

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	CALL_BEGINS(call, TASK),
	JUMP_UNLESS("level", "asked"),
	GET(SP, call.sp),
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

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	CALL_ENDS(call, TASK, SP),
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
	BPF_ALU64_REG(BPF_SUB, ENDED, BEGAN),		/* delta = now - s.time */
	COUNT_TIME(DELTA, SLOT),			/* totals += delta */
	JUMP_UNLESS("functions", "one"),
	FUNCTION_OF(FUNCTION, TASK),
	SET(hist.id, FUNCTION),
	COUNT_GROUP("hists", hist, SLOT),		/* hists[function, slot]++ */
	JUMP("out"),
LABEL("one"),
	COUNT_SLOT("hist", index, SLOT),		/* hist[slot]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("function.hit", on_enter),
	PROGRAM("function.return", on_exit),
	{ }
};

const struct program_set funclatency_programs = { programs, maps };
