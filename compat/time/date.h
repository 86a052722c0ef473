/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DATE_H
#define SONDE_DATE_H

#include <stdint.h>

#include "compat/time/zone.h"

/* A time of CLOCK_REALTIME as text: 2026-01-31 and 23:59:59. */
struct date {
	char day[11], time[9];
};

/* Convert ns since the epoch, rounded down to the second, also before 1970. */
struct date date_local(const struct zone *zone, int64_t ns);
struct date date_utc(int64_t ns);

/* Days from 1970-01-01 to a day of the Gregorian calendar; the year of a second since then. */
int64_t days_of(int year, int month, int day);
int year_of(int64_t second);

#endif
