// SPDX-License-Identifier: GPL-2.0
/* Names of tasks for a trace.dat: what the kernel remembers, whatever a process calls itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commands/record/record_tasks.h"
#include "tests/unit/unit.h"

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_record_tasks(void);

static const struct {
	const char *saved, *names;
} read[] = {
	{ NULL, "" },
	{ "", "" },
	{ "7 cat\n", "7 cat\n" },
	{ "7 cat\n8 two words\n9  x\n", "7 cat\n8 two words\n9  x\n" },
	{ "7 cat\n7 cat\n", "7 cat\n" },
	/* A name ends where the kernel's line does. */
	{ "7 cat", "" },
	{ "7 \n8 as\n", "8 as\n" },
	/* Of names with newlines: the rest is still read. */
	{ "7 a\n\n8 as\n", "7 a\n8 as\n" },
	{ "7 a\n\"\n8 as\n", "7 a\n8 as\n" },
	{ "-1 x\n<...>-7 x\n99999999999 x\n8 as\n", "8 as\n" },
	/* One that looks like another task's: that task's name is in doubt. */
	{ "7 a\n8 evil\n8 as\n9 b\n", "7 a\n9 b\n" },
	{ "8 as\n7 a\n8 evil\n8 as\n9 b\n", "7 a\n9 b\n" },
};

static int by_line(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In any order. */
static void same_lines(char *got, const char *wanted)
{
	char *lines[8], all[128] = "";
	size_t n = 0;

	for (char *line = strtok(got, "\n"); line; line = strtok(NULL, "\n"))
		lines[n++] = line;
	qsort(lines, n, sizeof(*lines), by_line);
	for (size_t i = 0; i < n; i++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s\n", lines[i]);
	ck_assert_str_eq(all, wanted);
}

START_TEST(names_are_read)
{
	struct hash none = { };
	struct strbuf names = { };

	record_tasks_names(&none, read[_i].saved, &names);
	ck_assert(!names.cut);
	same_lines(names.s ? names.s : (char[]){ "" }, read[_i].names);
	free(names.s);
}
END_TEST

Suite *suite_record_tasks(void)
{
	Suite *s = suite_create("record_tasks");

	add_tests(s, "read", names_are_read, COUNT_OF(read));
	return s;
}
