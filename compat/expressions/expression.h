/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPRESSION_H
#define SONDE_EXPRESSION_H

#include <stdbool.h>

#include "compat/base/error.h"

/*
 * Matching of texts: POSIX extended regular expressions, with GNU's \w \W \s \S \b \B \< \>, and
 * patterns of file names. The C library's regcomp() is a twentieth of a static binary, and can take
 * endless time and memory; here time is the product of both lengths. Back references (\1) are an
 * error. Characters are bytes.
 */
struct expression;

/* Compiles a regular expression. Returns NULL and sets err to the mistake, without the text. */
struct expression *expression_new(const char *regex, struct error *err);
/* Compiles a pattern with `*`, `?`, `[...]`, and `\` before one of them; it matches whole texts. */
struct expression *expression_of_glob(const char *glob, struct error *err);
void expression_free(struct expression *e);

/* Returns true if the text matches. */
bool expression_matches(struct expression *e, const char *text);

#endif
