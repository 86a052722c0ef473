/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CLOCK_H
#define SONDE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_SECOND 1000000000LL
#define NS_PER_MS 1000000

/* A clock of clock_gettime(2), in ns. May be called in a signal handler. */
int64_t clock_ns(clockid_t clock);

/* CLOCK_MONOTONIC, the clock of bpf_ktime_get_ns() and of records. */
uint64_t monotonic_ns(void);
int64_t monotonic_ms(void);

/* A moment of CLOCK_REALTIME as people write it: 2026-01-31 and 23:59:59. */
struct date {
	char day[11], time[9];
};

/* Rounded down to the second, before 1970 too. */
struct date date_local(int64_t ns);
struct date date_utc(int64_t ns);

#endif
