// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/groups/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/containers/container_path.h"
#include "compat/tasks/cgroup.h"
#include "src/lib/output/records.h"
#include "src/toolkit/proc.h"

/* The outermost container; otherwise the innermost unit; otherwise all of the path. */
struct group_name group_name(const char *path)
{
	struct group_name found = { path, strlen(path), strlen(path) };
	struct container_path c;
	const char *unit;

	if (container_of_path(path, &c))
		return (struct group_name){
			c.id, c.named ? c.n : CONTAINER_SHOWN, c.length,
		};
	unit = unit_of_path(path, &found.length, &found.path);
	if (unit)
		found.s = unit;
	return found;
}

/* Ids of groups that are gone, or of another machine's, are shown as they are. */
static char *path_of(struct run *r, const struct groups *g, int64_t owner)
{
	char *path = NULL;

	if (owner < 0)
		return proc_cgroup(r, ~owner, run_interval_began(r) - g->before);
	if (owner && run_is_live(r))
		path = cgroup_path_of((uint64_t)owner);
	if (owner && !path && asprintf(&path, "%lld", (long long)owner) < 0)
		path = NULL;
	return path;
}

const char *groups_find(struct run *r, struct groups *g, int64_t owner)
{
	char *path = path_of(r, g, owner);

	if (!path)
		return NULL;
	path[group_name(path).path] = '\0';
	for (size_t i = 0; i < g->n; i++)
		if (!strcmp(g->paths[i], path)) {
			free(path);
			return g->paths[i];
		}
	if (array_room(&g->paths, g->n, sizeof(*g->paths))) {
		free(path);
		return NULL;
	}
	return g->paths[g->n++] = path;
}

void groups_free(struct groups *g)
{
	while (g->n)
		free(g->paths[--g->n]);
	free(g->paths);
	g->paths = NULL;
}

struct text group_text(const struct run *r, const char *path)
{
	struct container_path c;
	struct group_name name;
	const char *title;

	if (!path)
		return (struct text){ };
	if (!output_for_people(run_output(r)))
		return text_of(path, strlen(path));
	title = container_of_path(path, &c) ? run_container_title(r, &c) : NULL;
	if (title)
		return text_of(title, strlen(title));
	name = group_name(path);
	return text_of(name.s, name.length);
}
