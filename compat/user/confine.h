/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONFINE_H
#define SONDE_CONFINE_H

#include <stdbool.h>

/*
 * For a forked process that reads what may have been made to hurt: what it can still do if that
 * takes it over. It has no descriptors but those that it needs, can gain no rights, and may only
 * read, use memory and send messages. CONFINED_OPENS: it may also open files, of all users and
 * below the roots of all processes, but only for reading. The others have no capabilities at all.
 * CONFINED_SERVES: it may also accept and read connections of sockets that it has.
 * CONFINED_SENDS: it may also connect to addresses, but not accept. A call that it may not make
 * fails with EPERM.
 *
 * Before Linux 3.5, and where the kernel has no seccomp filters, it may make all calls.
 */
enum confined { CONFINED_READS, CONFINED_OPENS, CONFINED_SERVES, CONFINED_SENDS };
void confine(enum confined who, bool (*kept)(void *arg, int fd), void *arg);

#endif
