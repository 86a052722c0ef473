/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPRESSION_H
#define SONDE_EXPRESSION_H

#include <stdbool.h>

#include "compat/base/error.h"

/*
 * Does a text match? POSIX extended regular expressions, with \w \W \s \S \b \B \< \> as GNU has
 * them, and the patterns of file names. The C library's regcomp() is a twentieth of a static binary
 * and can take endless time and memory; here time is the product of both lengths.
 * There are no references back (\1): they are an error. Characters are bytes.
 */
struct expression;

/* NULL and err: what is wrong with it; the caller names it. */
struct expression *expression_new(const char *regex, struct error *err);
/* Of `*`, `?`, `[...]`, and `\` before one of them; all of the text has to match. */
struct expression *expression_of_glob(const char *glob, struct error *err);
void expression_free(struct expression *e);

bool expression_matches(struct expression *e, const char *text);

#endif
