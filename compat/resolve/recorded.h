/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RESOLVE_RECORDED_H
#define SONDE_RESOLVE_RECORDED_H

#include "compat/events/event.h"
#include "compat/events/refusal.h"

/*
 * Probes can't be made in the kernel of a recording. Returns 0 if the recording has a probe like
 * each of these events, or if the kernel is no recording's; or else -1 and the reason.
 */
int recorded_has(struct kernel *k, struct event *const *events, int n, const char *hook,
		 struct refusal *refusal);

#endif
