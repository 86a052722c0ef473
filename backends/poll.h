/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_POLL_H
#define SONDE_POLL_H

#include <stdint.h>

#include "compat/base/clock.h"

struct engine;

/* How long a record may wait to be printed: few records do not wake the reader. */
#define POLL_MS 100

/*
 * How many ms poll() of backend.h may wait, for an engine with this machine's clock. `most`: as in
 * engine_options, 0: POLL_MS.
 */
static inline int poll_ms(uint64_t until, unsigned int most)
{
	const uint64_t now = monotonic_ns(), ms = until > now ? (until - now) / NS_PER_MS + 1 : 0;

	most = most ? most : POLL_MS;
	return (int)(ms < most ? ms : most);
}

/* now() of backend.h, for an engine with this machine's clock. */
static inline uint64_t poll_now(const struct engine *e)
{
	(void)e;
	return monotonic_ns();
}

#endif
