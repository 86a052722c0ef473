// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/groups/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/tasks/cgroup.h"
#include "src/lib/output/records.h"
#include "src/toolkit/proc.h"

#define ID_DIGITS 64			/* of containers */
#define ID_SHOWN 12

static bool ends_with(const char *name, size_t n, const char *end)
{
	const size_t length = strlen(end);

	return n > length && !memcmp(name + n - length, end, length);
}

/*
 * The id in a name such as docker-ID.scope. NULL: none. Mounts of images have such names, too, and
 * so have the runtime's own tasks (conmon).
 */
static const char *container_in(const char *name, size_t n)
{
	if (ends_with(name, n, ".mount") || memmem(name, n, "conmon", 6))
		return NULL;
	for (size_t i = 0, digits; i < n; i += digits + 1) {
		digits = strspn(name + i, "0123456789abcdef");
		if (digits == ID_DIGITS)
			return name + i;
	}
	return NULL;
}

/* The outermost container; otherwise the innermost unit; otherwise all of the path. */
struct group_name group_name(const char *path)
{
	const size_t length = strlen(path);
	struct group_name found = { path, length, length };
	size_t n;

	for (const char *at = path; *at == '/'; at += n) {
		const char *id;

		n = strcspn(++at, "/");
		id = container_in(at, n);
		if (id)
			return (struct group_name){ id, ID_SHOWN, (size_t)(at + n - path) };
		if (ends_with(at, n, ".service") || ends_with(at, n, ".scope") ||
		    ends_with(at, n, ".mount"))
			found = (struct group_name){ at, n, (size_t)(at + n - path) };
	}
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
	struct group_name name;

	if (!path)
		return (struct text){ };
	name = group_name(path);
	return output_for_people(run_output(r)) ? text_of(name.s, name.length) :
		text_of(path, strlen(path));
}
