// SPDX-License-Identifier: GPL-2.0
/* What of the style of C files a program can tell. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/unit.h"

Suite *suite_style(void);

/* Files whose lines are still to be made narrower: their names, which stay if they move. */
static const char *const still_wide[] = {



	"parts.h", "pieces.h",
	"stream.h",
	"test_stream.c", "vm.c", "vm_run.c",
	NULL
};

static int is_still_wide(const char *path)
{
	const char *name = strrchr(path, '/');

	for (const char *const *w = still_wide; *w; w++)
		if (!strcmp(*w, name ? name + 1 : path))
			return 1;
	return 0;
}

/* Tabs are eight columns; a character that is no ASCII is one. */
static int columns(const char *line)
{
	int n = 0;

	for (; *line && *line != '\n'; line++)
		n = *line == '\t' ? (n / 8 + 1) * 8 : n + ((*line & 0xc0) != 0x80);
	return n;
}

static int wide_lines(const char *path)
{
	char line[4096];
	FILE *f = fopen(path, "r");
	int n = 0, wide = 0;

	ck_assert_msg(f != NULL, "%s can't be read", path);
	while (fgets(line, sizeof(line), f)) {
		n++;
		if (columns(line) > 100) {
			fprintf(stderr, "%s:%d: %d columns\n", path, n, columns(line));
			wide++;
		}
	}
	fclose(f);
	return wide;
}

START_TEST(lines)
{
	FILE *f = popen("find src insns compat backends tests -name '*.[ch]' ! -path '*/build/*'",
			"r");
	int wide = 0, files = 0;
	char path[512];

	ck_assert_ptr_nonnull(f);
	while (fgets(path, sizeof(path), f)) {
		path[strcspn(path, "\n")] = '\0';
		files++;
		wide += is_still_wide(path) ? 0 : wide_lines(path);
	}
	pclose(f);
	ck_assert_msg(files > 100, "only %d files were found", files);
	ck_assert_msg(!wide, "%d lines have more than 100 columns: break them (`git clang-format` "
		      "does)", wide);
}
END_TEST

/* Dependencies point one way; a file includes what is of its own house or below. */
static const struct {
	const char *house, *above;
} arrows[] = {
	{ "compat", "insns|backends|src" },
	{ "insns", "backends|src" },
	{ "backends", "src" },
};

static unsigned int printed(const char *command, const char *what)
{
	FILE *f = popen(command, "r");
	unsigned int n = 0;
	char line[512];

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f)) {
		fprintf(stderr, "%s: %s", what, line);
		n++;
	}
	ck_assert_int_eq(pclose(f), 0);
	return n;
}

START_TEST(includes)
{
	char command[256];

	snprintf(command, sizeof(command), "grep -rnE '#include \"(%s|tests)/' %s || test $? = 1",
		 arrows[_i].above, arrows[_i].house);
	ck_assert_msg(!printed(command, "goes up"), "a file of %s includes what is above it",
		      arrows[_i].house);
}
END_TEST

/*
 * Each of these brings 8 to 14 KB of variants and of what it could do as well into a static binary,
 * or takes numbers that nobody wrote: snprintf() and compat/base do it.
 */
static const struct {
	const char *functions, *instead;
} heavy[] = {
	{ "strn?cat|strncpy", "snprintf()" },
	{ "strftime|localtime(_r)?|gmtime(_r)?|mktime", "compat/time/date.h" },
	{ "[sg]etmntent", "compat/base/scan.h" },
	{ "strn?casecmp|strcasestr", "toupper() or tolower(), then what compares" },
	{ "v?[fs]?scanf|strtod|strtof|strtold", "compat/base/scan.h" },
};

START_TEST(heavy_functions)
{
	char command[256];

	snprintf(command, sizeof(command), "grep -rnE '\\<(%s) ?\\([^)]' --include=*.[ch] "
		 "src insns compat backends || test $? = 1", heavy[_i].functions);
	ck_assert_msg(!printed(command, "heavy"), "instead there is %s", heavy[_i].instead);
}
END_TEST

/* Who opens a folder sees the parts of one thing; tools, programs and checks have a file each. */
START_TEST(folders)
{
	const char *full = "find src insns compat backends -type f | sed 's,/[^/]*$,,' | sort | "
			   "uniq -c | awk '$1 > 25 && "
			   "$2 !~ /^(src.tools|insns.programs|src.selftest.checks)$/'";

	ck_assert_msg(!printed(full, "more than 25 files"), "a folder has become a list");
}
END_TEST

Suite *suite_style(void)
{
	Suite *suite = suite_create("style");

	add_tests(suite, "lines", lines, 1);
	add_tests(suite, "includes", includes, sizeof(arrows) / sizeof(arrows[0]));
	add_tests(suite, "heavy functions", heavy_functions,
		  sizeof(heavy) / sizeof(heavy[0]));
	add_tests(suite, "folders", folders, 1);
	return suite;
}
