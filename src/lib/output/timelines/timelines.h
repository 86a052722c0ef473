/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TIMELINES_H
#define SONDE_TIMELINES_H

#include "src/lib/output/formats/formats.h"

/* Formats of timelines: listeners beside the screen's format (timeline.h). */
extern const struct output_format timeline_perfetto, timeline_chrome;

/*
 * Returns true if rows with such columns have a time of their own. Columns end with an empty row;
 * NULL: there are none.
 */
struct column;
bool timeline_has_times(const struct column *columns);

#endif
