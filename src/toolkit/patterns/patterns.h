/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PATTERNS_H
#define SONDE_PATTERNS_H

#include "compat/base/error.h"
#include "compat/base/lines.h"
#include "compat/hooks/hooks.h"
#include "compat/kernel/kernel.h"
#include "src/toolkit/patterns/pattern.h"
#include "src/toolkit/patterns/renamed.h"

/*
 * Hooks made from a pattern, for tools whose user names what to trace. A program on such a hook
 * runs at each function (or tracepoint) that matches; its input `function` is the number of the
 * name. At calls of functions there are also the inputs `sp` and `arg1` to `arg6`; at returns `sp`,
 * `popped` and `retval`.
 */
struct patterns {
	struct pattern pattern;
	const struct renamed *row;	/* the function is named otherwise on some kernels */
	char renamed[160];		/* a note if it is named otherwise here; or empty */
	bool typed;			/* of the kernel: a few may be probed by their types */
	/* the matching names by number: functions, or SYSTEM:EVENT */
	unsigned int n;
	const char **names;
	/*
	 * The hook "function.hit": on the calls of the functions, on their returns if the pattern
	 * is of returns, or on the tracepoints.
	 */
	const struct hook *hook;
	/*
	 * The hook "function.return", in one group with "function.hit", if the pattern is not of
	 * returns. NULL for tracepoints.
	 */
	const struct hook *returns;
	/* matching functions that can't be probed; a line NAME: WHY for each */
	unsigned int n_left_out;
	struct lines left_out;
	/* memory of the hooks */
	struct found *found;
};

/*
 * Finds what matches now; for prepare(). Functions of modules and libraries that are loaded later
 * are not traced. `typed`: a few functions may be probed by their types, where that is cheaper;
 * it tells the same but arguments that are smaller than a register. Returns -1 and sets err on
 * failure, and also if nothing matches.
 * patterns_free() is called in either case.
 */
int patterns_find(struct kernel *k, const char *text, bool regex, bool typed, struct patterns *p,
		  struct error *err);
void patterns_free(struct patterns *p);
/*
 * Makes other hooks of functions of the kernel that were found: calls of them and of all that they
 * call, down to `depth` levels (0: all), by the function graph tracer. The inputs are `func` (an
 * address) and `depth`, and at returns also `calltime` and `rettime`. `awake`: without the times in
 * which the task slept. Returns -1 if there is no memory.
 */
int patterns_graph(struct patterns *p, uint32_t depth, bool awake);

/* The bytes of a pointer in the programs or the kernel; 0: the programs have different sizes. */
unsigned int patterns_word(struct kernel *k, const struct patterns *p);
/*
 * Keeps only programs with pointers of `word` bytes; at least one program has them. Returns -1 and
 * sets err if there is no memory.
 */
int patterns_keep(struct kernel *k, struct patterns *p, unsigned int word, struct error *err);

/*
 * For a USDT probe: the type of argument n, counted from 1. It can hold the argument of every place
 * of the probe. Returns false if no place has an argument n.
 */
bool patterns_argument(struct kernel *k, const struct patterns *p, unsigned int n,
		       unsigned int *size, bool *is_signed);

/* The word for n of the names: "function", "tracepoints". */
const char *patterns_what(const struct patterns *p, unsigned int n);

struct run;
/*
 * The number of names that are traced: some engines can't probe all. Prints on stderr how many are
 * left out, with -v their names. For started().
 */
unsigned int patterns_traced(const struct run *r, const struct patterns *p);

/* Limits of functions if each of them needs a probe, or a program, of its own. */
#define SINGLES_MOST 1000
#define TYPED_MOST 4

#endif
