/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXPORT_FEED_H
#define SONDE_EXPORT_FEED_H

#include "src/run/run_listener.h"

/* What a tool of `sonde export` finds, on its way to the exporter. */
struct export_feed;

#define EXPORT_SECONDS 5		/* how often it is sent */
/*
 * How long records may wait in the rings: nobody sees them one by one, and each look at the rings
 * costs as much as some hundred events. What is known of a process only while it lives has to be
 * looked up soon.
 */
#define EXPORT_WAIT_MS 1000

/*
 * `to`: the socket (src/lib/metrics/metrics_wire.h); the caller's. `labels`: those that the user
 * wants besides, with commas; NULL: none. Returns NULL without memory.
 */
struct export_feed *export_feed_new(int to, const char *labels);
void export_feed_free(struct export_feed *f);

/* Sends what was found, and what the engine lost. */
extern const struct run_listener export_feed_listener;

#endif
