// SPDX-License-Identifier: GPL-2.0
#include "src/commands/containers/containers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/jsonw.h"
#include "compat/containers/container_names.h"
#include "compat/tasks/cgroup_tree.h"
#include "src/lib/output/sink.h"

struct container {
	const char *mount;
	char *path;			/* of its group, below the mount */
	struct container_path is;	/* points into `path` */
	uint64_t processes;
};

struct containers {
	struct container_names *names;
	struct container *list;
	size_t n;
};

static struct container *find(struct containers *all, const struct container_path *c)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct container_path *is = &all->list[i].is;

		if (is->n == c->n && !memcmp(is->id, c->id, c->n) &&
		    !strcmp(is->engine, c->engine))
			return &all->list[i];
	}
	return NULL;
}

/*
 * A container is in a tree of version 2 and in those of version 1, and its processes may be in some
 * of these alone.
 */
static int add(void *arg, const char *mount, const char *path)
{
	struct containers *all = arg;
	struct container_path is;
	struct container *c;

	if (!container_at_path(path, &is))
		return 0;
	c = find(all, &is);
	if (c && c->processes)
		return 0;
	if (!c) {
		if (array_room(&all->list, all->n, sizeof(*all->list)))
			return -1;
		c = &all->list[all->n];
		*c = (struct container){ };
	}
	free(c->path);
	c->path = strdup(path);
	if (!c->path)
		return -1;
	if (c == &all->list[all->n])
		all->n++;
	c->mount = mount;
	container_of_path(c->path, &c->is);
	c->processes = cgroup_processes(mount, path);
	return 0;
}

static int shown_digits(const struct container_path *c)
{
	return c->named ? (int)c->n : CONTAINER_SHOWN;
}

static void print(struct containers *all)
{
	fprintf(sink_out(), "%-10s %-12s %9s %-32s %s\n", "ENGINE", "ID", "PROCESSES", "NAME",
		"GROUP");
	for (size_t i = 0; i < all->n; i++) {
		const struct container *c = &all->list[i];
		const struct container_facts *f = container_facts(all->names, &c->is);
		const char *title = f->name ? container_title(all->names, &c->is) : NULL;

		fprintf(sink_out(), "%-10s %-12.*s %9" PRIu64 " %-32s %s\n", c->is.engine,
			shown_digits(&c->is), c->is.id, c->processes, title ? title : "-",
			c->path);
	}
}

static void print_json(struct containers *all)
{
	struct jsonw w = { .to = sink_out(), .spaced = true };

	jsonw_open(&w, NULL, '{');
	jsonw_open(&w, "containers", '[');
	for (size_t i = 0; i < all->n; i++) {
		const struct container *c = &all->list[i];
		const struct container_facts *f = container_facts(all->names, &c->is);

		jsonw_open(&w, NULL, '{');
		jsonw_text(&w, "engine", c->is.engine);
		jsonw_bytes(&w, "id", c->is.id, c->is.n);
		jsonw_text(&w, "name", f->name);
		jsonw_text(&w, "pod", f->pod);
		jsonw_text(&w, "namespace", f->namespace);
		jsonw_text(&w, "image", f->image);
		jsonw_unsigned(&w, "processes", c->processes);
		jsonw_text(&w, "mount", c->mount);
		jsonw_text(&w, "group", c->path);
		jsonw_close(&w, '}');
	}
	jsonw_close(&w, ']');
	jsonw_end(&w);
}

static void free_all(struct containers *all)
{
	for (size_t i = 0; i < all->n; i++)
		free(all->list[i].path);
	free(all->list);
	container_names_free(all->names);
}

int containers_main(int argc, char **argv)
{
	struct containers all = { .names = container_names_new(containers_root()) };
	const bool json = argc == 2 && !strcmp(argv[1], "--json");
	int status = 0;

	if (argc > 1 && !json) {
		fputs("sonde: containers takes " CONTAINERS_USAGE "\n", sink_err());
		status = 2;
	} else if (!all.names || cgroup_each(add, &all)) {
		fputs("sonde: containers: out of memory\n", sink_err());
		status = 1;
	} else if (json) {
		print_json(&all);
	} else if (all.n) {
		print(&all);
	} else {
		fputs("sonde: containers: no container runs, as far as control groups below "
		      "/sys/fs/cgroup tell\n", sink_err());
	}
	free_all(&all);
	return status;
}
