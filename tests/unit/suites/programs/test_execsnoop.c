// SPDX-License-Identifier: GPL-2.0
/*
 * execsnoop and /proc: who made a process that was there before tracing began, and who only has its
 * number by now.
 */
#include "tests/unit/helpers/formats.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/helpers/replay_run.h"

static pid_t sleeper(void)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		pause();
		_exit(0);
	}
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Another process of the same number, where we may ask for one and nobody else is quicker. */
static bool again(pid_t pid)
{
	for (int i = 0; i < 20; i++) {
		FILE *f = fopen("/proc/sys/kernel/ns_last_pid", "w");
		bool asked = f && fprintf(f, "%d", pid - 1) > 0;
		pid_t next;

		if (f && fclose(f))
			asked = false;
		if (!asked)
			return false;
		next = sleeper();
		if (next == pid)
			return true;
		end(next);
	}
	return false;
}

static void record(void *arg, unsigned int output, const void *record, uint32_t size)
{
	run_record(arg, output, record, size);
}

/* The PPID shown for an exec of this process, by a run that began with it there; 0: none. */
static long shown(pid_t pid, bool reused)
{
	struct timespec tick = { .tv_nsec = 30000000 };
	char records[500];
	struct trial t;
	long ppid = -1;

	nanosleep(&tick, NULL);		/* its time is known by hundredths of a second */
	snprintf(records, sizeof(records), "task %d %d sh\n" "1 0 %d @0 filename=\"/x\"\n"
		 "2 0 %d @2 argv=\"\"\n"
		 "3 0 %d p:__x64_sys_execve ptr[0]=1\n"
		 "4 0 %d sched:sched_process_exec old_pid=%d\n",
		 pid, pid, pid, pid, pid, pid, pid);
	ck_assert_msg(!trial_start(&t, "execsnoop --max-args 1", trial_kernel("6.1")), "%s",
		      t.err.text);
	t.run.live = true;
	ck_assert_msg(!trial_open(&t, records, OUTPUT_TEXT), "%s", t.err.text);
	if (reused) {
		nanosleep(&tick, NULL);
		end(pid);
	}
	if (!reused || again(pid)) {
		ck_assert_int_ge(t.run.backend->poll(t.run.engine, UINT64_MAX, record, &t.run,
						     &t.err), 0);
		output_flush(t.run.output);
		fflush(t.out);
		if (sscanf(t.text, "%*s %*d %ld", &ppid) != 1)
			ppid = 0;
		end(pid);
	}
	trial_end(&t);
	return ppid;
}

START_TEST(was_there)
{
	ck_assert_int_eq(shown(sleeper(), false), getpid());
}
END_TEST

START_TEST(number_reused)
{
	long ppid = shown(sleeper(), true);

	if (ppid < 0)
		puts("# no process of a number of choice may be made here");
	else
		ck_assert_int_eq(ppid, 0);
}
END_TEST

Suite *suite_execsnoop(void);
Suite *suite_execsnoop(void)
{
	Suite *s = suite_create("execsnoop");

	add_tests(s, "who was there before has a parent", was_there, 1);
	add_tests(s, "a number used again has none", number_reused, 1);
	return s;
}
