// SPDX-License-Identifier: GPL-2.0
/* From ids to the maps of a plan. */
#include "src/filters/fill.h"

#include "src/run.h"

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
		    filter_row_of(a, r->plan.plan.target)->test != FILTER_LISTED &&
		    run_map(r, map.name) && fill_map(a, r, err))
			return -1;
	}
	return 0;
}

/* Where the ids of cgroups go. */
struct listing {
	struct run *r;
	struct error *err;
	int result;
};

static void list_cgroup(void *arg, uint64_t id)
{
	struct listing *l = arg;
	static const uint32_t one = 1;

	if (!l->result)
		l->result = run_set(l->r, MAP_CGROUPS, &id, &one, l->err);
}

int filters_started(const struct filters *f, struct run *r, struct error *err)
{
	struct listing l = { .r = r, .err = err };

	if (!run_map(r, MAP_CGROUPS))
		return 0;
	for (unsigned int i = 0; i < f->n_cgroups; i++)
		if (cgroup_walk(f->cgroups[i].fd, list_cgroup, &l))
			return fail(err, "%s: --cgroup: can't read all cgroups below %s%s",
				    r->tool->name, f->cgroups[i].mount, f->cgroups[i].path);
	return l.result;
}
