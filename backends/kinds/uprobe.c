// SPDX-License-Identifier: GPL-2.0
/* Uprobes and uretprobes: by the file and an offset in it. */
#include "backends/kinds/probe.h"

#include <stdio.h>

#include "compat/base/text.h"
#include "compat/binaries/binaries.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	text_cut(text, size, "%s of %s in %s", event_traits(e->kind)->title, e->name,
		 e->binary->path);
}

static void place(const struct event *e, char *text, unsigned int size)
{
	snprintf(text, size, ":0x%llx", (unsigned long long)e->address);
}

static const struct pmu pmu = PROBE_PMU(FEATURE_UPROBE_PMU, "uprobe");
static const struct definition entry = { .list = "uprobe_events", .letter = 'p', .place = place };
static const struct definition at_return = {
	.list = "uprobe_events", .letter = 'r', .place = place,
};

const struct event_ops uprobe_ops = { PROBE_OPS(title, &pmu, &entry) };
const struct event_ops uretprobe_ops = {
	PROBE_OPS(title, &pmu, &at_return), .missed = MISSED_UNTOLD,
};
