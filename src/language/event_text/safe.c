// SPDX-License-Identifier: GPL-2.0
/*
 * What libtraceevent may be asked to print. It trusts records: where a size, an index or a
 * denominator comes out of one, it reads beyond its end, or divides by 0. And what it does not
 * know (a macro's name, a pointer to text) it takes for 0, or leaves out. So its tree of each
 * event is looked at once, and what is read of memory before each record.
 */
#include "src/language/event_text/event_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#define DEPTH_MOST 200
#define STAR_MOST 4096			/* letters that a record may ask for */
#define INDEX_MOST 4096

#define UNKNOWN_CONSTANT "it has constants whose values the kernel does not tell"

struct look {
	struct tep_event *event;
	unsigned int word, depth;
	bool names;			/* it shows functions */
	const char *why;
	const uint8_t *record;		/* NULL: only the tree is looked at */
	size_t size;
};

static bool no(struct look *l, const char *why)
{
	if (!l->why)
		l->why = why;
	return false;
}

static struct tep_print_arg *without_casts(struct tep_print_arg *a)
{
	while (a && a->type == TEP_PRINT_TYPE)
		a = a->typecast.item;
	return a;
}

static struct tep_format_field *field_of(struct look *l, struct tep_print_arg *a)
{
	if (a && a->type == TEP_PRINT_FIELD && !a->field.field)
		a->field.field = tep_find_any_field(l->event, a->field.name);
	return a && a->type == TEP_PRINT_FIELD ? a->field.field : NULL;
}

/* ---- numbers ---- */

static bool number(struct look *l, struct tep_print_arg *a);

static bool is_number_text(const char *s)
{
	return s && isdigit((unsigned char)s[*s == '-']);
}

static bool is_element(struct look *l, struct tep_print_arg *a)
{
	struct tep_print_arg *of = without_casts(a->op.left), *index = without_casts(a->op.right);
	struct tep_format_field *f = field_of(l, of);
	uint64_t n;

	if (!of || !index || index->type != TEP_PRINT_ATOM || !is_number_text(index->atom.atom))
		return no(l, "the index of an array comes out of the record");
	n = strtoull(index->atom.atom, NULL, 0);
	if (of->type == TEP_PRINT_DYNAMIC_ARRAY)
		return (of->dynarray.field && of->dynarray.field->elementsize && n < INDEX_MOST) ||
			no(l, "the size of an array's elements is not known");
	if (!f || !(f->flags & TEP_FIELD_IS_ARRAY) || f->elementsize != l->word ||
	    n >= (unsigned int)f->size / f->elementsize)
		return no(l, "libtraceevent misreads elements of arrays");
	return true;
}

static bool is_operation(struct look *l, struct tep_print_arg *a)
{
	const char *op = a->op.op;
	struct tep_print_arg *right = without_casts(a->op.right);
	const bool alone = !a->op.left || a->op.left->type == TEP_PRINT_NULL;

	if (!op || !a->op.right)
		return no(l, "it has an operator that can't be computed");
	if (!strcmp(op, "["))
		return is_element(l, a);
	if (!strcmp(op, "?"))
		return right && right->type == TEP_PRINT_OP && number(l, a->op.left) &&
		       number(l, right->op.left) && number(l, right->op.right);
	if (alone && !strchr("!~-+", *op))
		return no(l, "it follows a pointer");
	if ((*op == '/' || *op == '%') &&
	    (right->type != TEP_PRINT_ATOM || !is_number_text(right->atom.atom) ||
	     !strtoull(right->atom.atom, NULL, 0)))
		return no(l, "it divides by a value that may be 0");
	return (alone || number(l, a->op.left)) && number(l, a->op.right);
}

static bool number_of_kind(struct look *l, struct tep_print_arg *a)
{
	struct tep_format_field *f;

	switch (a->type) {
	case TEP_PRINT_ATOM:
		return is_number_text(a->atom.atom) || no(l, UNKNOWN_CONSTANT);
	case TEP_PRINT_FIELD:
		f = field_of(l, a);
		return (f && !(f->flags & TEP_FIELD_IS_ARRAY) && f->size > 0 && f->size <= 8) ||
			no(l, "it has a field that is no number");
	case TEP_PRINT_TYPE:
		return number(l, a->typecast.item);
	case TEP_PRINT_OP:
		return is_operation(l, a);
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		return a->dynarray.field != NULL;
	default:
		return no(l, "it has a number that can't be computed");
	}
}

static bool number(struct look *l, struct tep_print_arg *a)
{
	bool result;

	if (!a || ++l->depth > DEPTH_MOST)
		return no(l, "it has too deep an expression");
	result = number_of_kind(l, a);
	l->depth--;
	return result;
}

static uint64_t read_number(const struct look *l, const struct tep_format_field *f)
{
	return tep_read_number(l->event->tep, l->record + f->offset, f->size);
}

/* Where a dynamic field's bytes are in the record, and how many. */
static void dynamic(const struct look *l, const struct tep_format_field *f, uint64_t *from,
		    uint64_t *n)
{
	const uint64_t value = read_number(l, f);

	*from = value & 0xffff;
	*n = value >> 16 & 0xffff;
	if (f->flags & TEP_FIELD_IS_RELATIVE)
		*from += (uint64_t)f->offset + (uint64_t)f->size;
}

/* The value of a number that is a size; false: it can't be told before it is used. */
static bool value_of(struct look *l, struct tep_print_arg *a, int64_t *value)
{
	struct tep_format_field *f;
	int64_t left, right;
	uint64_t from, n;

	a = without_casts(a);
	if (!a)
		return false;
	switch (a->type) {
	case TEP_PRINT_ATOM:
		*value = strtoll(a->atom.atom, NULL, 0);
		return is_number_text(a->atom.atom);
	case TEP_PRINT_FIELD:
		f = field_of(l, a);
		*value = 0;
		if (f && l->record)
			*value = (int64_t)read_number(l, f);
		return f && !(f->flags & TEP_FIELD_IS_ARRAY) && f->size > 0 && f->size <= 8;
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		n = 0;
		if (l->record && a->dynarray.field)
			dynamic(l, a->dynarray.field, &from, &n);
		*value = (int64_t)n;
		return a->dynarray.field != NULL;
	case TEP_PRINT_OP:
		if (!a->op.op || !strchr("*/", *a->op.op) || !value_of(l, a->op.left, &left) ||
		    !value_of(l, a->op.right, &right))
			return false;
		if (*a->op.op == '/')
			*value = right > 0 ? left / right : 0;
		else if (__builtin_mul_overflow(left, right, value))
			*value = -1;
		return true;
	default:
		return false;
	}
}

/* ---- memory ---- */

/* Is it an array of bytes, so many of which the record has? */
static bool area(struct look *l, struct tep_print_arg *a, struct tep_print_arg *count)
{
	struct tep_format_field *f = field_of(l, a);
	uint64_t from, n;
	int64_t many;

	if (!a || !value_of(l, count, &many))
		return no(l, "the size of an array can't be computed");
	if (a->type == TEP_PRINT_DYNAMIC_ARRAY)
		f = a->dynarray.field;
	if (!f || (a->type != TEP_PRINT_DYNAMIC_ARRAY && a->type != TEP_PRINT_FIELD))
		return no(l, "an array is no field");
	if (!l->record)
		return true;
	from = (uint64_t)f->offset;
	if (a->type == TEP_PRINT_DYNAMIC_ARRAY)
		dynamic(l, f, &from, &n);
	return from <= l->size && many >= 0 && (uint64_t)many <= l->size - from;
}

/* ---- texts ---- */

/* Values of flags and symbols: numbers; of others it knows some names, as the kernel has them. */
static bool flags(struct look *l, const struct tep_print_flag_sym *f)
{
	static const char *const known[] = {
		"HI_SOFTIRQ", "TIMER_SOFTIRQ", "NET_TX_SOFTIRQ", "NET_RX_SOFTIRQ", "BLOCK_SOFTIRQ",
		"IRQ_POLL_SOFTIRQ", "TASKLET_SOFTIRQ", "SCHED_SOFTIRQ", "HRTIMER_SOFTIRQ",
		"RCU_SOFTIRQ", "HRTIMER_NORESTART", "HRTIMER_RESTART", "-1",
	};

	for (; f; f = f->next) {
		bool found = f->value && isdigit((unsigned char)*f->value);

		for (size_t i = 0; f->value && !found && i < sizeof(known) / sizeof(*known); i++)
			found = !strcmp(f->value, known[i]);
		if (!found || !f->str)
			return no(l, UNKNOWN_CONSTANT);
	}
	return true;
}

static bool dynamic_named(struct look *l, const char *name)
{
	struct tep_format_field *f = name ? tep_find_any_field(l->event, name) : NULL;

	return (f && f->flags & TEP_FIELD_IS_DYNAMIC) || no(l, "a string is no field");
}

static bool text_of_kind(struct look *l, struct tep_print_arg *a);

static bool text(struct look *l, struct tep_print_arg *a)
{
	bool result;

	if (!a || ++l->depth > DEPTH_MOST)
		return no(l, "it has too deep an expression");
	result = text_of_kind(l, a);
	l->depth--;
	return result;
}

static bool text_field(struct look *l, struct tep_print_arg *a)
{
	const struct tep_format_field *f = field_of(l, a);

	/* A pointer's text may be among those that the kernel tells (printk_formats). */
	return (f && (f->flags & TEP_FIELD_IS_ARRAY ? f->size > 0 :
		      (unsigned int)f->size == l->word)) || no(l, "a string is no field");
}

static bool text_of_kind(struct look *l, struct tep_print_arg *a)
{
	const struct tep_print_arg *right;

	switch (a->type) {
	case TEP_PRINT_ATOM:
	case TEP_PRINT_BSTRING:
		return true;
	case TEP_PRINT_FIELD:
		return text_field(l, a);
	case TEP_PRINT_FLAGS:
		return number(l, a->flags.field) && flags(l, a->flags.flags);
	case TEP_PRINT_SYMBOL:
		return number(l, a->symbol.field) && flags(l, a->symbol.symbols);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		return area(l, a->hex.field, a->hex.size);
	case TEP_PRINT_INT_ARRAY:
		return no(l, "libtraceevent shows arrays of numbers in another way");
	case TEP_PRINT_STRING:
		return dynamic_named(l, a->string.string);
	case TEP_PRINT_BITMASK:
	case TEP_PRINT_CPUMASK:
		return dynamic_named(l, a->bitmask.bitmask);
	case TEP_PRINT_OP:
		right = a->op.right;
		return a->op.op && *a->op.op == '?' && right && right->type == TEP_PRINT_OP ?
			number(l, a->op.left) && text(l, right->op.left) &&
			text(l, right->op.right) : no(l, "it has a string that is computed");
	default:
		return no(l, "it has a string that can't be read");
	}
}

/* ---- the format ---- */

/* %pM, %pI4, %ph ...; how many letters are behind the p. */
static bool pointer(struct look *l, const char *letters, struct tep_print_arg *a,
		    struct tep_print_arg *star, bool starred)
{
	struct tep_print_arg *plain = without_casts(a);
	const struct tep_format_field *f = field_of(l, plain);
	const bool is_dynamic = plain && plain->type == TEP_PRINT_DYNAMIC_ARRAY &&
				plain->dynarray.field;

	switch (*letters) {
	case 'F': case 'f': case 'S': case 's':
		l->names = true;
		return number(l, a);
	case 'M': case 'm':
		return (f && f->size == 6) || no(l, "an address is no field");
	case 'U':
		return (f && f->size == 16) || no(l, "an address is no field");
	case 'I': case 'i':
		if (letters[1] == 'S')
			return f ? (f->size >= 28 || no(l, "an address is too short")) :
				is_dynamic || no(l, "an address is no field");
		return (f && f->size == (letters[1] == '4' ? 4 : 16)) ||
			no(l, "an address is no field");
	case 'h':
		return is_dynamic && starred ? area(l, plain, star) :
			no(l, "its bytes are no field");
	default:
		return no(l, "it has a pointer that can't be shown");
	}
}

/* Flags, width, precision and length, in the order that a conversion has: their letters. */
static size_t conversion_head(const char *at)
{
	static const char *const lengths[] = { "hh", "h", "ll", "l", "L", "z" };
	const char *begin = at;

	at += strspn(at, "-#+0");
	at += *at == '*' ? 1 : strspn(at, "0123456789");
	if (*at == '.') {
		at++;
		at += *at == '*' ? 1 : strspn(at, "0123456789");
	}
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		if (!strncmp(at, lengths[i], strlen(lengths[i]))) {
			at += strlen(lengths[i]);
			break;
		}
	return (size_t)(at - begin);
}

/* `at`: behind a '%'; moved behind the conversion. */
static bool conversion(struct look *l, const char **at, struct tep_print_arg **args)
{
	struct tep_print_arg *star = NULL;
	const char *begin = *at;
	int64_t width = 0;
	const size_t n = conversion_head(*at);
	const char *letter = *at + n, *stars = memchr(begin, '*', n);

	*at = letter + (*letter != '\0');
	if (n > 12 || (stars && memchr(stars + 1, '*', n - (size_t)(stars + 1 - begin))))
		return no(l, "it has a conversion that can't be read");
	if (stars) {
		star = *args;
		if (!star || !value_of(l, star, &width))
			return no(l, "a width can't be computed");
		*args = star->next;
		if (*letter != 'p' && (width < 0 || width > STAR_MOST))
			return false;
	}
	if (!*args || !*letter)
		return no(l, "it has a conversion without a value");
	if (*letter == 'p' ? !pointer(l, letter + 1, *args, star, stars != NULL) :
	    *letter == 's' ? !text(l, *args) :
	    !strchr("cdiuxXo", *letter) || !number(l, *args))
		return no(l, "it has a conversion that can't be read");
	*args = (*args)->next;
	return true;
}

static bool format(struct look *l)
{
	struct tep_print_arg *args = l->event->print_fmt.args;
	const char *at = l->event->print_fmt.format;

	while (at && (at = strchr(at, '%'))) {
		if (*++at == '%')
			at++;
		else if (!conversion(l, &at, &args))
			return false;
	}
	return true;
}

const char *event_safe(struct tep_event *e, unsigned int word)
{
	struct look l = { .event = e, .word = word };

	if (e->flags & (int)TEP_EVENT_FL_FAILED || !e->print_fmt.format)
		return "libtraceevent can't read it";
	if (e->flags & (TEP_EVENT_FL_ISBPRINT | TEP_EVENT_FL_ISFUNCENT | TEP_EVENT_FL_ISFUNCRET))
		return "its records have a format of their own";
	return format(&l) ? NULL : l.why;
}

bool event_names_functions(const struct tep_event *e)
{
	const char *at = e->print_fmt.format;

	while (at && (at = strstr(at, "%p"))) {
		at += 2;
		if (*at && strchr("FfSs", *at))
			return true;
	}
	return false;
}

/* All dynamic fields lie within the record. */
static bool fields_fit(const struct look *l, const struct tep_format_field *f)
{
	uint64_t from, n;

	for (; f; f = f->next) {
		if (f->offset < 0 || f->size < 0 ||
		    (uint64_t)f->offset + (uint64_t)f->size > l->size)
			return false;
		if (!(f->flags & TEP_FIELD_IS_DYNAMIC))
			continue;
		dynamic(l, f, &from, &n);
		if (from > l->size || n > l->size - from)
			return false;
	}
	return true;
}

bool event_fits(struct tep_event *e, const uint8_t *record, size_t size)
{
	struct look l = { .event = e, .word = (unsigned int)tep_get_long_size(e->tep),
			  .record = record, .size = size };

	return fields_fit(&l, e->format.common_fields) && fields_fit(&l, e->format.fields) &&
	       format(&l);
}
