/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_AGAIN_H
#define SONDE_EXPORT_AGAIN_H

/* What failed is tried again: after a second, then after twice that each time. */
#define AGAIN_LEAST_MS 1000
#define AGAIN_MOST_MS 60000

/* The wait that comes after `wait_ms`; 0: the first one. */
static inline int again_ms(int wait_ms)
{
	return !wait_ms ? AGAIN_LEAST_MS :
	       wait_ms < AGAIN_MOST_MS / 2 ? 2 * wait_ms : AGAIN_MOST_MS;
}

#endif
