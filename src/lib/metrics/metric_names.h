/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_METRIC_NAMES_H
#define SONDE_METRIC_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "src/lib/output/output.h"

/* Names of families and labels, made from those of tools, columns and histograms. */

/* How a quantity of a tool becomes one of a base unit, as engines of time series want them. */
struct metric_unit {
	const char *name;		/* "seconds"; "": a number of things */
	double scale;			/* of them in one of a value's unit */
};

/* The base unit of a column's unit. Returns false if its values are no quantities. */
bool metric_unit_of(enum column_unit unit, struct metric_unit *to);
/* The same for the text of a histogram's unit, as "usecs". */
bool metric_unit_named(const char *unit, struct metric_unit *to);

/*
 * Writes "sonde_TOOL_WHAT_UNIT": WHAT without the unit at its end ("lat_ms") and "total_" at its
 * beginning; and left out if the tool's name ends with it, as "latency" of biolatency.
 */
void metric_name(const char *tool, const char *what, const struct metric_unit *unit, char *to,
		 size_t size);

/*
 * Whether a column or a histogram's section becomes a label: few values, and the same tomorrow.
 * `asked`: names that the user wants besides, with commas; NULL: none.
 */
bool metric_label_wanted(const char *name, const char *asked);
/* What it names comes and goes: containers do. */
bool metric_label_passes(const char *name);

#endif
