/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NAMES_H
#define SONDE_NAMES_H

/*
 * The system calls and errors of the machine this binary is for; from its compiler's headers, by
 * the Makefile. Not every C library knows the names of errors.
 */
extern const char syscall_names[], errno_names[];
extern const unsigned int syscall_names_size, errno_names_size;

/* NULL: none that was known when this was built. */
const char *syscall_name(int number);
const char *errno_name(int number);

/* -1: none. */
int syscall_number(const char *name);
int errno_number(const char *name);

#endif
