/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BUILD_EVENT_H
#define SONDE_BUILD_EVENT_H

#include "compat/binaries/binaries.h"
#include "compat/events/refusal.h"
#include "compat/resolve/resolve.h"

/*
 * Makes the events of one probe of an alternative, with the inputs of a demand: parts first, the
 * main event last. For a probe of user space, `place` is one of its places; otherwise NULL.
 * `skipped`: kinds serve, too, of which the kernel may skip events. Layouts are added to `layouts`.
 * Returns the number of events, which the caller frees with free(), or -1 and the reason.
 */
int build_events(struct kernel *k, enum target target, const struct alternative *a,
		 const struct probe *p, const struct demand *d, const struct place *place,
		 bool skipped, struct layouts *layouts, struct event **events, unsigned int max,
		 struct refusal *refusal);

#endif
