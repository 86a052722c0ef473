// SPDX-License-Identifier: GPL-2.0
/*
 * heap.call:	if (it is within another) out
 *		calls[tid] = { its place, size, pointer }
 *		if (pointer) calls[tid].old = allocs[pointer], delete allocs[pointer]
 * heap.return:	c = calls[tid]; if (its place is not c's) out
 *		delete calls[tid]
 *		if (retval) allocs[retval] = { now, c.size, its stack }
 *		else if (c.size) allocs[c.pointer] = c.old
 * heap.free:	delete allocs[pointer]
 * aligned.*:	as heap.call and heap.return; the address is where c.pointer points to
 * maps.return:	output { c, retval }, unless it is within another
 * exec.done:	output
 * kmem.alloc:	allocs[address] = { now, size, its stack }
 * kmem.free:	delete allocs[address]
 *
 * Allocators call each other, and map memory: the outermost call is the program's own. What is
 * given to realloc() is taken out when that begins, because as soon as it has been given back
 * another thread may get the same address, and be seen first.
 *
 * A call whose return was not seen leaves an entry that the next one finds: that is not within it,
 * because it is above it on the stack, or at the same place (so is a function that another one ends
 * with by a jump).
 */
#include "insns/programs/memleak.h"

#include <errno.h>

#include "insns/hist.h"

struct call {
	u64 sp;
	u64 begin;
	u64 size, pointer;
	u64 length;
	uint32_t kind, flags;
	uint32_t had;			/* realloc: there was `old`, */
	uint32_t round;			/* taken in this one (STACKS_ROUND) */
	struct memleak_held old;
};

RECORD_LAYOUT(call,
	FIELD_AS(call, old.kernel_stack, "kernel_stack", STACK),
	FIELD_AS(call, old.user_stack, "user_stack", STACK));

struct chance {
	u64 state;
};

/*
 * The next state is a multiple of this one, plus 1, modulo 2^64; its upper half is as if it were of
 * chance. To take each Nth instead would always be at the same place of a program that repeats
 * itself. The first factor makes it begin somewhere, the second is 5 modulo 8, so that all states
 * come.
 */
#define CHANCE_SEED	0x5851f42d
#define CHANCE_FACTOR	1597334677

#define STACKS	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 }
#define ALLOCS \
	{ "allocs", MAP_HASH, ROLE_JOIN, sizeof(struct memleak_key), \
	  sizeof(struct memleak_held), 262144, .value = &memleak_held_layout }
#define CHANCE	{ "chance", MAP_PERCPU_ARRAY, ROLE_TABLE, 4, sizeof(struct chance), 1 }
#define EVENTS	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &memleak_record_layout }

static const struct map user_maps[] = {
	STACKS, ALLOCS, CHANCE, EVENTS,
	{ "calls", MAP_HASH, ROLE_JOIN, 4, sizeof(struct call), 10240, .value = &call_layout },
	{ "unseen", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 1, .key = &index_key_layout },
	{ }
}, kernel_maps[] = {
	STACKS, ALLOCS, CHANCE, EVENTS, { }
};

struct frame {
	uint32_t tid;
	uint32_t index;
	struct memleak_key key;
	struct call call;
	union {
		struct memleak_held held;
		struct memleak_record record;	/* when the other has been stored */
	};
};

/* if (the run has stopped) goto OUT */
#define UNLESS_STOPPED(OUT) \
	EPOCH(R0), \
	JGT(R0, 1, OUT)

/*
 * r6 = pid_tgid, frame.call begins, if it is not within another; else goto OUT. Clobbers r7.
 */
#define CALL_BEGINS(OUT) \
	UNLESS_STOPPED(OUT), \
	FIELD(R6, "pid_tgid"), \
	FILTER(R6), \
	SET(tid, R6), \
	FIELD(R7, "sp"), \
	LOOKUP_OR("calls", tid, ".outermost"), \
	LOAD(R1, R0, struct call, sp), \
	JGT_REG(R1, R7, OUT), \
	JEQ_REG(R1, R7, ".outermost"), \
	COUNT_INDEX("unseen", index, 0),		/* its return was not seen */ \
	LABEL(".outermost"), \
	ZERO(call), \
	SET(call.sp, R7)

/* frame.call was the outermost call, which ends, with retval in r8; else goto OUT. Clobbers r7. */
#define CALL_ENDS(OUT) \
	UNLESS_STOPPED(OUT), \
	FIELD(R6, "pid_tgid"), \
	FILTER(R6), \
	SET(tid, R6), \
	LOOKUP_OR("calls", tid, OUT), \
	COPY_ALL(call, R0), \
	FIELD(R7, "sp"), \
	FIELD(R0, "popped"), \
	BPF_ALU64_REG(BPF_SUB, R7, R0), \
	GET(R8, call.sp), \
	JGT_REG(R8, R7, OUT),				/* within it */ \
	DELETE("calls", tid), \
	JEQ_REG(R8, R7, ".ends"), \
	COUNT_INDEX("unseen", index, 0), \
	JUMP(OUT), \
	LABEL(".ends"), \
	FIELD(R8, "retval")

/* frame.key of the address in REG, of the process in r6; clobbers r0 */
#define KEY(REG) \
	SET(key.address, REG), \
	BPF_MOV64_REG(R0, R6), \
	BPF_ALU64_IMM(BPF_RSH, R0, 32), \
	SET(key.tgid, R0), \
	SET_IMM(key.space, 0)

/* if (the user did not ask for memory of the size in r7) goto OUT; clobbers r0 to r2 */
#define SIZE_WANTED(OUT) \
	JUMP_UNLESS("min-size", ".any_least"), \
	CONST(R1, "min-size"), \
	JLT_REG(R7, R1, OUT), \
	LABEL(".any_least"), \
	JUMP_UNLESS("max-size", ".any_most"), \
	CONST(R1, "max-size"), \
	JGT_REG(R7, R1, OUT), \
	LABEL(".any_most"), \
	JUMP_UNLESS("sampled", ".every"), \
	SET_IMM(index, 0), \
	LOOKUP_OR("chance", index, OUT), \
	LOAD(R1, R0, struct chance, state), \
	JNE(R1, 0, ".seeded"), \
	BPF_MOV64_IMM(R1, CHANCE_SEED), \
	BPF_ALU64_IMM(BPF_LSH, R1, 32), \
	LABEL(".seeded"), \
	BPF_ALU64_IMM(BPF_MUL, R1, CHANCE_FACTOR), \
	BPF_ALU64_IMM(BPF_ADD, R1, 1), \
	PUT(R0, struct chance, state, R1), \
	BPF_ALU64_IMM(BPF_RSH, R1, 32), \
	CONST(R2, "sample-rate"), \
	BPF_ALU64_REG(BPF_MUL, R1, R2), \
	BPF_ALU64_IMM(BPF_RSH, R1, 32),			/* 0 .. N - 1 */ \
	JNE(R1, 0, OUT), \
	LABEL(".every")

/* With -t: output { KIND, frame.key, SIZE (a register) } of the task in r6. */
#define TRACE(KIND, SIZE) \
	JUMP_UNLESS("trace", ".untraced"), \
	ZERO(record), \
	SET(record.size, SIZE), \
	SET(record.pid_tgid, R6), \
	SET_FIELD(record.time, "time"), \
	GET(R0, key.address), \
	SET(record.address, R0), \
	GET(R0, key.space), \
	SET(record.space, R0), \
	SET_IMM(record.kind, KIND), \
	SET_BYTES(record.comm, "comm"), \
	OUTPUT("events", record), \
	LABEL(".untraced")

/* allocs[frame.key] = { now, the size in r7, its stack }, if it is wanted; goto OUT. Clobbers r9. */
#define HOLD(MINE, OTHER, NAME, OUT) \
	SIZE_WANTED(".unwanted"), \
	SET_FIELD(held.time, "time"), \
	SET(held.size, R7), \
	SET_BYTES(held.comm, "comm"), \
	STACK(R9, NAME), \
	SET(held.MINE, R9), \
	SET_IMM(held.OTHER, -EFAULT), \
	STORE("allocs", key, held), \
	TRACE(MEMLEAK_ALLOC, R7), \
	JUMP(OUT), \
	LABEL(".unwanted"), \
	DELETE("allocs", key)			/* it was given back, and nobody saw it */

/*
 * if (stacks may have been thrown away since frame.call began) goto OUT. Who looks for stacks that
 * are needed may find that of frame.call.old neither here nor there, because it goes back.
 */
#define UNLESS_SAME_ROUND(OUT) \
	STACKS_ROUND(R0), \
	JSET(R0, STACKS_CLOSED, OUT), \
	GET(R1, call.round), \
	JNE_REG(R0, R1, OUT)

/* The address in r8, or 0, is what the call in frame.call got. Goes to OUT when it is kept. */
#define GOT(OUT) \
	JNE(R8, 0, ".got"), \
	GET(R1, call.had), \
	JEQ(R1, 0, OUT), \
	GET(R1, call.pointer), \
	KEY(R1), \
	GET(R7, call.size), \
	JEQ(R7, 0, ".given"),				/* realloc(pointer, 0) gives back */ \
	UNLESS_SAME_ROUND(".emptied"), \
	JUMP(".kept"), \
	LABEL(".emptied"), \
	SET_IMM(call.old.user_stack, -EBUSY), \
	LABEL(".kept"), \
	STORE("allocs", key, call.old),			/* allocs[c.pointer] = c.old */ \
	JUMP(OUT), \
	LABEL(".given"), \
	TRACE(MEMLEAK_FREE, R7), \
	JUMP(OUT), \
	LABEL(".got"), \
	JUMP_UNLESS("trace", ".taken"), \
	GET(R1, call.had), \
	JEQ(R1, 0, ".taken"), \
	GET(R1, call.pointer), \
	KEY(R1), \
	GET(R7, call.old.size), \
	TRACE(MEMLEAK_FREE, R7), \
	LABEL(".taken"), \
	KEY(R8), \
	GET(R7, call.size), \
	HOLD(user_stack, kernel_stack, "user_stack", OUT)

static const struct insn on_call[] = {
	CALL_BEGINS("out"),
	FIELD(R8, "size"),
	FIELD(R0, "n"),
	BPF_ALU64_REG(BPF_MUL, R8, R0),
	SET(call.size, R8),				/* c.size = size * n */
	FIELD(R9, "pointer"),
	SET(call.pointer, R9),
	JEQ(R9, 0, "begins"),
	KEY(R9),
	LOOKUP_OR("allocs", key, "begins"),
	COPY_ALL(call.old, R0),				/* c.old = allocs[pointer] */
	SET_IMM(call.had, 1),
	STACKS_ROUND(R0),
	SET(call.round, R0),
	DELETE("allocs", key),				/* delete allocs[pointer] */
LABEL("begins"),
	STORE("calls", tid, call),			/* calls[tid] = c */
LABEL("out"),
	EXIT,
};

static const struct insn on_return[] = {
	CALL_ENDS("out"),
	FIELD(R0, "through"),
	JEQ(R0, 0, "direct"),
	BPF_ALU64_IMM(BPF_LSH, R8, 32),			/* it returns an int: an error, or 0 */
	JNE(R8, 0, "out"),
	GET(R7, call.pointer),
	PEEK_USER(R8, R7, "retval"),
LABEL("direct"),
	GOT("out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_aligned_call[] = {
	CALL_BEGINS("out"),
	SET_FIELD(call.size, "size"),
	SET_FIELD(call.pointer, "pointer"),
	STORE("calls", tid, call),
LABEL("out"),
	EXIT,
};

static const struct insn on_free[] = {
	UNLESS_STOPPED("out"),
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	FIELD(R8, "pointer"),
	KEY(R8),
	JUMP_UNLESS("trace", "silent"),
	LOOKUP_OR("allocs", key, "out"),
	LOAD(R7, R0, struct memleak_held, size),
	DELETE("allocs", key),
	TRACE(MEMLEAK_FREE, R7),
	JUMP("out"),
LABEL("silent"),
	DELETE("allocs", key),				/* delete allocs[pointer] */
LABEL("out"),
	EXIT,
};

static const struct insn on_map_call[] = {
	CALL_BEGINS("out"),
	SET_FIELD(call.kind, "kind"),
	SET_FIELD(call.begin, "time"),
	SET_FIELD(call.pointer, "address"),
	SET_FIELD(call.size, "size"),
	SET_FIELD(call.length, "length"),
	SET_FIELD(call.flags, "flags"),
	STORE("calls", tid, call),
LABEL("out"),
	EXIT,
};

static const struct insn on_map_return[] = {
	CALL_ENDS("out"),
	ZERO(record),
	SET(record.result, R8),
	SET(record.pid_tgid, R6),
	SET_FIELD(record.time, "time"),
	COPY(record.begin, call.begin),
	COPY(record.address, call.pointer),
	COPY(record.size, call.size),
	COPY(record.length, call.length),
	COPY(record.kind, call.kind),
	COPY(record.flags, call.flags),
	SET_BYTES(record.comm, "comm"),
	STACK(R9, "user_stack"),
	SET(record.user_stack, R9),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct insn on_exec[] = {
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	ZERO(record),
	SET(record.pid_tgid, R6),
	SET_FIELD(record.time, "time"),
	SET_IMM(record.kind, MEMLEAK_EXEC),
	OUTPUT("events", record),
	EXIT,
};

static const struct insn on_task_exit[] = {
	SET_FIELD(tid, "pid"),
	DELETE("calls", tid),				/* it was killed within a call */
	EXIT,
};

static const struct insn on_object[] = {
	UNLESS_STOPPED("out"),
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	FIELD(R8, "address"),
	JEQ(R8, 0, "out"),			/* there is none */
	JEQ(R8, -1, "out"),				/* no page has this number */
	FIELD(R7, "size"),
	FIELD(R9, "order"),
	JNE(R7, 0, "sized"),
	CONST(R7, "page_size"),
	BPF_ALU64_REG(BPF_LSH, R7, R9),
LABEL("sized"),
	SET(key.address, R8),
	SET_IMM(key.tgid, 0),
	SET_FIELD(key.space, "space"),
	HOLD(kernel_stack, user_stack, "kernel_stack", "out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_object_free[] = {
	UNLESS_STOPPED("out"),
	FIELD(R8, "address"),
	SET(key.address, R8),
	SET_IMM(key.tgid, 0),
	SET_FIELD(key.space, "space"),
	JUMP_UNLESS("trace", "silent"),
	LOOKUP_OR("allocs", key, "out"),
	LOAD(R7, R0, struct memleak_held, size),
	DELETE("allocs", key),
	FIELD(R6, "pid_tgid"),
	TRACE(MEMLEAK_FREE, R7),
	JUMP("out"),
LABEL("silent"),
	DELETE("allocs", key),				/* delete allocs[address] */
LABEL("out"),
	EXIT,
};

static const struct program user_programs[] = {
	PROGRAM("heap.call", on_call),
	PROGRAM("heap.return", on_return),
	PROGRAM("heap.free", on_free),
	PROGRAM("aligned.call", on_aligned_call, .optional = true),
	PROGRAM("aligned.return", on_return, .optional = true),
	PROGRAM("maps.call", on_map_call, .optional = true),
	PROGRAM("maps.return", on_map_return, .optional = true),
	PROGRAM("exec.done", on_exec, .optional = true),
	PROGRAM("task.exit", on_task_exit, .spare = true),
	{ }
}, kernel_programs[] = {
	PROGRAM("kmem.alloc", on_object, .option = "objects"),
	PROGRAM("kmem.free", on_object_free, .option = "objects"),
	PROGRAM("pages.alloc", on_object, .option = "objects", .optional = true),
	PROGRAM("pages.free", on_object_free, .option = "objects", .optional = true),
	PROGRAM("percpu.alloc", on_object, .option = "percpu"),
	PROGRAM("percpu.free", on_object_free, .option = "percpu"),
	{ }
};

const struct program_set memleak_user_programs = { user_programs, user_maps };
const struct program_set memleak_programs = { kernel_programs, kernel_maps };
