/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_NOBODY_H
#define SONDE_EXPORT_NOBODY_H

#include <sys/types.h>

#include "compat/user/confine.h"

/*
 * For a forked process: it becomes the user nobody, ends when its parent does, and can do what
 * confine() leaves it. It ends here if it can't become nobody.
 */
void become_nobody(pid_t parent, enum confined who, bool (*kept)(void *arg, int fd), void *arg);

#endif
