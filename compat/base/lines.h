/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LINES_H
#define SONDE_LINES_H

#include <stdarg.h>

/* Lines of text, each once, in the order of their addition. All zero: empty. */
struct lines {
	unsigned int n;
	char **list;		/* ends with NULL; NULL while n is 0 */
	unsigned int most;	/* limit of n; 0: none */
	unsigned int more;	/* lines beyond the limit, which were not kept */
	char *text;		/* of lines_text() */
};

/* Adds a line, unless it is there already. If there is no memory, it is left out. */
void lines_add(struct lines *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lines_vadd(struct lines *l, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
/*
 * All lines with newlines between them, and the number of lines beyond the limit. Returns NULL if
 * there are none. Valid until the next call, or lines_free().
 */
const char *lines_text(struct lines *l);
void lines_free(struct lines *l);

#endif
