// SPDX-License-Identifier: GPL-2.0
#include "compat/base/jsonr.h"

#include <string.h>

#include "compat/base/scan.h"
#include "compat/base/text.h"

/* A reader's place in a text, and the text's end. */
struct scan {
	const char *at, *end;
	int depth;
};

static bool value(struct scan *s);

static void blanks(struct scan *s)
{
	while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r' ||
				  *s->at == '\n'))
		s->at++;
}

static bool take(struct scan *s, char c)
{
	blanks(s);
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The number of four hexadecimal digits; -1: they are none. */
static int32_t hex4(const char *at, const char *end)
{
	int32_t n = 0;

	if (end - at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int digit = hex_digit(at[i]);

		if (digit < 0)
			return -1;
		n = n << 4 | digit;
	}
	return n;
}

static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";

/* The rest of a string, after its first quote. */
static bool string_rest(struct scan *s)
{
	while (s->at < s->end) {
		unsigned char c = (unsigned char)*s->at++;

		if (c == '"')
			return true;
		if (c < ' ')
			return false;
		if (c != '\\')
			continue;
		if (s->at == s->end)
			return false;
		c = (unsigned char)*s->at++;
		if (c == 'u') {
			if (hex4(s->at, s->end) < 0)
				return false;
			s->at += 4;
		} else if (!c || !strchr(letters, c)) {
			return false;
		}
	}
	return false;
}

static bool digits(struct scan *s)
{
	const char *start = s->at;

	while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
		s->at++;
	return s->at > start;
}

static bool number(struct scan *s)
{
	if (s->at < s->end && *s->at == '-')
		s->at++;
	if (s->at < s->end && *s->at == '0')
		s->at++;
	else if (!digits(s))
		return false;
	if (s->at < s->end && *s->at == '.') {
		s->at++;
		if (!digits(s))
			return false;
	}
	if (s->at < s->end && (*s->at | 0x20) == 'e') {
		s->at++;
		if (s->at < s->end && (*s->at == '+' || *s->at == '-'))
			s->at++;
		return digits(s);
	}
	return true;
}

static bool word(struct scan *s)
{
	static const char *const words[] = { "true", "false", "null" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i]);

		if ((size_t)(s->end - s->at) >= n && !memcmp(s->at, words[i], n)) {
			s->at += n;
			return true;
		}
	}
	return number(s);
}

/* The elements of an array or an object, and the closing bracket. */
static bool inside(struct scan *s, bool object)
{
	char close = object ? '}' : ']';

	if (take(s, close))
		return true;
	do {
		if (object && !(take(s, '"') && string_rest(s) && take(s, ':')))
			return false;
		if (!value(s))
			return false;
	} while (take(s, ','));
	return take(s, close);
}

static bool value(struct scan *s)
{
	bool good;

	blanks(s);
	if (s->at == s->end)
		return false;
	switch (*s->at) {
	case '"':
		s->at++;
		return string_rest(s);
	case '{':
	case '[':
		if (s->depth == JSON_DEPTH)
			return false;
		s->depth++;
		good = inside(s, *s->at++ == '{');
		s->depth--;
		return good;
	default:
		return word(s);
	}
}

bool json_read(const char *s, size_t n, struct json *v)
{
	struct scan scan = { s, s + n, 0 };

	blanks(&scan);
	v->s = scan.at;
	if (!value(&scan))
		return false;
	v->n = (size_t)(scan.at - v->s);
	blanks(&scan);
	return scan.at == scan.end;
}

struct json_walk json_walk(struct json v)
{
	bool object = v.n && *v.s == '{';

	if (!object && !(v.n && *v.s == '['))
		return (struct json_walk){ };
	return (struct json_walk){ v.s + 1, v.s + v.n, object };
}

bool json_next(struct json_walk *w, struct json *name, struct json *v)
{
	struct scan s = { w->at, w->end, 0 };

	take(&s, ',');
	blanks(&s);
	*name = (struct json){ s.at, 0 };
	if (w->object) {
		if (!take(&s, '"'))
			return false;
		name->s = s.at;
		if (!string_rest(&s))
			return false;
		name->n = (size_t)(s.at - 1 - name->s);
		if (!take(&s, ':'))
			return false;
		blanks(&s);
	}
	v->s = s.at;
	if (!value(&s))
		return false;
	v->n = (size_t)(s.at - v->s);
	w->at = s.at;
	return true;
}

bool json_member(struct json object, const char *name, struct json *v)
{
	struct json_walk w = json_walk(object);
	size_t n = strlen(name);
	struct json is;

	while (w.object && json_next(&w, &is, v))
		if (is.n == n && !memcmp(is.s, name, n))
			return true;
	*v = (struct json){ };
	return false;
}

bool json_null(struct json v)
{
	return v.n == 4 && !memcmp(v.s, "null", 4);
}

bool json_integer(struct json v, int64_t *n)
{
	uint64_t limit = INT64_MAX, sum = 0;
	const char *at = v.s, *end = v.s + v.n;
	bool minus;

	if (v.n > 2 && *at == '"' && end[-1] == '"') {
		at++;
		end--;
	}
	minus = at < end && *at == '-';
	at += minus;
	limit += minus;
	if (at == end)
		return false;
	for (; at < end; at++) {
		unsigned int digit = (unsigned char)*at - '0';

		if (digit > 9 || sum > (limit - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*n = minus ? (int64_t)(0 - sum) : (int64_t)sum;
	return true;
}

bool json_decimal(struct json v, unsigned int places, int64_t *n)
{
	char text[32];
	const char *at = text;
	uint64_t number;

	text_cut(text, sizeof(text), "%.*s", (int)v.n, v.s);
	if (!scan_decimal(&at, places, INT64_MAX, &number) || !scan_end(&at))
		return false;
	*n = (int64_t)number;
	return true;
}

/* The UTF-8 of a character; a lone U+DC80 to U+DCFF means a byte. */
static size_t spell(uint32_t c, char to[4])
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c >= 0xdc80 && c <= 0xdcff) {
		to[0] = (char)(c & 0xff);
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3f));
		to[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 0x3f));
	to[2] = (char)(0x80 | (c >> 6 & 0x3f));
	to[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* The bytes of an escape, after its backslash; moves past it. */
static size_t escaped(const char **at, const char *end, char to[4])
{
	const char *letter = *at < end ? strchr(letters, **at) : NULL;
	int32_t c, low;

	if (letter && *letter) {
		++*at;
		to[0] = meant[letter - letters];
		return 1;
	}
	if (*at == end || **at != 'u')
		return 0;
	++*at;
	c = hex4(*at, end);
	if (c < 0)
		return 0;
	*at += 4;
	low = c >= 0xd800 && c < 0xdc00 && end - *at > 2 && (*at)[0] == '\\' &&
		(*at)[1] == 'u' ? hex4(*at + 2, end) : -1;
	if (low >= 0xdc00 && low < 0xe000) {
		*at += 6;
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	}
	return spell((uint32_t)c, to);
}

size_t json_text(struct json v, char *to, size_t size)
{
	bool string = v.n >= 2 && v.s[0] == '"';
	const char *at = string ? v.s + 1 : NULL, *end = string ? v.s + v.n - 1 : NULL;
	size_t n = 0;

	while (string && at < end) {
		char bytes[4] = { *at };
		size_t more = 1;

		if (*at++ == '\\')
			more = escaped(&at, end, bytes);
		if (n + more + 1 > size)
			break;
		memcpy(to + n, bytes, more);
		n += more;
	}
	to[n] = '\0';
	return n;
}

bool json_same(struct json a, struct json b)
{
	return a.n == b.n && !memcmp(a.s, b.s, a.n);
}
