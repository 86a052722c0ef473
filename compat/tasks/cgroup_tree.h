/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CGROUP_TREE_H
#define SONDE_CGROUP_TREE_H

#include <stdint.h>

#define CGROUP_DEPTH 32			/* groups below each other that are looked at */

/*
 * Calls `each` for all control groups below the usual mounts: of version 2 and, as containers may
 * be in these alone, of version 1 by systemd's name, memory, pids and cpuset. `mount` is where the
 * tree is mounted, `path` begins with / and is below it; what is above comes first. It ends at the
 * first result that is not 0, and returns it. Groups that come or go meanwhile may be left out.
 */
int cgroup_each(int (*each)(void *arg, const char *mount, const char *path), void *arg);

/* The processes of a group and of all below it. */
uint64_t cgroup_processes(const char *mount, const char *path);

#endif
