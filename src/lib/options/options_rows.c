// SPDX-License-Identifier: GPL-2.0
/* The options of a command line: own rows, completed by common ones, and the positionals. */
#include "src/lib/options/options_rows.h"

#include <stdlib.h>
#include <string.h>

#include "src/lib/options/words.h"

static const char *const positionals[] = { "interval", "count" };
#define N_POSITIONALS 2

static struct option_row *row_named(struct option_row *rows, unsigned int n, const char *name)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!strcmp(rows[i].option.name, name))
			return &rows[i];
	return NULL;
}

/* All rows; the first `own` are the source's own. */
struct table {
	struct option_row *rows;
	unsigned int own, n;
};

/* A common option, or what it completes; NULL: an own one of that name means another. */
static struct option_row *add(struct table *t, enum option_group group, const struct option *option)
{
	struct option_row *row = row_named(t->rows, t->own, option->name);
	struct option given;

	if (row && row->option.help) {
		if (row->option.type == option->type) {
			row->to = option->to;
			row->given = option->given;
		}
		return NULL;
	}
	if (!row)
		row = &t->rows[t->n++];
	given = row->option;
	row->option = *option;
	row->option.letter = given.letter;
	row->option.other_letter = given.other_letter;
	row->option.alias = given.alias;
	row->option.positional = given.positional;
	row->option.to = given.to;
	row->option.given = given.given;
	row->to = option->to;
	row->given = option->given;
	if (given.excludes)
		row->option.excludes = given.excludes;
	row->group = group;
	return row;
}

static void add_formats(struct table *t, enum option_group group)
{
	for (const struct output_format *f = formats; f->writer; f++) {
		const struct option option = {
			.name = f->option, .type = OPTION_FLAG, .help = f->help,
		};
		struct option_row *row = f->option ? add(t, group, &option) : NULL;

		if (row)
			row->format = f;
	}
}

static bool is_last(const struct common_option *c)
{
	return !c->option.name && !c->formats;
}

static void add_common(struct table *t, const struct common_option *common)
{
	for (const struct common_option *c = common; !is_last(c); c++) {
		struct option_row *row = c->formats ? NULL : add(t, c->group, &c->option);

		if (c->formats)
			add_formats(t, c->group);
		if (row)
			row->listener = c->listener;
	}
}

static unsigned int count_formats(void)
{
	unsigned int n = 0;

	while (formats[n].writer)
		n++;
	return n;
}

/* A common option has its letter if no other option took it. */
static void add_letters(struct table *t, const struct common_option *common)
{
	for (const struct common_option *c = common; !is_last(c); c++) {
		struct option_row *row = c->option.letter ?
			row_named(t->rows, t->n, c->option.name) : NULL;
		const struct option_row *other;

		if (!row || row->option.letter)
			continue;
		other = option_by_letter(t->rows, t->n, c->option.letter);
		if (!other)
			row->option.letter = c->option.letter;
		else if (row->option.type != OPTION_FLAG)
			t->rows[other - t->rows].shadows = row->option.name;
	}
}

/* Some of bcc's tools take their interval by an option, others by its place: both work for all. */
static char free_letter(const struct table *t, char letter)
{
	return option_by_letter(t->rows, t->n, letter) ? 0 : letter;
}

/* Where values go that no common row tells of. */
static void add_members(struct table *t, const struct option_place *places)
{
	for (unsigned int i = 0; i < t->n; i++)
		for (const struct option_place *p = places; p && p->name; p++)
			if (t->rows[i].option.type == p->type &&
			    !strcmp(t->rows[i].option.name, p->name)) {
				t->rows[i].to = p->to;
				t->rows[i].given = p->given;
			}
}

struct option_row *option_rows(const struct option_source *s, unsigned int *n)
{
	unsigned int own = 0, n_common = 0, i;
	struct table t = { };

	while (s->own && s->own[own].name)
		own++;
	while (!is_last(&s->common[n_common]))
		n_common++;
	t.rows = calloc(own + n_common + count_formats() + N_POSITIONALS, sizeof(*t.rows));
	if (!t.rows)
		return NULL;
	for (i = 0; i < own; i++)
		t.rows[i] = (struct option_row){ .option = s->own[i], .own = true };
	t.own = t.n = own;
	add_common(&t, s->common);
	add_letters(&t, s->common);
	for (i = 0; i < s->positionals && i < N_POSITIONALS; i++)
		t.rows[t.n++] = (struct option_row){
			.option = { .letter = i ? 0 : free_letter(&t, 'i'),
				    .name = positionals[i], .type = OPTION_NUMBER, .min = 1,
				    .max = INT32_MAX,
				    .initial = i ? 0 : s->interval },
			.positional = true,
		};
	add_members(&t, s->places);
	*n = t.n;
	return t.rows;
}

const struct option_row *option_by_letter(const struct option_row *rows, unsigned int n,
					  char letter)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (letter && (rows[i].option.letter == letter ||
			       rows[i].option.other_letter == letter))
			return &rows[i];
	return NULL;
}

static bool is_word(const char *word, const char *s, size_t length)
{
	return word && strlen(word) == length && !memcmp(word, s, length);
}

const struct option_row *option_by_name(const struct option_row *rows, unsigned int n,
					const char *name,
					size_t length)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if ((!rows[i].positional || rows[i].option.letter) &&
		    (is_word(rows[i].option.name, name, length) ||
		     is_word(rows[i].option.alias, name, length)))
			return &rows[i];
	return NULL;
}

const struct option_row *option_positional(const struct option_row *rows, unsigned int n,
					   unsigned int which)
{
	for (unsigned int i = 0; i < n; i++)
		if (rows[i].option.positional == which)
			return &rows[i];
	return NULL;
}

const char *option_nearest(const struct option_row *rows, unsigned int n, const char *name,
			   size_t length)
{
	struct nearest nearest = { .word = name, .length = length };

	for (unsigned int i = 0; i < n; i++) {
		if (rows[i].positional || rows[i].option.type == OPTION_REFUSED)
			continue;
		nearest_of(&nearest, rows[i].option.name);
		if (rows[i].option.alias)
			nearest_of(&nearest, rows[i].option.alias);
	}
	return nearest.name;
}

const struct option_row *option_bare(const struct option_row *rows, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (rows[i].option.bare)
			return &rows[i];
	return NULL;
}
