/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILTERS_H
#define SONDE_FILTERS_H

#include "backends/tracefs/detachers.h"
#include "compat/tasks/cgroup.h"
#include "insns/filter.h"
#include "src/run/tool.h"

struct filters;

/* A filter, and how the user's words become ids. */
struct filter_option {
	struct filter_row row;
	/*
	 * Sets ids and n of `a`; n stays 0 if the option was not given. Returns -1 and sets err if
	 * a word is wrong. NULL: the option's values are the ids.
	 */
	int (*read)(struct filters *f, const struct options *o, struct asked_filter *a,
		    struct error *err);
};

/* Ends with a row without an option. */
extern const struct filter_option filter_options[];

/* The filters of a command line, and their memory. */
struct filters {
	struct filter filter;
	uint64_t *ids[FILTERS];		/* memory of the rows' ids */
	uint32_t *processes;
	struct cgroup *cgroups;
	unsigned int n_cgroups;
	struct task_scope scope;
	const char *name;		/* the text of --name; NULL: any name */
	struct detachers detachers;
};

/*
 * Reads the options that are filters. Returns -1 and sets err if a filter is impossible here; the
 * text names the option. filters_free() is called in either case.
 */
int filters_read(struct filters *f, struct kernel *k, const struct options *o, struct error *err);
void filters_free(struct filters *f);
/*
 * For a record of the tool's first part: returns true if its task has the name of --name. Records
 * of sonde's own detachers are refused, unless the user asked for processes, or for sonde itself.
 */
bool filters_want(struct filters *f, const struct part *parts, const void *record);
#endif
