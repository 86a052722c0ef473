/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BACKENDS_PROBE_H
#define SONDE_BACKENDS_PROBE_H

#include "backends/bpf/bpf_events.h"
#include "backends/kinds/kinds.h"

/* What kprobes and uprobes have in common: a PMU of their own, and a definition in tracefs. */

#define PROBE_PMU(FEATURE, NAME) { \
	FEATURE, "/sys/bus/event_source/devices/" NAME "/type", \
	"/sys/bus/event_source/devices/" NAME "/format/retprobe" \
}

#define PROBE_OPS(TITLE, PMU, DEFINITION) \
	.title = (TITLE), \
	.program = BPF_PROG_TYPE_KPROBE, \
	.open = bpf_open_probe, \
	.attach = bpf_attach_event, \
	.pmu = (PMU), \
	.definition = (DEFINITION)

#endif
