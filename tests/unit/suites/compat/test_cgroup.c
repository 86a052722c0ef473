// SPDX-License-Identifier: GPL-2.0
/* Control groups: which are below which, and what /proc says of a task. */
#include "compat/tasks/cgroup.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/toolkit/groups/groups.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

Suite *suite_cgroup(void);

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

#define ID "0123456789ab0123456789ab0123456789ab0123456789ab0123456789abcdef"

/* What a group is called, and the path of the group that it is a part of. */
static const struct {
	const char *path, *name, *up_to;
} names[] = {
	{ "/", "/", "/" }, { "/a/b", "/a/b", "/a/b" }, { "17", "17", "17" },
	{ "/system.slice", "/system.slice", "/system.slice" },
	{ "/system.slice/ssh.service", "ssh.service", "/system.slice/ssh.service" },
	{ "/system.slice/udev.service/udev", "udev.service", "/system.slice/udev.service" },
	{ "/user.slice/user@1.service/app.slice/x.service/y", "x.service",
	  "/user.slice/user@1.service/app.slice/x.service" },
	{ "/init.scope", "init.scope", "/init.scope" }, { "/.scope", "/.scope", "/.scope" },
	{ "/system.slice/docker-" ID ".scope", "0123456789ab",
	  "/system.slice/docker-" ID ".scope" },
	{ "/docker/" ID "/system.slice/a.service", "0123456789ab", "/docker/" ID },
	{ "/docker/" ID "/docker/f" ID, "0123456789ab", "/docker/" ID },
	{ "/x/pod1:cri-containerd:" ID, "0123456789ab", "/x/pod1:cri-containerd:" ID },
	{ "/a/f" ID, "/a/f" ID, "/a/f" ID },
	{ "/m/libpod-conmon-" ID ".scope", "libpod-conmon-" ID ".scope",
	  "/m/libpod-conmon-" ID ".scope" },
	{ "/s/var-" ID "-merged.mount", "var-" ID "-merged.mount",
	  "/s/var-" ID "-merged.mount" },
};

START_TEST(called)
{
	struct group_name found = group_name(names[_i].path);

	ck_assert_msg(found.length == strlen(names[_i].name) &&
		      !memcmp(found.s, names[_i].name, found.length), "%s: %.*s", names[_i].path,
		      (int)found.length, found.s);
	ck_assert_uint_eq(found.path, strlen(names[_i].up_to));
}
END_TEST

Suite *suite_cgroup(void)
{
	Suite *s = suite_create("cgroup");

	add_tests(s, "below", below, COUNT_OF(pairs));
	add_tests(s, "tasks", tasks, COUNT_OF(files));
	add_tests(s, "called", called, COUNT_OF(names));
	return s;
}
