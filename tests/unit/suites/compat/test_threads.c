// SPDX-License-Identifier: GPL-2.0
/* Threads of processes, as /proc shows them. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/user/task_stat.h"
#include "compat/user/threads.h"
#include "tests/unit/unit.h"

static void *stay(void *arg)
{
	for (;;)
		pause();
	return arg;
}

/* A process whose main thread ends at once; `others`: another one stays. */
static pid_t process_without_main(bool others)
{
	pthread_t thread;
	pid_t pid = fork();

	if (pid)
		return pid;
	if (others && pthread_create(&thread, NULL, stay, NULL))
		_exit(1);
	pthread_exit(NULL);
}

static void wait_for_end_of_main(pid_t pid)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	while (task_lives(AT_FDCWD, path))
		pause_ms(1);
}

START_TEST(processes_that_go_on)
{
	pid_t pid = process_without_main(_i);

	ck_assert(process_goes_on((uint32_t)getpid()));
	wait_for_end_of_main(pid);
	ck_assert_int_eq(process_goes_on((uint32_t)pid), _i);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ck_assert(!process_goes_on((uint32_t)pid));
}
END_TEST

Suite *suite_threads(void)
{
	Suite *s = suite_create("threads");
	TCase *c = tcase_create("threads");

	tcase_add_loop_test(c, processes_that_go_on, 0, 2);
	suite_add_tcase(s, c);
	return s;
}
