// SPDX-License-Identifier: GPL-2.0
#include "src/language/questions/format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/language/expressions/parse/token.h"
#include "src/language/types/types.h"

#define WIDEST 100			/* FORMAT_NUMBER has room for it */

struct reader {
	struct tree *t;
	size_t at;			/* in the source */
	unsigned int word;
	struct error *err;
};

static char letter(const struct reader *r)
{
	return r->t->source.text[r->at];
}

/* Reads the digits of a width or precision. *to is -1 if there are none. */
static int digits(struct reader *r, int16_t *to)
{
	*to = -1;
	while (isdigit((unsigned char)letter(r))) {
		*to = (int16_t)((*to < 0 ? 0 : *to) * 10 + letter(r) - '0');
		if (*to > WIDEST)
			return source_error(&r->t->source, r->at, r->err,
					    "a width has no more than %d", WIDEST);
		r->at++;
	}
	return 0;
}

/* Sizes of length modifiers; 0: of a long and a pointer. */
static const struct {
	const char *letters;
	uint8_t size;
} lengths[] = {
	{ "hh", 1 }, { "h", 2 }, { "ll", 8 }, { "l", 0 }, { "j", 8 }, { "z", 0 }, { "t", 0 },
	{ "q", 8 }, { "", 4 },
};

static unsigned int number_size(struct reader *r)
{
	const char *text = r->t->source.text + r->at;
	size_t i = 0, n;

	while (n = strlen(lengths[i].letters), strncmp(text, lengths[i].letters, n))
		i++;
	r->at += n;
	return lengths[i].size ? lengths[i].size : r->word;
}

/* %r, %rx, %rh: bytes that are no text. */
static int buffer(struct reader *r, struct conversion *c)
{
	const char way = r->t->source.text[++r->at];

	if (way == 'x' || way == 'h') {
		c->letter = way == 'x' ? 'R' : 'H';
		r->at++;
	}
	return 0;
}

bool format_is_text(const struct conversion *c)
{
	return strchr("srRHKUS", c->letter);
}

static int conversion(struct reader *r, struct conversion *c)
{
	unsigned int n = 0, size;

	c->at = (uint32_t)r->at++;
	while (letter(r) && strchr("-+ #0", letter(r)) && n < sizeof(c->flags) - 1)
		c->flags[n++] = r->t->source.text[r->at++];
	if (digits(r, &c->width))
		return -1;
	c->precision = -1;
	if (letter(r) == '.') {
		r->at++;
		if (digits(r, &c->precision))
			return -1;
		c->precision = c->precision < 0 ? 0 : c->precision;
	}
	size = number_size(r);
	c->letter = letter(r) == 'i' ? 'd' : letter(r);
	if (c->letter == 'r' && r->t->source.language)
		return buffer(r, c);
	if (!c->letter || !strchr("duxXocspKUS", c->letter) ||
	    (c->letter == 'S' && r->t->source.language))
		return source_error(&r->t->source, c->at, r->err, "a format has %%d %%u %%x %%o "
				    "%%c %%s %%p%s, with hh, h, l, ll, j, z and t; a %% is %%%%",
				    r->t->source.language ? "" : " %K %U %S");
	if (c->letter == 'p' || c->letter == 'K' || c->letter == 'U')
		size = r->word;
	if (c->letter == 'c')
		size = 1;
	c->type = c_integer(size, c->letter == 'd' || c->letter == 'c');
	r->at++;
	return 0;
}

/*
 * Returns true if a conversion begins here. bpftrace takes a % that begins none for a letter; its
 * conversions have their flags in one order.
 */
static bool begins(const struct reader *r)
{
	const char *at = r->t->source.text + r->at;

	if (*at++ != '%' || *at == '%')
		return false;
	if (!r->t->source.language)
		return true;
	for (const char *flag = "-+ #0"; *flag; flag++)
		at += *at == *flag;
	at += strspn(at, "0123456789");
	if (*at == '.')
		at += 1 + strspn(at + 1, "0123456789");
	at += strspn(at, "hlLjzt");
	return *at && strchr("diouxXeEfFgGaAcspnr*", *at);
}

int format_text_parse(struct tree *t, size_t *at, unsigned int word, struct format_text *f,
		      struct error *err)
{
	struct reader r = { t, *at, word, err };
	struct token token;
	size_t end;

	if (token_next(&t->source, *at, &token, err))
		return -1;
	if (token.kind != TOKEN_TEXT)
		return source_error(&t->source, token.at, err, "a format in quotes belongs here: "
				    "\"read %%d bytes\", arg3");
	end = token.at + token.length - 1;
	f->text = malloc(token.length);
	if (!f->text)
		return fail(err, "out of memory");
	for (r.at = token.at + 1; r.at < end;) {
		int c;

		if (begins(&r)) {
			if (f->n == FORMAT_MOST)
				return source_error(&t->source, r.at, err,
						    "a format has %d values at most", FORMAT_MOST);
			f->list[f->n].end = f->length;
			if (conversion(&r, &f->list[f->n++]))
				return -1;
			continue;
		}
		r.at += letter(&r) == '%' && t->source.text[r.at + 1] == '%';
		c = token_letter(&t->source, &r.at, err);
		if (c < 0)
			return -1;
		f->text[f->length++] = (char)c;
	}
	*at = end + 1;
	return 0;
}

void format_text_free(struct format_text *f)
{
	free(f->text);
	*f = (struct format_text){ };
}

int format_number(const struct conversion *c, uint64_t value, char *to)
{
	char format[32];

	if (c->letter == 'c') {
		*to = (char)value;
		return 1;
	}
	text_all(format, sizeof(format), "%%%s*.*ll%c", c->letter == 'p' ? "#" : c->flags,
		 c->letter == 'p' ? 'x' : c->letter);
	return snprintf(to, FORMAT_NUMBER, format, c->width < 0 ? 0 : c->width, c->precision,
			(unsigned long long)value);
}
