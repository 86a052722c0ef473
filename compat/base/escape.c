// SPDX-License-Identifier: GPL-2.0
/*
 * The one place where bytes of traced programs are made fit for output. Characters that could move
 * the cursor, forge a line, or make two names look alike are spelled out.
 */
#include "compat/base/escape.h"

#include <stdint.h>
#include <string.h>

struct range {
	uint32_t first, last;
};

/*
 * Characters that are invisible or change how other characters are shown: C1 controls, Unicode's
 * Default_Ignorable_Code_Point, the other format characters (category Cf), the line and paragraph
 * separators, and noncharacters. Sorted.
 */
static const struct range invisible[] = {
	{ 0x80, 0x9f }, { 0xad, 0xad }, { 0x34f, 0x34f }, { 0x600, 0x605 }, { 0x61c, 0x61c },
	{ 0x6dd, 0x6dd }, { 0x70f, 0x70f }, { 0x890, 0x891 }, { 0x8e2, 0x8e2 }, { 0x115f, 0x1160 },
	{ 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x200b, 0x200f }, { 0x2028, 0x202e },
	{ 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfdd0, 0xfdef }, { 0xfe00, 0xfe0f },
	{ 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb }, { 0xfffe, 0xffff },
	{ 0x110bd, 0x110bd }, { 0x110cd, 0x110cd }, { 0x13430, 0x1343f }, { 0x1bca0, 0x1bca3 },
	{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

/* Marks above or below the character before them: they take no column. */
static const struct range combining[] = {
	{ 0x300, 0x36f }, { 0x483, 0x489 }, { 0x591, 0x5bd }, { 0x610, 0x61a }, { 0x64b, 0x65f },
	{ 0x6d6, 0x6dc }, { 0x900, 0x902 }, { 0x93c, 0x93c }, { 0x941, 0x948 }, { 0x94d, 0x94d },
	{ 0xe31, 0xe31 }, { 0xe34, 0xe3a }, { 0xe47, 0xe4e }, { 0x1ab0, 0x1aff },
	{ 0x1dc0, 0x1dff }, { 0x20d0, 0x20f0 }, { 0x3099, 0x309a }, { 0xfe20, 0xfe2f },
};

/* East Asian wide characters and emoji: two columns. */
static const struct range wide[] = {
	{ 0x1100, 0x115e }, { 0x231a, 0x231b }, { 0x23e9, 0x23ec }, { 0x2614, 0x2615 },
	{ 0x2705, 0x2705 }, { 0x2e80, 0x303e }, { 0x3041, 0x33ff }, { 0x3400, 0x4dbf },
	{ 0x4e00, 0xa4cf }, { 0xa960, 0xa97c }, { 0xac00, 0xd7a3 }, { 0xf900, 0xfaff },
	{ 0xfe30, 0xfe6f }, { 0xff01, 0xff60 }, { 0xffe0, 0xffe6 }, { 0x17000, 0x18cff },
	{ 0x1f004, 0x1f004 }, { 0x1f300, 0x1f64f }, { 0x1f680, 0x1f6ff }, { 0x1f900, 0x1f9ff },
	{ 0x20000, 0x3fffd },
};

static bool within(const struct range *r, unsigned int n, uint32_t c)
{
	while (n && r->last < c) {
		r++;
		n--;
	}
	return n && r->first <= c;
}
#define IN(RANGES, C) within(RANGES, sizeof(RANGES) / sizeof((RANGES)[0]), C)

static bool visible(uint32_t c)
{
	return c != 0x7f && c >= 0x20 && !IN(invisible, c);
}

static unsigned int columns_of(uint32_t c)
{
	if (c < 0x300 || IN(combining, c))
		return c < 0x300;
	return IN(wide, c) ? 2 : 1;
}

/*
 * Returns the length of the character at s. Returns 0 if the bytes are not a character: a stray or
 * missing continuation, a longer form than needed, half of a surrogate pair, or above U+10FFFF.
 */
static unsigned int utf8(const unsigned char *s, size_t n, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned int length, i;

	if (s[0] < 0x80) {
		*c = s[0];
		return 1;
	}
	length = s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
	if (!length || length > n)
		return 0;
	*c = s[0] & (0x7f >> length);
	for (i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (s[i] & 0x3f);
	}
	if (*c < least[length] || *c > 0x10ffff || (*c >= 0xd800 && *c <= 0xdfff))
		return 0;
	return length;
}

#define SPELLED 16	/* the longest: \udbff\udfff */

static const char hex[] = "0123456789abcdef";

static char *spell_hex(char *to, uint32_t v, unsigned int digits)
{
	while (digits--)
		*to++ = hex[v >> 4 * digits & 15];
	return to;
}

static char *spell_unit(char *to, uint32_t unit)
{
	*to++ = '\\';
	*to++ = 'u';
	return spell_hex(to, unit, 4);
}

static char *spell_letter(char *to, char letter)
{
	*to++ = '\\';
	*to++ = letter;
	return to;
}

/* valid: c is a character; otherwise c is a byte that belongs to no character. */
static char *spell_json(char *to, uint32_t c, bool valid)
{
	static const char letters[] = {
		['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r',
		['"'] = '"', ['\\'] = '\\',
	};

	if (!valid)
		return spell_unit(to, 0xdc00 + c);
	if (c < sizeof(letters) && letters[c])
		return spell_letter(to, letters[c]);
	if (c < 0x10000)
		return spell_unit(to, c);
	c -= 0x10000;
	return spell_unit(spell_unit(to, 0xd800 + (c >> 10)), 0xdc00 + (c & 0x3ff));
}

static char *spell_text(char *to, uint32_t c, bool valid)
{
	static const char letters[] = { ['\t'] = 't', ['\n'] = 'n', ['\\'] = '\\' };

	if (valid && c < sizeof(letters) && letters[c])
		return spell_letter(to, letters[c]);
	if (c == '"') {			/* CSV doubles a quote */
		*to++ = '"';
		*to++ = '"';
	} else if (valid && c >= 0x80) {
		to = spell_letter(to, 'u');
		*to++ = '{';
		to = spell_hex(to, c, c > 0xfffff ? 6 : c > 0xffff ? 5 : 4);
		*to++ = '}';
	} else {
		to = spell_letter(to, 'x');
		to = spell_hex(to, c, 2);
	}
	return to;
}

/*
 * Returns true if a reader needs quotes. An empty text also has quotes: without them it would look
 * like an empty line.
 */
static bool csv_needs_quotes(const char *s, size_t n)
{
	return !n || s[0] == ' ' || s[n - 1] == ' ' || memchr(s, ',', n) || memchr(s, '"', n);
}

static size_t emit(escape_put put, void *arg, const char *bytes, size_t n)
{
	if (put && n)
		put(arg, bytes, n);
	return n;
}

static size_t escape_inner(enum escape_style style, const char *s, size_t length, escape_put put,
			   void *arg)
{
	bool passes_backslash = style == ESCAPE_QUOTED;
	bool passes_quote = passes_backslash || style == ESCAPE_TEXT;
	const unsigned char *bytes = (const unsigned char *)s;
	size_t columns = 0, plain = 0, i = 0;
	char spelled[SPELLED], *end;

	while (i < length) {
		unsigned char b = bytes[i];
		unsigned int n;
		uint32_t c = b;

		/*
		 * Nearly all bytes of nearly all texts are shown as they are, and need no decoding.
		 */
		if (b != '\\' && b != '"' ? b >= 0x20 && b < 0x7f : b == '"' ? passes_quote :
		    passes_backslash) {
			i++;
			columns++;
			continue;
		}
		n = utf8(bytes + i, length - i, &c);
		if (n > 1 && visible(c)) {
			i += n;
			columns += columns_of(c);
			continue;
		}
		if (!n)
			c = b;
		emit(put, arg, s + plain, i - plain);
		end = style == ESCAPE_JSON ? spell_json(spelled, c, n) : spell_text(spelled, c, n);
		columns += emit(put, arg, spelled, end - spelled);
		i += n ? n : 1;
		plain = i;
	}
	emit(put, arg, s + plain, length - plain);
	return columns;
}

size_t escape(enum escape_style style, const char *s, size_t length, bool cut, escape_put put,
	      void *arg)
{
	bool quotes = style == ESCAPE_JSON || (style == ESCAPE_CSV && csv_needs_quotes(s, length));
	size_t columns = 0;

	if (quotes)
		columns += emit(put, arg, "\"", 1);
	columns += escape_inner(style, s, length, put, arg);
	if (cut && style != ESCAPE_JSON)
		columns += emit(put, arg, "...", 3);
	if (quotes)
		columns += emit(put, arg, "\"", 1);
	return columns;
}

static void put_to_file(void *file, const char *bytes, size_t n)
{
	fwrite(bytes, 1, n, file);
}

void escape_text(FILE *file, const char *s, size_t length)
{
	escape(ESCAPE_TEXT, s, length, false, put_to_file, file);
}

void escape_json(FILE *file, const char *s, size_t length)
{
	escape(ESCAPE_JSON, s, length, false, put_to_file, file);
}

void json_string(FILE *file, const char *s)
{
	escape_json(file, s, strlen(s));
}

void escape_csv(FILE *file, const char *s, size_t length)
{
	escape(ESCAPE_CSV, s, length, false, put_to_file, file);
}

size_t escape_width(const char *s, size_t length)
{
	return escape(ESCAPE_TEXT, s, length, false, NULL, NULL);
}

size_t escape_fit(const char *escaped, size_t length, size_t columns)
{
	const unsigned char *bytes = (const unsigned char *)escaped;
	size_t i = 0, used = 0;

	while (i < length) {
		uint32_t c = bytes[i];
		unsigned int n = utf8(bytes + i, length - i, &c);

		used += n ? columns_of(c) : 1;
		if (used > columns)
			break;
		i += n ? n : 1;
	}
	return i;
}
