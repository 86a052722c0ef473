/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NAMESPACE_H
#define SONDE_NAMESPACE_H

#include <stdint.h>

#include "compat/base/error.h"

/*
 * The number of a namespace that a user names: by the number itself (4026531840), as
 * /proc/PID/ns/TYPE links to it ("mnt:[4026531840]"), by a file of it ("/proc/PID/ns/mnt", or one
 * that it is mounted on), or by a process (PID) that is in it. `type`: as in /proc/PID/ns. -1 and
 * err: it names none.
 */
int namespace_number(const char *word, const char *type, uint32_t *number, struct error *err);

#endif
