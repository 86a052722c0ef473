/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BACKENDS_PROBE_H
#define SONDE_BACKENDS_PROBE_H

#include "backends/kinds/kinds.h"

/* For the rows of kprobes and uprobes: their PMU, and their definition in tracefs. */

#define PROBE_PMU(FEATURE, NAME) { \
	FEATURE, "/sys/bus/event_source/devices/" NAME "/type", \
	"/sys/bus/event_source/devices/" NAME "/format/retprobe" \
}

#define PROBE_OPS(TITLE, PMU, DEFINITION) \
	.title = (TITLE), \
	.program = BPF_PROG_TYPE_KPROBE, \
	.way = BPF_WAY_PROBE, \
	.pmu = (PMU), \
	.definition = (DEFINITION)

#endif
