/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLAME_H
#define SONDE_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Flame graphs: stacks with values are added one by one, in any order and however often; the
 * picture can be written at any time, again and again.
 *
 * Memory is bounded by the limits below. A stack that is deeper ends with a frame [cut at N];
 * stacks there is no room for are together in a frame of their own. So all values are in the
 * picture, and none is a frame's that it does not belong to.
 */
#define FLAME_DEPTH 1000
#define FLAME_FRAMES 4000000u		/* different ones, below different callers */
#define FLAME_NAMES 1000000u
#define FLAME_NAME_BYTES (64u << 20)

/* What code it is; colours say it. A frame is another one if its kind is another. */
enum flame_kind {
	FLAME_USER, FLAME_LIBRARY, FLAME_JIT, FLAME_INLINED, FLAME_KERNEL, FLAME_OFF_CPU,
	FLAME_WAKER,
	FLAME_MARK,			/* no code: [unknown], [lost], the name of a process */
	FLAME_KINDS
};

/* Names may hold anything. */
struct flame_frame {
	const char *name;
	size_t length;
	enum flame_kind kind;
};

/* Of a difference, what it is compared with has a value of its own in each frame. */
enum flame_side { FLAME_NEW, FLAME_OLD, FLAME_SIDES };

struct error;

/* NULL: no memory. */
struct flame *flame_new(void);
void flame_free(struct flame *f);
/*
 * A stack, the root (what was called first) in front; one of no frames is a value of all. -1:
 * there is no memory, or all values are more than 2^64 together; then nothing was added.
 */
int flame_add(struct flame *f, enum flame_side side, const struct flame_frame *frames,
	      unsigned int n, uint64_t value, struct error *err);
/*
 * From here on values are thousandths, and all there are become such, if they are not already. The
 * same errors.
 */
int flame_thousandths(struct flame *f, struct error *err);
uint64_t flame_total(const struct flame *f, enum flame_side side);

struct flame_look {
	const char *title;
	const char *subtitle;		/* host, kernel, time; NULL: none */
	const char *unit;		/* of the values: "samples", "us" */
	const char *note;		/* what else is said above the picture; NULL: nothing */
	/* what it is compared with: colours are the difference; NULL: with nothing */
	const char *old;
	unsigned int width;		/* px */
	/* Narrower frames are left out, with all above them: px, or per cent of all. */
	double narrowest;
	bool narrowest_is_share;
	bool inverted;			/* the root is on top */
};
#define FLAME_WIDTH 1200
#define FLAME_NARROWEST 0.1

/* A self-contained SVG. -1: no memory. Whether `file` took it, that knows. */
int flame_svg(FILE *file, struct flame *f, const struct flame_look *look, struct error *err);

#endif
