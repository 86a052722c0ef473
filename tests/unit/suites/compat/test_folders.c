// SPDX-License-Identifier: GPL-2.0
/* Folders that are not what they seem: nothing is written where their owners lead it. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/report/snapshot_write.h"
#include "tests/unit/helpers/replay_run.h"
#include "tests/unit/helpers/temporary.h"
#include "tests/unit/unit.h"

Suite *suite_folders(void);

static const char *inside(const char *dir, const char *name)
{
	static char path[300];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void refused(const char *dir, const char *why)
{
	struct kernel *k = trial_kernel("6.1");
	struct error err = { };

	ck_assert_int_eq(snapshot_write(k, dir, &err), -1);
	ck_assert_msg(strstr(err.text, why) != NULL, "%s", err.text);
	kernel_free(k);
}

START_TEST(snapshot_folders)
{
	char *dir = temporary();

	make_dir(dir, "mine");
	ck_assert_int_eq(symlink("mine", inside(dir, "link")), 0);
	refused(inside(dir, "link"), "is not a folder");
	ck_assert_int_eq(chmod(inside(dir, "mine"), 0777), 0);
	refused(inside(dir, "mine"), "other users");
	ck_assert_int_eq(chmod(inside(dir, "mine"), 0775), 0);
	refused(inside(dir, "mine"), "other users");
	ck_assert_int_eq(chmod(inside(dir, "mine"), 0755), 0);
	ck_assert_int_eq(symlink("/nonexistent", inside(dir, "mine/uname")), 0);
	refused(inside(dir, "mine"), "not empty");
	if (!geteuid()) {
		make_dir(dir, "theirs");
		ck_assert_int_eq(chown(inside(dir, "theirs"), 65534, 65534), 0);
		refused(inside(dir, "theirs"), "other users");
	}
	write_text(dir, "file", "");
	refused(inside(dir, "file"), "is not a folder");
	remove_all(dir);
}
END_TEST

Suite *suite_folders(void)
{
	Suite *s = suite_create("folders");

	add_tests(s, "of snapshots", snapshot_folders, 1);
	return s;
}
