/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILTER_H
#define SONDE_FILTER_H

#include "compat/kernel/kernel.h"
#include "compat/events/event.h"
#include "insns/program.h"

/*
 * Filters by task. A row is an option whose values are ids: a task is wanted if an identity of the
 * task (compat/resolve/identity.h) is one of the ids. FILTER in a program tests each row that the
 * user asked for; a task passes if it passes all of them. The rows are in src/filters/filters.c.
 */
enum filter_test {
	FILTER_ID,	/* the identity is one of the ids: one is compared, several are looked up */
	FILTER_LISTED,	/* the identity is a key of the map, whose entries come and go */
	/* BPF: the task is in one of the cgroups of the map, or below one; no identity is read */
	FILTER_UNDER,
};

struct filter_row {
	const char *option;	/* "pid" */
	const char *input;	/* the name of the identity; of FILTER_UNDER NULL */
	enum filter_test test;
	/*
	 * A map of the ids. `entries`: of FILTER_LISTED; 0: a program set of the plan has the map.
	 */
	const char *map;
	uint16_t key_size;
	uint32_t entries;
	bool of_pids;		/* the ids are those of processes or threads */
	const char *no_bpf;	/* FILTER_UNDER: why a kernel without `bpf` can't tell */
	enum feature bpf;
	bool followed;		/* engines of rings follow the tasks instead (struct task_scope) */
};

/* A row with what the user asked for. */
struct asked_filter {
	const struct filter_row *row;
	/* Of FILTER_UNDER file descriptors. FILTER_LISTED: its map is filled otherwise. */
	const uint64_t *ids;
	unsigned int n;
	/* by enum target: why such engines can't tell what was asked for; NULL: they may */
	const char *refused[2];
};

/*
 * The cgroups that are wanted, for engines of rings. These follow which tasks are in one of them,
 * or below one (backends/stream/members.h).
 */
struct task_scope {
	unsigned int hierarchy;		/* the tree's number in /proc/PID/cgroup; 0: version 2 */
	const char *mount;		/* where the tree is mounted */
	const char *const *paths;	/* from the root of the tree: "/a/b" */
	unsigned int n;
};

#define FILTERS 16		/* rows at most */

/* Which tasks the user asked for; without any row all. */
struct filter {
	/* sonde's own tgid in the initial pid namespace, which is not wanted; 0: not known */
	uint32_t self;
	unsigned int n;
	struct asked_filter asked[FILTERS];
	/* the ids of --pid once more, for engines that can have events of these alone */
	const uint32_t *processes;
	unsigned int n_processes;
	const struct task_scope *scope;	/* NULL: neither cgroups nor namespaces are asked for */
};

/* What was asked for by an option; NULL: nothing. */
const struct asked_filter *filter_asked(const struct filter *f, const char *option);
/* Do engines of this kind follow which tasks are wanted? */
bool filter_followed(const struct asked_filter *a, enum target target);
/* Did the user name processes? Then sonde's own is wanted if it is one of them. */
bool filter_of_processes(const struct filter *f);
/*
 * Does FILTER let a task of these ids pass? Returns false also where a row asks for more than
 * these ids: for a user, who may change, or a command's family, which is made later.
 */
bool filter_passes(const struct filter *f, uint32_t tid, uint32_t tgid);
/* The map that a plan needs for this; false: it needs none, or a program set has it. */
bool filter_map(const struct asked_filter *a, enum target target, struct map *map);

#endif
