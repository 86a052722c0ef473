// SPDX-License-Identifier: GPL-2.0
/* Filters in all modes: the rows of tools over records, asked for what no record is of. */
#include "tests/unit/rows/program_rows.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/run/options/tool_options.h"
#include "tests/unit/unit.h"

/* A row with one filter more. */
struct filtered {
	const struct program_row *row;
	char command[4096];
	struct error why;		/* of the last run, if it was refused */
};

/* Options that choose among events, though they are not of tasks. */
static bool chooses(const struct option_row *row)
{
	return row->group == GROUP_FILTERS ||
	       (row->own && row->option.help && !strncmp(row->option.help, "only ", 5));
}

/* A value that no record has. Returns false if there is none. */
static bool nobodys(const struct option_row *row, char *value, size_t size)
{
	const struct option *o = &row->option;

	if (o->local || row->positional || !chooses(row) || o->names)
		return false;
	switch (o->type) {
	case OPTION_LIST:
		/* The command line looks whether there is such a task: this test is one. */
		if (o->max && getpid() > o->max)
			return false;
		snprintf(value, size, "%d", (int)getpid());
		return true;
	case OPTION_USERS:
		snprintf(value, size, "4000000001");
		return true;
	case OPTION_TEXT:
		snprintf(value, size, "nobodys");
		return true;
	default:
		return false;
	}
}

/* Without the events: tasks, gaps and the like stay. The caller frees. */
static char *without_events(const char *records)
{
	char *left = calloc(1, strlen(records) + 1), *to = left;

	ck_assert_ptr_nonnull(left);
	for (size_t n; *records; records += n) {
		n = strcspn(records, "\n");
		n += records[n] == '\n';
		if (!isdigit((unsigned char)*records))
			to = (char *)mempcpy(to, records, n);
	}
	return left;
}

/* What is printed; NULL: it was refused. The caller frees. */
static char *run(struct filtered *f, const char *records)
{
	char *text = NULL;
	struct trial t;

	if (!program_row_start(&t, f->row, f->command) &&
	    !trial_replay(&t, records, f->row->format))
		text = strdup(t.text);
	f->why = t.err;
	trial_end(&t);
	return text;
}

static void compare(struct filtered *f)
{
	char *empty = without_events(f->row->records), *found = run(f, f->row->records),
	     *wanted = found ? run(f, empty) : NULL;

	ck_assert_msg(!found || (wanted && !strcmp(found, wanted)),
		      "%s: %s: printed\n%s\nand without events\n%s", f->row->what, f->command,
		      found, wanted ? wanted : f->why.text);
	free(wanted);
	free(found);
	free(empty);
}

/* Behind the tool's name: what follows --exec or a pattern is taken as words. */
static void add_filter(struct filtered *f, const char *name, const char *value)
{
	const size_t tool = strcspn(f->row->command, " ");

	snprintf(f->command, sizeof(f->command), "%.*s --%s=%s%s", (int)tool, f->row->command,
		 name, value, f->row->command + tool);
}

void program_row_filters(const struct program_row *row)
{
	struct filtered f = { .row = row };
	const struct option_row *rows;
	struct trial t;
	unsigned int n;
	char value[32];

	ck_assert_msg(!program_row_start(&t, row, row->command), "%s: %s", row->what, t.err.text);
	rows = options_rows(t.run.options, &n);
	for (unsigned int i = 0; i < n; i++)
		if (!option_given(t.run.options, rows[i].option.name) &&
		    option_served(t.run.tool, &rows[i]) &&
		    nobodys(&rows[i], value, sizeof(value))) {
			add_filter(&f, rows[i].option.name, value);
			compare(&f);
		}
	trial_end(&t);
}
