// SPDX-License-Identifier: GPL-2.0
/* What the process that takes away holds, and when. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "backends/tracefs/detach.h"
#include "compat/probing/running.h"
#include "tests/unit/unit.h"

#define SLOW_MS 400

struct report {
	pid_t pid, session;
	bool std_is_null, inherited_open, kept_open;
	char folder[16], name[16];
};

/* What is to be taken away: whoever closes it says so in the pipe; the last one waits. */
struct thing {
	int tell, inherited, kept;
	unsigned int ms;
	pid_t first;			/* 0: it is the last one, too */
};

static void pause_for(unsigned int ms)
{
	struct timespec pause = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	while (nanosleep(&pause, &pause) && errno == EINTR)
		;
}

static bool is_null(int fd)
{
	char path[32], link[32] = "";

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return readlink(path, link, sizeof(link) - 1) > 0 && !strcmp(link, "/dev/null");
}

static void end(void *arg)
{
	struct thing *t = arg;
	struct report r = { .pid = getpid(), .session = getsid(0) };
	int comm = open("/proc/self/comm", O_RDONLY);

	if (r.pid != t->first)
		pause_for(t->ms);
	r.std_is_null = is_null(0) && is_null(1) && is_null(2);
	r.inherited_open = fcntl(t->inherited, F_GETFD) >= 0;
	r.kept_open = fcntl(t->kept, F_GETFD) >= 0;
	if (comm < 0 || read(comm, r.name, sizeof(r.name)) < 0 ||
	    !getcwd(r.folder, sizeof(r.folder)))
		r.name[0] = '\0';
	r.name[strcspn(r.name, "\n")] = '\0';
	close(comm);
	if (write(t->tell, &r, sizeof(r)) != sizeof(r))
		_exit(1);
	close(t->tell);
	close(t->kept);
}

/*
 * Runs it: the report of the last process; how long detach() took, in ms, and whether two
 * called end().
 */
static struct report run(unsigned int ms, bool named, const char *without, long *took, bool *both)
{
	struct kernel *k = kernel_running();
	struct thing t = { .ms = ms, .first = without ? 0 : getpid() };
	struct timespec began, ended;
	struct report r, last = { 0 };
	struct error err;
	int tell[2];

	*both = false;
	if (without)
		ck_assert_int_eq(kernel_without(k, without, &err), 0);
	ck_assert_int_eq(pipe2(tell, O_CLOEXEC), 0);
	t.tell = tell[1];
	t.inherited = open("/dev/null", O_RDONLY);
	t.kept = open("/dev/null", O_RDONLY | O_CLOEXEC);
	clock_gettime(CLOCK_MONOTONIC, &began);
	detach(k, end, &t, named, NULL);
	clock_gettime(CLOCK_MONOTONIC, &ended);
	*took = (ended.tv_sec - began.tv_sec) * 1000 + (ended.tv_nsec - began.tv_nsec) / 1000000;
	/* The end of the pipe: nobody has it any more. */
	while (read(tell[0], &r, sizeof(r)) == sizeof(r)) {
		*both = last.pid != 0;
		last = r;
	}
	close(tell[0]);
	close(t.inherited);
	kernel_free(k);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	return last;
}

static bool can_detach(void)
{
	struct kernel *k = kernel_running();
	bool can = getpid() != 1 && kernel_has(k, FEATURE_ROOT_PIDNS);

	kernel_free(k);
	return can;
}

START_TEST(slow_things_are_taken_away_by_another)
{
	sigset_t blocked;
	struct report r;
	bool both;
	long took;

	if (!can_detach())
		return;
	r = run(SLOW_MS, true, NULL, &took, &both);
	ck_assert(both);
	ck_assert_int_ne(r.pid, getpid());
	ck_assert_int_eq(r.session, r.pid);
	ck_assert(r.std_is_null);
	ck_assert(!r.inherited_open);
	ck_assert(r.kept_open);
	ck_assert_str_eq(r.folder, "/");
	ck_assert_str_eq(r.name, "sonde-detach");
	ck_assert_int_lt(took, SLOW_MS);
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	ck_assert(!sigismember(&blocked, SIGINT));
}
END_TEST

START_TEST(quick_things_leave_no_process)
{
	struct report r;
	bool both;
	long took;

	r = run(0, false, NULL, &took, &both);
	/* It was waited for and collected, unless the machine is very slow. */
	if (both && took < 50)
		ck_assert(kill(r.pid, 0) && errno == ESRCH);
}
END_TEST

START_TEST(in_a_container_what_has_a_name_goes_first)
{
	struct report r;
	bool both;
	long took;

	r = run(100, true, "root-pidns", &took, &both);
	ck_assert(!both);
	ck_assert_int_eq(r.pid, getpid());
	ck_assert_int_ge(took, 100);
}
END_TEST

Suite *suite_detach(void)
{
	Suite *s = suite_create("detach");
	TCase *c = tcase_create("detach");

	tcase_add_test(c, slow_things_are_taken_away_by_another);
	tcase_add_test(c, quick_things_leave_no_process);
	tcase_add_test(c, in_a_container_what_has_a_name_goes_first);
	suite_add_tcase(s, c);
	return s;
}
