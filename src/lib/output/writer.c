// SPDX-License-Identifier: GPL-2.0
#include "src/lib/output/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"

static void write_out(struct output *o, const char *bytes, size_t n)
{
	if (!o->error && fwrite(bytes, 1, n, o->file) != n)
		o->error = errno ? errno : EIO;
}

void put_over(struct output *o)
{
	if (o->used && !o->map_only)
		write_out(o, o->buffer, o->used);
	o->used = 0;
}

void output_map(struct output *o, struct heatmap *map, bool only)
{
	put_over(o);
	o->map = map;
	o->map_only = only;
}

void put_end(struct output *o)
{
	if (o->used > sizeof(o->buffer) - OUTPUT_LONG_LINE)
		put_over(o);
	o->blanks = 0;
}

/* Room for n bytes; NULL: there is never so much. */
static char *room(struct output *o, size_t n)
{
	if (n > sizeof(o->buffer) - o->used)
		put_over(o);
	return n <= sizeof(o->buffer) ? o->buffer + o->used : NULL;
}

static void put_blanks(struct output *o)
{
	while (o->blanks) {
		unsigned int n = o->blanks < sizeof(o->buffer) ? o->blanks : sizeof(o->buffer);

		memset(room(o, n), ' ', n);
		o->used += n;
		o->blanks -= n;
	}
}

void put(struct output *o, const char *bytes, size_t n)
{
	char *to;

	if (!n)
		return;
	if (o->blanks)
		put_blanks(o);
	to = room(o, n);
	if (to) {
		memcpy(to, bytes, n);
		o->used += n;
	} else if (!o->map_only) {
		write_out(o, bytes, n);
	}
}

void put_string(struct output *o, const char *s)
{
	put(o, s, strlen(s));
}

void output_picture(struct output *o, const char *bytes, size_t n)
{
	if (o->deaf)
		return;
	if (o->map_only) {
		put_over(o);
		write_out(o, bytes, n);
		return;
	}
	put(o, bytes, n);
	put_end(o);
}

unsigned int format_unsigned(char *s, uint64_t v)
{
	static const char pairs[] =
		"0001020304050607080910111213141516171819202122232425262728293031323334353637383940"
		"4142434445464748495051525354555657585960616263646566676869707172737475767778798081"
		"828384858687888990919293949596979899";
	char digits[20];
	unsigned int at = sizeof(digits), n;

	while (v >= 100) {
		at -= 2;
		memcpy(digits + at, pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10) {
		at -= 2;
		memcpy(digits + at, pairs + v * 2, 2);
	} else {
		digits[--at] = (char)('0' + v);
	}
	n = sizeof(digits) - at;
	memcpy(s, digits + at, n);
	return n;
}

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

unsigned int format_signed(char *s, int64_t v)
{
	unsigned int sign = v < 0;

	if (sign)
		*s = '-';
	return sign + format_unsigned(s + sign, magnitude(v));
}

unsigned int format_octal(char *s, uint64_t v, unsigned int digits)
{
	unsigned int n = 1, i;

	while (n < 22 && (n < digits || v >> 3 * n))
		n++;
	for (i = n; i--; v >>= 3)
		s[i] = '0' + (v & 7);
	return n;
}

unsigned int format_seconds(char *s, int64_t ns, unsigned int digits)
{
	uint64_t v = magnitude(ns), unit = NS_PER_SECOND, fraction, scale = 1;
	unsigned int n = 0, i;

	if (digits > 9)
		digits = 9;
	for (i = digits; i < 9; i++) {
		scale *= 10;
		unit /= 10;
	}
	v = v / scale + (v % scale * 2 >= scale && scale > 1);
	if (ns < 0 && v)
		s[n++] = '-';
	n += format_unsigned(s + n, v / unit);
	if (!digits)
		return n;
	s[n++] = '.';
	fraction = v % unit;
	for (i = digits; i--; fraction /= 10)
		s[n + i] = '0' + fraction % 10;
	return n + digits;
}

void put_decimal(struct output *o, uint64_t v, bool is_signed)
{
	char s[24];

	put(o, s, is_signed ? format_signed(s, (int64_t)v) : format_unsigned(s, v));
}

static void put_to_output(void *o, const char *bytes, size_t n)
{
	put(o, bytes, n);
}

const struct text text_nothing = { .s = "-", .length = 1 };

size_t put_text(struct output *o, const struct text *t)
{
	return escape(t->quoted ? o->writer->quoted : o->writer->style, t->s, t->length, t->cut,
		      put_to_output, o);
}

const char *clock_text(struct output *o, int64_t ns)
{
	int64_t second = ns / NS_PER_SECOND - (ns % NS_PER_SECOND < 0);

	/* Most rows are of the same second as the row before. */
	if (o->clock.time[0] && second == o->clock_second)
		return o->clock.time;
	o->clock = date_local(&o->source.zone, ns);
	o->clock_second = second;
	return o->clock.time;
}
