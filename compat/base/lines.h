/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LINES_H
#define SONDE_LINES_H

/* Lines of text, each once, in the order they came. All zero: none yet. */
struct lines {
	unsigned int n;
	char **list;		/* ends with NULL; NULL while n is 0 */
	unsigned int most;	/* so many are kept; 0: all */
	unsigned int more;	/* so many were not kept */
	char *text;		/* of lines_text() */
};

/* When out of memory it leaves the line out. */
void lines_add(struct lines *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * All lines with newlines between them, and how many more there were; NULL: none. Valid until the
 * next call, or lines_free().
 */
const char *lines_text(struct lines *l);
void lines_free(struct lines *l);

#endif
