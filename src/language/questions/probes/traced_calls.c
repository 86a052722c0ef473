// SPDX-License-Identifier: GPL-2.0
#include "src/language/questions/probes/traced_calls.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "src/language/questions/probes/ring_filter.h"
#include "src/language/types/declared.h"
#include "src/language/types/types.h"

/* A call, and the arguments that its function gets: the call's, `a` to `f`, or numbers. */
struct serving {
	const char *call, *arguments;
};

/*
 * Functions that run only in these system calls (and for io_uring). openat2 passes a struct instead
 * of flags and mode.
 */
static const struct {
	const char *function;
	struct serving calls[TRACED_CALLS];
} served[] = {
	{ "do_sys_open", { { "openat", "a b c d" }, { "open", "-100 a b c" },
			   { "creat", "-100 a 577 b" } } },
	{ "do_sys_openat2", { { "openat", "a b" }, { "open", "-100 a" }, { "creat", "-100 a" },
			      { "openat2", "a b" } } },
};

static const struct format *format_of(struct kernel *k, const char *call, bool returns)
{
	char event[80];

	text_all(event, sizeof(event), "sys_%s_%s", returns ? "exit" : "enter", call);
	return kernel_format(k, "syscalls", event);
}

const char *traced_call_of(struct kernel *k, const char *function)
{
	const char *call = arch_call_name(function);

	return call && format_of(k, call, false) ? call : NULL;
}

/* The field of argument `number`, from 0. Arguments follow the field of the call's number. */
static const struct field *field_of(const struct format *f, unsigned int number)
{
	bool arguments = false;

	for (unsigned int i = 0; i < f->n_fields; i++) {
		const struct field *field = &f->fields[i];

		if (arguments && !field->is_data_loc && !number--)
			return field;
		arguments |= !strcmp(field->name, "__syscall_nr") || !strcmp(field->name, "nr");
	}
	return NULL;
}

int traced_call_argument(const struct format *f, const char *name, const struct field **field)
{
	for (unsigned int n = 0; (*field = field_of(f, n)); n++)
		if (!strcmp((*field)->name, name))
			return (int)n + 1;
	return 0;
}

int traced_call_parameters(struct kernel *k, const char *call, unsigned int word,
			   struct parameter *list)
{
	const struct format *f = format_of(k, call, false);
	const struct field *field;
	unsigned int n = 0;

	while (f && n < PARAMETERS_MOST && (field = field_of(f, n))) {
		struct parameter *p = &list[n++];

		/* A parameter of an unknown type gets no name. */
		*p = (struct parameter){ .type = c_integer(word, false) };
		if (strlen(field->name) < sizeof(p->name) &&
		    declared_type(field, word, &p->type))
			strcpy(p->name, field->name);
	}
	return f ? (int)n : -1;
}

/*
 * Writes the field or constant that is argument `number` of the function, from 1. Returns false if
 * the tracepoint has no such argument, or a filter can't compare it.
 */
static bool argument_of(const struct format *f, const char *arguments, unsigned int number,
			bool in_filter, char *to, size_t size)
{
	const struct field *field;

	while (--number && arguments) {
		arguments = strchr(arguments, ' ');
		arguments += arguments != NULL;
	}
	if (!arguments)
		return false;
	if (!islower((unsigned char)*arguments)) {
		text_cut(to, size, "%.*s", (int)strcspn(arguments, " "), arguments);
		return true;
	}
	field = field_of(f, (unsigned int)(*arguments - 'a'));
	if (!field || (in_filter && !ring_compares(field)))
		return false;
	text_cut(to, size, "%s", field->name);
	return true;
}

/*
 * Replaces the arguments in a text by fields. Returns -1 if there is no memory, and 1 if the
 * tracepoint lacks an argument.
 */
static int translate(const struct format *f, const char *arguments, const char *inputs,
		     bool in_filter, char **to)
{
	struct strbuf text = { };
	int result = 0;

	while (*inputs && !result) {
		char word[64];
		unsigned long number;

		if (*inputs != '$') {
			strbuf_add(&text, inputs++, 1);
		} else if (!strncmp(inputs, "$retval", 7)) {
			strbuf_addf(&text, "ret");
			inputs += 7;
		} else if (!strncmp(inputs, "$sys", 4) || !strncmp(inputs, "$arg", 4)) {
			number = strtoul(inputs + 4, (char **)&inputs, 10);
			if (argument_of(f, arguments, (unsigned int)number, in_filter, word,
					sizeof(word)))
				strbuf_addf(&text, "%s", word);
			else
				result = 1;
		} else {
			result = 1;
		}
	}
	*to = strbuf_take(&text);
	return *to ? result : -1;
}

static int add(struct kernel *k, struct traced_calls *t, const struct serving *s, bool returns,
	       const char *inputs, const char *filter, bool calls)
{
	const struct format *f = format_of(k, s->call, returns);
	char *text = NULL, *name = NULL, *all = NULL;
	int result;

	if (!f)
		return 0;
	result = translate(f, s->arguments, inputs, false, &text);
	if (!result && (asprintf(&name, "syscalls:sys_%s_%s", returns ? "exit" : "enter",
				 s->call) < 0 ||
			/* A thread is in one call at a time. */
			asprintf(&all, "function=0 %s%s", calls ? "sp=0 popped=0 thread=1 " : "",
				 text) < 0))
		result = -1;
	free(text);
	if (result > 0)
		text_cut(t->never, sizeof(t->never), "the tracepoint of %s does not tell the "
			 "wanted values", s->call);
	if (result) {
		free(name);
		return result < 0 ? -1 : 0;
	}
	t->texts[3 * t->n] = name;
	t->texts[3 * t->n + 1] = all;
	/* The kernel can't compare a constant in place of a field. */
	if (filter && s->arguments[0] == 'a' && translate(f, s->arguments, filter, true, &text)) {
		free(text);
		text = NULL;
	} else if (!filter || s->arguments[0] != 'a') {
		text = NULL;
	}
	t->texts[3 * t->n + 2] = text;
	/* Not every machine has all of these calls. Only the first call is required. */
	t->probes[t->n] = (struct probe){
		.kind = PROBE_TRACEPOINT, .name = name, .inputs = all, .optional = t->n > 0,
		.filter = text,
	};
	t->n++;
	return 0;
}

int traced_calls_find(struct kernel *k, struct traced_calls *t, const char *call,
		      const char *function, bool returns, const char *inputs,
		      const char *filter, bool calls)
{
	const struct serving one = { call, "a b c d e f" };

	if (call)
		return add(k, t, &one, returns, inputs, filter, calls);
	for (size_t i = 0; i < sizeof(served) / sizeof(served[0]); i++) {
		if (strcmp(served[i].function, function))
			continue;
		for (int j = 0; j < TRACED_CALLS && served[i].calls[j].call; j++)
			if (add(k, t, &served[i].calls[j], returns, inputs, filter,
				calls))
				return -1;
	}
	return 0;
}

void traced_calls_free(struct traced_calls *t)
{
	for (unsigned int i = 0; i < 3 * t->n; i++)
		free(t->texts[i]);
}
