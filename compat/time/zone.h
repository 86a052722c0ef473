/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ZONE_H
#define SONDE_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * The offset of local time from UTC, in seconds. The C library's reader of time zones needs
 * scanf(), and scanf() the code for floating point: a twelfth of a static binary. `moment` is in
 * seconds since 1970, in the range of 64-bit ns.
 */

/*
 * A zone is read once, before anything is traced, because tools that count reads would count
 * sonde's own. The file has all known changes, also summer time. If it is replaced later, the run
 * keeps its rules, so times in one output do not jump.
 */
struct zone {			/* all zero: UTC */
	char *rule;		/* $TZ; NULL: not set */
	char *bytes;		/* of the zone's file; NULL: none */
	size_t n;
};

/* Seconds that local time is ahead of UTC, and what it is called then: CEST. */
struct zone_time {
	int64_t offset;
	char name[16];
};

/*
 * Reads the zone of $TZ, or /etc/localtime. If neither is valid, local time is UTC. Returns -1 and
 * sets err if there is no memory.
 */
int zone_open(struct zone *z, struct error *err);
void zone_close(struct zone *z);
struct zone_time zone_time(const struct zone *z, int64_t moment);

/*
 * The offset by a file of RFC 8536, version 2 or later; a NUL follows its n bytes. Returns false if
 * it is not such a file.
 */
bool zone_of_file(const char *bytes, size_t n, int64_t moment, struct zone_time *to);
/*
 * The offset by a rule in POSIX notation: "CET-1CEST,M3.5.0,M10.5.0/3", "<+0530>-5:30". Returns
 * false if it is invalid.
 */
bool zone_of_rule(const char *rule, int64_t moment, struct zone_time *to);

#endif
