// SPDX-License-Identifier: GPL-2.0
/*
 * What names an option by a string, where no compiler looks: rows of tables. A name that no option
 * has would be 0 for ever. Names in columns and programs are in the suite `constants`.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/filters/filters.h"
#include "src/run/options/common.h"
#include "src/run/options/tool_options.h"
#include "src/run/tool.h"
#include "tests/unit/helpers/literals.h"
#include "tests/unit/unit.h"

Suite *suite_option_names(void);

/* The files with tables whose rows are for an option each: the tests below go through these. */
static const char *const readers[] = {
	"src/lib/options/options.c",	/* has the functions */
	"src/run/filters/filters.c", "src/run/filters/cgroups.c", "src/run/filters/namespaces.c",
	"src/run/filters/pinned.c",
	"src/run/options/checks.c",	/* all rows; `distribution` */
	"src/session/choice.c",		/* `last_resort` */
	"src/session/listeners.c",	/* all rows */
	"src/session/uring.c",		/* `requests` */
	"src/toolkit/stacks/list.c",	/* `stacks` */
};

static unsigned int wrong;

static char *all_of(const char *path)
{
	FILE *from = fopen(path, "r"), *to;
	char *text = NULL;
	size_t size;

	ck_assert_msg(from != NULL, "%s can't be read", path);
	to = open_memstream(&text, &size);
	for (int c; (c = fgetc(from)) != EOF;)
		fputc(c, to);
	fclose(from);
	fclose(to);
	return text;
}

static bool may_read(const char *path)
{
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		if (!strcmp(readers[i], path))
			return true;
	return false;
}

/* option_number(o, row->option): a table's name, and only where the table is known here. */
static void check_reads(const char *path)
{
	static const char *const functions[] = { "number", "given", "text", "list" };
	char call[64], *text = all_of(path);

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		snprintf(call, sizeof(call), "option_%s(", functions[i]);
		for (const char *at = text; (at = strstr(at, call)); at++) {
			const char *comma = strchr(at, ',');

			if (may_read(path) && comma[1 + strspn(comma + 1, " \n\t")] != '"')
				continue;
			fprintf(stderr, "%s: %s) by a name that nobody checks: functions read "
				"members\n", path, call);
			wrong++;
		}
	}
	free(text);
}

static unsigned int check_files(const char *pattern)
{
	unsigned int n;
	glob_t found;

	ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_reads(found.gl_pathv[i]);
	n = (unsigned int)found.gl_pathc;
	globfree(&found);
	return n;
}

START_TEST(reads)
{
	wrong = 0;
	ck_assert_uint_gt(check_files("src/*/*.c") + check_files("src/*/*/*.c") +
			  check_files("src/*/*/*/*.c"), 300);
	ck_assert_msg(!wrong, "%u reads", wrong);
}
END_TEST

/* The type of a tool's option; -1: it has none of that name. */
static int type_of(const struct tool *t, const char *name)
{
	unsigned int n;
	struct option_row *rows = tool_option_rows(t, &n);
	int type = -1;

	for (unsigned int i = 0; i < n && type < 0; i++)
		if (!strcmp(rows[i].option.name, name))
			type = (int)rows[i].option.type;
	free(rows);
	return type;
}

static void check(const struct tool *t, const char *where, const char *name)
{
	ck_assert_msg(!name || type_of(t, name) >= 0, "%s: %s: there is no option %s", t->name,
		      where, name);
}

/* What tools name in their tables, beside columns and programs. */
START_TEST(tables)
{
	for (const struct tool *const *at = tools; *at; at++) {
		const struct tool *t = *at;
		const char *distribution = t->distribution;
		unsigned int n;
		struct option_row *rows = tool_option_rows(t, &n);

		for (unsigned int i = 0; i < n; i++) {
			check(t, rows[i].option.name, rows[i].option.excludes);
			/* a row without it is completed by the common one of its name */
			ck_assert_msg(rows[i].option.help || rows[i].positional,
				      "%s: --%s has no help, and no common option has its name",
				      t->name, rows[i].option.name);
		}
		free(rows);
		check(t, "distribution", distribution && *distribution == '!' ? distribution + 1 :
		      distribution);
		check(t, "requests", t->requests.option);
		for (int i = 0; t->last_resort && t->last_resort->options[i]; i++)
			check(t, "last_resort", t->last_resort->options[i]);
		ck_assert_msg(!t->stacks || !t->stacks->most ||
			      type_of(t, t->stacks->most) == OPTION_NUMBER,
			      "%s: stacks: there is no number %s", t->name, t->stacks->most);
	}
}
END_TEST

static bool is_option(const char *name, enum option_type type)
{
	for (const struct tool *const *t = tools; *t; t++)
		if (type_of(*t, name) == (int)type)
			return true;
	return false;
}

/* filter_asked(f, "NAME") */
static void check_filter(const char *path, const char *name, const char *second)
{
	const struct filter_option *f = filter_options;

	(void)second;
	while (f->row.option && strcmp(f->row.option, name))
		f++;
	ck_assert_msg(f->row.option, "%s: there is no filter %s", path, name);
}

START_TEST(filters)
{
	for (const struct filter_option *f = filter_options; f->row.option; f++) {
		const enum option_type type = f->read ? OPTION_TEXT :
			f->row.test == FILTER_LISTED ? OPTION_COMMAND : OPTION_LIST;

		ck_assert_msg(is_option(f->row.option, type) ||
			      (type == OPTION_LIST && is_option(f->row.option, OPTION_USERS)),
			      "no tool has an option %s that can be read so", f->row.option);
	}
	ck_assert_uint_ge(literals_of("filter_asked", check_filter), 5);
}
END_TEST

/* A place that no option has would stay empty. */
START_TEST(places)
{
	for (const struct option_place *p = common_places; p->name; p++)
		ck_assert_msg(is_option(p->name, p->type), "no tool has an option %s of that type",
			      p->name);
}
END_TEST

/* Which members a value can be written to, and how large they are. */
static bool fits(enum option_type option, enum member_type member)
{
	static const enum member_type of[] = {
		[OPTION_FLAG] = MEMBER_NUMBER, [OPTION_NUMBER] = MEMBER_NUMBER,
		[OPTION_TEXT] = MEMBER_TEXT, [OPTION_LIST] = MEMBER_LIST,
		[OPTION_USERS] = MEMBER_LIST, [OPTION_FLAGS] = MEMBER_NUMBER,
		[OPTION_COMMAND] = MEMBER_BOOL, [OPTION_REFUSED] = MEMBER_NONE,
	};

	return member == MEMBER_NONE || member == of[option] ||
		(option == OPTION_FLAG && member == MEMBER_BOOL);
}

static size_t end_of(const struct option_member *m)
{
	static const size_t sizes[] = {
		[MEMBER_NONE] = 0, [MEMBER_BOOL] = sizeof(bool), [MEMBER_NUMBER] = sizeof(int64_t),
		[MEMBER_TEXT] = sizeof(char *), [MEMBER_LIST] = sizeof(struct option_list),
	};

	return m->offset + sizes[m->type];
}

START_TEST(members)
{
	for (const struct tool *const *t = tools; *t; t++) {
		unsigned int n;
		struct option_row *rows = tool_option_rows(*t, &n);

		for (unsigned int i = 0; i < n; i++) {
			const struct option *o = &rows[i].option;

			ck_assert_msg(fits(o->type, o->to.type) &&
				      fits(o->type, rows[i].to.type), "%s: --%s: its member is of "
				      "another type", (*t)->name, o->name);
			ck_assert_msg(end_of(&o->to) <= (*t)->options_size &&
				      o->given <= (*t)->options_size &&
				      end_of(&rows[i].to) <= sizeof(struct common_options) &&
				      rows[i].given <= sizeof(struct common_options),
				      "%s: --%s: its member is not in its struct",
				      (*t)->name, o->name);
		}
		free(rows);
	}
}
END_TEST

/*
 * sonde(8) has each format, and each option by which somebody listens to a tool; tools that only
 * list take these, too, unless they are of things in time.
 */
START_TEST(listeners)
{
	const struct tool *t = tool_named("tplist");
	unsigned int n, found = 0;
	struct option_row *rows = tool_option_rows(t, &n);
	char *page = all_of("man/man8/sonde.8"), item[64];

	for (unsigned int i = 0; i < n; i++) {
		if (!rows[i].format && !rows[i].listener)
			continue;
		ck_assert_msg(option_served(t, &rows[i]) !=
			      (rows[i].listener && rows[i].listener->times),
			      "%s and --%s", t->name, rows[i].option.name);
		snprintf(item, sizeof(item), "\n.It Fl -%s", rows[i].option.name);
		ck_assert_msg(strstr(page, item), "sonde(8) has no --%s", rows[i].option.name);
		found++;
	}
	ck_assert_uint_ge(found, 5);		/* --json, --csv, --tee, two timelines */
	free(page);
	free(rows);
}
END_TEST

Suite *suite_option_names(void)
{
	Suite *s = suite_create("option_names");

	add_tests(s, "reads", reads, 1);
	add_tests(s, "tables", tables, 1);
	add_tests(s, "filters", filters, 1);
	add_tests(s, "places", places, 1);
	add_tests(s, "members", members, 1);
	add_tests(s, "listeners", listeners, 1);
	return s;
}
