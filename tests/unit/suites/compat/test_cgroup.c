// SPDX-License-Identifier: GPL-2.0
/* Control groups: which are below which, and what /proc says of a task. */
#include "compat/tasks/cgroup.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

Suite *suite_cgroup(void);

#define COUNT(a) ((int)(sizeof(a) / sizeof(*(a))))

static const struct {
	const char *path, *above;
	bool below;
} pairs[] = {
	{ "/a", "/a", true }, { "/a/b", "/a", true }, { "/a/b/c", "/a/b", true },
	{ "/ab", "/a", false }, { "/a", "/ab", false }, { "/a", "/a/b", false },
	{ "/a/bc", "/a/b", false }, { "/b/a", "/a", false },
	{ "/", "/", true }, { "/a", "/", true }, { "/", "/a", false },
};

START_TEST(below)
{
	char longer[32];

	snprintf(longer, sizeof(longer), "%sx", pairs[_i].path);
	ck_assert_int_eq(cgroup_is_below(longer, strlen(pairs[_i].path), pairs[_i].above),
			 pairs[_i].below);
}
END_TEST

/* What a task's file says, with room for so many bytes. */
static const struct {
	const char *text;
	size_t room;
	unsigned int hierarchy;
	const char *path;
} files[] = {
	{ "4:cpu,cpuacct:/a/b\n0::/c\n", 64, 4, "/a/b" },
	{ "4:cpu,cpuacct:/a/b\n0::/c\n", 64, 0, "/c" },
	{ "4:cpu,cpuacct:/a/b\n0::/c\n", 64, 5, NULL },
	/* a line without an end: what is missing could be another cgroup's name */
	{ "4:cpu:/a\n0::/c", 64, 0, NULL },
	{ "4:cpu:/a\n0::/c/d\n", 13, 0, NULL },
	{ "4:cpu:/a\n0::/c/d\n", 13, 4, "/a" },
	{ "0::/c/d\n", 9, 0, "/c/d" },
	{ "0::/c/d\n", 8, 0, NULL },
	{ "0:", 64, 0, NULL },
	{ "", 64, 0, NULL },
};

START_TEST(tasks)
{
	char *folder = temporary(), text[64];
	const char *path;
	int dir;

	write_text(folder, "cgroup", files[_i].text);
	dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	path = cgroup_of(dir, files[_i].hierarchy, text, files[_i].room);
	if (files[_i].path)
		ck_assert_str_eq(path, files[_i].path);
	else
		ck_assert_ptr_null(path);
	close(dir);
	remove_all(folder);
}
END_TEST

Suite *suite_cgroup(void)
{
	Suite *s = suite_create("cgroup");

	add_tests(s, "below", below, COUNT(pairs));
	add_tests(s, "tasks", tasks, COUNT(files));
	return s;
}
