/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILTERS_H
#define SONDE_FILTERS_H

#include "backends/tracefs/detachers.h"
#include "insns/filter.h"
#include "src/tool.h"

/* All rows: how each is told is said in insns/filter.h. The last one has no option. */
extern const struct filter_row filter_rows[];

/* What the user asked for, and the memory that it points into. */
struct filters {
	struct filter filter;
	uint64_t *ids;
	uint32_t *processes;
	const char *name;		/* of tasks that --name asks for; NULL: of any */
	struct detachers detachers;
};

/*
 * Reads the options that are filters. -1 and err, which names the option: an id can't be told here.
 * filters_free() in either case.
 */
int filters_read(struct filters *f, struct run *r, struct error *err);
void filters_free(struct filters *f);
/*
 * Has a record, of the first of a tool's parts, a task that --name asks for? sonde's own detachers
 * are left out, if no processes were asked for and sonde itself was not.
 */
bool filters_want(struct filters *f, const struct part *parts, const void *record);
/* Fills the plan's maps of ids. The run's engine is open, and does not run yet. -1 and err. */
int filters_fill(const struct filters *f, struct run *r, struct error *err);

#endif
