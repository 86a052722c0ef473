// SPDX-License-Identifier: GPL-2.0
/* From ids to the maps of a plan. */
#include "src/run/filters/fill.h"

#include "src/run/run.h"

static int fill_map(const struct asked_filter *a, struct run *r, struct error *err)
{
	static const uint32_t one = 1;

	for (uint32_t i = 0; i < a->n; i++) {
		const uint32_t id = (uint32_t)a->ids[i];
		const bool under = a->row->test == FILTER_UNDER;

		if (under ? run_set(r, a->row->map, &i, &id, err) :
		    run_set(r, a->row->map, &id, &one, err))
			return -1;
	}
	return 0;
}

int filters_fill(const struct filters *f, struct run *r, struct error *err)
{
	for (unsigned int i = 0; i < f->filter.n; i++) {
		const struct asked_filter *a = &f->filter.asked[i];
		struct map map;

		if (filter_map(a, r->plan.plan.target, &map) &&
		    a->row->test != FILTER_LISTED &&
		    !map.fd && run_map(r, map.name) && fill_map(a, r, err))
			return -1;
	}
	return 0;
}
