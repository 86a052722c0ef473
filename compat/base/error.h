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
};

/*
 * Sets the text, without a newline at the end. The first line says what went wrong; more lines say
 * why and what to do. Returns -1.
 */
int fail(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
