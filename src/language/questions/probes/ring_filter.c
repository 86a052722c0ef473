// SPDX-License-Identifier: GPL-2.0
#include "src/language/questions/probes/ring_filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "src/language/types/types.h"

struct writer {
	const struct scope *scope;
	enum filter_names names;
	struct strbuf out;
};

/* Returns true if every value of one type is the same number in the other type. */
static bool keeps_value(const struct c_type *from, const struct c_type *to, unsigned int word)
{
	const unsigned int a = c_size(from, word), b = c_size(to, word);

	if (to->is_bool && !to->pointers)
		return false;
	return c_signed(from) == c_signed(to) ? b >= a : !c_signed(from) && b > a;
}

/* Returns true if a number of the type `has` is the same number in the type `type`. */
static bool is_in(uint64_t value, const struct c_type *has, const struct c_type *type,
		  unsigned int word)
{
	const bool negative = c_signed(has) && (int64_t)value < 0;

	if (negative && !c_signed(type))
		return false;
	if (!negative && c_signed(type) && value > INT64_MAX)
		return false;
	return c_convert(value, type, word) == value;
}

/* Returns true for names that the kernel compares in another way, or that are no fields. */
static bool is_special(const char *name)
{
	static const char *const names[] = { "cpu", "CPU", "comm", "COMM", "stacktrace" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return strpbrk(name, "(+") || !strncmp(name, "common_", 7);
}

bool ring_compares(const struct field *f)
{
	return !strchr(f->type, '*') || !strstr(f->type, "char");
}

/* The name of an input in an event filter; NULL: no field has it. */
static const char *name_of_input(const struct writer *w, const struct lang_input *in)
{
	const char *name = w->names == FILTER_BY_INPUT && !w->scope->event.tracepoint ? in->name :
			   in->fetch;

	if (in->identity)
		return strcmp(in->name, "tid") ? NULL : "common_pid";
	if (in->memory || in->bytes || is_special(name))
		return NULL;
	if (w->scope->event.format) {
		const struct field *f = format_field(w->scope->event.format, name);

		if (f && !ring_compares(f))
			return NULL;
	}
	/* A number fetched from memory may be unreadable: then its field does not have it. */
	return strchr(in->fetch, '(') ? NULL : name;
}

static const char *operator(uint8_t op)
{
	static const struct {
		uint8_t op;
		const char *text;
	} table[] = {
		{ OP_EQ, "==" }, { OP_NE, "!=" }, { '<', "<" }, { '>', ">" }, { OP_LE, "<=" },
		{ OP_GE, ">=" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].op == op)
			return table[i].text;
	return NULL;
}

static bool compare(struct writer *w, const struct node *n)
{
	const unsigned int word = w->scope->word;
	const struct node *value = n->a;
	const struct lang_input *in;
	struct c_type type;
	const char *name;

	if (!operator(n->op) || n->b->kind != NODE_NUMBER)
		return false;
	while (value->kind == NODE_CAST && keeps_value(&value->a->type, &value->type, word))
		value = value->a;
	if (value->kind != NODE_INPUT)
		return false;
	in = &w->scope->needs.inputs[value->value];
	name = name_of_input(w, in);
	/* The record has a thread's id as an int, and a system call's result as a long. */
	type = in->identity ? c_integer(4, true) : value->type;
	if (!name || !is_in(n->b->value, &n->b->type, &type, word) ||
	    (w->names == FILTER_BY_FETCH && !strcmp(name, "$retval")))
		return false;
	strbuf_addf(&w->out, c_signed(&type) ? "%s %s %lld" : "%s %s %llu", name, operator(n->op),
		    (long long)n->b->value);
	return true;
}

/* Writes a whole condition. Returns false if it can't be written: the text is then useless. */
static bool whole(struct writer *w, const struct node *n)
{
	bool said;

	if (n->kind != NODE_BINARY)
		return false;
	if (n->op != OP_AND && n->op != OP_OR)
		return compare(w, n);
	strbuf_add(&w->out, "(", 1);
	said = whole(w, n->a);
	strbuf_addf(&w->out, n->op == OP_AND ? ") && (" : ") || (");
	said = said && whole(w, n->b);
	strbuf_add(&w->out, ")", 1);
	return said;
}

static char *text_of(const struct writer *from, const struct node *n)
{
	struct writer w = *from;
	const bool said = whole(&w, n);
	char *text = strbuf_take(&w.out);

	if (said)
		return text;
	free(text);
	return NULL;
}

static char *part(const struct writer *w, const struct node *n)
{
	char *a, *b, *both = NULL;

	if (n->kind != NODE_BINARY || n->op != OP_AND)
		return text_of(w, n);
	a = part(w, n->a);
	b = part(w, n->b);
	if (!a || !b)
		return a ? a : b;
	if (asprintf(&both, "(%s) && (%s)", a, b) < 0)
		both = NULL;
	free(a);
	free(b);
	return both;
}

char *ring_filter(const struct node *filter, const struct scope *s, enum filter_names names)
{
	const struct writer w = { .scope = s, .names = names };

	/* An argument of a probe (USDT) may have another size at each of its places. */
	return filter && !s->event.usdt ? part(&w, filter) : NULL;
}
