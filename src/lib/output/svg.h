/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SVG_H
#define SONDE_SVG_H

#include <stddef.h>
#include <stdio.h>

/* What all pictures need: text of others that stays text in XML. */

/* Text without control characters, as the content of an element or the value of an attribute. */
void svg_text(FILE *file, const char *s);
/* Whatever is in it, escaped, as one line of at most so many bytes; "..." is behind more. */
void svg_line(FILE *file, const char *s, size_t length, size_t most);
/* The same of at most so many columns; ".." is in place of what has no room. */
void svg_label(FILE *file, const char *s, size_t length, size_t columns);

#endif
