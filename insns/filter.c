// SPDX-License-Identifier: GPL-2.0
#include "insns/filter.h"

#include <string.h>

const struct asked_filter *filter_asked(const struct filter *f, const char *option)
{
	for (unsigned int i = 0; i < f->n; i++)
		if (!strcmp(f->asked[i].row->option, option))
			return &f->asked[i];
	return NULL;
}

bool filter_followed(const struct asked_filter *a, enum target target)
{
	return target == TARGET_RING && a->row->followed;
}

static bool compares(const struct filter_row *row, const char *input)
{
	return row->input && !strcmp(row->input, input);
}

bool filter_of_processes(const struct filter *f)
{
	for (unsigned int i = 0; i < f->n; i++)
		if (compares(f->asked[i].row, "tgid"))
			return true;
	return false;
}

static bool asked_passes(const struct asked_filter *a, uint32_t tid, uint32_t tgid)
{
	const bool process = compares(a->row, "tgid");

	if (a->row->test != FILTER_ID || (!process && !compares(a->row, "tid")))
		return false;
	for (unsigned int i = 0; i < a->n; i++)
		if (a->ids[i] == (process ? tgid : tid))
			return true;
	return false;
}

bool filter_passes(const struct filter *f, uint32_t tid, uint32_t tgid)
{
	if (!filter_of_processes(f) && tgid == f->self)
		return false;
	for (unsigned int i = 0; i < f->n; i++)
		if (!asked_passes(&f->asked[i], tid, tgid))
			return false;
	return true;
}

bool filter_map(const struct asked_filter *a, enum target target, struct map *map)
{
	const struct filter_row *row = a->row;

	if (row->test == FILTER_PINNED) {
		*map = (struct map){
			row->map, MAP_HASH, ROLE_TABLE, row->key_size, (uint16_t)a->value_size,
			a->entries, .fd = (int)a->ids[0],
		};
		return true;
	}
	*map = (struct map){
		row->map, row->test == FILTER_UNDER ? MAP_CGROUP : MAP_HASH, ROLE_TABLE,
		row->key_size, 4, row->test == FILTER_LISTED ? row->entries : a->n,
	};
	return map->entries && (row->test != FILTER_ID || a->n > 1) && !filter_followed(a, target);
}

bool scope_has_namespaces(const struct task_scope *scope)
{
	bool any = false;

	for (unsigned int i = 0; scope && i < SCOPE_NAMESPACES; i++)
		any |= scope->namespaces[i].n;
	return any;
}
