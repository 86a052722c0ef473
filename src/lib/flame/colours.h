/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLAME_COLOURS_H
#define SONDE_FLAME_COLOURS_H

#include "src/lib/flame/flame.h"

/*
 * Colours of frames are classes of the picture's style: a kind has some shades, and a name always
 * the same of them. All are light enough for black text, also on paper.
 */
#define SHADES 8
#define LEVELS 8			/* of a difference, either way; 0 is none */

const char *colours_title(enum flame_kind kind);	/* "kernel" */
char colours_letter(enum flame_kind kind);		/* of its classes */
unsigned int colours_shade(const char *name, size_t length);

/* ".k0{fill:#...}" and so on. */
void colours_of_kind(FILE *file, enum flame_kind kind);
/* less: .b8 to .b1, none: .e, more: .r1 to .r8 */
void colours_of_difference(FILE *file);
void colours_level(FILE *file, int level);		/* its class */

#endif
