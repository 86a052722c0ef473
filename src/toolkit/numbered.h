/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NAMES_H
#define SONDE_NAMES_H

/*
 * Names of the system calls and errors of this binary's machine. The Makefile takes them from the
 * compiler's headers, because not every C library has names of errors.
 */
extern const char syscall_names[], errno_names[];
extern const unsigned int syscall_names_size, errno_names_size;
/* The same of the calls of 32-bit tasks; empty if this machine's headers do not have them. */
extern const char syscall_32_names[];
extern const unsigned int syscall_32_names_size;

/* The name of a number. Return NULL if the number was unknown at build time. */
const char *syscall_name(int number);
const char *syscall_32_name(int number);
const char *errno_name(int number);

/* The number of a name. Return -1 if there is no such name. */
int syscall_number(const char *name);
int errno_number(const char *name);

#endif
