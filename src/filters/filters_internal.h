/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILTERS_INTERNAL_H
#define SONDE_FILTERS_INTERNAL_H

#include "src/filters/filters.h"

/* Room for the ids of the row that is read, which f owns; -1 and err: out of memory. */
int filters_room(struct filters *f, struct asked_filter *a, unsigned int n, struct error *err);

/* The functions of filter_option.read: cgroups.c, namespaces.c */
int filter_cgroups(struct filters *f, const struct options *o, struct asked_filter *a,
		   struct error *err);
int filter_namespaces(struct filters *f, const struct options *o, struct asked_filter *a,
		      struct error *err);

#endif
