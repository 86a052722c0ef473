// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/cgroup_ids.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/tasks/cgroup.h"

static bool told_of(struct kernel *k, unsigned int hierarchy)
{
	return kernel_has(k, FEATURE_PERF_CGROUP) && kernel_has(k, FEATURE_PERF_CLOCKID) &&
	       cgroup_hierarchy("perf_event") == hierarchy;
}

bool cgroup_ids_told(struct kernel *k, const struct task_scope *scope)
{
	return scope && scope->n && told_of(k, scope->hierarchy);
}

bool cgroup_ids_version2(struct kernel *k)
{
	return told_of(k, 0) && cgroup_version2();
}

/* Returns the index of the id in ids[], or the index where it must be inserted. */
static unsigned int place_of(const struct cgroup_ids *c, uint64_t id)
{
	unsigned int low = 0, high = c->n;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (c->ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add(void *arg, uint64_t id)
{
	struct cgroup_ids *c = arg;
	const unsigned int place = place_of(c, id);

	c->last = 0;
	if (place < c->n && c->ids[place] == id)
		return;
	if (array_room(&c->ids, c->n, sizeof(*c->ids))) {
		c->failed = true;
		return;
	}
	memmove(&c->ids[place + 1], &c->ids[place], (c->n - place) * sizeof(*c->ids));
	c->ids[place] = id;
	c->n++;
}

void cgroup_ids_add(struct cgroup_ids *c, uint64_t id, const char *path)
{
	for (unsigned int i = 0; i < c->scope->n; i++) {
		const char *above = c->scope->paths[i];

		if (!strcmp(path, above))
			c->gone[i] = true;	/* a new cgroup: the scope's was removed */
		else if (!c->gone[i] && cgroup_is_below(path, strlen(path), above))
			add(c, id);
	}
}

static int walk(struct cgroup_ids *c, struct error *err)
{
	for (unsigned int i = 0; i < c->scope->n; i++)
		if (cgroup_walk((int)c->scope->directories[i], add, c))
			return fail(err, "can't read all control groups below %s",
				    c->scope->paths[i]);
	return c->failed ? fail(err, "out of memory") : 0;
}

int cgroup_ids_open(struct cgroup_ids *c, struct kernel *k, const struct task_scope *scope,
		    FILE *verbose, struct error *err)
{
	*c = (struct cgroup_ids){ .scope = scope };
	c->gone = calloc(scope->n, sizeof(*c->gone));
	if (!c->gone)
		return fail(err, "out of memory");
	c->band = side_band_open(k, SIDE_BAND_OF_CGROUPS, NULL, verbose, err);
	return c->band ? walk(c, err) : -1;
}

void cgroup_ids_close(struct cgroup_ids *c)
{
	side_band_close(c->band);
	free(c->gone);
	free(c->ids);
	*c = (struct cgroup_ids){ };
}

static void on_event(void *arg, const struct side_band_event *e)
{
	if (e->kind == SIDE_BAND_CGROUP)
		cgroup_ids_add(arg, e->id, e->path);
}

/*
 * If records were lost, the tree is read again. A cgroup that was made meanwhile is in the tree,
 * unless it was removed again.
 */
int cgroup_ids_read(struct cgroup_ids *c, struct error *err)
{
	uint64_t losses;

	if (!c->band)
		return 0;
	if (side_band_read(c->band, UINT64_MAX, on_event, c, err))
		return -1;
	losses = side_band_losses(c->band);
	if (losses == c->losses)
		return c->failed ? fail(err, "out of memory") : 0;
	c->losses = losses;
	return walk(c, err);
}

enum in_scope cgroup_ids_find(void *ids, uint64_t id)
{
	struct cgroup_ids *c = ids;
	unsigned int place;

	if (!id)
		return SCOPE_UNKNOWN;
	if (id != c->last) {
		place = place_of(c, id);
		c->found = place < c->n && c->ids[place] == id ? SCOPE_IN : SCOPE_OUT;
		c->last = id;
	}
	return c->found;
}
