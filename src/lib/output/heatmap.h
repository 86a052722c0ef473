/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HEATMAP_H
#define SONDE_HEATMAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "src/lib/output/output.h"

/*
 * A distribution over time: a column for each interval, the slots of histograms as rows, and a map
 * for each group (disk, process, ...). output_hist() adds every histogram that a tool prints, so
 * tools need no code for heat maps.
 *
 * Memory is bounded: `limit` columns, HEATMAP_GROUPS groups and one map for all other groups. A
 * full map either drops its oldest columns (a terminal scrolls) or merges its columns two by two (a
 * file shows the whole run).
 */
#define HEATMAP_GROUPS 16

struct heatmap_column {
	int64_t start, end;		/* ns since the epoch */
	uint64_t lost;			/* lost events of the interval, as far as known */
};

/* The slots of one group in one column: `n` counts from slot `first` on. */
struct heatmap_cells {
	unsigned int first, n;
	uint64_t *counts;
	uint64_t total;
};

struct heatmap_group {
	char *unit;			/* "usecs" */
	/* "disk = sda", escaped; empty: the histogram has no group */
	char *name;
	struct heatmap_cells *cells;	/* one for each column, and one for the current interval */
};

struct heatmap {
	const char *tool;
	/* shown in pictures: the command line, and the host's name; NULL: neither */
	const char *command, *host;
	struct zone zone;		/* time zone of shown times; not owned */
	/*
	 * 0: slots are those of histograms. Otherwise slots are times within a second: `slots` of
	 * them, `step` units each, and all are shown.
	 */
	unsigned int slots, step;
	unsigned int limit;		/* columns at most */
	bool merges;			/* a full map merges its columns; false: drops the oldest */
	unsigned int n_columns;
	unsigned int dropped;		/* columns dropped so far */
	unsigned int span;		/* intervals in a column; merging doubles it */
	unsigned int filled;		/* intervals in the last column */
	struct heatmap_column *columns;
	unsigned int n_groups;
	struct heatmap_group groups[HEATMAP_GROUPS + 1];
	uint64_t total, lost;		/* events of all columns, dropped ones too; lost events */
	bool failed;			/* out of memory: the map is incomplete */
};

/* `limit` (columns) is even. Returns NULL if there is no memory. */
struct heatmap *heatmap_new(const char *tool, unsigned int limit, bool merges);
void heatmap_free(struct heatmap *m);
/* Adds a histogram to the current interval. A group without any counts has no map. */
void heatmap_add(struct heatmap *m, const char *unit, const struct hist_section *section,
		 const struct hist *h);
/* Ends the interval: the histograms added since the last call become a column. */
void heatmap_end_column(struct heatmap *m, const struct heatmap_column *column);

/*
 * Rows of a picture: slots folded until they fit. A power of two has `sub` rows; or, if `sub` is 1,
 * a row has `powers` powers of two. If `step` is not 0, a row has `powers` slots of `step` units.
 */
struct heatmap_rows {
	unsigned int sub, powers, step;
	unsigned int first, n;		/* the rows shown: n of them from number `first` on */
};
/* Rows for the slots from first_slot to last_slot, at most max_rows. */
struct heatmap_rows heatmap_fold(unsigned int first_slot, unsigned int last_slot,
				 unsigned int max_rows);
/* Rows for all maps of a unit, by their columns from `begin` on; at most max_rows. */
struct heatmap_rows heatmap_rows_of(const struct heatmap *m, unsigned int begin, const char *unit,
				    unsigned int max_rows);
/* Rows for a map with a step: all its slots are shown. */
struct heatmap_rows heatmap_fold_steps(const struct heatmap *m, unsigned int max_rows);
/* The row of a slot; it may be outside of the rows shown. */
unsigned int heatmap_row(const struct heatmap_rows *r, unsigned int slot);
/* The smallest and the largest value in a row. */
uint64_t heatmap_row_low(const struct heatmap_rows *r, unsigned int row);
uint64_t heatmap_row_high(const struct heatmap_rows *r, unsigned int row);
/* The slot of a value. */
unsigned int heatmap_slot(uint64_t value);

/*
 * The slots to show: all with counts in columns from `begin` on, in any group of this unit. The
 * range is extended to whole powers of two, at least four. All maps of a unit have the same rows,
 * so they can be compared.
 */
void heatmap_range(const struct heatmap *m, unsigned int begin, const char *unit,
		   unsigned int *first,
		   unsigned int *last);
/* Adds up the counts of one column by row: r->n counts. */
void heatmap_column_rows(const struct heatmap_cells *c, const struct heatmap_rows *r,
			 uint64_t *counts);

/* What colours mean: counts from least[i] on have level i + 1. Steps are 1 2 5 10 or 1 3 10 30. */
#define HEATMAP_LEVELS 60
struct heatmap_scale {
	unsigned int n;
	uint64_t least[HEATMAP_LEVELS];
};
enum heatmap_series { SERIES_1_2_5, SERIES_1_3 };
/* The scale for counts up to `largest`. */
void heatmap_scale(struct heatmap_scale *s, enum heatmap_series series, uint64_t largest);
/* The level of a count; 0: the count is 0. */
unsigned int heatmap_level(const struct heatmap_scale *s, uint64_t count);

/* Marks of the axis: round values, at least `spacing` rows apart. */
#define HEATMAP_MARKS 64
struct heatmap_mark {
	uint64_t value;
	unsigned int row;		/* counted from the first shown row */
	double place;			/* the row with its fraction */
	char label[16];			/* "100us" */
};
/* Writes the marks to `marks`, and returns their number. */
unsigned int heatmap_marks(const struct heatmap_rows *r, const char *unit, double spacing,
			   struct heatmap_mark marks[HEATMAP_MARKS]);
/* Returns true for a unit of time: labels then have their unit. Other units are shown beside. */
bool heatmap_unit_is_time(const char *unit);
/* Writes a value as "100us" or "2k": exact if value is round. */
void heatmap_label(char *s, size_t size, uint64_t value, const char *unit);
/* Writes the local time of `ns`, with the date if the map spans more than a day. */
void heatmap_time(const struct heatmap *m, char *s, size_t size, int64_t ns);

/* How a picture for a terminal is made. */
enum heatmap_colours { COLOURS_NONE, COLOURS_256, COLOURS_TRUE };
struct heatmap_look {
	unsigned int width, height;	/* characters, lines */
	enum heatmap_colours colours;
	bool blocks;			/* half blocks, two rows a line: the terminal has UTF-8 */
};
/*
 * Draws the newest columns, `height` lines at most. live: draws over the last picture; otherwise
 * from the cursor on. If not all maps fit, those with the largest counts are drawn.
 */
void heatmap_draw(FILE *file, const struct heatmap *m, const struct heatmap_look *look, bool live);

/* The state of a map that heatmap_print() prints line by line. */
struct heatmap_lines {
	unsigned int n;			/* lines since the last heading */
	char unit[16];			/* of that heading */
};
/*
 * Prints the last column: a line for each group, values from left to right, a character for each
 * count. There are no colours and no cursor control, and all lines have the same axis and scale, so
 * the text may go into a pipe.
 */
void heatmap_print(FILE *file, const struct heatmap *m, unsigned int width,
		   struct heatmap_lines *lines);
/* Writes the map as an SVG file. */
void heatmap_svg(FILE *file, const struct heatmap *m);

#endif
