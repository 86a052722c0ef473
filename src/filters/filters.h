/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILTERS_H
#define SONDE_FILTERS_H

#include "backends/tracefs/detachers.h"
#include "compat/tasks/cgroup.h"
#include "insns/filter.h"
#include "src/tool.h"

struct filters;

/* A filter, and how the user's words become ids. */
struct filter_option {
	struct filter_row row;
	/*
	 * Sets ids and n of `a`; n stays 0 if the option was not given. NULL: the option's values
	 * are the ids. -1 and err: a word means nothing here.
	 */
	int (*read)(struct filters *f, const struct options *o, struct asked_filter *a,
		    struct error *err);
};

/* Ends with a row without an option. */
extern const struct filter_option filter_options[];

/* What the user asked for, and the memory that it points into. */
struct filters {
	struct filter filter;
	uint64_t *ids[FILTERS];
	uint32_t *processes;
	struct cgroup *cgroups;
	unsigned int n_cgroups;
	struct task_scope scope;
	const char *name;		/* of tasks that --name asks for; NULL: of any */
	struct detachers detachers;
};

/*
 * Reads the options that are filters. -1 and err, which names the option: an id can't be told here.
 * filters_free() in either case.
 */
int filters_read(struct filters *f, struct kernel *k, const struct options *o, struct error *err);
void filters_free(struct filters *f);
/*
 * Has a record, of the first of a tool's parts, a task that --name asks for? sonde's own detachers
 * are left out, if no processes were asked for and sonde itself was not.
 */
bool filters_want(struct filters *f, const struct part *parts, const void *record);
#endif
