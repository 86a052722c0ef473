/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OUTPUT_WRITER_H
#define SONDE_OUTPUT_WRITER_H

#include <string.h>

#include "compat/base/clock.h"
#include "compat/time/date.h"
#include "src/lib/output/output.h"

/*
 * What the files of src/lib/output share: the buffer, the pieces every format is made of, and the
 * writers of the formats (formats/), a file each with one table of functions at its end.
 */

/* What a row has for a column, by the column's type. */
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
	const struct record_field *field;	/* what it shows; NULL: the value is in the row */
	const struct part *part;
	cell_reader read;
	bool known;			/* this kernel tells it */
	/* as in printf; never less than the head's, which would not be above it */
	int width;
	const char *key;		/* JSON: `"name":`, with the comma before it */
	unsigned int key_length;
};

/* Finds the field that a column names; false: there is none, or no such column can show it. */
bool cell_find(struct cell *cell, const struct output_source *source);

/* A histogram as a format gets it: log2 ones have HIST_SLOTS counts. */
struct histogram {
	const char *name, *unit;
	const struct hist_section *section;
	int64_t clock_ns;
	const struct hist_totals *totals;
	const uint64_t *counts;
	unsigned int n;
	/* count i is of the values from first + i * step on; they may be negative */
	bool linear;
	int64_t first, step;
};
uint64_t histogram_low(const struct histogram *h, unsigned int i);
uint64_t histogram_high(const struct histogram *h, unsigned int i);

/* A format. Functions that are NULL print nothing. */
struct format_writer {
	bool heads_again;		/* each interval's table has its own heads */
	/* of texts, and of those whose backslashes are escapes already */
	enum escape_style style, quoted;
	int (*begin)(struct output *o);	/* the columns are known; -1: out of memory */
	void (*heads)(struct output *o);
	void (*row)(struct output *o, const void *row);
	void (*line)(struct output *o, const struct text *line);
	void (*hist)(struct output *o, const struct histogram *h);
	void (*stack)(struct output *o, const struct stack_shown *s);
	void (*end)(struct output *o, const struct output_end *end);
	void (*members)(struct output *o, const char *name, const struct output_member *members,
			unsigned int n);
};

/*
 * Lines are collected, and handed over as whole lines: a tool prints up to a million rows a second.
 */
#define OUTPUT_BUFFER 16384
/* of most lines; there is room for one more before they are handed over */
#define OUTPUT_LONG_LINE 4096

struct output {
	FILE *file;
	const struct output_format *format;
	const struct format_writer *writer;	/* the format's */
	struct output_source source;
	unsigned int n_cells;
	struct cell *cells;
	char *keys;			/* what the cells' keys point into */
	bool header_done, hist_header_done;
	struct heatmap *map;		/* of output_map() */
	bool map_only;
	/* errno of the first write that failed; nothing is written after it */
	int error;
	/* owed: written only if something follows, so no line ends with blanks */
	unsigned int blanks;
	int64_t clock_second;		/* what `clock` is of */
	struct date clock;
	size_t used;
	char buffer[OUTPUT_BUFFER];
};

void put(struct output *o, const char *bytes, size_t n);
void put_string(struct output *o, const char *s);
/* A line, or several, are whole. Every function of output.h that prints ends with it. */
void put_end(struct output *o);
/* Hands what was collected to stdio. */
void put_over(struct output *o);

/* Numbers as text, without a terminating NUL; their length. Buffers of 24 bytes suffice. */
unsigned int format_unsigned(char *s, uint64_t v);
unsigned int format_signed(char *s, int64_t v);
unsigned int format_octal(char *s, uint64_t v, unsigned int digits);
/* Nanoseconds as seconds with `digits` decimals, rounded half away from zero. */
unsigned int format_seconds(char *s, int64_t ns, unsigned int digits);
void put_decimal(struct output *o, uint64_t v, bool is_signed);
const char *clock_text(struct output *o, int64_t ns);	/* HH:MM:SS, local time */

/* The longest number: DBL_MAX with 255 decimals. */
#define VALUE_TEXT 640
/* The value of a column that is no text, as text; 0 characters: nothing. */
unsigned int format_value(struct output *o, const struct column *c, const void *value,
			  char s[VALUE_TEXT]);

/* Where the value of a cell is: in the row, or in `room`. */
static inline const void *cell_value(struct output *o, const struct cell *c, const void *row,
				     union value *room)
{
	const char *record = row;

	if (!c->field)
		return record + c->column->offset;
	record += c->part->offset;
	if (c->part->pointer)
		memcpy(&record, record, sizeof(record));
	c->read(o, c, record, room);
	return room;
}

/*
 * Escaped for the output's format, quoted where the format quotes; the columns it takes on a
 * terminal.
 */
size_t put_text(struct output *o, const struct text *t);
/* Of text on a terminal: `-` for nothing. */
extern const struct text text_nothing;
void put_text_hist(struct output *o, const struct histogram *h);
/* Stacks as one text: "comm;main;read;vfs_read". */
void put_folded(struct output *o, const struct stack_shown *s);
void put_text_stack(struct output *o, const struct stack_shown *s);

#endif
