// SPDX-License-Identifier: GPL-2.0
#include "compat/tasks/cgroup_tree.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"

#define PROCS "cgroup.procs"
#define LARGEST (8U << 20)		/* of a list of processes: a million */

static const char *const mounts[] = {
	"/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/systemd",
	"/sys/fs/cgroup/memory", "/sys/fs/cgroup/pids", "/sys/fs/cgroup/cpuset",
};

struct walk {
	int (*each)(void *arg, const char *mount, const char *path);
	void *arg;
	const char *mount;
	size_t prefix;			/* bytes of the mount in `path` */
	unsigned int depth;
	struct strbuf path;		/* of the directory */
};

static int visit(struct walk *w);

static int visit_below(struct walk *w, const char *name)
{
	const size_t n = w->path.n;
	int result;

	if (w->depth >= CGROUP_DEPTH)
		return 0;
	strbuf_addf(&w->path, "/%s", name);
	if (w->path.cut)
		return -1;
	w->depth++;
	result = visit(w);
	w->depth--;
	w->path.n = n;
	w->path.s[n] = '\0';
	return result;
}

static int visit(struct walk *w)
{
	const char *path = w->path.s + w->prefix;
	int result = w->each(w->arg, w->mount, *path ? path : "/");
	DIR *dir = result ? NULL : opendir(w->path.s);
	struct dirent *e;

	while (dir && !result && (e = readdir(dir)))
		if (e->d_type == DT_DIR && strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			result = visit_below(w, e->d_name);
	if (dir)
		closedir(dir);
	return result;
}

/* From a group on, which is below the mount. */
static int walk(struct walk *w, const char *path)
{
	int result;

	w->prefix = strlen(w->mount);
	strbuf_addf(&w->path, "%s%s", w->mount, path);
	result = w->path.cut ? -1 : visit(w);
	free(w->path.s);
	w->path = (struct strbuf){ };
	return result;
}

/* In a version 1 layout /sys/fs/cgroup is no group itself. */
static bool is_group(const char *directory)
{
	char path[64];

	text_all(path, sizeof(path), "%s/" PROCS, directory);
	return !access(path, F_OK);
}

int cgroup_each(int (*each)(void *arg, const char *mount, const char *path), void *arg)
{
	struct walk w = { .each = each, .arg = arg };
	int result = 0;

	for (size_t i = 0; i < sizeof(mounts) / sizeof(*mounts) && !result; i++) {
		w.mount = mounts[i];
		if (is_group(w.mount))
			result = walk(&w, "");
	}
	return result;
}

static int count(void *arg, const char *mount, const char *path)
{
	uint64_t *n = arg;
	char *name, *text;

	if (asprintf(&name, "%s%s/" PROCS, mount, path) < 0)
		return -1;
	text = file_text(name, LARGEST, NULL);
	for (const char *at = text; at && (at = strchr(at, '\n')); at++)
		++*n;
	free(name);
	free(text);
	return 0;
}

uint64_t cgroup_processes(const char *mount, const char *path)
{
	uint64_t n = 0;
	struct walk w = { .each = count, .arg = &n, .mount = mount };

	walk(&w, path);
	return n;
}
