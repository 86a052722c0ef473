/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NAMES_H
#define SONDE_NAMES_H

/*
 * The system calls and errors of this binary's machine; the Makefile takes them from the compiler's
 * headers. Not every C library knows the names of errors.
 */
extern const char syscall_names[], errno_names[];
extern const unsigned int syscall_names_size, errno_names_size;

/* NULL: the number was not known when this was built. */
const char *syscall_name(int number);
const char *errno_name(int number);

/* -1: there is no such name. */
int syscall_number(const char *name);
int errno_number(const char *name);

#endif
