// SPDX-License-Identifier: GPL-2.0
#include "compat/kinds/costs.h"

#include <string.h>

#include "compat/events/event.h"
#include "compat/kinds/kinds.h"

/*
 * Tracepoints of system calls have one switch: the kernel marks all tasks while one of them is on,
 * and each call of a marked task leaves the fast path.
 */
static const char *const systems_of_calls[] = { "syscalls", "raw_syscalls" };
static const struct event_cost of_calls = {
	"each system call of every process takes a slower path through the kernel", 70,
};

/* An instruction of the file is replaced: all who map the file run into it. */
const struct event_cost cost_of_traps = {
	"each call of a probed function is a trap, in every process that has mapped its file", 1000,
};

const struct event_cost *event_cost(const struct event *e)
{
	const size_t n = sizeof(systems_of_calls) / sizeof(systems_of_calls[0]);

	for (size_t i = 0; e->system && i < n; i++)
		if (!strcmp(e->system, systems_of_calls[i]))
			return &of_calls;
	return event_traits(e->kind)->cost;
}
