/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_FORMAT_H
#define SONDE_LANG_FORMAT_H

#include "src/language/expressions/tree.h"

/*
 * A format of printf: the text between values, and how each value is shown. %K and %U show the name
 * of a function, of the kernel and of the process, and %S a struct or an array.
 */
#define FORMAT_MOST 127

struct conversion {
	char flags[8];
	char letter;			/* d u x o X c s p K U S; r, R is rx, H is rh */
	int16_t width, precision;	/* -1: none */
	struct c_type type;		/* the value is converted to this type */
	uint32_t at;			/* position in the source */
	size_t end;			/* of the text before the value, in format_text.text */
};

struct format_text {
	char *text;			/* all text between values, without gaps */
	size_t length;
	struct conversion list[FORMAT_MOST];
	unsigned int n;
};

/*
 * Parses a literal at `*at` of the source, and moves `*at` behind it. Returns -1 and sets err on
 * failure; format_text_free() is called in either case.
 */
int format_text_parse(struct tree *t, size_t *at, unsigned int word, struct format_text *f,
		      struct error *err);
void format_text_free(struct format_text *f);
/* Returns true if the caller writes the value. */
bool format_is_text(const struct conversion *c);

/*
 * Writes a number as its conversion says; `to` has room for FORMAT_NUMBER bytes. Returns the
 * length. The caller writes texts, %K, %U and %S.
 */
#define FORMAT_NUMBER 160
int format_number(const struct conversion *c, uint64_t value, char *to);

#endif
