/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_REMOTE_QUEUE_H
#define SONDE_EXPORT_REMOTE_QUEUE_H

#include <stdbool.h>

#include "compat/base/strbuf.h"

/* Requests that wait while the receiver is away: the oldest ones make room. All zero: empty. */
#define REMOTE_REQUESTS 240		/* an hour */
#define REMOTE_BYTES (8U << 20)		/* one alone may have more */

struct remote_queue {
	struct strbuf list[REMOTE_REQUESTS];	/* a ring; the oldest one is at `first` */
	unsigned int first, n;
	size_t bytes;			/* of all */
};

/*
 * Adds a request, which is the queue's now. `keeps_first`: the oldest one is on its way, and stays.
 * Returns how many were dropped.
 */
unsigned int remote_queue_add(struct remote_queue *q, struct strbuf *body, bool keeps_first);
void remote_queue_drop_first(struct remote_queue *q);

#endif
