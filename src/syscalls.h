/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYSCALLS_H
#define SONDE_SYSCALLS_H

/* The system calls of the machine this binary is for; from its compiler's headers, by the Makefile. */
extern const char syscall_names[];
extern const unsigned int syscall_names_size;

/* NULL: no call that was known when this was built. */
const char *syscall_name(int number);
int syscall_number(const char *name);	/* -1: none */

#endif
