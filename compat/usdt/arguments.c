// SPDX-License-Identifier: GPL-2.0
#include "compat/usdt/arguments.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- one argument of several ---- */

/* The end of an argument. Blanks within brackets belong to it. */
static const char *end_of(const char *s)
{
	unsigned int depth = 0;

	for (; *s && (depth || *s != ' '); s++) {
		depth += *s == '[' || *s == '(';
		depth -= depth && (*s == ']' || *s == ')');
	}
	return s;
}

static const char *blanks(const char *s)
{
	while (*s == ' ')
		s++;
	return s;
}

unsigned int usdt_arguments(const char *text)
{
	unsigned int n = 0;

	for (text = blanks(text); *text; text = blanks(end_of(text)))
		n++;
	return n;
}

static const char *nth(const char *text, unsigned int n)
{
	text = blanks(text);
	while (*text && --n)
		text = blanks(end_of(text));
	return text;
}

/*
 * Returns the place behind the size. The oldest notes have no size. A size that is not of an
 * integer (8f@, 16@) is SIZE_UNKNOWN.
 */
static const char *take_size(const char *s, unsigned int *size, bool *is_signed)
{
	const char *at = s + strcspn(s, "@ ");

	*size = 0;
	*is_signed = false;
	if (*at != '@')
		return s;
	*is_signed = *s == '-';
	s += *is_signed;
	*size = at - s == 1 && isdigit((unsigned char)*s) ? (unsigned int)(*s - '0') :
		SIZE_UNKNOWN;
	return at + 1;
}

size_t usdt_operand(const char *text, unsigned int n, const char **operand, unsigned int *size,
		    bool *is_signed)
{
	const char *at = nth(text, n);

	if (!n || !*at)
		return 0;
	*operand = take_size(at, size, is_signed);
	return (size_t)(end_of(at) - *operand);
}

/* ---- operands ---- */

struct reader {
	const char *at, *end;
	const struct arch_syntax *syntax;
	const struct arch *kernel;
};

static void skip(struct reader *r)
{
	while (r->at < r->end && *r->at == ' ')
		r->at++;
}

static bool take(struct reader *r, char letter)
{
	skip(r);
	if (r->at == r->end || *r->at != letter)
		return false;
	r->at++;
	return true;
}

/* A number as assemblers write it. Compilers only write numbers that fit. */
static bool take_number(struct reader *r, int64_t *value)
{
	const char *digits = r->at;
	char *end;

	skip(r);
	digits = r->at;
	digits += digits < r->end && (*digits == '-' || *digits == '+');
	if (digits == r->end || !isdigit((unsigned char)*digits))
		return false;
	/* A number from 2^63 on has the same bits without a sign. */
	*value = *r->at == '-' ? strtoll(r->at, &end, 0) : (int64_t)strtoull(r->at, &end, 0);
	if (end > r->end)
		return false;
	r->at = end;
	return true;
}

static bool take_register(struct reader *r, struct usdt_register *reg)
{
	size_t n = 0;

	skip(r);
	if (take(r, '%'))
		;
	else if (r->syntax->percent)
		return false;
	while (r->at + n < r->end && isalnum((unsigned char)r->at[n]))
		n++;
	if (!n || !usdt_register(r->kernel, r->at, n, reg))
		return false;
	r->at += n;
	return true;
}

/* Takes 1, 2, 4 or 8, as a shift. */
static bool take_scale(struct reader *r, uint8_t *shift)
{
	int64_t scale;

	if (!take_number(r, &scale) || (scale != 1 && scale != 2 && scale != 4 && scale != 8))
		return false;
	*shift = (uint8_t)__builtin_ctzll((unsigned long long)scale);
	return true;
}

static void swap(struct usdt_argument *a)
{
	struct usdt_register base = a->base;

	a->base = a->index;
	a->index = base;
}

/* Takes (%base,%index,4), (%base) or (,%index,4), which is behind 8. s390x has (%index,%base). */
static bool take_parentheses(struct reader *r, struct usdt_argument *a)
{
	a->where = USDT_MEMORY;
	if (!take(r, '('))
		return false;
	a->has_base = take_register(r, &a->base);
	if (take(r, ',')) {
		if (!take_register(r, &a->index))
			return false;
		a->has_index = true;
		if (take(r, ',') && !take_scale(r, &a->shift))
			return false;
		if (r->syntax->index_first && a->has_base)
			swap(a);
	}
	return (a->has_base || a->has_index) && take(r, ')');
}

static bool take_word(struct reader *r, const char *word)
{
	const size_t n = strlen(word);

	skip(r);
	if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n))
		return false;
	r->at += n;
	return true;
}

/* Takes ", lsl #3" or ", sxtw 2" behind an index. */
static bool take_shift(struct reader *r, struct usdt_argument *a)
{
	int64_t shift = 0;

	if (!take(r, ','))
		return true;
	a->index_signed = take_word(r, "sxtw");
	if (!a->index_signed && !take_word(r, "uxtw") && !take_word(r, "lsl") &&
	    !take_word(r, "sxtx"))
		return false;
	take(r, '#');
	if (take_number(r, &shift) && (shift < 0 || shift > 4))
		return false;
	a->shift = (uint8_t)shift;
	return true;
}

/* Takes [x0], [sp, 16], [r7, #-4], [x0, x1] or [x0, x1, lsl 3]. */
static bool take_brackets(struct reader *r, struct usdt_argument *a)
{
	a->where = USDT_MEMORY;
	if (!take(r, '[') || !take_register(r, &a->base))
		return false;
	a->has_base = true;
	if (take(r, ',')) {
		if (take(r, '#') || (skip(r), r->at < r->end && strchr("-+0123456789", *r->at))) {
			if (!take_number(r, &a->value))
				return false;
		} else if (take_register(r, &a->index)) {
			a->has_index = true;
			if (!take_shift(r, a))
				return false;
		} else {
			return false;
		}
	}
	return take(r, ']');
}

/* Takes a number: a value, an offset, or on some machines a register. */
static bool take_numeric(struct reader *r, struct usdt_argument *a)
{
	const char *from = r->at;

	if (!take_number(r, &a->value))
		return false;
	if (r->at < r->end && *r->at == '(' && !r->syntax->brackets)
		return take_parentheses(r, a);
	if (!r->syntax->bare || *from == '-') {
		a->where = USDT_NUMBER;
		return true;
	}
	/* 9, or 9,10: memory at the sum of two registers */
	r->at = from;
	a->value = 0;
	a->where = USDT_REGISTER;
	if (!take_register(r, &a->base))
		return false;
	a->has_base = true;
	if (!take(r, ','))
		return true;
	a->where = USDT_MEMORY;
	a->has_index = true;
	return take_register(r, &a->index);
}

/* Takes {4096}(%rip): a symbol at this distance from the probe. */
static bool take_distance(struct reader *r, struct usdt_argument *a)
{
	return take(r, '{') && take_number(r, &a->value) && take(r, '}') &&
	       take_parentheses(r, a) && a->has_base && !a->has_index &&
	       !strcmp(a->base.name, "ip");
}

static bool take_operand(struct reader *r, struct usdt_argument *a)
{
	const char first = r->at < r->end ? *r->at : '\0';
	struct reader again = *r;

	if (first == '$' || first == '#' || (first == 'i' && r->syntax->bare)) {
		r->at++;
		a->where = USDT_NUMBER;
		return take_number(r, &a->value);
	}
	if (first == '{')
		return take_distance(r, a);
	if (first == '[')
		return r->syntax->brackets && take_brackets(r, a);
	if (first == '(')
		return !r->syntax->brackets && take_parentheses(r, a);
	if (isdigit((unsigned char)first) || first == '-' || first == '+')
		/* 8(%rip) is refused: the assembler would compute it from the probe's place. */
		return take_numeric(r, a) && !(a->has_base && !strcmp(a->base.name, "ip"));
	a->where = USDT_REGISTER;
	*r = again;
	a->has_base = take_register(r, &a->base);
	if (!a->has_base || !take(r, ','))
		return a->has_base;
	/* %r9,%r10 where registers need no sign */
	a->where = USDT_MEMORY;
	a->has_index = r->syntax->bare && take_register(r, &a->index);
	return a->has_index;
}

int usdt_argument(const char *text, unsigned int n, uint16_t machine, const struct arch *kernel,
		  struct usdt_argument *a, struct error *err)
{
	const struct arch *arch = arch_by_elf(machine);
	const char *operand;
	unsigned int size;
	struct reader r;
	size_t length;
	bool is_signed;

	*a = (struct usdt_argument){ };
	length = usdt_operand(text, n, &operand, &size, &is_signed);
	if (!length)
		return fail(err, "the probe has %u argument%s, no arg%u", usdt_arguments(text),
			    usdt_arguments(text) == 1 ? "" : "s", n);
	if (!arch)
		return fail(err, "sonde does not know the registers of machine %u", machine);
	a->is_signed = is_signed;
	a->size = (uint8_t)(size ? size : arch->word);
	r = (struct reader){ operand, operand + length, &arch->syntax, kernel };
	if ((size && size != 1 && size != 2 && size != 4 && size != 8) || !take_operand(&r, a) ||
	    r.at != r.end || (a->where == USDT_MEMORY && a->value != (int32_t)a->value))
		return fail(err, "its arg%u is `%.*s`, which is no number, no register and no "
			    "memory that probes can read", n, (int)(length < 60 ? length : 60),
			    operand);
	/* The other half is in another register, which the note does not name. */
	if (a->where == USDT_REGISTER && a->base.size < a->size && a->size == 8)
		return fail(err, "its arg%u takes two registers, of which only one is named", n);
	if (a->where == USDT_REGISTER && a->base.size < a->size)
		a->size = a->base.size;
	return 0;
}

const char *usdt_symbol(const char *text, size_t *length)
{
	for (text = blanks(text); *text; text = blanks(end_of(text))) {
		unsigned int size;
		bool is_signed;
		const char *at = take_size(text, &size, &is_signed);
		size_t n = 0;

		if (!isalpha((unsigned char)*at) && *at != '_')
			continue;
		while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '.' ||
		       at[n] == '$')
			n++;
		if (at[n] != '(' && at[n] != '+' && at[n] != '-')
			continue;
		*length = n;
		return at;
	}
	return NULL;
}
