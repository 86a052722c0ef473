/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SVG_H
#define SONDE_SVG_H

#include <stddef.h>
#include <stdio.h>

/* Text in SVG pictures. XML stays valid whatever bytes the text has. */

/* Writes text without control characters as content of an element or value of an attribute. */
void svg_text(FILE *file, const char *s);
/* Writes any bytes, escaped, as one line of at most `most` bytes; "..." ends a longer line. */
void svg_line(FILE *file, const char *s, size_t length, size_t most);
/* The same for at most `columns` columns; ".." ends a longer text. */
void svg_label(FILE *file, const char *s, size_t length, size_t columns);

#endif
