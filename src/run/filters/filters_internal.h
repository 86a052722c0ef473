/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILTERS_INTERNAL_H
#define SONDE_FILTERS_INTERNAL_H

#include "compat/base/lines.h"
#include "src/lib/options/options.h"
#include "src/run/filters/filters.h"

/*
 * Allocates n ids for the current row, owned by f. Returns -1 and sets err if there is no memory.
 */
int filters_room(struct filters *f, struct asked_filter *a, unsigned int n, struct error *err);

/* Functions for filter_option.read: cgroups.c, namespaces.c, pinned.c */
int filter_cgroups(struct filters *f, const struct options *o, struct asked_filter *a,
		   struct error *err);
int filter_namespaces(struct filters *f, const struct options *o, struct asked_filter *a,
		      struct error *err);
int filter_pinned(struct filters *f, const struct options *o, struct asked_filter *a,
		  struct error *err);
/*
 * Adds the directories of what --container, --pod and --unit name. Returns -1 and sets err if one
 * names nothing that runs.
 */
int filter_containers(const struct options *o, struct lines *to, struct error *err);
/* Closes the map of a row of FILTER_PINNED. */
void filter_unpin(const struct asked_filter *a);

#endif
