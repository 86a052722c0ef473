/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_FORMAT_H
#define SONDE_LANG_FORMAT_H

#include "src/lang/tree.h"

/*
 * A format of printf's: what is between its values, and how each is shown. %K and %U are
 * functions of the kernel and of the process.
 */
#define FORMAT_MOST 12

struct conversion {
	char flags[8];
	char letter;			/* d u x o X c s p K U */
	int16_t width, precision;	/* -1: none */
	struct c_type type;		/* what the value is converted to */
	uint16_t at;			/* in the source */
	size_t end;			/* of the text before it, in struct format_text's text */
};

struct format_text {
	char *text;			/* all that is between values, without gaps */
	size_t length;
	struct conversion list[FORMAT_MOST];
	unsigned int n;
};

/* A literal at `*at` of the source, which is set behind it. -1 and err; format_text_free(). */
int format_text_parse(struct tree *t, size_t *at, unsigned int word, struct format_text *f,
		      struct error *err);
void format_text_free(struct format_text *f);

/*
 * Writes a number as its conversion says, `to` has FORMAT_NUMBER bytes; returns its length. Texts,
 * and K and U, are the caller's.
 */
#define FORMAT_NUMBER 160
int format_number(const struct conversion *c, uint64_t value, char *to);

#endif
