// SPDX-License-Identifier: GPL-2.0
/* The process of a command, when sonde ends before it. */
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "src/run/child.h"
#include "tests/unit/unit.h"

#define LONG_MS 10000

/* Runs in the command's process: sonde is gone before that looks whose child it is. */
static void outlive(void *arg)
{
	const pid_t *parent = arg;

	while (getppid() == *parent)
		pause_ms(1);
}

/* Of another process, so that the test is not the one that ends. */
static void leave_child(void)
{
	char *const command[] = { "true", NULL };
	struct child child = { };
	struct error err;
	pid_t self = getpid();

	if (!child_start(&child, command, outlive, &self, &err) && write(child.go, "", 1) == 1)
		_exit(0);
	_exit(1);
}

START_TEST(ends_without_its_parent)
{
	struct pollfd open = { };
	int ends[2], status;
	pid_t pid;

	ck_assert(!pipe(ends));
	pid = fork();
	if (!pid)
		leave_child();
	close(ends[1]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	/* The writing end is closed when the last process that has it ends. */
	open.fd = ends[0];
	ck_assert_int_eq(poll(&open, 1, LONG_MS), 1);
	close(ends[0]);
}
END_TEST

/* It has copies of the parent's descriptors: none is open behind child_abandon(). */
START_TEST(abandoned)
{
	char *const command[] = { "true", NULL };
	struct child child = { };
	struct error err;
	int ends[2];
	char byte;

	child_abandon(&child);
	ck_assert(!pipe(ends));
	ck_assert(!child_start(&child, command, NULL, NULL, &err));
	close(ends[1]);
	child_abandon(&child);
	ck_assert_int_eq(child.pid, 0);
	ck_assert_int_eq(read(ends[0], &byte, 1), 0);
	close(ends[0]);
}
END_TEST

Suite *suite_child(void)
{
	Suite *s = suite_create("child");
	TCase *c = tcase_create("child");

	tcase_set_timeout(c, 2 * LONG_MS / 1000);
	tcase_add_test(c, ends_without_its_parent);
	tcase_add_test(c, abandoned);
	suite_add_tcase(s, c);
	return s;
}
