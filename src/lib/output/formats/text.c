// SPDX-License-Identifier: GPL-2.0
/* Text for people: columns of a terminal, below heads that are as wide. */
#include "src/lib/output/writer.h"

#include <string.h>

static void put_left_pad(struct output *o, int width, size_t columns)
{
	if (width > 0 && columns < (size_t)width)
		o->blanks += (unsigned int)(width - (int)columns);
}

static void put_right_pad(struct output *o, int width, size_t columns)
{
	if (width < 0 && columns < (size_t)-width)
		o->blanks += (unsigned int)(-width - (int)columns);
}

static void put_padded(struct output *o, int width, const struct text *t)
{
	size_t columns = width > 0 ? escape_width(t->s, t->length) + 3 * t->cut : 0;

	put_left_pad(o, width, columns);
	columns = put_text(o, t);
	put_right_pad(o, width, columns);
}

/* So that a line that is cut is in the buffer whole. */
static void begin_line(struct output *o)
{
	if (o->columns)
		put_over(o);
}

static void end_line(struct output *o)
{
	size_t fits = o->columns ? escape_fit(o->buffer, o->used, o->columns) : o->used;

	while (fits < o->used && fits && o->buffer[fits - 1] == ' ')
		fits--;
	o->blanks = 0;
	o->used = fits;
	put(o, "\n", 1);
}

static void heads(struct output *o)
{
	if (!o->n_cells)
		return;
	begin_line(o);
	for (unsigned int i = 0; i < o->n_cells; i++) {
		const char *s = o->cells[i].column->head;
		struct text head = { .s = s, .length = (uint32_t)strlen(s) };

		o->blanks += i > 0;
		put_padded(o, o->cells[i].width, &head);
	}
	end_line(o);
}

static void put_value(struct output *o, const struct cell *cell, const void *value)
{
	const struct column *c = cell->column;
	char s[VALUE_TEXT];
	size_t n = format_value(o, c, value, s), suffix = n && c->suffix ? strlen(c->suffix) : 0;

	if (!n)
		s[n++] = '-';
	put_left_pad(o, cell->width, n + suffix);
	put(o, s, n);
	if (suffix)
		put(o, c->suffix, suffix);
	put_right_pad(o, cell->width, n + suffix);
}

static void row(struct output *o, const void *row)
{
	begin_line(o);
	for (unsigned int i = 0; i < o->n_cells; i++) {
		const struct cell *cell = &o->cells[i];
		union value room;
		const void *value = cell_value(o, cell, row, &room);
		const struct text *t = value;

		o->blanks += i > 0;
		if (cell->column->type == COLUMN_TEXT)
			put_padded(o, cell->width, t->s ? t : &text_nothing);
		else
			put_value(o, cell, value);
	}
	end_line(o);
}

static void line(struct output *o, const struct text *line)
{
	put_text(o, line);
	put(o, "\n", 1);
}

const struct output_listener text_writer = {
	.heads_again = true,
	.style = ESCAPE_TEXT,
	.quoted = ESCAPE_QUOTED,
	.heads = heads,
	.row = row,
	.line = line,
	.hist = put_text_hist,
	.stack = put_text_stack,
};
