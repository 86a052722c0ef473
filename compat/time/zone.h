/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ZONE_H
#define SONDE_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * How many seconds local time is ahead of UTC. The C library knows, too, but its reader of zones
 * needs scanf, and scanf all that reads floating point: a twelfth of a static binary. `moment` is
 * in seconds since 1970, not further away than 64 bits of ns reach.
 */

/*
 * A zone is opened once, before anything is traced, and never read again: tools that count reads
 * would count sonde's own. A file has all changes that are known, summer time too. If it is
 * replaced later, the run goes on with the rules it began with: times in
 * one output don't jump.
 */
struct zone {			/* all zero: UTC */
	char *rule;		/* $TZ; NULL: there is none */
	char *bytes;		/* of its file; NULL: there is none */
	size_t n;
};

/*
 * By $TZ, or /etc/localtime without it; where neither is a zone, local time is UTC. -1 and err: out
 * of memory.
 */
int zone_open(struct zone *z, struct error *err);
void zone_close(struct zone *z);
int64_t zone_offset(const struct zone *z, int64_t moment);

/*
 * By a file as RFC 8536 defines it, in version 2 or later; a NUL is behind its n bytes. False: it
 * is none.
 */
bool zone_of_file(const char *bytes, size_t n, int64_t moment, int64_t *offset);
/* By the notation of POSIX: "CET-1CEST,M3.5.0,M10.5.0/3", "<+0530>-5:30". False: it is none. */
bool zone_of_rule(const char *rule, int64_t moment, int64_t *offset);

#endif
