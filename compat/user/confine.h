/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONFINE_H
#define SONDE_CONFINE_H

#include <stdbool.h>

/*
 * For a forked process that reads files which may have been made to hurt: what it can still do if
 * such a file takes it over. It has no descriptors but those that it needs, can gain no rights, and
 * may only read, use memory and send messages. With `opens` it may also open files, of all users
 * and below the roots of all processes, but only for reading. Without it, it has no capabilities at
 * all. A call that it may not make fails with EPERM.
 *
 * Before Linux 3.5, and where the kernel has no seccomp filters, it may make all calls.
 */
void confine(bool opens, bool (*kept)(void *arg, int fd), void *arg);

#endif
