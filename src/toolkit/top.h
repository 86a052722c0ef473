/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TOP_H
#define SONDE_TOP_H

#include "src/toolkit/groups/groups.h"

/*
 * Tables as top(1) shows them: the first rows of an interval, sorted, below the time and the load.
 * On a terminal a table replaces the one before. JSON and CSV have all rows, unless --maxrows is
 * given. For tools with `tables` and these options.
 */
#define TOP_OPTIONS \
	{ 'C', "noclear", "do not clear the screen", OPTION_FLAG }, \
	{ 'r', "maxrows", "rows of a table", OPTION_NUMBER, "N", 1, INT32_MAX, 20 }
/* For tools that may leave out the line with the time and the load. */
#define TOP_OPTION_SUMMARY \
	{ 'S', "nosummary", "no line with the time and the load", OPTION_FLAG }

struct top {
	size_t size;		/* bytes of a row */
	void *rows;
	size_t n;
	bool failed;		/* out of memory; top_take() and top_show() report it */
	struct groups groups;	/* of top_by_cgroup(); top_free() frees them */
};

/* The first member of rows for top_by_cgroup(). */
struct top_group {
	int64_t owner;
	const char *path;
	struct text text;	/* for BY_CGROUP_COLUMN() */
};

/* Adds a row and returns it. Returns NULL if there is no memory. */
void *top_row(struct top *t);
/*
 * As run_take(); also fails if there was no memory for a row. add() gets t, whose rows are freed on
 * failure.
 */
int top_take(struct run *r, const char *map, entry_fn add, struct top *t, struct error *err);
void top_sort(struct top *t, int (*order)(const void *a, const void *b));
/*
 * Sorts the rows, and makes one of those that are equal in that order: `merge` adds a row to the
 * first of them.
 */
void top_merge(struct top *t, int (*order)(const void *a, const void *b),
	       void (*merge)(void *to, const void *row));
/* With --by-cgroup: makes one row of all those of a control group, as top_merge() does. */
void top_by_cgroup(struct run *r, struct top *t, void (*merge)(void *to, const void *row));
/*
 * Calls print() for the first `most` rows; for machines it is called for all rows, unless the user
 * limits them. Sets the text of control groups before. print() may be called twice for a row.
 */
void top_rows(struct run *r, struct top *t, size_t most,
	      void (*print)(struct run *r, void *row));
/*
 * Prints and frees the rows; `order` is as for qsort(); `print` prints one row. Returns -1 and sets
 * err on failure.
 */
int top_show(struct run *r, struct top *t, int (*order)(const void *a, const void *b),
	     void (*print)(struct run *r, void *row), struct error *err);
void top_free(struct top *t);

#endif
