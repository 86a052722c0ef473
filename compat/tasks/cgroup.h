/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CGROUP_H
#define SONDE_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * Control groups by their directories. Version 2 has one tree; version 1 has a tree for each
 * mounted set of controllers. A system may have both (hybrid). A task is in one cgroup of each
 * tree.
 */
struct cgroup {
	int fd;				/* the directory */
	unsigned int hierarchy;		/* the tree's number in /proc/PID/cgroup; 0: version 2 */
	char *mount;			/* where the tree is mounted */
	/* from the root of the tree: "/a/b"; NULL: a cgroup namespace hides it */
	char *path;
};

/*
 * Opens a cgroup by its directory; *c must be all zero. Returns -1 and sets err if it is no cgroup;
 * cgroup_close() is called in either case.
 */
int cgroup_open(const char *directory, struct cgroup *c, struct error *err);
void cgroup_close(struct cgroup *c);

/* Returns true if version 2 has been mounted since boot. If not, all tasks are in its root. */
bool cgroup_version2(void);
/* Returns true if there is no other tree. */
bool cgroup_version2_alone(void);

/*
 * The id of a cgroup below an open directory; an empty name: of the directory itself. It is unique
 * in its tree, and equals bpf_get_current_cgroup_id() and PERF_SAMPLE_CGROUP. Returns 0 if there is
 * none of this name.
 */
uint64_t cgroup_id(int directory, const char *name);

/*
 * The path of a cgroup of version 2 below its mount, by its id; "/" is the mount. The caller frees.
 * NULL: there is none, it is hidden, or the kernel has no handles of cgroups (before 4.18).
 */
char *cgroup_path_of(uint64_t id);

/*
 * Calls `each` with the id of the cgroup and of all below it. Cgroups that are made or removed
 * meanwhile may be left out. Returns -1 if memory or file descriptors ran out.
 */
int cgroup_walk(int directory, void (*each)(void *arg, uint64_t id), void *arg);

/* The number of the tree that has this controller ("memory"); 0: that of version 2. */
unsigned int cgroup_hierarchy(const char *controller);

/*
 * Returns true if a cgroup is `above` or below it. Both are paths from the root of one tree; `path`
 * has n bytes.
 */
bool cgroup_is_below(const char *path, size_t n, const char *above);

/*
 * The path from the root of a tree to a task's cgroup, as /proc shows it below the task's directory
 * `dir`. `text`: room for the file, which has a line of up to 4 KB for each tree. NULL: it can't be
 * told; or the file is larger, and the line is not whole.
 */
const char *cgroup_of(int dir, unsigned int hierarchy, char *text, size_t size);

#endif
