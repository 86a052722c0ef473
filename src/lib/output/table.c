// SPDX-License-Identifier: GPL-2.0
/* Tables, whatever their format: which columns are shown, and the values in them. */
#include "src/lib/output/writer.h"

#include <assert.h>
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool has_column(const struct output_format *f, enum column_readers readers)
{
	if (readers == FOR_PEOPLE || readers == FOR_MACHINES)
		return f->people == (readers == FOR_PEOPLE);
	if (readers == FOR_OBJECTS || readers == FOR_TABLES)
		return f->objects == (readers == FOR_OBJECTS);
	return true;
}

static bool is_shown(const struct output_format *f, const struct column *c,
		     const struct output_source *s)
{
	const bool asks = c->option && (c->readers != FOR_ASKED || f->people);

	return has_column(f, c->readers) && (!asks || s->shown(s->arg, c->option)) &&
	       (!c->unless || !s->shown(s->arg, c->unless));
}

static int column_width(const struct column *c, const struct output_source *s)
{
	int head = (int)escape_width(c->head, strlen(c->head)), width = c->width;

	if (c->wide && s->shown(s->arg, "wide"))
		width = c->wide;
	if (width && abs(width) < head)
		width = width < 0 ? -head : head;
	return width;
}

static unsigned int count(const struct column *c)
{
	unsigned int n = 0;

	while (c && c[n].head)
		n++;
	return n;
}

/* Returns false if the column names a field that no part has. */
static bool add_cell(struct output *o, const struct column *c, bool beside)
{
	const struct output_source *source = &o->source;
	struct cell *cell = &o->cells[o->n_cells];

	if (!is_shown(o->format, c, source))
		return true;
	*cell = (struct cell){ .column = c, .width = column_width(c, source),
			       .role = column_role(c), .unit = column_unit(c),
			       .read = beside ? cell_read_beside : NULL };
	if (!beside && !cell_find(cell, source))
		return false;
	o->n_cells++;
	return true;
}

/* Before which those beside the tool's are: the first that is shown of the task, or of all. */
static const struct column *first_of_actor(const struct output *o)
{
	for (const struct column *c = o->source.columns; c && c->head; c++)
		if (cell_is_of_actor(c) && is_shown(o->format, c, &o->source))
			return c;
	return o->source.columns;
}

static bool add_cells(struct output *o)
{
	const struct column *first = first_of_actor(o), *beside = o->source.beside.columns;

	for (const struct column *c = o->source.columns; c && c->head; c++) {
		for (; c == first && beside && beside->head; beside++)
			add_cell(o, beside, true);
		if (!add_cell(o, c, false))
			return false;
	}
	return true;
}

struct output *output_new(FILE *file, const struct output_format *format,
			  const struct output_source *source)
{
	struct output *o = calloc(1, sizeof(*o));

	assert(format->writer && source->shown);
	if (!o)
		return NULL;
	o->file = file;
	o->format = format;
	o->writer = format->writer;
	o->source = *source;
	o->cells = calloc(count(source->columns) + count(source->beside.columns) + 1,
			  sizeof(*o->cells));
	if (!o->cells)
		goto failed;
	if (source->beside.columns)
		o->actor = cell_actor_of(source);
	if (!add_cells(o))
		goto failed;
	if (!o->writer->begin || !o->writer->begin(o))
		return o;
failed:
	output_free(o);
	return NULL;
}

void output_free(struct output *o)
{
	if (!o)
		return;
	output_free(o->next);
	if (o->state && o->writer->free)
		o->writer->free(o);
	free(o->cells);
	free(o->keys);
	free(o->state);
	free(o);
}

void output_fit(struct output *o, unsigned int columns)
{
	o->columns = columns;
}

void output_header(struct output *o)
{
	for_each_listener(l, o) {
		if (l->header_done)
			continue;
		l->header_done = true;
		if (l->writer->heads)
			l->writer->heads(l);
		put_end(l);
	}
}

void output_heads(struct output *o)
{
	for_each_listener(l, o)
		if (l->writer->heads_again)
			l->header_done = false;
	output_header(o);
}

/*
 * HH:MM:SS, and decimals of the second where a column wants some; rounded down, before the epoch
 * too.
 */
static unsigned int format_clock(struct output *o, const struct column *c, int64_t ns, char *s)
{
	int64_t part = ns % NS_PER_SECOND;
	const struct date utc = c->type == COLUMN_CLOCK ? (struct date){ } : date_utc(ns);
	const char *time = c->type == COLUMN_CLOCK ? clock_text(o, ns) : utc.time;
	char decimals[16];

	part += part < 0 ? NS_PER_SECOND : 0;
	snprintf(decimals, sizeof(decimals), ".%09d", (int)part);
	return (unsigned int)snprintf(s, VALUE_TEXT, "%s%.*s", time,
				      c->digits ? c->digits + 1 : 0, decimals);
}

unsigned int format_value(struct output *o, const struct column *c, const void *value,
			  char s[VALUE_TEXT])
{
	const struct address *address = value;
	int64_t v = NOTHING;
	double real;
	int n;

	switch (c->type) {
	case COLUMN_REAL:
		memcpy(&real, value, sizeof(real));
		if (!isfinite(real))
			return 0;
		n = snprintf(s, VALUE_TEXT, "%.*f", c->digits, real);
		return (unsigned int)(n < VALUE_TEXT ? n : VALUE_TEXT - 1);
	case COLUMN_ADDRESS:
		if ((address->family != AF_INET && address->family != AF_INET6) ||
		    !inet_ntop(address->family, address->bytes, s, INET6_ADDRSTRLEN))
			return 0;
		return (unsigned int)strlen(s);
	default:
		memcpy(&v, value, sizeof(v));
	}
	if (v == NOTHING)
		return 0;
	if (c->type == COLUMN_OCTAL)
		return format_octal(s, (uint64_t)v, c->digits);
	if (c->type == COLUMN_SECONDS)
		return format_seconds(s, v, c->digits);
	if (c->type == COLUMN_CLOCK || c->type == COLUMN_UTC)
		return format_clock(o, c, v, s);
	return format_signed(s, v);
}

void output_row(struct output *o, const void *row)
{
	for_each_listener(l, o) {
		assert(row && !l->ended);
		l->has_rows = true;
		if (!l->n_cells || !l->writer->row)
			continue;
		l->writer->row(l, row);
		put_end(l);
	}
}

static bool has_lines(const struct output *o)
{
	return o->writer->line && !o->deaf;
}

void output_line(struct output *o, const char *format, ...)
{
	struct text line = { 0 };
	char *s = NULL;
	va_list args;
	int n;

	if (!has_lines(o))
		return;
	va_start(args, format);
	n = vasprintf(&s, format, args);
	va_end(args);
	if (n < 0) {
		o->error = o->error ? o->error : ENOMEM;
		return;
	}
	line.s = s;
	line.length = (uint32_t)n;
	output_text(o, &line);
	free(s);
}

void output_text(struct output *o, const struct text *line)
{
	if (!has_lines(o))
		return;
	o->writer->line(o, line);
	put_end(o);
}

void output_end(struct output *o, const struct output_end *end)
{
	for_each_listener(l, o) {
		assert(!l->ended && (l->ended = true));
		if (l->writer->end)
			l->writer->end(l, end);
		put_end(l);
	}
}

void output_members(struct output *o, const char *name, const struct output_member *members,
		    unsigned int n)
{
	for_each_listener(l, o) {
		if (l->writer->members)
			l->writer->members(l, name, members, n);
		put_end(l);
	}
}

int output_flush(struct output *o)
{
	if (o->next)
		output_flush(o->next);
	put_over(o);
	/*
	 * A failed write may have happened in a fwrite() that filled stdio's buffer: the fflush()
	 * after it has nothing to do and succeeds, so the first error is kept.
	 */
	if (!o->error && o->file && (fflush(o->file) || ferror(o->file)))
		o->error = errno ? errno : EIO;
	if (!o->error)
		return 0;
	errno = o->error;
	return -1;
}
