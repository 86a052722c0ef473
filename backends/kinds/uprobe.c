// SPDX-License-Identifier: GPL-2.0
/* Uprobes and uretprobes: by the file and an offset in it. */
#include <stdio.h>

#include "backends/bpf/bpf_events.h"
#include "backends/kinds/kinds.h"
#include "compat/user/binaries.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	snprintf(text, size, "%s of %s in %s", event_traits(e->kind)->title, e->name,
		 e->binary->path);
}

static void place(const struct event *e, char *text, unsigned int size)
{
	snprintf(text, size, ":0x%llx", (unsigned long long)e->address);
}

static const struct pmu pmu = {
	FEATURE_UPROBE_PMU, "/sys/bus/event_source/devices/uprobe/type",
	"/sys/bus/event_source/devices/uprobe/format/retprobe",
};

static const struct definition entry = { .list = "uprobe_events", .letter = 'p', .place = place };
static const struct definition at_return = {
	.list = "uprobe_events", .letter = 'r', .place = place,
};

const struct event_ops uprobe_ops = {
	.title = title,
	.program = BPF_PROG_TYPE_KPROBE,
	.open = bpf_open_probe,
	.attach = bpf_attach_event,
	.pmu = &pmu,
	.definition = &entry,
};

const struct event_ops uretprobe_ops = {
	.title = title,
	.program = BPF_PROG_TYPE_KPROBE,
	.open = bpf_open_probe,
	.attach = bpf_attach_event,
	.pmu = &pmu,
	.definition = &at_return,
	.missed = MISSED_UNTOLD,
};
