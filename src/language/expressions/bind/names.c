// SPDX-License-Identifier: GPL-2.0
/* Names that the user may write, and their meaning at the probe. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/kernel/doubt.h"
#include "src/language/expressions/bind/binder.h"
#include "src/language/questions/probes/traced_calls.h"
#include "src/language/types/declared.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"

/* 12 for "arg12"; 0: for any other name. */
static int number_of(const char *name, unsigned int length)
{
	if (length < 4 || length > 5 || memcmp(name, "arg", 3) || name[3] < '1' || name[3] > '9')
		return 0;
	if (length == 4)
		return name[3] - '0';
	return name[4] >= '0' && name[4] <= '9' ? 10 * (name[3] - '0') + name[4] - '0' : 0;
}

/*
 * Returns true for a kernel function with its own name. If the compiler changed the name
 * (NAME.isra.0), it may have left out arguments.
 */
static bool kernel_function_named(const struct scope *s)
{
	return !s->user_space && !s->event.tracepoint && !s->called.syscall && s->called.name &&
	       !strchr(s->called.name, '.');
}

/*
 * Takes the parameters from the kernel's type information, or from the tracepoint of a system call.
 * Returns true if n is one of them.
 */
static bool told_by_kernel(struct binder *b, struct node *n)
{
	struct scope *s = b->s;
	struct c_type result;
	int count;

	if (s->called.n_parameters || s->needs.knows_function ||
	    (!s->called.call && !kernel_function_named(s)))
		return 0;
	count = s->called.call ?
			traced_call_parameters(s->kernel, s->called.call, s->word,
					       s->called.parameters) :
			types_function(b->t->types, s->called.name, s->called.parameters, &result);
	s->needs.knows_function = count < 0;
	s->called.n_told = count < 0 ? 0 : (unsigned int)count;
	for (int i = 0; i < count; i++)
		if (is_name(b, n, s->called.parameters[i].name))
			s->called.n_parameters = (unsigned int)count;
	return s->called.n_parameters;
}

/* "file, buf, count": the names of the parameters. */
static void list_parameters(const struct scope *s, unsigned int n, char *to, size_t size)
{
	struct strbuf list = strbuf_over(to, size);

	for (unsigned int i = 0; i < n; i++)
		if (*s->called.parameters[i].name)
			strbuf_addf(&list, "%s%s", list.n ? ", " : "",
				    s->called.parameters[i].name);
}

/* GFP_ATOMIC: C's custom for macros and enumerators. */
static bool is_constant(const char *name, unsigned int length)
{
	unsigned int letters = 0;

	for (unsigned int i = 0; i < length; i++) {
		if (islower((unsigned char)name[i]))
			return false;
		letters += isupper((unsigned char)name[i]) != 0;
	}
	return letters > 1;
}

static int unknown_name(struct binder *b, const struct node *n)
{
	const char *name = name_of(b, n);
	char list[200];

	if (b->s->event.tracepoint)
		return WRONG(b, n, "there is no `%.*s`; fields are args->NAME", n->length, name);
	if (b->s->event.usdt)
		return WRONG(b, n, "there is no `%.*s`; arguments of probes (USDT) are arg1, arg2 "
			     "...", n->length, name);
	if (is_constant(name, n->length))
		return WRONG(b, n, "no number `%.*s` is known: write it as digits, or -I "
			     "FILE.h with its enum or #define", n->length, name);
	if (b->s->called.returns)
		return WRONG(b, n, "there is no `%.*s`; a return has retval, and no arguments",
			     n->length, name);
	if (b->s->called.inside)
		return WRONG(b, n, "there is no `%.*s`; behind a function's beginning no arguments "
			     "are known", n->length, name);
	list_parameters(b->s,
			b->s->called.n_parameters ? b->s->called.n_parameters : b->s->called.n_told,
			list, sizeof(list));
	if (*list)
		return WRONG(b, n, "there is no `%.*s`; %s has %s", n->length, name,
			     b->s->called.n_parameters ? "the signature" : "this function", list);
	if (b->s->called.unknown_arguments || !b->s->called.name)
		return WRONG(b, n, "there is no `%.*s` here", n->length, name);
	if (b->wants_struct)
		return WRONG(b, n, "`%.*s` has no type here: give a signature with the arguments "
			     "up to it, `%s(struct NAME *%.*s)` if it is the first", n->length,
			     name, binder_function(b), n->length, name);
	return WRONG(b, n, "there is no `%.*s`; arguments are arg1, arg2 ..., or have the names of "
		     "a signature: %s(int %.*s) if it is the first and an int", n->length, name,
		     binder_function(b), n->length, name);
}

int bind_name(struct binder *b, struct node *n)
{
	const struct scope *s = b->s;
	const char *name = name_of(b, n);
	int number;
	struct parameter list[PARAMETERS_MOST];
	struct c_type type;
	struct error why;

	if (*name == '$' && !is_name(b, n, "$retval"))
		return bind_builtin(b, n);
	for (unsigned int i = 0; i < s->called.n_parameters; i++)
		if (is_name(b, n, s->called.parameters[i].name))
			return bind_argument(b, n, (int)i + 1, &s->called.parameters[i].type);
	number = number_of(name, n->length);
	if (number && s->event.usdt)
		return bind_usdt_argument(b, n, (unsigned int)number);
	if (number > PARAMETERS_MOST)
		return WRONG(b, n, "arguments are arg1 to arg%d", PARAMETERS_MOST);
	if (number)
		return bind_argument(b, n, number, NULL);
	if (is_name(b, n, "retval") || is_name(b, n, "$retval")) {
		if (!s->called.returns)
			return WRONG(b, n, "only a return has a value: r:%s", s->event.tracepoint ?
				     "FUNCTION" : binder_function(b));
		type = c_integer(s->word, false);
		/* The value is a number, unless a member of it is wanted. */
		if (b->wants_struct && kernel_function_named(s) &&
		    (types_function(b->t->types, s->called.name, list, &type) < 0 ||
		     !type.pointers))
			type = c_integer(s->word, false);
		return to_input(b, n, type, "$retval", ":uW");
	}
	if (is_name(b, n, "args"))
		return WRONG(b, n, s->event.tracepoint ? "a field is missing: args->NAME" :
			     "only tracepoints have args; arguments of functions are arg1, arg2 "
			     "...");
	/* As in C, a parameter hides a constant of the same name. */
	if (told_by_kernel(b, n))
		return bind_name(b, n);
	number = types_number(b->t->types, name, n->length, &n->value, &n->type, &why);
	if (number <= 0)
		return number ? CAUSE(b, n, &why) : unknown_name(b, n);
	n->kind = NODE_NUMBER;
	return 0;
}

/* args.NAME of a function, whose parameters the kernel tells. */
static int bind_parameter(struct binder *b, struct node *n)
{
	const struct scope *s = b->s;
	char list[200];

	if (!s->called.name || s->user_space || s->event.usdt)
		return WRONG(b, n, "only tracepoints and functions of the kernel have args, one at "
			     "a time; arguments of others are arg0, arg1 ...");
	if (s->called.returns && !s->called.keeps_arguments)
		return WRONG(b, n, "a return has no args: keep them in a map when the function "
			     "begins");
	n->kind = NODE_NAME;
	n->a = NULL;
	told_by_kernel(b, n);
	for (unsigned int i = 0; i < s->called.n_parameters; i++)
		if (is_name(b, n, s->called.parameters[i].name))
			return bind_argument(b, n, (int)i + 1, &s->called.parameters[i].type);
	list_parameters(s, s->called.n_parameters ? s->called.n_parameters : s->called.n_told, list,
			sizeof(list));
	return WRONG(b, n, *list ? "%s() has no such argument; it has %s" :
		     "the arguments of %s() have no names here, without type information (BTF): "
		     "they are arg0, arg1 ...%s", s->called.name, list);
}

/* Fields that have another name in other kernels. */
static const char *const renamed[][2] = {
	{ "nr", "__syscall_nr" },	/* of syscalls:*, since 4.6 */
};

/* The field of that name, or of the other name that it has; NULL: there is none. */
static const struct field *field_named(const struct format *format, const char *name)
{
	const struct field *f = format_field(format, name);

	for (size_t i = 0; i < 2 * sizeof(renamed) / sizeof(renamed[0]) && !f; i++)
		if (!strcmp(name, renamed[i / 2][i % 2]))
			f = format_field(format, renamed[i / 2][!(i % 2)]);
	return f;
}

/* The number of a field. In bpftrace's language one of a known enum is shown by its name. */
static struct c_type field_number(const struct binder *b, const struct field *f)
{
	struct c_type number = c_integer(f->size, f->is_signed), of = { };

	if (b->t->source.language && !strncmp(f->type, "enum ", 5) &&
	    types_enum(b->t->types, f->type + 5, strlen(f->type + 5), &of)) {
		number.id = of.id;
		number.source = of.source;
	}
	return number;
}

/* The type of the elements of a field that is an array; size 0: it is not known. */
static struct c_type element_of(const struct binder *b, const struct field *f)
{
	struct c_type type;

	if (!declared_type(f, b->s->word, &type) || !c_number(&type))
		return (struct c_type){ };
	type.align = 0;
	return type;
}

/* args.NAME[NUMBER] of a tracepoint: an array in its record. */
static int field_element(struct binder *b, struct node *n, const struct field *f,
			 const struct node *index)
{
	static const char *const types[][2] = { { ":u8", ":s8" }, { ":u16", ":s16" },
						{ ":u32", ":s32" }, { ":u64", ":s64" } };
	struct c_type type = element_of(b, f);
	const unsigned int size = c_number(&type) ? c_size(&type, b->s->word) : 0;
	char fetch[INPUT_FETCH];

	if (f->is_data_loc || !size || size > 8 || size & (size - 1) || f->size % size)
		return WRONG(b, n, "elements of %s, %s[], can't be read", f->name, f->type);
	if (index->kind != NODE_NUMBER)
		return WRONG(b, n, "an element of %s has an index that is a number, from 0 to %u",
			     f->name, f->size / size - 1);
	if (index->value >= f->size / size)
		return WRONG(b, n, "the index %lld is out of bounds for array of size %u",
			     (long long)index->value, f->size / size);
	text_all(fetch, sizeof(fetch), "%s[%u]", f->name, (unsigned int)index->value);
	/* Registers of system calls: where they are addresses, these are of user space. */
	type.user = !strcmp(b->s->event.format->system, "raw_syscalls");
	n->a = n->b = NULL;
	return to_input(b, n, type, fetch, types[__builtin_ctz(size)][c_signed(&type)]);
}

int bind_element(struct binder *b, struct node *n)
{
	const struct node *array = n->kind == NODE_UNARY && n->op == '*' &&
				   n->a->kind == NODE_BINARY && n->a->op == '+' ? n->a->a : NULL;
	const struct field *f = NULL;
	char name[48];

	if (!array || array->kind != NODE_MEMBER || !array->a || !is_name(b, array->a, "args") ||
	    !b->s->event.tracepoint || !b->s->event.format)
		return 0;
	text_all(name, sizeof(name), "%.*s", array->length, name_of(b, array));
	if (array->length < sizeof(name))
		f = field_named(b->s->event.format, name);
	if (!f || !(f->is_array || f->is_data_loc))
		return 0;
	if (bind_node(b, &n->a->b))
		return -1;
	return field_element(b, n, f, n->a->b) ? -1 : 1;
}

int bind_field(struct binder *b, struct node *n)
{
	const struct scope *s = b->s;
	const struct field *f;
	struct c_type raw, type;
	char name[48];
	struct error doubt;
	bool syscalls, known;

	if (!s->event.tracepoint && b->t->source.language)
		return bind_parameter(b, n);
	if (!s->event.tracepoint)
		return WRONG(b, n, "only tracepoints have args; arguments of functions are arg1, "
			     "arg2 ...");
	if (!s->event.format && s->kernel && kernel_doubted(s->kernel, &doubt))
		return WRONG(b, n, "the fields of %s are unknown: %s", s->called.name, doubt.text);
	if (!s->event.format && s->called.name)
		return WRONG(b, n, "the fields of %s are unknown: its format is not readable in "
			     "tracefs, or not in the snapshot", s->called.name);
	if (!s->event.format)
		return WRONG(b, n, "several tracepoints have different fields: name one");
	text_cut(name, sizeof(name), "%.*s", n->length, name_of(b, n));
	f = n->length < sizeof(name) ? field_named(s->event.format, name) : NULL;
	if (!f)
		return WRONG(b, n, "%s:%s has no field %s; `cat "
			     "/sys/kernel/tracing/events/%s/%s/format` shows its fields",
			     s->event.format->system, s->event.format->event, name,
			     s->event.format->system,
			     s->event.format->event);
	n->a = NULL;
	if (f->is_data_loc || f->is_array) {
		n->type = (struct c_type){ .base = C_TEXT };
		return 0;
	}
	if (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8)
		return WRONG(b, n, "%s is neither a number nor a string", name);
	raw = field_number(b, f);
	/* A field of a system call is as large as a register, whatever the argument's type is. */
	syscalls = !strcmp(s->event.format->system, "syscalls");
	known = declared_type(f, s->word, &type);
	if (known && type.pointers)
		type.user = syscalls;
	if (known && type.pointers && f->size == s->word)
		raw = type;
	if (!syscalls || !known || type.pointers || c_size(&type, s->word) >= f->size)
		return to_input(b, n, raw, f->name, "");
	n->a = new_node(b, NODE_NAME, n->at);
	if (!n->a)
		return -1;
	n->a->length = n->length;
	n->kind = NODE_CAST;
	n->type = type;
	return to_input(b, n->a, raw, f->name, "");
}
