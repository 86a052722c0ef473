/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLAME_COLOURS_H
#define SONDE_FLAME_COLOURS_H

#include "src/lib/flame/flame.h"

/*
 * A frame's colour is a class of the picture's style sheet. Each kind of code has SHADES colours;
 * a hash of the frame's name picks one of them. All are light enough for black text, also on paper.
 */
#define SHADES 8
/* levels of a difference in each direction; 0: no difference */
#define LEVELS 8

/* The name of a kind, as the legend shows it: "kernel". */
const char *colours_title(enum flame_kind kind);
/* The letter that a kind's classes begin with. */
char colours_letter(enum flame_kind kind);
/* The number of the shade for a name, below SHADES: a name always has the same one. */
unsigned int colours_shade(const char *name, size_t length);

/* Writes the style rules of a kind: ".k0{fill:#...}" and so on. */
void colours_of_kind(FILE *file, enum flame_kind kind);
/* Writes the style rules of a difference: .b8 to .b1 for less, .e for none, .r1 to .r8 for more. */
void colours_of_difference(FILE *file);
/* Writes the class of a level, from -LEVELS to LEVELS. */
void colours_level(FILE *file, int level);

#endif
