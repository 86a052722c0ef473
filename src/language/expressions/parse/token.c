// SPDX-License-Identifier: GPL-2.0
#include "src/language/expressions/parse/token.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "compat/base/text.h"

#define SHOWN 64			/* letters of the source on each side of the caret */

static int show(const struct source *s, size_t at, struct error *err, const char *message)
{
	const char *text = s->raw ? s->raw : s->text;
	size_t begin = 0, length = strlen(text), from, n, number = 1;
	char line[2 * SHOWN + 1], file[124], place[160] = "";

	if (s->language && s->language->message) {
		s->language->message(s, at, message, err);
		return -1;
	}
	if (s->file) {
		for (size_t i = 0; i < at; i++)
			if (text[i] == '\n') {
				begin = i + 1;
				number++;
			}
		length = begin + strcspn(text + begin, "\n");
		text_cut(file, sizeof(file), "%s", s->file);
		text_cut(place, sizeof(place), "%s:%zu: ", file, number);
	}
	from = at - begin > SHOWN ? at - SHOWN : begin;
	n = length - from < 2 * SHOWN ? length - from : 2 * SHOWN;
	for (size_t i = 0; i < n; i++)
		line[i] = isspace((unsigned char)text[from + i]) ? ' ' : text[from + i];
	line[n] = '\0';
	return fail(err, "%s%s\n  %s\n  %*s^", place, message, line, (int)(at - from), "");
}

int source_error(const struct source *s, size_t at, struct error *err, const char *format, ...)
{
	char message[512];
	va_list args;

	va_start(args, format);
	text_vcut(message, sizeof(message), format, args);
	va_end(args);
	return show(s, at, err, message);
}

int source_cause(const struct source *s, size_t at, struct error *err, const struct error *why)
{
	show(s, at, err, why->text);
	err->number = why->number;
	return -1;
}

static const struct {
	char text[3];
	uint8_t op;
} pairs[] = {
	{ "<<", OP_SHL }, { ">>", OP_SHR }, { "<=", OP_LE }, { ">=", OP_GE }, { "==", OP_EQ },
	{ "!=", OP_NE }, { "&&", OP_AND }, { "||", OP_OR }, { "->", OP_ARROW },
};

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ?
	       (c | 32) - 'a' + 10 : 16;
}

static int number(const struct source *s, struct token *t, struct error *err)
{
	const char *p = s->text + t->at;
	int base = *p != '0' ? 10 : (p[1] | 32) == 'x' ? 16 : 8;

	t->kind = TOKEN_NUMBER;
	t->is_decimal = base == 10;
	if (base == 16 && digit_of(p[2]) > 15)
		return source_error(s, t->at, err, "a number begins with 0x and has no digits");
	for (p += base == 16 ? 2 : 0; digit_of(*p) < base; p++)
		if (__builtin_mul_overflow(t->value, (uint64_t)base, &t->value) ||
		    __builtin_add_overflow(t->value, (uint64_t)digit_of(*p), &t->value))
			return source_error(s, t->at, err, "a number has more than 64 bits");
	for (; *p == 'u' || *p == 'U' || *p == 'l' || *p == 'L'; p++) {
		bool u = (*p | 32) == 'u';

		if ((u && t->is_unsigned) || (!u && t->longs == 2))
			break;
		t->is_unsigned |= u;
		t->longs += !u;
	}
	t->length = (size_t)(p - s->text) - t->at;
	if (*p == '.')
		return source_error(s, t->at, err, "numbers are integers here");
	if (isalnum((unsigned char)*p) || *p == '_')
		return source_error(s, t->at + t->length, err, "a number can't go on with '%c'",
				    *p);
	return 0;
}

int token_letter(const struct source *s, size_t *at, struct error *err)
{
	static const char letters[] = "abfnrtv\\'\"?", means[] = "\a\b\f\n\r\t\v\\'\"?";
	const char *p = s->text + *at, *found;
	int value = 0, n = 0;

	if (*p != '\\') {
		++*at;
		return (unsigned char)*p;
	}
	if (p[1] == 'x') {
		for (n = 2; digit_of(p[n]) < 16 && n < 4; n++)
			value = value * 16 + digit_of(p[n]);
		n -= n == 2 ? 2 : 0;
	} else if (digit_of(p[1]) < 8) {
		for (n = 1; digit_of(p[n]) < 8 && n < 4; n++)
			value = value * 8 + digit_of(p[n]);
	} else if (p[1] && (found = strchr(letters, p[1])) != NULL) {
		value = means[found - letters];
		n = 2;
	}
	if (!n || value > 255)
		return source_error(s, *at, err, "this is no escape of C");
	*at += (size_t)n;
	return value;
}

static int literal(const struct source *s, struct token *t, struct error *err)
{
	const char quote = s->text[t->at];
	size_t at = t->at + 1;
	int letter = 0;

	while (s->text[at] && s->text[at] != quote) {
		letter = token_letter(s, &at, err);
		if (letter < 0)
			return -1;
		t->value = (uint64_t)(int64_t)(signed char)letter;
		if (quote == '\'' && s->text[at] != quote)
			return source_error(s, t->at, err, "one character belongs between '...'");
	}
	if (!s->text[at] || (quote == '\'' && at == t->at + 1))
		return source_error(s, t->at, err, "the %s that begins here does not end",
				    quote == '"' ? "text" : "character");
	t->length = at + 1 - t->at;
	t->kind = quote == '"' ? TOKEN_TEXT : TOKEN_NUMBER;
	t->is_decimal = true;
	return 0;
}

/* Reads the token at t->at. */
static int read(const struct source *s, struct token *t, struct error *err)
{
	const char *p = s->text + t->at;

	if (s->language && s->language->token) {
		const int own = s->language->token(s, t, err);

		if (own)
			return own < 0 ? -1 : 0;
	}
	if (isdigit((unsigned char)*p))
		return number(s, t, err);
	if (*p == '"' || *p == '\'')
		return literal(s, t, err);
	if (isalpha((unsigned char)*p) || *p == '_' || *p == '$') {
		for (t->length = 1; isalnum((unsigned char)p[t->length]) || p[t->length] == '_';)
			t->length++;
		t->kind = TOKEN_NAME;
		return 0;
	}
	t->kind = TOKEN_OPERATOR;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (!strncmp(p, pairs[i].text, 2)) {
			t->op = pairs[i].op;
			t->length = 2;
			return 0;
		}
	if (!strchr(s->file ? "+-*/%&|^~!<>=?:(),.[]@#;{}" :
				 "+-*/%&|^~!<>=?:(),.[]@#;", *p))
		return source_error(s, t->at, err, "'%c' has no meaning here", *p);
	t->op = (uint8_t)*p;
	t->length = 1;
	return 0;
}

int token_next(const struct source *s, size_t at, struct token *t, struct error *err)
{
	while (isspace((unsigned char)s->text[at]))
		at++;
	*t = (struct token){ .at = at, .behind = at };
	if (!s->text[at])
		return 0;
	if (read(s, t, err))
		return -1;
	t->behind = at + t->length;
	return t->kind == TOKEN_NAME && s->language && s->language->replace ?
	       s->language->replace(s, t, err) : 0;
}
