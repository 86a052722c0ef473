/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LITERALS_H
#define SONDE_LITERALS_H

/*
 * Calls see() for each FUNCTION(ONE, "NAME" in the files of src; `second` is the next argument, if
 * that is a text too, else empty. Returns how many there are.
 */
unsigned int literals_of(const char *function,
			 void (*see)(const char *path, const char *name, const char *second));

#endif
