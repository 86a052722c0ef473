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
	MAP_PERCPU_ARRAY,	/* key: u32; a plain array where the kernel has no per-CPU ones;
				   values are u64 counts */
	/*
	 * a stack's addresses by the number that STACK gives it; a program set has one at most, and
	 * a plan for BPF more tables behind it, for those that have no place in the first
	 */
	MAP_STACKS,
	/* the same where programs fill it themselves: values are a struct walked_stack */
	MAP_WALKED,
	MAP_CGROUP,		/* for BPF only: control groups by their files, which sonde sets */
	MAP_OUTPUT,		/* where OUTPUT puts records; each begins with its time, u64 ns */
};

/* Values of a MAP_STACKS: addresses, u64, zeros behind the last; as many as most kernels walk. */
#define STACK_DEPTH 127
#define STACK_BYTES (8 * STACK_DEPTH)
/* Such tables, and the bits of a stack's number that are not its table's. */
#define STACK_TABLES 3
#define STACK_TABLE_SHIFT 26
/*
 * In a long run they are emptied of what nobody refers to any more, a part at a time, while
 * programs use the other: the first table, and those behind it.
 */
#define STACK_PARTS 2
/* What a program that walks by itself has room for; behind it is a mark, or 0. */
#define STACK_WALKED 32
struct walked_stack {
	u64 addresses[STACK_WALKED + 1];
	u64 hash;			/* 0: nobody has filled it */
	u64 claims;		/* only who makes it 1 may */
};
/* The option, a constant of the plan, that says how many entries there are. */
#define STACK_STORAGE "stack-storage-size"
/* What programs and tools put in the place of a stack's number, where nobody looked for one. */
enum stack_lack {
	STACK_BEFORE = -10000,	/* the thread went to sleep before it was traced */
	STACK_PREEMPTED,	/* nobody woke it: it could run on */
	STACK_NOT_WOKEN,	/* not by the end */
	STACK_NOT_SEEN,		/* who woke it is not known */
};

/* What a map is for. That decides what a gap in the events does to it, and how it is read. */
enum map_role {
	ROLE_JOIN,		/* an entry waits for its other half: a gap drops it */
	ROLE_HINT,		/* of a hash: the same, but without an entry only less is known:
				   the oldest give way to new ones */
	ROLE_RESULT,		/* what the user sees: taken at each interval */
	ROLE_TABLE,		/* options and look-ups: kept */
};

/*
 * Whose an entry of a join is, which waits for its owner's next switch: the key is its id. If the
 * rings have missed that switch, the entry becomes 0.
 */
enum map_owner { OF_OTHER, OF_CPU, OF_TASK };

/* Results are counted in one epoch, taken from another, and when the run has stopped in a third. */
#define EPOCHS 3

struct map {
	const char *name;
	enum map_kind kind;
	enum map_role role;
	uint16_t key_size;
	uint16_t value_size;
	uint32_t entries;
	/*
	 * The layout of a key and of a value, or of an output's records. NULL: not told; a result's
	 * value is one u64 then, a count or a sum.
	 */
	const struct record_layout *key, *value;
	enum map_owner of;
	/*
	 * Of a join or hint: without an entry its row has a column less, or another map's entry
	 * waits for the same row. What a gap drops of it makes no row missing.
	 */
	bool detail;
	/*
	 * Of a join: an entry is a call that has begun, and all 0, or gone, once it has returned.
	 * Those that are left when the run ends are counted where the kernel may have missed
	 * returns.
	 */
	bool calls;
	/*
	 * An output, of the rings: behind what a program hands over comes the whole record of the
	 * event that it ran on, and up to 8 bytes more.
	 */
	bool whole;
	/*
	 * Of a result hash whose keys come in runs: BPF programs count those of a run in this map
	 * first (insns/lower/lower_run.c), a MAP_PERCPU_ARRAY of EPOCHS values, each a key and a
	 * u64. Not where keys have stacks: nobody would see that they are referred to.
	 */
	const char *run;
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
	 * Attached only if this option is not 0; "lacks:HOOK.INPUT": only if this kernel does not
	 * serve that input; NULL: always.
	 */
	const char *option;
	bool optional;			/* what the tool shows without it is true: an input or a
					   counter is missing */
	bool spare;			/* optional, and nothing is missing without it: another
					   program has it all */
	bool tidies;			/* it makes room, and no more: a hit that is lost changes
					   nothing */
};

#define PROGRAM(HOOK, ARRAY, ...) \
	{ .hook = (HOOK), .insns = (ARRAY), .n_insns = sizeof(ARRAY) / sizeof((ARRAY)[0]), \
	  .file = __FILE__, __VA_ARGS__ }

/* All programs and maps of a tool; both arrays end with an empty row. */
struct program_set {
	const struct program *programs;
	const struct map *maps;
};

/* The values of options and kernel facts for CONST and JUMP_UNLESS; ends with an empty row. */
struct constant {
	const char *name;
	s64 value;
};

#endif
