/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HEATMAP_H
#define SONDE_HEATMAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "src/lib/output/output.h"

/*
 * A distribution over time: a column for each interval, the slots of histograms as rows, and a map
 * for each group (disk, process, ...). output_hist() hands over what tools print anyway, so tools
 * know nothing of it.
 *
 * Memory is bounded: `limit` columns, HEATMAP_GROUPS groups and one for all others. A full map
 * either drops its oldest columns (a terminal scrolls) or merges its columns two by two (a file
 * shows the whole run).
 */
#define HEATMAP_GROUPS 16

struct heatmap_column {
	int64_t start, end;		/* ns since the epoch */
	uint64_t lost;			/* events that are not in it, as far as anybody knows */
};

/* The slots of one group in one column: `n` counts from slot `first` on. */
struct heatmap_cells {
	unsigned int first, n;
	uint64_t *counts;
	uint64_t total;
};

struct heatmap_group {
	char *unit;			/* "usecs" */
	char *name;			/* "disk = sda", escaped; empty: all there is */
	struct heatmap_cells *cells;	/* one a column, and one for the interval that goes on */
};

struct heatmap {
	const char *tool;
	/* for who finds the picture later: how it was made, and where; NULL: not said */
	const char *command, *host;
	struct zone zone;		/* of its times; not owned */
	/*
	 * 0: slots are those of histograms. Else there are `slots` of them, `step` units each, and
	 * all are shown: where within a second something happened.
	 */
	unsigned int slots, step;
	unsigned int limit;
	bool merges;
	unsigned int n_columns;
	unsigned int dropped;		/* columns that have scrolled out of it */
	unsigned int span;		/* intervals in a column; merging doubles it */
	unsigned int filled;		/* intervals in the last column */
	struct heatmap_column *columns;
	unsigned int n_groups;
	struct heatmap_group groups[HEATMAP_GROUPS + 1];
	uint64_t total, lost;		/* of all columns there ever were */
	bool failed;			/* out of memory: it is not complete */
};

/* NULL: no memory. `limit` is even. */
struct heatmap *heatmap_new(const char *tool, unsigned int limit, bool merges);
void heatmap_free(struct heatmap *m);
/* Adds to the interval that goes on. A group that never counted anything has no map. */
void heatmap_add(struct heatmap *m, const char *unit, const struct hist_section *section,
		 const struct hist *h);
/* The interval is over: what was added is a column. */
void heatmap_end_column(struct heatmap *m, const struct heatmap_column *column);

/*
 * Rows: slots folded until they fit. `sub` rows for each power of two, or, if that is 1, `powers`
 * powers a row. With a `step` a row is `powers` slots of so many units.
 */
struct heatmap_rows {
	unsigned int sub, powers, step;
	unsigned int first, n;		/* the rows shown: n of them from number `first` on */
};
struct heatmap_rows heatmap_fold(unsigned int first_slot, unsigned int last_slot,
				 unsigned int max_rows);
/* Those of a map's unit, of the columns from `begin` on, `max_rows` of them at most. */
struct heatmap_rows heatmap_rows_of(const struct heatmap *m, unsigned int begin, const char *unit,
				    unsigned int max_rows);
/* The same for a map all of whose slots are shown, which has a step. */
struct heatmap_rows heatmap_fold_steps(const struct heatmap *m, unsigned int max_rows);
/* may lie outside those shown */
unsigned int heatmap_row(const struct heatmap_rows *r, unsigned int slot);
uint64_t heatmap_row_low(const struct heatmap_rows *r, unsigned int row);
uint64_t heatmap_row_high(const struct heatmap_rows *r, unsigned int row);
unsigned int heatmap_slot(uint64_t value);

/*
 * The slots to show: all that have counts in columns from `begin` on, in any group of this unit, as
 * whole powers of two and at least four of them. All maps of a unit have the same rows, so that
 * they can be compared.
 */
void heatmap_range(const struct heatmap *m, unsigned int begin, const char *unit,
		   unsigned int *first,
		   unsigned int *last);
/* Counts of one column by row, r->n of them. */
void heatmap_column_rows(const struct heatmap_cells *c, const struct heatmap_rows *r,
			 uint64_t *counts);

/*
 * What a colour means: level i+1 for counts from least[i] on; 1 2 5 10 ..., or 1 3 10 30 ...
 */
#define HEATMAP_LEVELS 60
struct heatmap_scale {
	unsigned int n;
	uint64_t least[HEATMAP_LEVELS];
};
enum heatmap_series { SERIES_1_2_5, SERIES_1_3 };
void heatmap_scale(struct heatmap_scale *s, enum heatmap_series series, uint64_t largest);
unsigned int heatmap_level(const struct heatmap_scale *s, uint64_t count);	/* 0: nothing */

/* Marks of the axis: round values, no two of them closer than `spacing` rows. */
#define HEATMAP_MARKS 64
struct heatmap_mark {
	uint64_t value;
	unsigned int row;		/* from the first shown */
	double place;			/* the same, with its fraction */
	char label[16];			/* "100us" */
};
unsigned int heatmap_marks(const struct heatmap_rows *r, const char *unit, double spacing,
			   struct heatmap_mark marks[HEATMAP_MARKS]);
/* Is it a unit of time? Then labels say it, else it has to be said beside them. */
bool heatmap_unit_is_time(const char *unit);
/* "100us", "2k": exact if value is round. */
void heatmap_label(char *s, size_t size, uint64_t value, const char *unit);
/* Local time, with the date if the map is of more than a day. */
void heatmap_time(const struct heatmap *m, char *s, size_t size, int64_t ns);

/* How a picture for a terminal is made. */
enum heatmap_colours { COLOURS_NONE, COLOURS_256, COLOURS_TRUE };
struct heatmap_look {
	unsigned int width, height;
	enum heatmap_colours colours;
	bool blocks;			/* half blocks, two rows a line: the terminal knows UTF-8 */
};
/*
 * The newest columns, in colours, `height` lines at most. live: over what is on the screen, else
 * from the cursor on. Too many maps for the window: those with the most counts.
 */
void heatmap_draw(FILE *file, const struct heatmap *m, const struct heatmap_look *look, bool live);

/* How far a map is that is printed line by line. */
struct heatmap_lines {
	unsigned int n;			/* lines since the last heading */
	char unit[16];			/* of that heading */
};
/*
 * The last column as a line, or one for each of its groups: latency from left to right, a character
 * for a count. No colours, no cursor control, and the same axis and scale in all lines: it can go
 * into a pipe.
 */
void heatmap_print(FILE *file, const struct heatmap *m, unsigned int width,
		   struct heatmap_lines *lines);

void heatmap_svg(FILE *file, const struct heatmap *m);

#endif
