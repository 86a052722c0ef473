/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_GROUPS_H
#define SONDE_GROUPS_H

#include "src/run/tool.h"

/*
 * --by-cgroup: whose is it? Programs take the input `whose`. It is the id of the task's control
 * group, where the kernel tells programs (BPF, 4.18, version 2). Elsewhere it is ~ of the thread's
 * id, or -1 without a thread. Then /proc tells the group when a table is shown, but only of tasks
 * that lived all through the interval: otherwise another task may have the id now.
 */
#define BY_CGROUP "by-cgroup"
#define BY_CGROUP_HELP "a row for each control group"
/* The column's value is a text in the row. */
#define BY_CGROUP_COLUMN(OFFSET) \
	{ "CGROUP", "cgroup", COLUMN_TEXT, 0, OFFSET, .option = BY_CGROUP, \
	  .help = "control group: unit, container or path; -: unknown" }

/*
 * The groups of a table, each once. All zero: none. `before`: for events whose task did something
 * up to so many ns before them: the tasks of /proc must have lived then.
 */
struct groups {
	char **paths;
	size_t n;
	int64_t before;
};

/*
 * The group of an `owner`, as the path up to its container or unit: groups within these are parts
 * of them. A group that is gone has its id instead. Equal groups have the same pointer, up to
 * groups_free(). NULL: it is unknown, or there is no memory.
 */
const char *groups_find(struct run *r, struct groups *g, int64_t owner);
void groups_free(struct groups *g);
/*
 * What rows show of it: JSON and CSV the path; text the unit, or the container's name, else engine
 * and the first digits of its id.
 */
struct text group_text(const struct run *r, const char *path);

/* What is called a group: the name in a path, and how far the path leads to it. */
struct group_name {
	const char *s;
	size_t length, path;
};
struct group_name group_name(const char *path);

#endif
