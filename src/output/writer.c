// SPDX-License-Identifier: GPL-2.0
#include "src/output/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/clock.h"


static void write_out(struct output *o, const char *bytes, size_t n)
{
	if (!o->map_only && !o->error && fwrite(bytes, 1, n, o->file) != n)
		o->error = errno ? errno : EIO;
}

void output_map(struct output *o, struct heatmap *map, bool only)
{
	o->map = map;
	o->map_only = only;
}

void output_picture(struct output *o, const char *bytes, size_t n)
{
	bool only = o->map_only;

	o->map_only = false;
	write_out(o, bytes, n);
	o->map_only = only;
}

void put_end(struct output *o)
{
	if (o->used)
		write_out(o, o->line, o->used);
	o->used = 0;
	o->blanks = 0;
}

static void put_raw(struct output *o, const char *bytes, size_t n)
{
	if (n > sizeof(o->line) - o->used) {
		write_out(o, o->line, o->used);
		o->used = 0;
	}
	if (n > sizeof(o->line)) {
		write_out(o, bytes, n);
		return;
	}
	memcpy(o->line + o->used, bytes, n);
	o->used += n;
}

void put(struct output *o, const char *bytes, size_t n)
{
	if (!n)
		return;
	for (; o->blanks; o->blanks--)
		put_raw(o, " ", 1);
	put_raw(o, bytes, n);
}

void put_string(struct output *o, const char *s)
{
	put(o, s, strlen(s));
}

unsigned int format_unsigned(char *s, uint64_t v)
{
	char digits[20];
	unsigned int n = 0, i;

	do {
		digits[n++] = '0' + v % 10;
		v /= 10;
	} while (v);
	for (i = 0; i < n; i++)
		s[i] = digits[n - 1 - i];
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

#define EXACT_IN_DOUBLES (1ULL << 53)

static void put_json_digits(struct output *o, const char *digits, unsigned int n, uint64_t size)
{
	const char *quote = size > EXACT_IN_DOUBLES ? "\"" : "";

	put_string(o, quote);
	put(o, digits, n);
	put_string(o, quote);
}

void put_json_unsigned(struct output *o, uint64_t v)
{
	char s[24];

	put_json_digits(o, s, format_unsigned(s, v), v);
}

void put_json_signed(struct output *o, int64_t v)
{
	char s[24];

	put_json_digits(o, s, format_signed(s, v), magnitude(v));
}

static void put_to_output(void *o, const char *bytes, size_t n)
{
	put(o, bytes, n);
}

void put_json_key(struct output *o, const char *name)
{
	put_json_string(o, name);
	put(o, ":", 1);
}

void put_json_string(struct output *o, const char *s)
{
	if (s)
		escape(ESCAPE_JSON, s, strlen(s), false, put_to_output, o);
	else
		put(o, "null", 4);
}

size_t put_text(struct output *o, const struct text *t)
{
	static const enum escape_style styles[] = {
		[OUTPUT_TEXT] = ESCAPE_TEXT, [OUTPUT_JSON] = ESCAPE_JSON, [OUTPUT_CSV] = ESCAPE_CSV,
	};

	enum escape_style style = t->quoted && o->format == OUTPUT_TEXT ? ESCAPE_QUOTED : styles[o->format];

	return escape(style, t->s, t->length, t->cut, put_to_output, o);
}

void put_json_text(struct output *o, const char *name, const struct text *t)
{
	put_json_key(o, name);
	if (!t->s) {
		put(o, "null", 4);
		return;
	}
	put_text(o, t);
	if (t->cut) {
		put(o, ",\"", 2);
		put_string(o, name);
		put_string(o, "_cut\":true");
	}
}

/* Rounds down, before the epoch too. */
static time_t whole_seconds(int64_t ns)
{
	return ns / NS_PER_SECOND - (ns % NS_PER_SECOND < 0);
}

void put_json_clock(struct output *o, int64_t ns)
{
	time_t second = whole_seconds(ns);
	char s[64], micros[16];
	struct tm tm;

	if (!gmtime_r(&second, &tm) || !strftime(s, sizeof(s), "\"%Y-%m-%dT%H:%M:%S", &tm)) {
		put(o, "null", 4);
		return;
	}
	put_string(o, s);
	snprintf(micros, sizeof(micros), ".%06dZ\"", (int)((ns - (int64_t)second * NS_PER_SECOND) / 1000));
	put_string(o, micros);
}

const char *clock_text(struct output *o, int64_t ns)
{
	time_t second = whole_seconds(ns);
	struct tm tm;

	/* Most rows are of the same second as the row before. */
	if (o->clock_text[0] && second == o->clock_second)
		return o->clock_text;
	if (!localtime_r(&second, &tm) || !strftime(o->clock_text, sizeof(o->clock_text), "%H:%M:%S", &tm))
		strcpy(o->clock_text, "-");
	o->clock_second = second;
	return o->clock_text;
}
