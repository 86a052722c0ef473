/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ERROR_H
#define SONDE_ERROR_H

/*
 * What went wrong, why, and what the user can do about it: one text, built where all three are
 * known, printed once by main(). Functions that can fail in a way a user should read about take a
 * struct error last, which may be NULL where the caller does not care.
 */
struct error {
	char text[1280];
};

/*
 * Sets the text (no trailing newline; the first line says what, further lines why and what to do);
 * returns -1.
 */
int fail(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
