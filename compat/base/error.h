/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ERROR_H
#define SONDE_ERROR_H

/*
 * An error for the user: what went wrong, why, and what to do. The text is written where all three
 * are known, and main() prints it once. Functions that can fail for a reason that users should read
 * have a struct error as their last argument; NULL: the caller does not need the text.
 */
struct error {
	char text[1280];
	int number;		/* errno of the call that failed; 0: none, or the text has advice */
};

/*
 * Sets the text, without a newline at the end. The first line says what went wrong; more lines say
 * why and what to do. Returns -1.
 */
int fail(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * The same for a call that failed: code that gives advice reads the number, not the text. %m in the
 * format stands for the words of the number.
 */
int fail_with(struct error *err, int number, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
