/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_FEED_H
#define SONDE_EXPORT_FEED_H

#include "src/run/run_listener.h"

/* What a tool of `sonde export` finds, on its way to the exporter. */
struct export_feed;

#define EXPORT_SECONDS 5		/* how often it is sent */

/*
 * `to`: the socket (src/lib/metrics/metrics_wire.h); the caller's. `labels`: those that the user
 * wants besides, with commas; NULL: none. Returns NULL without memory.
 */
struct export_feed *export_feed_new(int to, const char *labels);
void export_feed_free(struct export_feed *f);

/* Sends what was found, and what the engine lost. */
extern const struct run_listener export_feed_listener;

#endif
