/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILTERS_H
#define SONDE_FILTERS_H

#include "insns/filter.h"
#include "src/tool.h"

/* All rows: how each is told is said in insns/filter.h. The last one has no option. */
extern const struct filter_row filter_rows[];

/* What the user asked for, and the memory that it points into. */
struct filters {
	struct filter filter;
	uint64_t *ids;
	uint32_t *processes;
};

/*
 * Reads the options that are filters. -1 and err, which names the option: an id can't be told here.
 * filters_free() in either case.
 */
int filters_read(struct filters *f, struct run *r, struct error *err);
void filters_free(struct filters *f);
/* Fills the plan's maps of ids. The run's engine is open, and does not run yet. -1 and err. */
int filters_fill(const struct filters *f, struct run *r, struct error *err);

#endif
