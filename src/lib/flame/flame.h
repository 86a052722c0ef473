/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLAME_H
#define SONDE_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Flame graphs: stacks with values are added one by one, in any order and any number. The picture
 * can be written at any time, and again.
 *
 * The limits below bound the memory. A stack that is too deep ends with a frame [cut at N]. Stacks
 * beyond the other limits share one frame of their own. So the picture has all values, and no frame
 * has a value of another.
 */
#define FLAME_DEPTH 1000		/* frames of a stack */
#define FLAME_FRAMES 4000000u		/* frames; one below another caller is another frame */
#define FLAME_NAMES 1000000u
#define FLAME_NAME_BYTES (64u << 20)	/* bytes of all names */

/* The kind of a frame's code; it has a colour. Frames of one name and two kinds are two frames. */
enum flame_kind {
	FLAME_USER, FLAME_LIBRARY, FLAME_JIT, FLAME_INLINED, FLAME_KERNEL, FLAME_OFF_CPU,
	FLAME_WAKER,
	FLAME_MARK,			/* not code: [unknown], [lost], the name of a process */
	FLAME_KINDS
};

/* A frame of a stack to add. The name may have any bytes. */
struct flame_frame {
	const char *name;
	size_t length;
	enum flame_kind kind;
};

/* A difference has two sides: each frame has a value in both. */
enum flame_side { FLAME_NEW, FLAME_OLD, FLAME_SIDES };

struct error;

/* An empty graph. Returns NULL if there is no memory. */
struct flame *flame_new(void);
void flame_free(struct flame *f);
/*
 * Adds a stack, the outermost caller first. A stack of no frames adds its value to the root alone.
 * Returns -1 and adds nothing if there is no memory, or if the sum of all values exceeds 2^64.
 */
int flame_add(struct flame *f, enum flame_side side, const struct flame_frame *frames,
	      unsigned int n, uint64_t value, struct error *err);
/*
 * From this call on values are thousandths; values added before are multiplied by 1000. The second
 * call does nothing. Returns -1 if the sum of all values exceeds 2^64.
 */
int flame_thousandths(struct flame *f, struct error *err);
/* The sum of all values of a side. */
uint64_t flame_total(const struct flame *f, enum flame_side side);

/* How a picture looks. */
struct flame_look {
	const char *title;
	const char *subtitle;		/* host, kernel, time; NULL: none */
	const char *unit;		/* of the values: "samples", "us" */
	const char *note;		/* a remark above the picture; NULL: none */
	/* name of the FLAME_OLD side: colours show the difference to it; NULL: no difference */
	const char *old;
	/*
	 * How long both sides took: the difference is that of their values per second. 0: it is
	 * that of shares in the whole side.
	 */
	double seconds[FLAME_SIDES];
	unsigned int width;		/* px */
	/*
	 * Narrower frames are left out, with all frames above them: px, or per cent of the total.
	 */
	double narrowest;
	bool narrowest_is_share;	/* `narrowest` is in per cent */
	bool inverted;			/* the root is on top, as it is if there are many rows */
};
#define FLAME_WIDTH 1200
#define FLAME_NARROWEST 0.1

/*
 * Writes the picture, one SVG file without references to others. Returns -1 if there is no memory.
 * The caller asks `file` for errors of writing.
 */
int flame_svg(FILE *file, struct flame *f, const struct flame_look *look, struct error *err);

#endif
