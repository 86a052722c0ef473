/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TEXT_H
#define SONDE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Texts made by a format, in an array of a fixed size. snprintf() leaves the beginning of a text
 * that does not fit, which looks like a whole one: it is for numbers and for callers that look at
 * what it returns.
 */

/*
 * For what is opened, compared, or handed to the kernel. A text that does not fit is left out: the
 * array is empty, errno is ENAMETOOLONG, and the result false. There is no file and no name "".
 */
bool text_all(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* For what is shown: "..." is the end of a text that does not fit. */
void text_cut(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
/*
 * For messages, whose end has the reason and the advice: "..." takes the place of the middle, as of
 * a long path.
 */
void text_vcut(char *to, size_t size, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

#endif
