/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FOLDED_H
#define SONDE_FOLDED_H

#include "src/lib/flame/flame.h"

/*
 * Folded stacks, a line each: frames with semicolons between them, the root in front, and behind a
 * blank a count, which may have decimals: thousandths are kept.
 *
 * The ends that stackcollapse-perf.pl and others give to names say their kinds and are taken off:
 * _[k] kernel, _[j] JIT, _[i] inlined, _[w] waker. [NAME.so] is a library, [kernel...] the kernel,
 * all else in brackets no code.
 */
#define FOLDED_LINE (1 << 20)		/* bytes; longer ones are broken */

struct folded_how {
	bool reverse;			/* the leaf becomes the root */
	bool off_cpu;			/* all code is FLAME_OFF_CPU */
};

struct folded_lines {
	uint64_t stacks;
	uint64_t doubles;		/* of them: with a second number before the count */
	uint64_t broken, first;		/* lines left out, and the number of the first of those */
	const char *why;		/* of that one */
};

/* Adds them to one side of f. -1: can't be read, or added. */
int folded_read(FILE *file, struct flame *f, enum flame_side side, const struct folded_how *how,
		struct folded_lines *lines, struct error *err);

#endif
