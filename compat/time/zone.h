/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ZONE_H
#define SONDE_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How many seconds local time is ahead of UTC. The C library knows, too, but its reader of zones
 * needs scanf, and scanf all that reads floating point: a twelfth of a static binary. `moment` is
 * in seconds since 1970, not further away than 64 bits of ns reach.
 */

/* By $TZ, or /etc/localtime without it; where neither is a zone, local time is UTC. */
int64_t zone_offset(int64_t moment);

/*
 * By a file as RFC 8536 defines it, in version 2 or later; a NUL is behind its n bytes. False: it
 * is none.
 */
bool zone_of_file(const char *bytes, size_t n, int64_t moment, int64_t *offset);
/* By the notation of POSIX: "CET-1CEST,M3.5.0,M10.5.0/3", "<+0530>-5:30". False: it is none. */
bool zone_of_rule(const char *rule, int64_t moment, int64_t *offset);

#endif
