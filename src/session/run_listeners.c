// SPDX-License-Identifier: GPL-2.0
#include "src/session/run_listeners.h"

#include <stddef.h>

#include "src/session/export_feed.h"
#include "src/session/uring.h"
#include "src/toolkit/heat.h"
#include "src/toolkit/stacks/exports.h"
#include "src/toolkit/stacks/graph.h"
#include "src/toolkit/stacks/hottest.h"
#include "src/toolkit/stacks/stacks.h"

/* The stacks come first, because other listeners show them. */
const struct run_listener *const all_run_listeners[] = {
	&stacks_listener, &heat_listener, &hottest_listener, &graph_listener, &exports_listener,
	&uring_listener, &export_feed_listener, NULL
};

_Static_assert(sizeof(all_run_listeners) / sizeof(all_run_listeners[0]) - 1 <= RUN_LISTENERS_MOST,
	       "a run has room for the state of each listener");
