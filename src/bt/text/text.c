// SPDX-License-Identifier: GPL-2.0
/* The letters of a script: comments, tokens that C has not, messages and warnings. */
#include "src/bt/text/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "src/bt/bt.h"

#define LINE 200			/* letters of a script's line that a message shows */

/* ---- comments ---- */

/* The end of a comment that begins at p; p: there is none. */
static const char *comment_end(const char *p)
{
	const char *end;

	if (p[0] == '/' && p[1] == '/')
		return p + strcspn(p, "\n");
	if (p[0] != '/' || p[1] != '*')
		return p;
	end = strstr(p + 2, "*/");
	return end ? end + 2 : p + strlen(p);
}

bool bt_is_word(const char *p, const char *word)
{
	const size_t n = strlen(word);

	return !strncmp(p, word, n) && !bt_is_letter(p[n]);
}

bool bt_is_member(const char *text, size_t at)
{
	char c, before;

	while (at && isspace((unsigned char)text[at - 1]))
		at--;
	c = at ? text[at - 1] : 0;
	before = at > 1 ? text[at - 2] : 0;
	return (c == '.' && before != '.') || (c == '>' && before == '-');
}

const char *bt_text_end(const char *p)
{
	for (p++; *p && *p != '"' && *p != '\n'; p++)
		p += *p == '\\' && p[1];
	return *p == '"' ? p + 1 : p;
}

char *bt_without_comments(const char *text)
{
	char *copy = strdup(text);
	const char *p = text;

	if (!copy)
		return NULL;
	if (!strncmp(p, "#!", 2))
		p += strcspn(p, "\n");
	memset(copy, ' ', (size_t)(p - text));
	while (*p) {
		const char *end = *p == '"' ? bt_text_end(p) : comment_end(p);

		for (const char *at = p; *p != '"' && at < end; at++)
			if (*at != '\n')
				copy[at - text] = ' ';
		p = end == p ? p + 1 : end;
	}
	return copy;
}

size_t bt_probe_length(const char *p)
{
	bool colon = false, quoted = false;
	size_t n = 0;

	for (; p[n]; n++) {
		const char c = p[n];

		if (c == '"')
			quoted = !quoted;
		if (!quoted && (isspace((unsigned char)c) || c == ',' || c == '{' ||
				(c == '/' && !colon)))
			break;
		colon |= c == ':';
	}
	return n;
}

/* ---- tokens ---- */

static const struct {
	const char *text;
	uint8_t op, assigns;
} operators[] = {
	{ "<<=", BT_OP_ASSIGN, OP_SHL }, { ">>=", BT_OP_ASSIGN + 1, OP_SHR },
	{ "..", BT_OP_RANGE, 0 }, { "++", BT_OP_INCREMENT, 0 }, { "--", BT_OP_DECREMENT, 0 },
	{ "+=", BT_OP_ASSIGN + 2, '+' }, { "-=", BT_OP_ASSIGN + 3, '-' },
	{ "*=", BT_OP_ASSIGN + 4, '*' }, { "/=", BT_OP_ASSIGN + 5, '/' },
	{ "%=", BT_OP_ASSIGN + 6, '%' }, { "&=", BT_OP_ASSIGN + 7, '&' },
	{ "|=", BT_OP_ASSIGN + 8, '|' }, { "^=", BT_OP_ASSIGN + 9, '^' },
};

uint8_t bt_assigns(const struct token *t)
{
	if (t->kind != TOKEN_OPERATOR)
		return 0;
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (operators[i].op == t->op)
			return operators[i].assigns;
	return 0;
}

static const struct {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000ULL },
	{ "m", 60000000000ULL }, { "h", 3600000000000ULL }, { "d", 86400000000000ULL },
};

/* A factor behind a number's digits: 1e6, 5ms. Returns its length; 0: there is none. */
static size_t factor(const char *p, uint64_t value, uint64_t *by)
{
	size_t n = 0;

	*by = 1;
	if (*p == 'e' && value >= 1 && value <= 9 && isdigit((unsigned char)p[1])) {
		unsigned int power = 0;

		for (n = 1; isdigit((unsigned char)p[n]) && n < 4; n++)
			power = power * 10 + (unsigned int)(p[n] - '0');
		for (; power && power < 20; power--)
			*by *= 10;
		return power ? 0 : n;
	}
	while (isalpha((unsigned char)p[n]))
		n++;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i].name) == n && !memcmp(units[i].name, p, n)) {
			*by = units[i].ns;
			return n;
		}
	return 0;
}

/* Decimal numbers with _ between digits, with a power of ten, or a unit of time. */
static int number(const struct source *s, struct token *t, struct error *err)
{
	const char *begin = s->text + t->at, *p = begin;
	bool gaps = false;
	uint64_t by;
	size_t n;

	if (*p == '0' && isalnum((unsigned char)p[1]))
		return 0;
	for (; isdigit((unsigned char)*p) || (*p == '_' && isdigit((unsigned char)p[1])); p++) {
		const uint64_t digit = (uint64_t)(*p - '0');

		gaps |= *p == '_';
		if (*p != '_' && (__builtin_mul_overflow(t->value, 10U, &t->value) ||
				  __builtin_add_overflow(t->value, digit, &t->value)))
			return source_error(s, t->at, err, "a number has more than 64 bits");
	}
	n = factor(p, t->value, &by);
	if (!gaps && !n && strncmp(p, "..", 2) != 0) {
		t->value = 0;
		return 0;
	}
	if (__builtin_mul_overflow(t->value, by, &t->value))
		return source_error(s, t->at, err, "a number has more than 64 bits");
	p += n;
	if (isalnum((unsigned char)*p) || *p == '_')
		return source_error(s, t->at, err, "a number can't go on with '%c'", *p);
	t->kind = TOKEN_NUMBER;
	t->is_decimal = true;
	t->longs = 2;
	t->length = (size_t)(p - begin);
	return 1;
}

static size_t name_length(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return n;
}

/* .0.1 behind a variable's name, which is a name too: of a part of a tuple */
static size_t part_length(const char *p)
{
	size_t n = 0;

	while (p[n] == '.' && isdigit((unsigned char)p[n + 1]))
		n += 1 + strspn(p + n + 1, "0123456789");
	return n;
}

int bt_token(const struct source *s, struct token *t, struct error *err)
{
	const char *p = s->text + t->at;

	if (isdigit((unsigned char)*p))
		return number(s, t, err);
	if (*p == '\'')
		return source_error(s, t->at, err, "there are no characters in quotes: write the "
				    "number, or a string in \"...\"");
	if (*p == '@' || *p == '$') {
		t->kind = TOKEN_NAME;
		t->length = p[1] == '#' && *p == '$' ? 2 : 1 + name_length(p + 1);
		t->length += *p == '$' ? part_length(p + t->length) : 0;
		return 1;
	}
	if (*p == '/' && p[1 + strspn(p + 1, " \t\n")] == '{') {
		t->kind = TOKEN_OPERATOR;
		t->op = BT_OP_CLOSE;
		t->length = 1;
		return 1;
	}
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (!strncmp(p, operators[i].text, strlen(operators[i].text))) {
			t->kind = TOKEN_OPERATOR;
			t->op = operators[i].op;
			t->length = strlen(operators[i].text);
			return 1;
		}
	return 0;
}

/* ---- messages ---- */

/* The letters that a message marks: the token at this place of the script. */
static size_t marked(const struct source *s, size_t at)
{
	struct source quiet = { .text = s->raw, .file = s->file };
	struct token t;

	if (s->raw[at] == '@' || s->raw[at] == '$')
		return 1 + name_length(s->raw + at + 1);
	return !token_next(&quiet, at, &t, NULL) && t.at == at && t.length ? t.length : 1;
}

/* The place in the script of a place in the text, in which macros of C's are replaced. */
static size_t place(const struct bt *b, size_t at)
{
	const struct bt_piece *p;
	unsigned int n = b ? b->n_pieces : 0;

	while (n && b->pieces[n - 1].at > at)
		n--;
	if (!n)
		return at;
	p = &b->pieces[n - 1];
	return p->from + (p->fixed ? 0 : at - p->at);
}

void bt_message(const struct source *s, size_t at, const char *message, struct error *err)
{
	const char *text = s->raw, *file = s->file;
	size_t begin = 0, line = 1, length, n, column;
	char shown[LINE + 1], marks[LINE + 1];

	at = place(s->front, at);
	n = marked(s, at);
	for (const struct source_file *f = s->files; f && f->begin <= at; f = f->next) {
		begin = f->begin;
		file = f->name;
	}
	for (size_t i = begin; i < at; i++)
		if (text[i] == '\n') {
			begin = i + 1;
			line++;
		}
	column = at - begin;
	length = strcspn(text + begin, "\n");
	length = length < LINE ? length : LINE;
	for (size_t i = 0; i < length; i++)
		shown[i] = isspace((unsigned char)text[begin + i]) ? ' ' : text[begin + i];
	shown[length] = '\0';
	memset(marks, ' ', LINE);
	for (size_t i = column; i < column + n && i < LINE; i++)
		marks[i] = '~';
	marks[column + n < LINE ? column + n : LINE] = '\0';
	fail(err, "%.200s:%zu:%zu-%zu: ERROR: %s\n%s\n%s", file, line, column + 1,
	     column + n + 1, message, shown, column < LINE ? marks : "");
}

void bt_warn(struct bt *b, const struct error *why)
{
	static const char error[] = ": ERROR: ", missing[] = "No matches for ";
	const char *at = strstr(why->text, error), *text = at ? at + strlen(error) : "", *detail;

	detail = strncmp(text, missing, strlen(missing)) ? NULL : strstr(text, ": ");
	if (detail)
		lines_add(&b->warnings, "%.*s: WARNING: %.*s. Skipping%s", (int)(at - why->text),
			  why->text, (int)(detail - text), text, detail);
	else if (at)
		lines_add(&b->warnings, "%.*s: WARNING: %s", (int)(at - why->text), why->text,
			  text);
}
