// SPDX-License-Identifier: GPL-2.0
#include "src/session/guests.h"

#include <stddef.h>

#include "src/session/uring.h"
#include "src/toolkit/heat.h"
#include "src/toolkit/stacks/graph.h"
#include "src/toolkit/stacks/hottest.h"
#include "src/toolkit/stacks/stacks.h"

/* The stacks come first, because other guests show them. */
const struct guest *const all_guests[] = {
	&stacks_guest, &heat_guest, &hottest_guest, &graph_guest, &uring_guest, NULL
};

_Static_assert(sizeof(all_guests) / sizeof(all_guests[0]) - 1 <= GUESTS_MOST,
	       "a run has room for the state of each guest");
