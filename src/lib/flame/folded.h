/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FOLDED_H
#define SONDE_FOLDED_H

#include "src/lib/flame/flame.h"

/*
 * Folded stacks, one a line: frames with semicolons between them, the outermost caller first, then
 * a blank and a count. A count may have decimals; three of them are kept.
 *
 * stackcollapse-perf.pl and others append the kind of code to names. The reader takes it off:
 * _[k] kernel, _[j] JIT, _[i] inlined, _[w] waker. [NAME.so] is a library, [kernel...] the kernel,
 * any other name in brackets is a mark.
 */
#define FOLDED_LINE (1 << 20)		/* bytes; longer lines are broken */

struct folded_how {
	bool reverse;			/* the leaf becomes the root */
	bool off_cpu;			/* all code has the kind FLAME_OFF_CPU */
};

/* What was read. */
struct folded_lines {
	uint64_t stacks;
	uint64_t doubles;		/* stacks with a second number before the count */
	uint64_t broken, first;		/* lines left out; the number of the first such line */
	const char *why;		/* why the first such line was left out */
};

/*
 * Adds the stacks of a file to one side of `f`, and fills *lines. Returns -1 if the file can't be
 * read or flame_add() fails.
 */
int folded_read(FILE *file, struct flame *f, enum flame_side side, const struct folded_how *how,
		struct folded_lines *lines, struct error *err);

#endif
