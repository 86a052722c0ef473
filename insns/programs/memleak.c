// SPDX-License-Identifier: GPL-2.0
/*
 * heap.call:	if (calls[tid] goes on) out
 *		calls[tid] = { place on the stack, size, pointer }
 *		if (pointer) calls[tid].old = allocs[pointer], delete allocs[pointer]
 * heap.return:	c = calls[tid]; if (the place is not c's) out
 *		delete calls[tid]
 *		if (retval) allocs[retval] = { now, c.size, its stack }
 *		else if (c.size) allocs[c.pointer] = c.old
 * heap.free:	delete allocs[pointer]
 * aligned.*:	as heap.call and heap.return; the address is at c.pointer
 * maps.return:	output { c, retval }, unless calls[tid] goes on
 * exec.done:	output
 * kmem.alloc:	allocs[address] = { now, size, its stack }
 * kmem.free:	delete allocs[address]
 *
 * Allocators call each other, and map memory: the outermost call is the program's own. The memory
 * given to realloc() is deleted when the call begins: once it is free, another thread may get the
 * same address, and its event may come first.
 *
 * A call whose return was missed leaves an entry. The next call finds it, and knows that it is not
 * within that call: its place is higher on the stack, or the same (a function that ends by a jump
 * into another also has the same place).
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
	uint32_t round;			/* STACKS_ROUND when the stack was taken */
	struct memleak_held old;
};

RECORD_LAYOUT(call,
	FIELD_AS(call, old.kernel_stack, "kernel_stack", STACK),
	FIELD_AS(call, old.user_stack, "user_stack", STACK));

struct chance {
	u64 state;
};

/*
 * The next state is a multiple of the state, plus 1, modulo 2^64; its upper half is pseudo-random.
 * Every Nth allocation instead would always be at the same place of a program that repeats itself.
 * The first factor sets the beginning; the second is 5 modulo 8, so that all states occur.
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
		struct memleak_record record;	/* used when the other member is stored */
	};
};

/* if (the run has stopped) goto OUT */
#define UNLESS_STOPPED(OUT) \
	EPOCH(R0), \
	JGT(R0, 1, OUT)

/* Registers. */
enum {
	TASK = R6,
	SP = R7, SIZE = R7, THROUGH = R7,
	BEGAN_AT = R8, RETVAL = R8, ADDRESS = R8, WANTED = R8,
	POINTER = R9, STACK_ID = R9, ORDER = R9,
};

/*
 * TASK = pid_tgid; frame.call = the call that begins; if it is within another one, goto OUT.
 */
#define CALL_BEGINS(OUT) \
	UNLESS_STOPPED(OUT), \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	SET(tid, TASK), \
	FIELD(SP, "sp"), \
	LOOKUP_OR("calls", tid, ".outermost"), \
	LOAD(R1, R0, struct call, sp), \
	JGT_REG(R1, SP, OUT), \
	JEQ_REG(R1, SP, ".outermost"), \
	COUNT_INDEX("unseen", index, 0),		/* its return was missed */ \
	LABEL(".outermost"), \
	ZERO(call), \
	SET(call.sp, SP)

/* frame.call = the outermost call, which ends with RETVAL; if another call ends, goto OUT. */
#define CALL_ENDS(OUT) \
	UNLESS_STOPPED(OUT), \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	SET(tid, TASK), \
	LOOKUP_OR("calls", tid, OUT), \
	COPY_ALL(call, R0), \
	FIELD(SP, "sp"), \
	FIELD(R0, "popped"), \
	BPF_ALU64_REG(BPF_SUB, SP, R0), \
	GET(BEGAN_AT, call.sp), \
	JGT_REG(BEGAN_AT, SP, OUT),				/* within it */ \
	DELETE("calls", tid), \
	JEQ_REG(BEGAN_AT, SP, ".ends"), \
	COUNT_INDEX("unseen", index, 0), \
	JUMP(OUT), \
	LABEL(".ends"), \
	FIELD(RETVAL, "retval")

/* frame.key = the address in REG, in TASK's process */
#define KEY(REG) \
	SET(key.address, REG), \
	BPF_MOV64_REG(R0, TASK), \
	BPF_ALU64_IMM(BPF_RSH, R0, 32), \
	SET(key.tgid, R0), \
	SET_IMM(key.space, 0)

/* if (the user did not ask for memory of that SIZE) goto OUT */
#define SIZE_WANTED(OUT) \
	JUMP_UNLESS("min-size", ".any_least"), \
	CONST(R1, "min-size"), \
	JLT_REG(SIZE, R1, OUT), \
	LABEL(".any_least"), \
	JUMP_UNLESS("max-size", ".any_most"), \
	CONST(R1, "max-size"), \
	JGT_REG(SIZE, R1, OUT), \
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

/* With -t: output { KIND, frame.key, BYTES (a register) } of TASK. */
#define TRACE(KIND, BYTES) \
	JUMP_UNLESS("trace", ".untraced"), \
	ZERO(record), \
	SET(record.size, BYTES), \
	SET(record.pid_tgid, TASK), \
	SET_FIELD(record.time, "time"), \
	GET(R0, key.address), \
	SET(record.address, R0), \
	GET(R0, key.space), \
	SET(record.space, R0), \
	SET_IMM(record.kind, KIND), \
	SET_BYTES(record.comm, "comm"), \
	OUTPUT("events", record), \
	LABEL(".untraced")

/* If it is wanted: allocs[frame.key] = { now, SIZE, its stack }, goto OUT. */
#define HOLD(MINE, OTHER, NAME, OUT) \
	SIZE_WANTED(".unwanted"), \
	SET_FIELD(held.time, "time"), \
	SET(held.size, SIZE), \
	SET_BYTES(held.comm, "comm"), \
	STACK(STACK_ID, NAME), \
	SET(held.MINE, STACK_ID), \
	SET_IMM(held.OTHER, -EFAULT), \
	STORE("allocs", key, held), \
	TRACE(MEMLEAK_ALLOC, SIZE), \
	JUMP(OUT), \
	LABEL(".unwanted"), \
	DELETE("allocs", key)			/* its free was missed */

/*
 * if (unused stacks may have been removed since frame.call began) goto OUT. The search for used
 * stacks may miss that of frame.call.old, because the entry moves from `calls` back to `allocs`.
 */
#define UNLESS_SAME_ROUND(OUT) \
	STACKS_ROUND(R0), \
	JSET(R0, STACKS_CLOSED, OUT), \
	GET(R1, call.round), \
	JNE_REG(R0, R1, OUT)

/* The call in frame.call got ADDRESS, or 0. When it is stored, goto OUT. */
#define GOT(OUT) \
	JNE(RENAME(ADDRESS, RETVAL), 0, ".got"), \
	GET(R1, call.had), \
	JEQ(R1, 0, OUT), \
	GET(R1, call.pointer), \
	KEY(R1), \
	GET(SIZE, call.size), \
	JEQ(SIZE, 0, ".given"),				/* realloc(pointer, 0) gives back */ \
	UNLESS_SAME_ROUND(".emptied"), \
	JUMP(".kept"), \
	LABEL(".emptied"), \
	SET_IMM(call.old.user_stack, -EBUSY), \
	LABEL(".kept"), \
	STORE("allocs", key, call.old),			/* allocs[c.pointer] = c.old */ \
	JUMP(OUT), \
	LABEL(".given"), \
	TRACE(MEMLEAK_FREE, SIZE), \
	JUMP(OUT), \
	LABEL(".got"), \
	JUMP_UNLESS("trace", ".taken"), \
	GET(R1, call.had), \
	JEQ(R1, 0, ".taken"), \
	GET(R1, call.pointer), \
	KEY(R1), \
	GET(SIZE, call.old.size), \
	TRACE(MEMLEAK_FREE, SIZE), \
	LABEL(".taken"), \
	KEY(ADDRESS), \
	GET(SIZE, call.size), \
	HOLD(user_stack, kernel_stack, "user_stack", OUT)

static const struct insn on_call[] = {
	CALL_BEGINS("out"),
	FIELD(WANTED, "size"),
	FIELD(R0, "n"),
	BPF_ALU64_REG(BPF_MUL, WANTED, R0),
	SET(call.size, WANTED),				/* c.size = size * n */
	FIELD(POINTER, "pointer"),
	SET(call.pointer, POINTER),
	JEQ(POINTER, 0, "begins"),
	KEY(POINTER),
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
	BPF_ALU64_IMM(BPF_LSH, RETVAL, 32),		/* it returns an int: an error, or 0 */
	JNE(RETVAL, 0, "out"),
	GET(THROUGH, call.pointer),
	PEEK_USER(ADDRESS, THROUGH, "retval"),
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
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	FIELD(ADDRESS, "pointer"),
	KEY(ADDRESS),
	JUMP_UNLESS("trace", "silent"),
	LOOKUP_OR("allocs", key, "out"),
	LOAD(SIZE, R0, struct memleak_held, size),
	DELETE("allocs", key),
	TRACE(MEMLEAK_FREE, SIZE),
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
	SET(record.result, RETVAL),
	SET(record.pid_tgid, TASK),
	SET_FIELD(record.time, "time"),
	COPY(record.begin, call.begin),
	COPY(record.address, call.pointer),
	COPY(record.size, call.size),
	COPY(record.length, call.length),
	COPY(record.kind, call.kind),
	COPY(record.flags, call.flags),
	SET_BYTES(record.comm, "comm"),
	STACK(STACK_ID, "user_stack"),
	SET(record.user_stack, STACK_ID),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct insn on_exec[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	ZERO(record),
	SET(record.pid_tgid, TASK),
	SET_FIELD(record.time, "time"),
	SET_IMM(record.kind, MEMLEAK_EXEC),
	OUTPUT("events", record),
	EXIT,
};

static const struct insn on_task_exit[] = {
	SET_FIELD(tid, "pid"),
	DELETE("calls", tid),				/* the task was killed within a call */
	EXIT,
};

static const struct insn on_object[] = {
	UNLESS_STOPPED("out"),
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	FIELD(ADDRESS, "address"),
	JEQ(ADDRESS, 0, "out"),			/* there is none */
	JEQ(ADDRESS, -1, "out"),			/* no page has this number */
	FIELD(SIZE, "size"),
	FIELD(ORDER, "order"),
	JNE(SIZE, 0, "sized"),
	CONST(SIZE, "page_size"),
	BPF_ALU64_REG(BPF_LSH, SIZE, ORDER),
LABEL("sized"),
	SET(key.address, ADDRESS),
	SET_IMM(key.tgid, 0),
	SET_FIELD(key.space, "space"),
	HOLD(kernel_stack, user_stack, "kernel_stack", "out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_object_free[] = {
	UNLESS_STOPPED("out"),
	FIELD(ADDRESS, "address"),
	SET(key.address, ADDRESS),
	SET_IMM(key.tgid, 0),
	SET_FIELD(key.space, "space"),
	JUMP_UNLESS("trace", "silent"),
	LOOKUP_OR("allocs", key, "out"),
	LOAD(SIZE, R0, struct memleak_held, size),
	DELETE("allocs", key),
	FIELD(TASK, "pid_tgid"),
	TRACE(MEMLEAK_FREE, SIZE),
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
