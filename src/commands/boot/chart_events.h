/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHART_EVENTS_H
#define SONDE_CHART_EVENTS_H

#include "compat/recordings/recording.h"
#include "src/lib/chart/chart.h"

/* What of a recording a chart is made of. */
struct chart_events {
	uint64_t n;			/* of all CPUs */
	bool switches, disks;		/* these were recorded */
};

/*
 * Reads a recording to its end, into a chart. Returns -1 and sets err if it can't be read, or if
 * it does not tell how processes begin and end.
 */
int chart_events_read(struct recording *recording, struct kernel *k, struct chart *c,
		      struct chart_events *to, struct error *err);

#endif
