/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILTER_H
#define SONDE_FILTER_H

#include "compat/kernel/kernel.h"
#include "compat/events/event.h"
#include "insns/program.h"

/*
 * Filters by task. A row is an option whose values are ids: a task passes if one of its identities
 * (compat/resolve/identity.h) is among the ids. FILTER in a program tests each row that the user
 * asked for; a task must pass all of them. The rows are in src/run/filters/filters.c.
 */
enum filter_test {
	FILTER_ID,	/* the identity is one of the ids: one is compared, several are looked up */
	FILTER_LISTED,	/* the identity is a key of the map, whose entries come and go */
	/* BPF: the task is in a cgroup of the map, or below one; no identity is read */
	FILTER_UNDER,
	/* BPF: the identity is a key of a map that is not sonde's; others change its entries */
	FILTER_PINNED,
};

struct filter_row {
	const char *option;	/* "pid" */
	const char *input;	/* name of the identity; FILTER_UNDER: NULL */
	enum filter_test test;
	/* The map of the ids. `entries`: for FILTER_LISTED; 0: a program set has the map. */
	const char *map;
	uint16_t key_size;
	uint32_t entries;
	bool of_pids;		/* ids are of processes or threads */
	bool of_others;		/* told of tasks that are not current, too: FILTER_OTHER */
	const char *no_bpf;	/* FILTER_UNDER: the message if the kernel lacks feature `bpf` */
	enum feature bpf;
	/* ring engines do not test it, but follow the tasks (struct task_scope) */
	bool followed;
};

/* A row with the ids that the user asked for. */
struct asked_filter {
	const struct filter_row *row;
	/* FILTER_UNDER and FILTER_PINNED: file descriptors. FILTER_LISTED: unused. */
	const uint64_t *ids;
	unsigned int n;
	uint32_t value_size, entries;	/* of the map of FILTER_PINNED */
	/* by enum target: why engines of this kind can't test it; NULL: they can */
	const char *refused[2];
};

/*
 * The wanted cgroups and namespaces, for ring engines. They follow which tasks are in one of the
 * cgroups, or below one, and in one of the namespaces of each type
 * (backends/stream/tables/members.h).
 */
enum scope_namespace { SCOPE_MNTNS, SCOPE_PIDNS, SCOPE_NAMESPACES };
struct task_scope {
	unsigned int hierarchy;		/* the tree's number in /proc/PID/cgroup; 0: version 2 */
	const char *mount;		/* where the tree is mounted */
	const char *const *paths;	/* from the root of the tree: "/a/b" */
	const uint64_t *directories;	/* open file descriptors of the same cgroups */
	unsigned int n;			/* 0: tasks of all cgroups are wanted */
	struct scope_ids {
		const uint64_t *ids;
		unsigned int n;		/* 0: those of all namespaces of this type */
	} namespaces[SCOPE_NAMESPACES];
};

/* Returns true if the scope has namespaces; scope NULL: false. */
bool scope_has_namespaces(const struct task_scope *scope);

#define FILTERS 16		/* rows at most */

/* Which tasks the user asked for; without rows, all. */
struct filter {
	/* sonde's own tgid in the initial pid namespace, which never passes; 0: unknown */
	uint32_t self;
	unsigned int n;
	struct asked_filter asked[FILTERS];
	/* the ids of --pid again, for engines that can attach to single processes */
	const uint32_t *processes;
	unsigned int n_processes;
	const struct task_scope *scope;	/* NULL: neither cgroups nor namespaces are asked for */
};

/* The row of an option. Returns NULL if the user did not ask for it. */
const struct asked_filter *filter_asked(const struct filter *f, const char *option);
/* Returns true if engines of this kind follow the wanted tasks instead of testing the row. */
bool filter_followed(const struct asked_filter *a, enum target target);
/* Returns true if the user named processes; then sonde itself passes if it is one of them. */
bool filter_of_processes(const struct filter *f);
/*
 * Returns true if FILTER lets a task with these ids pass. Returns false also if a row needs more
 * than these ids: a user, which may change, or a command's family, which is made later.
 */
bool filter_passes(const struct filter *f, uint32_t tid, uint32_t tgid);
/* The map that a plan needs for a row. Returns false if it needs none, or a program set has it. */
bool filter_map(const struct asked_filter *a, enum target target, struct map *map);

#endif
