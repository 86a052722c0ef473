// SPDX-License-Identifier: GPL-2.0
/* The filter by cgroup: a task passes if it is in a cgroup of the user's, or below one. */
#include "src/run/filters/filters_internal.h"

#include <stdlib.h>
#include <string.h>

#define WHERE \
	"`grep cgroup /proc/mounts` shows where cgroups are mounted, `cat /proc/PID/cgroup` " \
	"which ones below there a process is in"

static const char no_version1[] =
	"BPF programs do not tell where a task is among cgroups of version 1";
static const char hidden[] =
	"sonde runs in a cgroup namespace, which hides where in its tree the cgroup is";

static int open_one(struct filters *f, const char *path, struct error *err)
{
	struct cgroup *c = &f->cgroups[f->n_cgroups++];
	struct error why;

	if (cgroup_open(path, c, &why))
		return fail_with(err, why.number, "--cgroup: %s\n" WHERE, why.text);
	if (c->hierarchy != f->cgroups[0].hierarchy)
		return fail(err, "--cgroup: %s is in another tree of cgroups than %s: all have to "
			    "be in one", path, f->cgroups[0].mount);
	return 0;
}

/* For engines that follow the tasks. */
static int note_scope(struct filters *f, struct asked_filter *a, struct error *err)
{
	const char **paths = calloc(f->n_cgroups, sizeof(*paths));

	if (!paths)
		return fail(err, "out of memory");
	for (unsigned int i = 0; i < f->n_cgroups; i++) {
		paths[i] = f->cgroups[i].path;
		if (!paths[i])
			a->refused[TARGET_RING] = hidden;
	}
	f->scope.hierarchy = f->cgroups[0].hierarchy;
	f->scope.mount = f->cgroups[0].mount;
	f->scope.paths = paths;
	f->scope.directories = a->ids;
	f->scope.n = f->n_cgroups;
	f->filter.scope = &f->scope;
	if (f->scope.hierarchy)
		a->refused[TARGET_BPF] = no_version1;
	return 0;
}

/* --cgroup, and what names cgroups otherwise. */
static int read_directories(const struct options *o, const char *option, struct lines *to,
			    struct error *err)
{
	const char *text = option_text(o, option);
	char *words = text ? strdup(text) : NULL, *rest = words, *word;

	if (text && !words)
		return fail(err, "out of memory");
	while ((word = strsep(&rest, "\n")))
		lines_add(to, "%s", word);
	free(words);
	return filter_containers(o, to, err);
}

static int open_all(struct filters *f, const struct lines *directories, struct asked_filter *a,
		    struct error *err)
{
	f->cgroups = calloc(directories->n, sizeof(*f->cgroups));
	if (!f->cgroups)
		return fail(err, "out of memory");
	if (filters_room(f, a, directories->n, err))
		return -1;
	for (unsigned int i = 0; i < directories->n; i++) {
		if (open_one(f, directories->list[i], err))
			return -1;
		f->ids[f->filter.n][a->n++] = (uint64_t)f->cgroups[f->n_cgroups - 1].fd;
	}
	return note_scope(f, a, err);
}

int filter_cgroups(struct filters *f, const struct options *o, struct asked_filter *a,
		   struct error *err)
{
	struct lines directories = { };
	int result = read_directories(o, a->row->option, &directories, err);

	if (!result && directories.n)
		result = open_all(f, &directories, a, err);
	lines_free(&directories);
	return result;
}
