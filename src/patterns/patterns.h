/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PATTERNS_H
#define SONDE_PATTERNS_H

#include "compat/base/error.h"
#include "compat/base/lines.h"
#include "compat/hooks/hooks.h"
#include "compat/kernel/kernel.h"
#include "src/patterns/pattern.h"
#include "src/patterns/renamed.h"

/*
 * From a pattern to hooks, for tools whose user names what is traced. A program on one of these
 * hooks runs at each function (or tracepoint) that matches; its input `function` is the number of
 * the name that was hit. Where functions are called they also tell `sp` and `arg1` to `arg6`, where
 * they return `sp`, `popped` and `retval`.
 */
struct patterns {
	struct pattern pattern;
	const struct renamed *row;	/* of a function that some kernels name otherwise */
	char renamed[160];		/* it is another one here: what to say; or empty */
	/* what is traced, by number: names of functions, or SYSTEM:EVENT */
	unsigned int n;
	const char **names;
	/*
	 * On the functions, or on their returns if the pattern says so; or on the tracepoints. Its
	 * name is "function.hit".
	 */
	const struct hook *hook;
	/*
	 * "function.return", of the same group: they go with "function.hit" if the pattern does not
	 * name returns. NULL: tracepoints have none.
	 */
	const struct hook *returns;
	/* functions that match and can't be probed, and lines NAME: WHY of them */
	unsigned int n_left_out;
	struct lines left_out;
	/* what the hooks point to */
	struct found *found;
};

/*
 * For prepare(). What is found is what there is now: functions of modules and libraries that come
 * later are not traced. -1 and err, which says what to do, also if nothing matches;
 * patterns_free() in either case.
 */
int patterns_find(struct kernel *k, const char *text, bool regex, struct patterns *p,
		  struct error *err);
void patterns_free(struct patterns *p);

/* The size of a pointer in all of its programs; 0: there are several. Of the kernel its own. */
unsigned int patterns_word(struct kernel *k, const struct patterns *p);
/* Leaves programs out whose pointers have another size, of which there are some. -1 and err. */
int patterns_keep(struct kernel *k, struct patterns *p, unsigned int word, struct error *err);

/*
 * Of a USDT probe: the type of argument N, from 1, into which that of each of its places fits.
 * False: no place has so many.
 */
bool patterns_argument(struct kernel *k, const struct patterns *p, unsigned int n,
		       unsigned int *size, bool *is_signed);

/* "function", "tracepoints": what `n` of the names are of. */
const char *patterns_what(const struct patterns *p, unsigned int n);

struct run;
/*
 * For started(): how many are traced, as some engines can't probe all that was found. What is left
 * out is said on stderr, with -v by name.
 */
unsigned int patterns_traced(const struct run *r, const struct patterns *p);

/* Where there is one probe for each function, no more than so many are made. */
#define SINGLES_MOST 1000

#endif
