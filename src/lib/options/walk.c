// SPDX-License-Identifier: GPL-2.0
/* The walk along a command line: options by name and by letter, positionals, a command. */
#include <ctype.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/lib/options/options_internal.h"

static void take_flag(struct parser *p, unsigned int row)
{
	const char *name = p->o->rows[row].option.name;

	p->o->values[row].given = true;
	p->o->values[row].number++;
	/* Whoever asks for help gets it, whatever follows. */
	if (!strcmp(name, "help"))
		p->action = ACTION_HELP;
	else if (!strcmp(name, "version"))
		p->action = ACTION_VERSION;
}

/* The rest of the command line. `first`: what was attached (--exec=CMD), else NULL. */
static int take_command(struct parser *p, const struct given *g, char *first)
{
	if (first)
		*--p->next = first;
	else if (*p->next && !strcmp(*p->next, "--"))
		p->next++;
	if (!*p->next || !**p->next)
		return usage(p, "%s needs a command", g->spelled);
	p->o->command = p->next;
	p->o->values[g->row].given = true;
	while (*p->next)
		p->next++;
	return 0;
}

/* An option that takes something: the rest of its own argument, or the next one. */
static int take_argument(struct parser *p, struct given *g, char *attached)
{
	const struct option *option = &p->o->rows[g->row].option;

	if (option->type == OPTION_REFUSED)
		return usage(p, "there is no option %s: %s", g->spelled, option->help);
	if (option->type == OPTION_COMMAND)
		return take_command(p, g, attached);
	if (!attached && !*p->next)
		return usage(p, "%s needs a value: %s %s", g->spelled, g->spelled,
			     option->arg ? option->arg : "VALUE");
	g->value = attached ? attached : *p->next++;
	return take_value(p, g);
}

/* An option whose value may be left out. Given again, it is what it was given as last. */
static int take_alone(struct parser *p, const struct given *g)
{
	p->o->values[g->row].given = true;
	p->o->values[g->row].text = NULL;
	p->alone = *p->next;
	p->alone_name = p->o->rows[g->row].option.name;
	p->alone_letter = g->spelled[1] == '-' ? 0 : g->spelled[1];
	return 0;
}

static int unknown_long(struct parser *p, const char *name, size_t length)
{
	const char *nearest = option_nearest(p->o->rows, p->o->n, name, length);

	if (nearest)
		return usage(p, "there is no option --%.*s; did you mean --%s?", (int)length,
			     name, nearest);
	return usage(p, "there is no option --%.*s", (int)length, name);
}

static int take_long(struct parser *p, char *argument)
{
	char *name = argument + 2, *equals = strchr(name, '='), spelled[64];
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct option_row *row = option_by_name(p->o->rows, p->o->n, name, length);
	struct given g = { .spelled = spelled };

	if (!row)
		return unknown_long(p, name, length);
	g.row = row - p->o->rows;
	text_cut(spelled, sizeof(spelled), "--%.*s", (int)length, name);
	if (row->option.optional && !equals)
		return take_alone(p, &g);
	if (row->option.type != OPTION_FLAG)
		return take_argument(p, &g, equals ? equals + 1 : NULL);
	if (equals)
		return usage(p, "%s takes no value", spelled);
	take_flag(p, g.row);
	return 0;
}

static int unknown_letter(struct parser *p, const char *argument, char letter)
{
	const char *name = argument + 1;
	size_t length = strcspn(name, "=");
	const struct option_row *row = length > 1 ?
		option_by_name(p->o->rows, p->o->n, name, length) : NULL;

	if (row)
		return usage(p, "there is no option -%c in %s; did you mean --%.*s?", letter,
			     argument, (int)length,
			     name);
	row = option_by_letter(p->o->rows, p->o->n, islower((unsigned char)letter) ?
			       toupper(letter) : tolower(letter));
	if (row)
		return usage(p, "there is no option -%c; -%c is --%s", letter, row->option.letter,
			     row->option.name);
	return usage(p, "there is no option -%c", letter);
}

/*
 * -p181, -mT, -mp 181: flags may be joined, the last one may take a value. One that may be left out
 * is in the same word, as everywhere: what follows may be an interval.
 */
static int take_letters(struct parser *p, char *argument)
{
	char *letter;

	for (letter = argument + 1; *letter; letter++) {
		const struct option_row *row = option_by_letter(p->o->rows, p->o->n, *letter);
		char spelled[] = { '-', *letter, '\0' };
		struct given g = { .spelled = spelled };

		if (!row)
			return unknown_letter(p, argument, *letter);
		g.row = row - p->o->rows;
		if (row->option.optional && !letter[1])
			return take_alone(p, &g);
		if (row->option.type != OPTION_FLAG)
			return take_argument(p, &g, letter[1] ? letter + 1 : NULL);
		take_flag(p, g.row);
		if (p->action != ACTION_RUN)
			return 0;
	}
	return 0;
}

/* A word that no option takes, behind one that would have taken it in another form. */
static int behind_alone(struct parser *p, const char *argument)
{
	if (p->alone_letter)
		return usage(p, "-%c takes its value without a blank: -%c%s", p->alone_letter,
			     p->alone_letter, argument);
	return usage(p, "--%s takes its value after `=`: --%s=%s", p->alone_name, p->alone_name,
		     argument);
}

static int take_positional(struct parser *p, char *argument)
{
	const struct option_source *s = &p->o->source;
	const struct option_row *own = option_positional(p->o->rows, p->o->n, 1), *next = own;
	struct given g = { .value = argument };
	const struct option_row *bare = isdigit((unsigned char)*argument) ? NULL :
		option_bare(p->o->rows, p->o->n);
	int64_t number;
	char spelled[64];

	if (bare) {
		text_cut(spelled, sizeof(spelled), "--%s", bare->option.name);
		g.row = bare - p->o->rows;
		g.spelled = spelled;
		return take_value(p, &g);
	}
	if (argument == p->alone && !read_number(argument, strlen(argument), &number))
		return behind_alone(p, argument);
	if (own && own->option.type == OPTION_COMMAND) {
		g.row = own - p->o->rows;
		return take_command(p, &g, argument);
	}
	if (own && !own->option.joins)
		next = option_positional(p->o->rows, p->o->n, p->n_positionals + 1);
	if (next) {
		p->n_positionals++;
		g.row = next - p->o->rows;
		text_cut(spelled, sizeof(spelled), "%s", next->option.arg);
		g.spelled = spelled;
		return take_value(p, &g);
	}
	if (own)
		own = option_positional(p->o->rows, p->o->n, p->n_positionals);
	if (own)
		return usage(p, "it takes no more than %s, not \"%s\" too", own->option.arg,
			     argument);
	if (!s->positionals)
		return usage(p, "it takes options only, not \"%s\"", argument);
	if (p->n_positionals == s->positionals)
		return usage(p, "it takes no more than %s, not \"%s\" too",
			     s->positionals > 1 ? "an interval and a count" : "an interval",
			     argument);
	g.row = p->o->n - s->positionals + p->n_positionals++;
	g.spelled = p->n_positionals > 1 ? "the count" : "the interval";
	return take_value(p, &g);
}

int options_walk(struct parser *p)
{
	while (*p->next && p->action == ACTION_RUN) {
		char *argument = *p->next++;
		int result;

		if (p->options_end || argument[0] != '-' || !argument[1])
			result = take_positional(p, argument);
		else if (argument[1] != '-')
			result = take_letters(p, argument);
		else if (argument[2])
			result = take_long(p, argument);
		else {
			p->options_end = true;
			result = 0;
		}
		if (result)
			return -1;
	}
	return 0;
}
