// SPDX-License-Identifier: GPL-2.0
/* Whose is what a process does: by what the kernel tells, and by /proc. */
#include "compat/tasks/owners.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/tasks/task_group.h"
#include "tests/unit/unit.h"

Suite *suite_owners(void);

#define ID "0123456789ab0123456789ab0123456789ab0123456789ab0123456789abcdef"

/* Of the trees that a file has the one that tells most; of equals version 2. */
static const struct {
	const char *text, *path;
} files[] = {
	{ "0::/docker/" ID "\n", "/docker/" ID },
	{ "0::/\n", "/" },
	{ "9:name=systemd:/\n4:memory:/docker/" ID "\n0::/system.slice/docker.service\n",
	  "/docker/" ID },
	{ "9:name=systemd:/system.slice/a.service\n4:memory:/x\n0::/\n",
	  "/system.slice/a.service" },
	{ "9:name=systemd:/\n4:memory:/x/y\n0::/\n", "/x/y" },
	{ "4:memory:/x\n0::/y\n", "/y" },
	{ "4:cpu,cpuacct:/\n0::/\n", "/" },
	{ "0::/../../lxc.payload.web\n", "/../../lxc.payload.web" },
	{ "0::/a:b\n", "/a:b" },
	/* A path without an end may be a longer one's beginning. */
	{ "4:memory:/x\n0::/docker/" ID, "/x" },
	{ "0::/x", NULL }, { "", NULL }, { "0:\n", NULL }, { "0::x\n", NULL }, { "\n\n", NULL },
};

START_TEST(trees)
{
	char text[400];
	const char *path;

	snprintf(text, sizeof(text), "%s", files[_i].text);
	path = task_group_path(text);
	ck_assert_msg(!path == !files[_i].path, "%s", files[_i].text);
	if (path)
		ck_assert_str_eq(path, files[_i].path);
}
END_TEST

/* Only a living process that was there tells. */
START_TEST(processes)
{
	const pid_t child = fork();
	char *path;

	if (!child) {
		pause();
		_exit(0);
	}
	ck_assert_int_gt(child, 0);
	path = task_group((uint32_t)child, monotonic_ns());
	ck_assert(path && *path == '/');
	free(path);
	ck_assert_ptr_null(task_group((uint32_t)child, monotonic_ns() - NS_PER_SECOND));
	kill(child, SIGKILL);
	/* It ended, and is not waited for yet. */
	waitid(P_PID, (id_t)child, &(siginfo_t){ }, WEXITED | WNOWAIT);
	ck_assert_ptr_null(task_group((uint32_t)child, monotonic_ns()));
	waitpid(child, NULL, 0);
	ck_assert_ptr_null(task_group((uint32_t)child, monotonic_ns()));
}
END_TEST

/* A machine of the test: its clock, its processes 7 and 8, and how often it was asked. */
static uint64_t clock_now;
static unsigned int asked;
static bool seven_lives;

static uint64_t now(void)
{
	return clock_now;
}

static char *of_id(uint64_t id)
{
	asked++;
	return id == 1 ? strdup("/lxc/web") : id == 2 ? strdup("/system.slice/a.service") : NULL;
}

static char *of_process(uint32_t pid, uint64_t time)
{
	asked++;
	/* the present 7 was made at 100 */
	return pid == 7 && seven_lives && time >= 100 ? strdup("/lxc/db") :
	       pid == 8 ? strdup("/x") : NULL;
}

static void check(struct owners *o, uint32_t pid, uint64_t time, const char *expected)
{
	const char *path = owners_find(o, pid, time);

	ck_assert_msg(!path == !expected && (!path || !strcmp(path, expected)),
		      "process %u at %llu: %s, not %s", pid, (unsigned long long)time,
		      path ? path : "unknown", expected ? expected : "unknown");
}

static struct owners *make(bool version2, bool proc)
{
	struct owners *o = owners_new((struct owner_sources){
		of_id, proc ? of_process : NULL, now, version2,
	});

	ck_assert_ptr_nonnull(o);
	clock_now = 200;
	asked = 0;
	seven_lives = true;
	return o;
}

START_TEST(told_by_the_kernel)
{
	struct owners *o = make(true, true);

	seven_lives = false;
	owners_tell(o, 7, 150, 1);
	check(o, 7, 150, "/lxc/web");		/* though it has ended */
	check(o, 7, 150, "/lxc/web");
	ck_assert_uint_eq(asked, 1);
	check(o, 9, 150, NULL);			/* another process, another time */
	check(o, 7, 151, NULL);
	owners_tell(o, 7, 160, 2);
	owners_tell(o, 8, 160, 1);		/* at the same time */
	check(o, 7, 160, "/system.slice/a.service");
	check(o, 8, 160, "/lxc/web");
	check(o, 7, 150, "/lxc/web");
	owners_tell(o, 7, 170, 99);		/* the group is gone */
	check(o, 7, 170, "99");
	owners_free(o);
}
END_TEST

/* Beside version 1 a path of version 2 is believed if it is a container's. */
START_TEST(beside_version_1)
{
	struct owners *o = make(false, true);

	owners_tell(o, 9, 150, 1);
	check(o, 9, 150, "/lxc/web");
	owners_tell(o, 9, 160, 2);
	check(o, 9, 160, NULL);
	owners_tell(o, 9, 165, 99);
	check(o, 9, 165, NULL);
	owners_tell(o, 7, 170, 2);
	check(o, 7, 170, "/lxc/db");
	owners_free(o);
}
END_TEST

START_TEST(told_by_proc)
{
	struct owners *o = make(true, true);

	check(o, 7, 150, "/lxc/db");
	check(o, 7, 160, "/lxc/db");
	check(o, 7, 200, "/lxc/db");
	ck_assert_uint_eq(asked, 1);		/* once for all that it did before */
	check(o, 7, 99, NULL);			/* another process had the id */
	seven_lives = false;
	check(o, 7, 190, NULL);
	check(o, 8, 190, "/x");
	clock_now = 300;
	check(o, 8, 201, "/x");			/* it may have moved, or ended */
	ck_assert_uint_eq(asked, 5);
	owners_free(o);
	o = make(true, false);			/* in another pid namespace ids are others */
	check(o, 7, 150, NULL);
	owners_free(o);
}
END_TEST

START_TEST(memory_is_limited)
{
	struct owners *o = make(true, true);

	for (uint32_t i = 1; i < 9000; i++) {
		owners_tell(o, 9, i, i + 2);
		owners_find(o, 9, i);
		owners_find(o, i + 9, i);
	}
	owners_tidy(o);
	asked = 0;
	owners_tell(o, 9, 5, 1);
	check(o, 9, 5, "/lxc/web");
	check(o, 8, 190, "/x");
	ck_assert_uint_eq(asked, 2);
	owners_free(o);
}
END_TEST

Suite *suite_owners(void)
{
	Suite *s = suite_create("owners");

	add_tests(s, "trees", trees, COUNT_OF(files));
	add_tests(s, "processes", processes, 1);
	add_tests(s, "kernel", told_by_the_kernel, 1);
	add_tests(s, "version 1", beside_version_1, 1);
	add_tests(s, "proc", told_by_proc, 1);
	add_tests(s, "memory", memory_is_limited, 1);
	return s;
}
