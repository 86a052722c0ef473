// SPDX-License-Identifier: GPL-2.0
#include "src/output/writer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The longest number: DBL_MAX with 255 decimals. */
#define CELL 640

struct output *output_new(FILE *file, enum output_format format, const struct column *columns,
			  bool (*shown)(void *arg, const char *option), void *arg)
{
	struct output *o = calloc(1, sizeof(*o));
	unsigned int n = 0, i;

	if (!o)
		return NULL;
	o->file = file;
	o->format = format;
	while (columns && columns[n].head)
		n++;
	if (!n)
		return o;
	o->columns = calloc(n, sizeof(*o->columns));
	o->widths = calloc(n, sizeof(*o->widths));
	if (!o->columns || !o->widths) {
		output_free(o);
		return NULL;
	}
	for (i = 0; i < n; i++) {
		const struct column *c = &columns[i];
		int head = escape_width(c->head, strlen(c->head)), width = c->width;

		if ((c->option && !shown(arg, c->option)) || (c->unless && shown(arg, c->unless)) ||
		    (c->readers && (c->readers == FOR_PEOPLE) != (format == OUTPUT_TEXT)))
			continue;
		if (c->wide && shown(arg, "wide"))
			width = c->wide;
		if (width && abs(width) < head)
			width = width < 0 ? -head : head;
		o->widths[o->n_columns] = width;
		o->columns[o->n_columns++] = c;
	}
	return o;
}

void output_free(struct output *o)
{
	if (!o)
		return;
	free(o->columns);
	free(o->widths);
	free(o);
}

enum output_format output_format(const struct output *o)
{
	return o->format;
}

static void put_left_pad(struct output *o, int width, size_t columns)
{
	if (width > 0 && columns < (size_t)width)
		o->blanks += width - columns;
}

static void put_right_pad(struct output *o, int width, size_t columns)
{
	if (width < 0 && columns < (size_t)-width)
		o->blanks += -width - columns;
}

static void put_padded(struct output *o, int width, const struct text *t)
{
	size_t columns = width > 0 ? escape_width(t->s, t->length) + 3 * t->cut : 0;

	put_left_pad(o, width, columns);
	columns = put_text(o, t);
	put_right_pad(o, width, columns);
}

static void put_separator(struct output *o, unsigned int column)
{
	if (!column)
		return;
	if (o->format == OUTPUT_TEXT)
		o->blanks++;
	else
		put(o, ",", 1);
}

void output_header(struct output *o)
{
	unsigned int i;

	if (o->header_done || o->format == OUTPUT_JSON)
		return;
	o->header_done = true;
	if (!o->n_columns) {
		if (o->format == OUTPUT_CSV)
			put_hist_csv_header(o);
		put_end(o);
		return;
	}
	for (i = 0; i < o->n_columns; i++) {
		struct text head = { .s = o->columns[i]->head, .length = strlen(o->columns[i]->head) };

		put_separator(o, i);
		put_padded(o, o->format == OUTPUT_TEXT ? o->widths[i] : 0, &head);
	}
	o->blanks = 0;
	put(o, "\n", 1);
	put_end(o);
}

/* HH:MM:SS, and decimals of the second where a column wants some; rounded down, before the epoch too. */
static unsigned int format_clock(struct output *o, const struct column *c, int64_t ns, char *s)
{
	int64_t part = ns % 1000000000;
	time_t second;
	struct tm tm;
	char decimals[16];

	part += part < 0 ? 1000000000 : 0;
	second = (ns - part) / 1000000000;
	if (c->type == COLUMN_CLOCK)
		strcpy(s, clock_text(o, ns));
	else if (!gmtime_r(&second, &tm) || !strftime(s, CELL, "%H:%M:%S", &tm))
		return 0;
	snprintf(decimals, sizeof(decimals), ".%09d", (int)part);
	if (c->digits)
		strncat(s, decimals, c->digits + 1U);
	return strlen(s);
}

void output_heads(struct output *o)
{
	if (o->format == OUTPUT_TEXT)
		o->header_done = false;
	output_header(o);
}

/* The value of a column that is no text, as text; 0 characters: nothing. */
static unsigned int format_value(struct output *o, const struct column *c, const void *value, char *s)
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
		n = snprintf(s, CELL, "%.*f", c->digits, real);
		return n < CELL ? n : CELL - 1;
	case COLUMN_ADDRESS:
		if ((address->family != AF_INET && address->family != AF_INET6) ||
		    !inet_ntop(address->family, address->bytes, s, INET6_ADDRSTRLEN))
			return 0;
		return strlen(s);
	default:
		memcpy(&v, value, sizeof(v));
	}
	if (v == NOTHING)
		return 0;
	if (c->type == COLUMN_OCTAL)
		return format_octal(s, v, c->digits);
	if (c->type == COLUMN_SECONDS)
		return format_seconds(s, v, c->digits);
	if (c->type == COLUMN_CLOCK || c->type == COLUMN_UTC)
		return format_clock(o, c, v, s);
	return format_signed(s, v);
}

static void put_text_cell(struct output *o, unsigned int column, const void *value)
{
	static const struct text nothing = { .s = "-", .length = 1 };
	const struct column *c = o->columns[column];
	int width = o->widths[column];
	char s[CELL];
	size_t n, suffix;

	if (c->type == COLUMN_TEXT) {
		const struct text *t = value;

		put_padded(o, width, t->s ? t : &nothing);
		return;
	}
	n = format_value(o, c, value, s);
	suffix = n && c->suffix ? strlen(c->suffix) : 0;
	if (!n)
		s[n++] = '-';
	put_left_pad(o, width, n + suffix);
	put(o, s, n);
	if (suffix)
		put(o, c->suffix, suffix);
	put_right_pad(o, width, n + suffix);
}

static void put_csv_cell(struct output *o, unsigned int column, const void *value)
{
	const struct column *c = o->columns[column];
	const struct text *t = value;
	char s[CELL];

	if (c->type != COLUMN_TEXT)
		put(o, s, format_value(o, c, value, s));
	else if (t->s)
		put_text(o, t);
}

static void put_json_cell(struct output *o, unsigned int column, const void *value)
{
	const struct column *c = o->columns[column];
	int64_t v = NOTHING;
	char s[CELL];
	unsigned int n;

	if (c->type == COLUMN_TEXT) {
		put_json_text(o, c->name, value);
		return;
	}
	put_json_key(o, c->name);
	n = format_value(o, c, value, s);
	if (!n) {
		put(o, "null", 4);
		return;
	}
	switch (c->type) {
	case COLUMN_INTEGER:
	case COLUMN_OCTAL:
		memcpy(&v, value, sizeof(v));
		put_json_signed(o, v);
		break;
	case COLUMN_CLOCK:
	case COLUMN_UTC:
		memcpy(&v, value, sizeof(v));
		put_json_clock(o, v);
		break;
	case COLUMN_ADDRESS:
		put(o, "\"", 1);
		put(o, s, n);
		put(o, "\"", 1);
		break;
	default:
		put(o, s, n);
	}
}

void output_row(struct output *o, const void *row)
{
	static void (*const cells[])(struct output *o, unsigned int column, const void *value) = {
		[OUTPUT_TEXT] = put_text_cell, [OUTPUT_JSON] = put_json_cell, [OUTPUT_CSV] = put_csv_cell,
	};
	unsigned int i;

	if (!o->n_columns)
		return;
	if (o->format == OUTPUT_JSON)
		put(o, "{", 1);
	for (i = 0; i < o->n_columns; i++) {
		put_separator(o, i);
		cells[o->format](o, i, (const char *)row + o->columns[i]->offset);
	}
	o->blanks = 0;
	put_string(o, o->format == OUTPUT_JSON ? "}\n" : "\n");
	put_end(o);
}

void output_line(struct output *o, const char *format, ...)
{
	struct text line = { 0 };
	char *s = NULL;
	va_list args;
	int n;

	if (o->format != OUTPUT_TEXT)
		return;
	va_start(args, format);
	n = vasprintf(&s, format, args);
	va_end(args);
	if (n < 0) {
		o->error = o->error ? o->error : ENOMEM;
		return;
	}
	line.s = s;
	line.length = n;
	put_text(o, &line);
	put(o, "\n", 1);
	put_end(o);
	free(s);
}

static void put_json_strings(struct output *o, const char *name, const char *const *strings)
{
	const char *separator = "";

	put(o, ",", 1);
	put_json_key(o, name);
	put(o, "[", 1);
	for (; strings && *strings; strings++) {
		put_string(o, separator);
		put_json_string(o, *strings);
		separator = ",";
	}
	put(o, "]", 1);
}

void output_end(struct output *o, const struct output_end *end)
{
	const struct {
		const char *name;
		uint64_t value;
		bool known;
	} counts[] = {
		{ "seen", end->seen, true },
		{ "lost", end->lost, true },
		{ "late", end->late, true },
		{ "full", end->full, true },
		{ "missed", end->missed, end->missed_known },
		{ "strings", end->strings, true },
	};
	unsigned int i;

	if (o->format != OUTPUT_JSON)
		return;
	put_string(o, "{\"end\":{\"tool\":");
	put_json_string(o, end->tool);
	put_string(o, ",\"engine\":");
	put_json_string(o, end->engine);
	put_json_strings(o, "hooks", end->hooks);
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		put(o, ",", 1);
		put_json_key(o, counts[i].name);
		if (counts[i].known)
			put_json_unsigned(o, counts[i].value);
		else
			put(o, "null", 4);
	}
	if (end->untraced_ms) {
		put(o, ",", 1);
		put_json_key(o, "untraced_ms");
		put_json_unsigned(o, end->untraced_ms);
	}
	if (end->untimed) {
		put(o, ",", 1);
		put_json_key(o, "untimed");
		put_json_unsigned(o, end->untimed);
	}
	put_json_strings(o, "missing", end->missing);
	put_string(o, "}}\n");
	put_end(o);
}

int output_flush(struct output *o)
{
	put_end(o);
	/*
	 * A failed write may have happened in a fwrite() that filled stdio's buffer: the fflush() after it has nothing
	 * to do and succeeds, so the first error is kept.
	 */
	if (!o->error && (fflush(o->file) || ferror(o->file)))
		o->error = errno ? errno : EIO;
	if (!o->error)
		return 0;
	errno = o->error;
	return -1;
}
