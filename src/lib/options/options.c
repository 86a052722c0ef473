// SPDX-License-Identifier: GPL-2.0
/* A command line as a whole, and its values by name. */
#include "src/lib/options/options.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/lib/options/options_internal.h"

int options_refuse(const struct options *o, struct error *err, const char *format, ...)
{
	char text[800];
	va_list args;

	va_start(args, format);
	text_vcut(text, sizeof(text), format, args);
	va_end(args);
	return fail(err, "%s: %s\n`sonde help %s` lists its options", o->source.name, text,
		    o->source.name);
}

static int check_excluded(struct parser *p)
{
	struct options *o = p->o;
	unsigned int i;

	for (i = 0; i < o->n; i++) {
		const struct option *option = &o->rows[i].option;

		if (o->values[i].given && option->excludes && option_given(o, option->excludes))
			return usage(p, "--%s and --%s exclude each other", option->excludes,
				     option->name);
	}
	return 0;
}

static bool format_given(const struct options *o, const struct output_format *f)
{
	for (unsigned int i = 0; i < o->n; i++)
		if (o->rows[i].format == f && o->values[i].given)
			return true;
	return false;
}

/* A stream has one format. */
static int check_formats(struct parser *p)
{
	const struct output_format *first = options_format(p->o), *f = first;

	while ((++f)->writer)
		if (format_given(p->o, f))
			return usage(p, "--%s and --%s exclude each other", first->option,
				     f->option);
	return 0;
}

enum options_action options_parse(const struct option_source *s, int argc, char **argv,
				  struct options **out, struct error *err)
{
	struct parser p = { .o = calloc(1, sizeof(*p.o)), .action = ACTION_RUN, .err = err };

	assert(s->name && s->common && s->positionals <= 2);
	*out = NULL;
	if (p.o) {
		p.o->source = *s;
		p.o->words = argv;
		p.o->rows = option_rows(s, &p.o->n);
		p.o->values = p.o->rows ? calloc(p.o->n, sizeof(*p.o->values)) : NULL;
		p.o->asked = calloc(1, s->size + 1);
		p.o->common = calloc(1, s->common_size + 1);
	}
	if (!p.o || !p.o->values || !p.o->asked || !p.o->common) {
		options_free(p.o);
		fail(err, "%s: out of memory", s->name);
		return ACTION_USAGE_ERROR;
	}
	p.next = argv + (argc > 0);
	if (options_walk(&p) || p.action != ACTION_RUN || check_excluded(&p) || check_formats(&p)) {
		options_free(p.o);
		return p.action;
	}
	fill_members(p.o);
	*out = p.o;
	return p.action;
}

const void *options_asked(const struct options *o)
{
	return o->asked;
}

const void *options_common(const struct options *o)
{
	return o->common;
}

char *const *options_words(const struct options *o)
{
	return o->words;
}

void options_free(struct options *o)
{
	unsigned int i;

	if (!o)
		return;
	for (i = 0; o->values && i < o->n; i++) {
		free(o->values[i].joined);
		free(o->values[i].list);
	}
	free(o->values);
	free(o->rows);
	free(o->asked);
	free(o->common);
	free(o->constants);
	free(o);
}

static const struct value *value_of(const struct options *o, const char *name,
				    const struct option **option)
{
	unsigned int i;

	for (i = 0; i < o->n; i++) {
		if (!strcmp(o->rows[i].option.name, name)) {
			*option = &o->rows[i].option;
			return &o->values[i];
		}
	}
	return NULL;
}

int64_t option_number(const struct options *o, const char *name)
{
	const struct option *option;
	const struct value *value = value_of(o, name, &option);

	return value ? number_of(option, value) : 0;
}

const char *option_text(const struct options *o, const char *name)
{
	const struct option *option;
	const struct value *value = value_of(o, name, &option);

	return value ? value->text : NULL;
}

const int64_t *option_list(const struct options *o, const char *name, unsigned int *n)
{
	const struct option *option;
	const struct value *value = value_of(o, name, &option);

	*n = value ? value->n : 0;
	return value ? value->list : NULL;
}

char *const *option_command(const struct options *o)
{
	return o->command;
}

bool option_given(const struct options *o, const char *name)
{
	const struct option *option;
	const struct value *value = value_of(o, name, &option);

	return value && value->given;
}

const char *option_first(const struct options *o, const char *const *names)
{
	const char *first = NULL;

	for (; *names; names++) {
		const struct option *option;
		const struct value *value = value_of(o, *names, &option);

		assert(value);			/* even if another is the first */
		if (!first && value && value->given)
			first = *names;
	}
	return first;
}

const struct output_format *options_format(const struct options *o)
{
	for (const struct output_format *f = formats; f->writer; f++)
		if (f->option && format_given(o, f))
			return f;
	return formats;
}

const struct option_row *options_rows(const struct options *o, unsigned int *n)
{
	*n = o->n;
	return o->rows;
}

const struct constant *options_constants(struct options *o)
{
	unsigned int i;

	if (!o->constants)
		o->constants = calloc(o->n + 1, sizeof(*o->constants));
	for (i = 0; o->constants && i < o->n; i++) {
		o->constants[i].name = o->rows[i].option.name;
		o->constants[i].value = number_of(&o->rows[i].option, &o->values[i]);
	}
	return o->constants;
}
