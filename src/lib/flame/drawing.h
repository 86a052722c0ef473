/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLAME_DRAWING_H
#define SONDE_FLAME_DRAWING_H

#include "compat/base/lines.h"
#include "src/lib/flame/tree.h"

/* What is known before the first frame is drawn. */
struct seen {
	unsigned int deepest;
	uint64_t frames, narrow;	/* drawn, left out */
	uint64_t narrow_value;
	uint64_t gone, gone_value;	/* stacks in OLD only */
	bool kinds[FLAME_KINDS];
	double change;			/* the largest of a frame's own share, 1 is all */
};

struct drawing {
	FILE *file;
	const struct flame *f;		/* its tree is in order */
	const struct flame_look *look;
	struct seen seen;
	struct lines lines;		/* above the picture */
	unsigned int columns;		/* of such a line, at most */
	unsigned int top, bottom;	/* of the frames */
	unsigned int status, legend, height;
	int decimals;			/* of positions */
};

/* A frame, and where it is: so much is left of it. */
struct place {
	const struct flame_node *node;
	unsigned int depth;
	uint64_t left;
};

#define FLAME_LEFT 10			/* px, and right; flame.js knows it, too */

double drawing_share(const struct drawing *d, enum flame_side side, uint64_t value);
double drawing_width(const struct drawing *d, uint64_t value);
/* of a frame's own share; 1 is all */
double drawing_change(const struct drawing *d, const struct flame_node *n);

/* Each frame that is drawn, a caller before what it calls. */
void drawing_walk(struct drawing *d, void (*each)(struct drawing *d, const struct place *p));
/* Finds out what is seen. */
void drawing_see(struct drawing *d);
/* Makes the lines above the picture of it. */
void drawing_say(struct drawing *d);

/* 1234567 is 1,234,567. Both return `to`. */
#define NUMBER 40			/* bytes */
const char *number_text(char to[NUMBER], uint64_t number);
const char *value_text(const struct flame *f, char to[NUMBER], uint64_t value);

#endif
