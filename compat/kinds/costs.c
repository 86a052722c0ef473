// SPDX-License-Identifier: GPL-2.0
#include "compat/kinds/costs.h"

#include <string.h>

#include "compat/events/event.h"
#include "compat/kinds/kinds.h"

static const struct event_cost of_calls = {
	"each system call of every process takes a slower path through the kernel", 70,
};

/* An instruction of the file is replaced: all who map the file run into it. */
const struct event_cost cost_of_traps = {
	"each call of a probed function is a trap, in every process that has mapped its file", 1000,
};

bool event_marks_tasks(const struct event *e)
{
	return !strcmp(e->system, "syscalls") || !strcmp(e->system, "raw_syscalls");
}

const struct event_cost *event_cost(const struct event *e)
{
	return event_marks_tasks(e) ? &of_calls : event_traits(e->kind)->cost;
}
