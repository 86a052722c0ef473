// SPDX-License-Identifier: GPL-2.0
/* Paths in another root: where they lead, and that none of them leads out of it. */
#include "compat/user/rooted.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

Suite *suite_rooted(void);

/* DIR has outside, and root/ with what a chroot has: folders, files that hold their own path. */
static const char *const folders[] = { "root", "root/usr", "root/usr/lib", "root/etc", NULL };
static const char *const files[] = {
	"outside", "root/usr/lib/libc.so.6", "root/etc/outside", "root/etc/passwd", NULL
};
static const struct {
	const char *link, *to;
} links[] = {
	{ "root/lib", "usr/lib" },
	{ "root/absolute", "/usr/lib/libc.so.6" },
	{ "root/usr/lib/above", "../../../../../etc/passwd" },
	{ "root/out", "../outside" },
	{ "root/etc/twice", "/lib/above" },
	{ "root/round", "round" },
	{ "root/slash", "/" },
	{ NULL, NULL }
};

static const struct {
	const char *path, *file;	/* NULL: it fails */
	bool stays;			/* a link at its end is not followed */
	int error;
} paths[] = {
	{ "/usr/lib/libc.so.6", "root/usr/lib/libc.so.6" },
	{ "usr//lib/./libc.so.6", "root/usr/lib/libc.so.6" },
	{ "/lib/libc.so.6", "root/usr/lib/libc.so.6" },
	{ "/absolute", "root/usr/lib/libc.so.6" },
	{ "/lib/above", "root/etc/passwd" },
	{ "/etc/twice", "root/etc/passwd" },
	{ "/../../etc/passwd", "root/etc/passwd" },
	{ "/usr/../../lib/../etc/passwd", NULL, .error = ENOENT },	/* lib is usr/lib */
	{ "/usr/lib/../../etc/passwd", "root/etc/passwd" },
	{ "/slash/slash/etc/passwd", "root/etc/passwd" },
	{ "/out", NULL, .error = ENOENT },
	{ "/../outside", NULL, .error = ENOENT },
	{ "/round", NULL, .error = ELOOP },
	{ "/nothing", NULL, .error = ENOENT },
	{ "/etc/passwd/more", NULL, .error = ENOTDIR },
	{ "/absolute", NULL, .stays = true, .error = ELOOP },
	{ "/lib/libc.so.6", "root/usr/lib/libc.so.6", .stays = true },
};

static void make(const char *dir)
{
	char path[512];

	for (unsigned int i = 0; folders[i]; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, folders[i]);
		ck_assert(!mkdir(path, 0755));
	}
	for (unsigned int i = 0; files[i]; i++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
		f = fopen(path, "w");
		ck_assert(f && fputs(files[i], f) >= 0 && !fclose(f));
	}
	for (unsigned int i = 0; links[i].link; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, links[i].link);
		ck_assert(!symlink(links[i].to, path));
	}
}

START_TEST(leads_nowhere_else)
{
	char *dir = temporary(), root[512], name[64], text[64] = "";
	int at, fd, file, error;

	make(dir);
	snprintf(root, sizeof(root), "%s/root", dir);
	at = open(root, O_PATH | O_DIRECTORY);
	ck_assert_int_ge(at, 0);
	fd = open_in_root(at, paths[_i].path, !paths[_i].stays);
	error = errno;
	if (paths[_i].file) {
		ck_assert_msg(fd >= 0, "%s: %s", paths[_i].path, strerror(error));
		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		file = open(name, O_RDONLY);
		ck_assert(file >= 0 && read(file, text, sizeof(text) - 1) > 0);
		close(file);
		ck_assert_str_eq(text, paths[_i].file);
		close(fd);
	} else {
		ck_assert_msg(fd < 0, "%s leads somewhere", paths[_i].path);
		ck_assert_msg(error == paths[_i].error, "%s: %s", paths[_i].path, strerror(error));
	}
	close(at);
	remove_all(dir);
}
END_TEST

/* Links of /proc lead to what they stand for, wherever that is. */
START_TEST(does_not_follow_magic)
{
	static const char *const magic[] = {
		"/proc/self/exe", "/proc/self/root/etc/passwd", "/proc/self/cwd/x",
	};
	int root = open("/", O_PATH | O_DIRECTORY);

	ck_assert_int_ge(root, 0);
	ck_assert_int_eq(open_in_root(root, magic[_i], true), -1);
	ck_assert_int_eq(errno, ELOOP);
	close(root);
}
END_TEST

START_TEST(own_root)
{
	ck_assert(!has_own_root((uint32_t)getpid()));
	ck_assert_int_eq(open_root_of(UINT32_MAX), -1);
}
END_TEST

Suite *suite_rooted(void)
{
	Suite *s = suite_create("rooted");

	add_tests(s, "paths", leads_nowhere_else, sizeof(paths) / sizeof(paths[0]));
	add_tests(s, "magic", does_not_follow_magic, 3);
	add_tests(s, "own", own_root, 1);
	return s;
}
