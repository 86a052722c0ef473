// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/top.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "src/lib/output/terminal.h"
#include "src/run/options/common.h"
#include "src/toolkit/proc.h"

#define CLEAR "\033[H\033[2J"
/* Lines of a screen beside the rows: time and load, an empty one, heads, the cursor's. */
#define AROUND 4

void *top_row(struct top *t)
{
	if (array_room(&t->rows, t->n, t->size)) {
		t->failed = true;
		return NULL;
	}
	return memset((char *)t->rows + t->n++ * t->size, 0, t->size);
}

int top_take(struct run *r, const char *map, entry_fn add, struct top *t, struct error *err)
{
	if (!run_take(r, map, add, t, err) && !t->failed)
		return 0;
	top_free(t);
	return t->failed ? fail(err, "out of memory") : -1;
}

void top_sort(struct top *t, int (*order)(const void *a, const void *b))
{
	if (t->n)
		qsort(t->rows, t->n, t->size, order);
}

void top_merge(struct top *t, int (*order)(const void *a, const void *b),
	       void (*merge)(void *to, const void *row))
{
	char *to = t->rows;
	size_t n = t->n;

	top_sort(t, order);
	for (size_t i = 1; i < t->n; i++) {
		const char *row = (char *)t->rows + i * t->size;

		if (order(to, row)) {
			to += t->size;
			memmove(to, row, t->size);
		} else {
			merge(to, row);
			n--;
		}
	}
	t->n = n;
}

static int by_group(const void *a, const void *b)
{
	const struct top_group *x = a, *y = b;

	return x->path < y->path ? -1 : x->path > y->path;
}

void top_by_cgroup(struct run *r, struct top *t, void (*merge)(void *to, const void *row))
{
	char *row = t->rows;

	if (!common_of(run_options(r))->by_cgroup)
		return;
	for (size_t i = 0; i < t->n; i++, row += t->size) {
		struct top_group *g = (struct top_group *)row;

		g->path = groups_find(r, &t->groups, g->owner);
	}
	top_merge(t, by_group, merge);
}

void top_free(struct top *t)
{
	free(t->rows);
	t->rows = NULL;
	t->n = 0;
	groups_free(&t->groups);
}

static bool clears(const struct run *r)
{
	return output_for_people(run_output(r)) && !common_of(run_options(r))->noclear &&
		isatty(STDOUT_FILENO) && terminal_moves(getenv("TERM"));
}

static void head(struct run *r)
{
	char line[PROC_LOAD];
	struct text load = load_average(r, line);

	if (!common_of(run_options(r))->nosummary) {
		output_line(run_output(r), "%s loadavg: %.*s",
			    run_local(r, run_interval_clock(r)).time,
			    load.s ? (int)load.length : 1, load.s ? load.s : "-");
		output_line(run_output(r), "%s", "");
	}
	output_heads(run_output(r));
}

void top_rows(struct run *r, struct top *t, size_t most,
	      void (*print)(struct run *r, void *row))
{
	const struct common_options *o = common_of(run_options(r));
	const bool limited = o->maxrows_given;

	for (unsigned int turn = 0; output_turn(run_output(r), &turn);) {
		const size_t n = limited || output_for_people(run_output(r)) ? most : SIZE_MAX;
		char *row = t->rows;

		for (size_t i = 0; i < t->n && i < n; i++, row += t->size) {
			struct top_group *g = (struct top_group *)row;

			if (o->by_cgroup)
				g->text = group_text(r, g->path);
			print(r, row);
		}
	}
}

int top_show(struct run *r, struct top *t, int (*order)(const void *a, const void *b),
	     void (*print)(struct run *r, void *row), struct error *err)
{
	size_t most = (size_t)common_of(run_options(r))->maxrows;
	unsigned int width, height;

	if (clears(r)) {
		terminal_size(STDOUT_FILENO, &width, &height);
		if (most > height - AROUND && height > AROUND)
			most = height - AROUND;
		output_fit(run_output(r), width);
		output_picture(run_output(r), CLEAR, sizeof(CLEAR) - 1);
	} else {
		output_line(run_output(r), "%s", "");
	}
	head(r);
	top_sort(t, order);
	top_rows(r, t, most, print);
	top_free(t);
	return t->failed ? fail(err, "out of memory") : 0;
}
