// SPDX-License-Identifier: GPL-2.0
/* USDT: uprobes with the offset of their semaphore, in which the kernel counts the tracers. */
#include "backends/kinds/probe.h"

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/binaries/binaries.h"

static void title(const struct event *e, char *text, unsigned int size)
{
	text_cut(text, size, "usdt %s in %s", e->name, e->binary->path);
}

static void place(const struct event *e, char *text, unsigned int size)
{
	struct strbuf place = strbuf_over(text, size);

	strbuf_addf(&place, ":0x%llx", (unsigned long long)e->address);
	if (e->semaphore && e->kernel_counts)
		strbuf_addf(&place, "(0x%x)", e->semaphore);
}

static const struct pmu pmu = PROBE_PMU(FEATURE_UPROBE_PMU, "uprobe");
static const struct definition definition = {
	.list = "uprobe_events", .letter = 'p', .place = place,
};

const struct event_ops usdt_ops = { PROBE_OPS(title, &pmu, &definition) };
