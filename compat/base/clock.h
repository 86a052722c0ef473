/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CLOCK_H
#define SONDE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_SECOND 1000000000LL
#define NS_PER_MS 1000000

/* A clock of clock_gettime(2), in ns. May be called in a signal handler. */
int64_t clock_ns(clockid_t clock);

/* CLOCK_MONOTONIC, the clock of bpf_ktime_get_ns() and of records, in ns and in ms. */
uint64_t monotonic_ns(void);
int64_t monotonic_ms(void);

/* Sleeps. Returns -1 if a signal ended the sleep. */
int pause_ms(long ms);
/* Sleeps so long, whatever signals come. */
void sleep_ns(uint64_t ns);

#endif
