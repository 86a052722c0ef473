/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CGROUP_IDS_H
#define SONDE_CGROUP_IDS_H

#include "backends/perf/side_band.h"
#include "insns/filter.h"
#include "insns/lower/lower.h"

/*
 * The ids of the control groups of a scope, where perf's samples have the id of their task's
 * (PERF_SAMPLE_CGROUP, 5.7). The cgroups that exist at the start are found in the tree; perf
 * records those that are made later. An id is of one cgroup only, so the order of the records does
 * not matter. All zero: closed.
 */
struct cgroup_ids {
	const struct task_scope *scope;
	struct side_band *band;
	uint64_t losses;	/* after which the tree was read again */
	bool *gone;		/* of the scope's paths: another cgroup has this path now */
	uint64_t *ids;		/* in ascending order */
	unsigned int n;
	bool failed;		/* memory ran out */
	uint64_t last;		/* id that was looked for */
	enum in_scope found;
};

/* Do perf's samples of this kernel tell the cgroups of the scope's tree? False of NULL. */
bool cgroup_ids_told(struct kernel *k, const struct task_scope *scope);
/* The same of the tree of version 2, whatever the scope. */
bool cgroup_ids_version2(struct kernel *k);
/* The scope must stay. Returns -1 and sets err on failure. */
int cgroup_ids_open(struct cgroup_ids *c, struct kernel *k, const struct task_scope *scope,
		    FILE *verbose, struct error *err);
void cgroup_ids_close(struct cgroup_ids *c);
/* Learns of the cgroups that were made up to now. Does nothing if it is closed. */
int cgroup_ids_read(struct cgroup_ids *c, struct error *err);
enum in_scope cgroup_ids_find(void *ids, uint64_t id);

/* Learns of one cgroup. */
void cgroup_ids_add(struct cgroup_ids *c, uint64_t id, const char *path);

#endif
