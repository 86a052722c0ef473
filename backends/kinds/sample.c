// SPDX-License-Identifier: GPL-2.0
/* Samples: an event on each online CPU. CPUs that go offline and come back are followed. */
#include <stdio.h>

#include "backends/kinds/kinds.h"
#include "compat/base/text.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	if (e->by == BY_WATCH)
		snprintf(text, size, "accesses to %u bytes at 0x%llx", WATCH_LENGTH(e->frequency),
			 (unsigned long long)e->address);
	else if (e->period && e->by)
		text_cut(text, size, "samples of each CPU, one in %u %s", e->period, e->name);
	else if (e->period)
		snprintf(text, size, "samples of each CPU, one in %u ns", e->period);
	else
		text_cut(text, size, "samples of each CPU, %u a second%s", e->frequency,
			 e->by == BY_CYCLES ? ", by its cycles" : "");
}

const struct event_ops sample_ops = {
	.title = title,
	.program = BPF_PROG_TYPE_PERF_EVENT,
	.way = BPF_WAY_SAMPLES,
	.missed = MISSED_UNTOLD,
};
