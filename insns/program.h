/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROGRAM_H
#define SONDE_PROGRAM_H

#include <stdbool.h>

#include "compat/hooks/hooks.h"
#include "insns/field.h"
#include "insns/insn.h"

enum map_kind {
	MAP_HASH,
	MAP_ARRAY,		/* key: u32 */
	MAP_PERCPU_ARRAY,	/* key: u32; values are u64 counts; a plain array on kernels without
				   per-CPU arrays */
	/*
	 * the addresses of a stack, by the number that STACK gives it. A program set has one such
	 * map at most. A plan for BPF adds more tables behind it, for stacks without a place in the
	 * first
	 */
	MAP_STACKS,
	/*
	 * the same, filled by programs that walk stacks themselves: values are a struct
	 * walked_stack
	 */
	MAP_WALKED,
	MAP_CGROUP,		/* BPF only: cgroups by their files, set by sonde */
	MAP_OUTPUT,		/* takes the records of OUTPUT; each begins with its time, u64 ns */
	/*
	 * sonde's machine only: whoever runs the machine answers (struct vm_host). A value stays
	 * until the next operation on such a map, and changes of it change nothing.
	 */
	MAP_HOST,
};

/* Values of a MAP_STACKS: u64 addresses, then zeros; as many as most kernels walk. */
#define STACK_DEPTH 127
#define STACK_BYTES (8 * STACK_DEPTH)
/* The number of such tables; bits of a stack's number from here on are its table's number. */
#define STACK_TABLES 3
#define STACK_TABLE_SHIFT 26
/*
 * In a long run unused stacks are removed from one part of the tables while programs use the other.
 * The parts are the first table, and those behind it.
 */
#define STACK_PARTS 2
/* The addresses that a program walks by itself; a mark or 0 follows. */
#define STACK_WALKED 32
struct walked_stack {
	u64 addresses[STACK_WALKED + 1];
	u64 hash;			/* 0: not filled yet */
	u64 claims;		/* the program that makes it 1 fills the entry */
};
/* The option, a constant of the plan, with the number of entries. */
#define STACK_STORAGE "stack-storage-size"
/* Written instead of a stack's number if no stack was looked for. */
enum stack_lack {
	STACK_BEFORE = -10000,	/* the thread went to sleep before it was traced */
	STACK_PREEMPTED,	/* the thread was not woken: it was runnable */
	STACK_NOT_WOKEN,	/* the thread was not woken by the end of the run */
	STACK_NOT_SEEN,		/* the waker is unknown */
};

/* The purpose of a map: it decides what happens after a gap in the events, and how it is read. */
enum map_role {
	ROLE_JOIN,		/* an entry waits for a second event: a gap drops all entries */
	ROLE_HINT,		/* of a hash: the same; a missing entry only makes a row less
				   complete, so new entries may evict old ones */
	ROLE_RESULT,		/* shown to the user: taken at each interval */
	ROLE_TABLE,		/* options and look-ups: kept */
};

/*
 * The owner of a join's entry that waits for the owner's next switch: the key is the owner's id. If
 * the rings missed that switch, the entry becomes 0.
 */
enum map_owner { OF_OTHER, OF_CPU, OF_TASK };

/* Results are added in one epoch and taken from another; a third is for a run that has stopped. */
#define EPOCHS 3

/* How the numbers of two values of one key become one. */
enum combine { COMBINE_SUM, COMBINE_MIN, COMBINE_MAX, COMBINE_MIN_SIGNED, COMBINE_MAX_SIGNED };
#define COMBINED 8

struct map {
	const char *name;
	enum map_kind kind;
	enum map_role role;
	uint16_t key_size;
	uint16_t value_size;
	uint32_t entries;
	/* for BPF only: the file descriptor of a map that is there already; 0: it is made */
	int fd;
	/*
	 * The layouts of keys and values, or of an output's records. NULL: none; the value of a
	 * result is then one u64, a count or a sum.
	 */
	const struct record_layout *key, *value;
	enum map_owner of;
	/*
	 * Of a join or hint: without an entry a row only lacks a column, or another map has an
	 * entry for the same row. If a gap drops its entries, no row is missing.
	 */
	bool detail;
	/*
	 * Of a join: an entry is a call that has begun; it becomes 0 or is deleted when the call
	 * returns. If the kernel may have missed returns, entries left at the end of the run are
	 * counted.
	 */
	bool calls;
	/* Of a hash: sonde adds to its entries while programs change them (add() of engines). */
	bool added;
	/*
	 * Of an output on rings: each record is followed by the whole record of the event, and up
	 * to 8 bytes more.
	 */
	bool whole;
	/*
	 * Of a result hash whose keys come in runs: BPF programs first count a run in this map
	 * (insns/lower/lower_run.c), a MAP_PERCPU_ARRAY with EPOCHS values, each a key and a u64.
	 * Not for keys with stacks: the stacks would look unused.
	 */
	const char *run;
	/*
	 * Of a result hash: enum combine, for each u64 of a value. Only sums can be added to by
	 * several programs at a time: where there are others, keys tell who adds.
	 */
	uint8_t combine[COMBINED];
};

struct program {
	const char *hook;		/* logical hook; the first word up to the dot is its
					   group */
	const struct hook *built;	/* a hook of that name made at run time; NULL: the row of
					   the tables */
	const struct insn *insns;
	unsigned int n_insns;
	const char *file;		/* its source, for the comments of --dump */
	/*
	 * Attached only if this option is not 0; "lacks:HOOK.INPUT": only if the input is
	 * unavailable on this kernel; NULL: always.
	 */
	const char *option;
	bool optional;			/* without it the output is true, but an input or a counter
					   is missing */
	bool spare;			/* optional, and nothing is missing without it: another
					   program does the same */
	bool tidies;			/* it only makes room: a lost event changes no result */
	/* of tasks that FILTER drops, as current ones, it reads no stacks */
	bool own_stacks;
	bool may_be_long;		/* more than 4096 instructions, where they are taken */
	unsigned int frame;		/* bytes of the stack, of one with loops; 0: not known */
};

#define PROGRAM(HOOK, ARRAY, ...) \
	{ .hook = (HOOK), .insns = (ARRAY), .n_insns = sizeof(ARRAY) / sizeof((ARRAY)[0]), \
	  .file = __FILE__, __VA_ARGS__ }

/* All programs and maps of a tool; both arrays end with an empty row. */
struct program_set {
	const struct program *programs;
	const struct map *maps;
	/*
	 * The programs of kernels and engines that can't serve these. They have the same results:
	 * the tool does not tell them apart. NULL: there are none.
	 */
	const struct program_set *otherwise;
	/* what a kernel must have for these programs; only with `otherwise`; NULL: nothing */
	const enum feature *needs;
};

/* A value of an option or kernel fact, for CONST and JUMP_UNLESS; arrays end with an empty row. */
struct constant {
	const char *name;
	s64 value;
};

#endif
