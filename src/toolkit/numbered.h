/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NAMES_H
#define SONDE_NAMES_H

/*
 * Names of the errors of this binary's machine. The Makefile takes them from the compiler's
 * headers, because not every C library has them.
 */
extern const char errno_names[];
extern const unsigned int errno_names_size;

/* The name of a number. Return NULL if the number was unknown at build time. */
const char *errno_name(int number);

/* The number of a name. Return -1 if there is no such name. */
int errno_number(const char *name);

#endif
