/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OUTPUT_LISTENER_H
#define SONDE_OUTPUT_LISTENER_H

#include <string.h>

#include "compat/time/date.h"
#include "src/lib/output/output.h"

/*
 * Listeners to what a tool shows: the format on the screen is the first one. A listener is a table
 * of functions (struct output_listener) at the end of its file. One that is no format of the screen
 * has an option: a row with `.listener` in src/run/options/common.c.
 */

/* The value of a column in a row, by the column's type. */
union value {
	int64_t integer;
	double real;
	struct text text;
	struct address address;
};

struct cell;
typedef void (*cell_reader)(struct output *o, const struct cell *c, const void *record,
			    union value *to);

/* A column that is shown, ready to be printed. */
struct cell {
	const struct column *column;
	const struct record_field *field;	/* NULL: the value is in the row */
	const struct part *part;		/* the row's part with the field */
	cell_reader read;			/* reads the field, or the row */
	bool known;			/* this kernel provides the value */
	uint8_t role, unit;		/* enum column_role, enum column_unit */
	/* as in printf; at least as wide as the head */
	int width;
	const char *key;		/* JSON: `"name":`, with the comma before it */
	unsigned int key_length;
};

/* Finds the column's field. Returns false if no part has it, or the type can't show it. */
bool cell_find(struct cell *cell, const struct output_source *source);

/* What tells which task acts in a row: its column `pid`, and its first part. */
struct cell_actor {
	struct cell pid;			/* column NULL: the tool has none */
	const struct part *part;
	const struct record_field *time;	/* NULL: there is none */
};
struct cell_actor cell_actor_of(const struct output_source *source);
/* Is it a column of the task that acts, before which those beside it belong? */
bool cell_is_of_actor(const struct column *c);
/* Reads a cell of output_source.beside. */
void cell_read_beside(struct output *o, const struct cell *c, const void *row, union value *to);

/* A histogram as a format gets it; a log2 histogram has HIST_SLOTS counts. */
struct histogram {
	const char *name, *unit;
	const struct hist_section *section;
	int64_t clock_ns;
	const struct hist_totals *totals;
	const uint64_t *counts;
	unsigned int n;			/* counts */
	/* count i is of the values from first + i * step on; values may be negative */
	bool linear;
	int64_t first, step;
};
/* The smallest and the largest value of count i. */
uint64_t histogram_low(const struct histogram *h, unsigned int i);
uint64_t histogram_high(const struct histogram *h, unsigned int i);

/*
 * Sets `values` to the largest value of the slot of each of the output's percentiles. Returns false
 * if the histogram is empty.
 */
bool histogram_percentiles(const struct output *o, const struct histogram *h,
			   uint64_t values[PERCENTILES + 1]);

/*
 * What a listener does with all that it hears: a format writes it, others may count it. Rows come
 * with the cells of the output, so values have their columns' types, roles and units. A heat map
 * comes column by column: `h` has its name, and the counts that were in no histogram before (n is
 * 0: there are none). A function may be NULL.
 */
struct output_listener {
	bool heads_again;		/* each interval's table has its own heads */
	/* how texts are escaped; how texts are whose backslashes are escapes already */
	enum escape_style style, quoted;
	/*
	 * after the columns are found: the cells have their names, roles and units; returns -1 if
	 * there is no memory
	 */
	int (*begin)(struct output *o);
	void (*heads)(struct output *o);
	void (*row)(struct output *o, const void *row);
	void (*line)(struct output *o, const struct text *line);
	void (*hist)(struct output *o, const struct histogram *h);
	/* a heat map has one more column */
	void (*map)(struct output *o, const struct heatmap_column *c, const struct histogram *h);
	void (*stack)(struct output *o, const struct stack_shown *s);
	void (*end)(struct output *o, const struct output_end *end);
	void (*members)(struct output *o, const char *name, const struct output_member *members,
			unsigned int n);
	/* frees what the state has; the state itself is freed after it */
	void (*free)(struct output *o);
};

/* Output is buffered in whole lines: a tool may print a million rows a second. */
#define OUTPUT_BUFFER 16384
/* the buffer is written when less than this is free: most lines are shorter */
#define OUTPUT_LONG_LINE 4096

/* One that listens to a tool; the first one is the screen's, and has the others behind it. */
struct output {
	struct output *next;
	bool deaf;			/* it is not its turn: output_turn() */
	FILE *file;			/* NULL: its listener writes nothing */
	const struct output_format *format;
	const struct output_listener *writer;	/* of the format */
	struct output_source source;
	unsigned int n_cells;
	struct cell *cells;
	struct cell_actor actor;	/* for cells beside the tool's */
	char *keys;			/* memory of the cells' keys */
	void *state;			/* what its listener keeps: begin() makes it; freed here */
	bool header_done, hist_header_done;
	bool has_rows;
	bool ended;			/* it heard the end; only assert() keeps it */
	struct percentiles percentiles;	/* of output_percentiles(); n is 0: not called */
	struct heatmap *map;		/* of output_map() */
	bool map_only;
	/* errno of the first failed write; after it nothing is written */
	int error;
	/* blanks to write before the next byte of the line: no line ends with blanks */
	unsigned int blanks;
	unsigned int columns;		/* lines of tables are cut there; 0: nowhere */
	int64_t clock_second;		/* the second that `clock` is made of */
	struct date clock;
	size_t used;			/* bytes in the buffer */
	char buffer[OUTPUT_BUFFER];
};

/* Returns the first one from `o` on that hears; NULL: there is none. */
struct output *output_hearing(struct output *o);
#define for_each_listener(L, O) \
	for (struct output *L = output_hearing(O); L; L = output_hearing((L)->next))

/* A part of a row. */
static inline const void *row_part(const struct part *p, const void *row)
{
	const char *part = (const char *)row + p->offset;

	if (p->pointer)
		memcpy(&part, part, sizeof(part));
	return part;
}

/* Returns where the value of a cell is: in the row, or in *room. */
static inline const void *cell_value(struct output *o, const struct cell *c, const void *row,
				     union value *room)
{
	const char *record = row;

	if (!c->read)
		return record + c->column->offset;
	c->read(o, c, c->field ? row_part(c->part, row) : row, room);
	return room;
}

#endif
