/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLAME_DRAWING_H
#define SONDE_FLAME_DRAWING_H

#include "compat/base/lines.h"
#include "src/lib/flame/tree.h"

/* Sums over all frames, made by drawing_see() before the first frame is drawn. */
struct seen {
	unsigned int deepest;		/* largest depth of a drawn frame; the root's is 0 */
	uint64_t frames, narrow;	/* frames that are drawn; frames too narrow to draw */
	uint64_t narrow_value;		/* value of the frames too narrow to draw */
	uint64_t gone, gone_value;	/* stacks that only FLAME_OLD has, and their value */
	bool kinds[FLAME_KINDS];	/* kinds of code among the drawn frames */
	double change;			/* largest change of a frame's own share; 1 is the whole */
};

struct drawing {
	FILE *file;
	const struct flame *f;		/* after tree_order() */
	const struct flame_look *look;
	struct seen seen;
	struct lines lines;		/* the lines of text above the picture */
	unsigned int columns;		/* characters in such a line, at most */
	bool inverted;			/* the root is on top */
	unsigned int top, bottom;	/* the area of the frames, in px */
	unsigned int status, legend, height;	/* positions, and the picture's height, in px */
	int decimals;			/* decimals of positions */
};

/* A frame and its position: `left` is the sum of the values drawn to the left of it. */
struct place {
	const struct flame_node *node;
	unsigned int depth;
	uint64_t left;
};

/* margin on both sides in px; flame.js has the same number */
#define FLAME_LEFT 10

/*
 * The share of a value in the total of a side; 1 is the whole. By seconds: of a value per second in
 * the total of FLAME_NEW per second.
 */
double drawing_share(const struct drawing *d, enum flame_side side, uint64_t value);
/* The width of a value in px. */
double drawing_width(const struct drawing *d, uint64_t value);
/* How much the frame's own share changed from FLAME_OLD to FLAME_NEW; 1 is the whole. */
double drawing_change(const struct drawing *d, const struct flame_node *n);

/* Calls `each` for each frame that is drawn, callers before the functions they call. */
void drawing_walk(struct drawing *d, void (*each)(struct drawing *d, const struct place *p));
/* Fills d->seen. */
void drawing_see(struct drawing *d);
/* Makes d->lines from d->seen. */
void drawing_say(struct drawing *d);

/* Numbers as text: number_text() writes 1234567 as 1,234,567. Both return `to`. */
#define NUMBER 40			/* bytes */
const char *number_text(char to[NUMBER], uint64_t number);
/* The same for a value of the graph, with decimals if its values are thousandths. */
const char *value_text(const struct flame *f, char to[NUMBER], uint64_t value);

#endif
