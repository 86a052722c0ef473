/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WORK_KEYS_H
#define SONDE_WORK_KEYS_H

#include <linux/seccomp.h>

#include "../work.h"

#if defined(SECCOMP_IOCTL_NOTIF_ADDFD) && defined(SYS_pidfd_getfd)
#define CAN_INJECT
#define KEY 400			/* bytes of a key */

/*
 * The key of a system call: whose it is (m: the command's, c: a child's), its name, and what tells
 * it from others of the name: a path, a file, a size. Digits are # in it, and random names are *.
 */
void make_key(const struct seccomp_notif *n, bool main, char *key);
/* Copies memory of a process. Returns false if not all of it is there. */
bool peek(pid_t pid, uint64_t from, void *to, size_t size);
/* The number of the system call that a key is of; -1: unknown. */
int number_of(const char *key);
#endif

#endif
