// SPDX-License-Identifier: GPL-2.0
/*
 * libtraceevent's parser turns `a & (b | c)` into `(a & b) | c`, because it sorts operators by how
 * they bind after it has forgotten the parentheses, and `a - b - c` into `a - (b - c)`. So each
 * operand with operators of its own is put into parentheses: the left one is then a whole, and a
 * cast before the right one hides them from that sorting.
 *
 * It takes a field of one or two bytes for one without a sign, and so it does with a cast to such a
 * type. C has an int of it: that is computed from the number.
 */
#include "src/language/event_text/event_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MOST 200

struct reader {
	const char *at;
	unsigned int depth;
	const struct format *format;	/* of the fields; NULL: they are not known */
	bool named;			/* there was a name that is no function, and no field's */
};

/* A piece of an expression. */
struct piece {
	char *text;		/* NULL: it can't be read */
	bool compound;		/* it has operators outside of parentheses */
};

static const struct piece none;

static struct piece expression(struct reader *r);
static struct piece unary(struct reader *r);

static void skip_blanks(struct reader *r)
{
	r->at += strspn(r->at, " \t\n");
}

static bool accept(struct reader *r, const char *token)
{
	skip_blanks(r);
	if (strncmp(r->at, token, strlen(token)))
		return false;
	r->at += strlen(token);
	return true;
}

static char *joined(const char *format, const char *a, const char *b, const char *c)
{
	char *text;

	return asprintf(&text, format, a, b, c) < 0 ? NULL : text;
}

/* Uses the pieces up. */
static struct piece join(const char *format, struct piece a, const char *b, struct piece c)
{
	struct piece p = none;

	if (a.text && c.text)
		p.text = joined(format, a.text, b, c.text);
	free(a.text);
	free(c.text);
	return p;
}

/* An operand: in parentheses, a cast before them, if it has operators of its own. */
static struct piece operand(struct piece p, const char *cast)
{
	struct piece whole = none;

	if (!p.text || !p.compound)
		return p;
	whole.text = joined("%s(%s)%s", cast, p.text, "");
	free(p.text);
	return whole;
}

/* ---- atoms ---- */

static struct piece copied(const char *from, const char *to)
{
	return (struct piece){ .text = strndup(from, (size_t)(to - from)) };
}

/* "text", 'c'; several texts that follow each other are one. */
static struct piece quoted(struct reader *r)
{
	const char *from = r->at, quote = *from;

	do {
		for (r->at++; *r->at && *r->at != quote; r->at++)
			if (*r->at == '\\' && r->at[1])
				r->at++;
		if (!*r->at)
			return none;
		r->at++;
	} while (quote == '"' && r->at[strspn(r->at, " \t\n")] == '"' &&
		 (r->at += strspn(r->at, " \t\n")));
	return copied(from, r->at);
}

/* All up to the parenthesis that closes, as it is. */
static struct piece balanced(struct reader *r)
{
	const char *from = r->at;
	int open = 0;

	for (; *r->at; r->at++) {
		open += (*r->at == '(') - (*r->at == ')');
		if (!open) {
			r->at++;
			return copied(from, r->at);
		}
	}
	return none;
}

/*
 * A number of a list of names. `1 << NAME` can't be told from a number later: libtraceevent takes
 * constants that the kernel does not tell for 0.
 */
static struct piece listed(struct reader *r)
{
	struct piece p;

	r->named = false;
	p = expression(r);
	if (!p.text || !r->named || !p.compound)
		return p;
	free(p.text);
	return none;
}

/* What is between commas, up to `end`: "(a, b)", "{ a, b }". */
static struct piece list(struct reader *r, const char *begin, const char *end)
{
	struct piece p = { .text = ++r->depth > DEPTH_MOST ? NULL : strdup(begin) };

	if (!p.text)
		return none;
	if (accept(r, end)) {
		r->depth--;
		return join("%s%s%s", p, end, (struct piece){ .text = strdup("") });
	}
	do {
		struct piece one = accept(r, "{") ? list(r, "{", "}") :
				   *end == '}' ? listed(r) : expression(r);

		p = join("%s%s%s", p, p.text && p.text[1] ? ", " : " ", one);
	} while (p.text && accept(r, ","));
	if (!p.text || !accept(r, end)) {
		free(p.text);
		return none;
	}
	r->depth--;
	return join("%s%s%s", p, end, (struct piece){ .text = strdup("") });
}

static bool is_word(int c)
{
	return isalnum(c) || c == '_';
}

/* A name, or a number. */
static struct piece word(struct reader *r)
{
	const char *from = r->at;
	char *end = (char *)from;

	if (isdigit((unsigned char)*from)) {
		strtoull(from, &end, 0);
		end += strspn(end, "uUlL");
	}
	while (is_word((unsigned char)*r->at))
		r->at++;
	return r->at > from && (end == from || end == r->at) ? copied(from, r->at) : none;
}

/* REC->NAME, behind the arrow. */
static struct piece field(struct reader *r)
{
	struct piece name = word(r), p;
	const struct field *f = name.text && r->format ? format_field(r->format, name.text) : NULL;
	char *text;

	p = join("%sREC->%s%s", (struct piece){ .text = strdup("") }, "", name);
	if (!p.text || !f || !f->is_signed || f->is_array || f->is_data_loc || f->size > 2)
		return p;
	text = f->size == 1 ? joined("(%s & 127) - (u64)(%s & 128)", p.text, p.text, NULL) :
	       joined("(%s & 32767) - (u64)(%s & 32768)", p.text, p.text, NULL);
	free(p.text);
	return (struct piece){ .text = text, .compound = true };
}

/* f(a), a[1], REC->b; what else structs have libtraceevent does not know, or crashes. */
static struct piece behind(struct reader *r, struct piece p)
{
	const bool raw = p.text && !strcmp(p.text, "sizeof");

	for (;;) {
		skip_blanks(r);
		if (!p.text)
			return none;
		if (*r->at == '(') {
			if (!raw)
				r->at++;
			p = join("%s%s%s", p, "", raw ? balanced(r) : list(r, "(", ")"));
		} else if (accept(r, "[")) {
			p = join("%s%s%s", p, "[", expression(r));
			if (!accept(r, "]")) {
				free(p.text);
				return none;
			}
			p = join("%s%s%s", p, "]", (struct piece){ .text = strdup("") });
		} else if (!strcmp(p.text, "REC") && accept(r, "->")) {
			skip_blanks(r);
			free(p.text);
			p = field(r);
			if (p.compound)
				return p;
		} else {
			r->named |= isalpha((unsigned char)*p.text) && !strchr(p.text, '(') &&
				    strncmp(p.text, "REC->", 5);
			return p;
		}
	}
}

/* (TYPE): only words and stars, and an operand behind. */
static bool is_cast(const char *at)
{
	const char *end = at + 1 + strspn(at + 1, " ");

	if (!isalpha((unsigned char)*end) && *end != '_')
		return false;
	while (is_word((unsigned char)*end) || *end == ' ' || *end == '*')
		end++;
	if (*end != ')')
		return false;
	end += 1 + strspn(end + 1, " ");
	return is_word((unsigned char)*end) || *end == '(' || *end == '"';
}

static struct piece in_parentheses(struct reader *r)
{
	struct piece p;

	if (is_cast(r->at)) {
		if (++r->depth > DEPTH_MOST)
			return none;
		p = balanced(r);
		p = join("%s%s%s", p, "", operand(unary(r), ""));
		r->depth--;
		return p;
	}
	if (r->at[1 + strspn(r->at + 1, " ")] == '{')
		return balanced(r);	/* statements, which nobody but a compiler reads */
	r->at++;
	p = expression(r);
	if (!accept(r, ")")) {
		free(p.text);
		return none;
	}
	skip_blanks(r);
	return *r->at == '[' ? behind(r, operand(p, "")) : p;
}

static struct piece unary(struct reader *r)
{
	char op[2] = "";
	struct piece p;

	skip_blanks(r);
	if (*r->at == '"' || *r->at == '\'')
		return quoted(r);
	if (*r->at && strchr("!~-+*&", *r->at)) {
		op[0] = *r->at++;
		if (++r->depth > DEPTH_MOST)
			return none;
		p = join("%s%s%s", (struct piece){ .text = strdup("") }, op,
			 operand(unary(r), ""));
		r->depth--;
		p.compound = true;
		return p;
	}
	return *r->at == '(' ? in_parentheses(r) : behind(r, word(r));
}

/* ---- operators ---- */

/* Longer ones first; a higher level binds more. */
static const struct {
	const char *op;
	int level;
} operators[] = {
	{ "<<", 8 }, { ">>", 8 }, { "<=", 7 }, { ">=", 7 }, { "==", 6 }, { "!=", 6 },
	{ "&&", 2 }, { "||", 1 }, { "*", 10 }, { "/", 10 }, { "%", 10 }, { "+", 9 }, { "-", 9 },
	{ "<", 7 }, { ">", 7 }, { "&", 5 }, { "|", 3 },	/* it computes no ^ */
};

/* The operator that is next, if it binds so much; NULL: there is none. */
static const char *next_operator(struct reader *r, int least, int *level)
{
	skip_blanks(r);
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (strncmp(r->at, operators[i].op, strlen(operators[i].op)))
			continue;
		*level = operators[i].level;
		return *level >= least ? operators[i].op : NULL;
	}
	return NULL;
}

/* libtraceevent divides by 0 if it is told to, also while it reads a format. */
static struct piece denominator(struct piece p)
{
	if (p.text && (strtoull(p.text, NULL, 0) || !strncmp(p.text, "sizeof(", 7)))
		return p;
	free(p.text);
	return none;
}

static struct piece binary(struct reader *r, int least)
{
	struct piece left = unary(r), right;
	const char *op;
	int level;

	while (left.text && (op = next_operator(r, least, &level))) {
		r->at += strlen(op);
		right = operand(binary(r, level + 1), "(u64)");
		if (*op == '/' || *op == '%')
			right = denominator(right);
		left = join("%s %s %s", operand(left, ""), op, right);
		left.compound = true;
	}
	return left;
}

static struct piece expression(struct reader *r)
{
	struct piece p, yes, no;

	if (++r->depth > DEPTH_MOST)
		return none;
	p = binary(r, 1);
	if (p.text && accept(r, "?")) {
		yes = operand(expression(r), "");
		no = accept(r, ":") ? operand(expression(r), "") : none;
		p = join("%s %s %s", operand(p, ""), "?", yes);
		p = join("%s %s %s", p, ":", no);
		p.compound = true;
	}
	r->depth--;
	return p;
}

/* ---- the text in front ---- */

/* Adds a conversion of a pointer, without its %: its letters behind p are at `*at`. */
static bool add_pointer(char *to, const char *spec, size_t n, const char **at, unsigned int word)
{
	const char letter = **at;

	if (letter && strchr("FfSsMmIiUh", letter)) {
		sprintf(to, "%%%.*sp", (int)n, spec);
		return true;
	}
	if (n || (isalnum((unsigned char)letter) && letter != 'x' && letter != 'K'))
		return false;
	*at += letter == 'x' || letter == 'K';
	sprintf(to, "%%0%ullx", word * 2);
	return true;
}

static struct piece format_text(struct reader *r, unsigned int word)
{
	struct piece p;
	char *text, *to;
	const char *at;
	bool fine = true;

	skip_blanks(r);
	p = *r->at == '"' ? quoted(r) : none;
	if (!p.text)
		return none;
	text = to = malloc(4 * strlen(p.text) + 8);
	for (at = p.text; text && fine && *at;) {
		size_t n;

		*to = *at++;
		if (*to++ != '%')
			continue;
		if (*at == '%') {
			*to++ = *at++;
			continue;
		}
		n = strspn(at, "#0- +.*123456789");
		if (at[n] == 'L') {	/* only some C libraries have it for integers */
			to += sprintf(to, "%.*sll", (int)n, at);
			at += n + 1;
			continue;
		}
		if (at[n] != 'p')
			continue;
		at += n + 1;
		fine = add_pointer(--to, at - n - 1, n, &at, word);
		to += fine ? strlen(to) : 0;
	}
	free(p.text);
	if (text && fine) {
		*to = '\0';
		return (struct piece){ .text = text };
	}
	free(text);
	return none;
}

char *print_fmt_plain(const char *text, unsigned int word, const struct format *format)
{
	struct reader r = { .at = text, .format = format };
	struct piece p = format_text(&r, word);

	while (p.text && accept(&r, ","))
		p = join("%s%s%s", p, ", ", expression(&r));
	skip_blanks(&r);
	if (p.text && *r.at) {
		free(p.text);
		return NULL;
	}
	return p.text;
}
