// SPDX-License-Identifier: GPL-2.0
/* Kprobes and kretprobes: by the function's name and an offset in it. */
#include "backends/kinds/probe.h"

#include <stdio.h>

#include "compat/base/text.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	const char *kind = event_traits(e->kind)->title;

	if (e->address)
		text_cut(text, size, "%s at %s+0x%llx", kind, e->name,
			 (unsigned long long)e->address);
	else
		text_cut(text, size, "%s of %s", kind, e->name);
}

static void place(const struct event *e, char *text, unsigned int size)
{
	text[0] = '\0';
	if (e->address)
		snprintf(text, size, "+%llu", (unsigned long long)e->address);
}

static const struct pmu pmu = PROBE_PMU(FEATURE_KPROBE_PMU, "kprobe");
static const struct definition entry = { .list = "kprobe_events", .letter = 'p', .place = place };
static const struct definition at_return = {
	.list = "kprobe_events", .letter = 'r', .room = true, .place = place,
};

const struct event_ops kprobe_ops = {
	PROBE_OPS(title, &pmu, &entry), .missed = MISSED_PROFILE,
};
const struct event_ops kretprobe_ops = {
	PROBE_OPS(title, &pmu, &at_return), .missed = MISSED_RETURNS, .in_order = true,
};
