// SPDX-License-Identifier: GPL-2.0
/* Jobs about processes: signals they send, how they end. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "work.h"

#define OUTLIVES 200		/* ms */
#define NOBODY 2147480000	/* above every pid_max */

/* kill PID TID COMM CALL SIG TPID RESULT: TPID is whom the call named, RESULT 0 or -errno. */
static void kill_and_say(const char *call, int group, int whom, int sig)
{
	long result;

	if (!strcmp(call, "kill"))
		result = syscall(SYS_kill, whom, sig);
	else if (!strcmp(call, "tkill"))
		result = syscall(SYS_tkill, whom, sig);
	else
		result = syscall(SYS_tgkill, group, whom, sig);
	say("kill\t%d\t%d\t", getpid(), thread_id());
	say_comm();
	say("%s\t%d\t%d\t%d\n", call, sig, whom, result ? -errno : 0);
}

/*
 * N rounds of each call: to itself, to a child that ignores it, to a group, to nobody, and with no
 * signal.
 */
static int job_kills(int argc, char **argv)
{
	static const char *const calls[] = { "kill", "tkill", "tgkill" };
	long n = number(argv[1]);
	pid_t child = fork();

	(void)argc;
	if (child < 0)
		die("fork");
	if (!child) {
		for (;;)
			pause();
	}
	setpgid(child, child);
	signal(SIGUSR1, SIG_IGN);
	for (long i = 0; i < n; i++) {
		for (int c = 0; c < 3; c++) {
			kill_and_say(calls[c], getpid(), getpid(), 0);
			kill_and_say(calls[c], getpid(), getpid(), SIGUSR1);
			kill_and_say(calls[c], child, child, SIGCONT);
			kill_and_say(calls[c], NOBODY, NOBODY, SIGKILL);
			kill_and_say(calls[c], getpid(), getpid(), 100);
		}
		kill_and_say("kill", 0, -child, SIGURG);
		kill_and_say("kill", 0, -NOBODY, SIGTERM);
	}
	kill_and_say("kill", 0, child, SIGKILL);
	waitpid(child, NULL, 0);
	return 0;
}

static void *end_all(void *arg)
{
	syscall(SYS_exit_group, *(int *)arg);
	return NULL;
}

static void *end_self(void *arg)
{
	(void)arg;
	syscall(SYS_exit, 5);
	return NULL;
}

static void in_thread(void *(*f)(void *arg), int arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, f, &arg))
		die("pthread_create");
	for (;;)
		pause();
}

/* Waits until the first thread has ended, and as long as an age can tell. */
static void outlive_first(void)
{
	const struct timespec while_ago = { .tv_nsec = OUTLIVES * 1000000 };
	struct timespec moment = { .tv_nsec = 1000000 };
	char stat[512], *name_ends;

	do {
		/* By "self": in a process namespace of its own its id is another than /proc's. */
		int fd = open("/proc/self/stat", O_RDONLY);
		ssize_t n = read(fd, stat, sizeof(stat) - 1);

		if (n <= 0)
			die("/proc/self/stat");
		close(fd);
		stat[n] = '\0';
		name_ends = strrchr(stat, ')');
		nanosleep(&moment, NULL);
	} while (!name_ends || name_ends[2] != 'Z');
	nanosleep(&while_ago, NULL);
	prctl(PR_SET_NAME, "not the first");
}

static void *end_all_later(void *arg)
{
	outlive_first();
	syscall(SYS_exit_group, (int)(long)arg);
	return NULL;
}

static void *end_self_later(void *arg)
{
	outlive_first();
	syscall(SYS_exit, (int)(long)arg);
	return NULL;
}

static void *killed_later(void *arg)
{
	outlive_first();
	syscall(SYS_kill, getpid(), (int)(long)arg);
	return NULL;
}

/* The first thread ends with 3, and another later. */
static void first_leaves(void *(*later)(void *arg), int value)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, later, (void *)(long)value))
		die("pthread_create");
	syscall(SYS_exit, 3);
}

static void *exec_now(void *arg)
{
	char code[12], *const argv[] = { "work", "leave", code, NULL };
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[n > 0 ? n : 0] = '\0';
	snprintf(code, sizeof(code), "%d", *(int *)arg);
	execv(path, argv);
	_exit(127);
}

enum way { EXIT, SIGNAL_SELF, SIGNAL_SENT, THREAD_ENDS_ALL, FIRST_THREAD, SLEEP, FIRST_LEAVES,
	   EACH_ALONE, FIRST_LEAVES_KILLED };

static void end(enum way way, int value)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	if (way == EXIT) {
		syscall(SYS_exit_group, value);
	} else if (way == SIGNAL_SELF) {
		signal(value, SIG_DFL);
		syscall(SYS_kill, getpid(), value);
	} else if (way == THREAD_ENDS_ALL) {
		in_thread(end_all, value);
	} else if (way == FIRST_THREAD) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, end_self, NULL) || pthread_join(thread, NULL))
			_exit(1);
		syscall(SYS_exit, value);
	} else if (way == FIRST_LEAVES) {
		first_leaves(end_all_later, value);
	} else if (way == EACH_ALONE) {
		first_leaves(end_self_later, value);
	} else if (way == FIRST_LEAVES_KILLED) {
		first_leaves(killed_later, value);
	} else if (way == SLEEP) {
		nanosleep(&(struct timespec){ .tv_nsec = value * 1000000 }, NULL);
		_exit(0);
	}
	for (;;)
		pause();
}

/*
 * exit PID PPID COMM CODE SIGNAL MS: as exitsnoop should see it; -: none; PPID -: the parent ended
 * before.
 */
static void say_exit(int pid, const char *parent, int status, int ms)
{
	say("exit\t%d\t%s\t", pid, parent);
	say_comm();
	if (WIFSIGNALED(status))
		say("-\t%d\t%d\n", WTERMSIG(status), ms);
	else
		say("%d\t-\t%d\n", WEXITSTATUS(status), ms);
}

/* A grandchild that outlives its parent, which ends with 1. */
static void orphan(const char *self)
{
	int ends[2], lives[2], grandchild, status;
	char byte;
	pid_t child;

	if (pipe(ends) || pipe(lives))
		die("pipe");
	child = fork();
	if (!child) {
		grandchild = fork();
		if (!grandchild) {
			close(ends[1]);
			close(lives[0]);
			/* until the first process has seen its parent end */
			if (read(ends[0], &byte, 1))
				_exit(9);
			_exit(2);
		}
		if (write(lives[1], &grandchild, sizeof(grandchild)) < 0)
			_exit(9);
		_exit(1);
	}
	if (child < 0 || read(lives[0], &grandchild, sizeof(grandchild)) != sizeof(grandchild))
		die("fork");
	close(lives[1]);
	waitpid(child, &status, 0);
	say_exit(child, self, status, 0);
	close(ends[0]);
	close(ends[1]);
	if (read(lives[0], &byte, 1))	/* until the grandchild has ended */
		die("grandchild");
	close(lives[0]);
	say_exit(grandchild, "-", 2 << 8, 0);
}

static int job_exits(int argc, char **argv)
{
	static const struct {
		enum way way;
		int value;
	} ends[] = {
		{ EXIT, 0 }, { EXIT, 7 }, { EXIT, 255 }, { EXIT, 259 }, { SIGNAL_SELF, SIGTERM },
		{ SIGNAL_SELF, SIGSEGV },
		{ SIGNAL_SELF, SIGUSR1 }, { SIGNAL_SELF, 40 }, { SIGNAL_SENT, SIGKILL },
		{ SIGNAL_SENT, SIGQUIT },
		{ THREAD_ENDS_ALL, 9 }, { THREAD_ENDS_ALL, 0 }, { FIRST_THREAD, 4 }, { SLEEP, 300 },
		{ FIRST_LEAVES, 6 }, { FIRST_LEAVES, 0 }, { EACH_ALONE, 8 },
		{ FIRST_LEAVES_KILLED, SIGTERM },
	};
	long n = number(argv[1]);
	char self[16];

	(void)argc;
	signal(SIGQUIT, SIG_DFL);	/* a shell's background jobs ignore it */
	snprintf(self, sizeof(self), "%d", getpid());
	for (long i = 0; i < n; i++) {
		for (size_t e = 0; e < sizeof(ends) / sizeof(ends[0]); e++) {
			pid_t child = fork();
			int status;

			if (child < 0)
				die("fork");
			if (!child)
				end(ends[e].way, ends[e].value);
			if (ends[e].way == SIGNAL_SENT)
				kill(child, ends[e].value);
			waitpid(child, &status, 0);
			say_exit(child, self, status, ends[e].way == SLEEP ? ends[e].value :
				 ends[e].way >= FIRST_LEAVES ? OUTLIVES : 0);
		}
		orphan(self);
	}
	return 0;
}

/* N children whose second thread executes a program, which ends with 6: exit PID - work 6 - 0. */
static int job_thread_execs(int argc, char **argv)
{
	(void)argc;
	for (long i = number(argv[1]); i > 0; i--) {
		pid_t child = fork();
		int status;

		if (child < 0)
			die("fork");
		if (!child)
			in_thread(exec_now, 6);
		waitpid(child, &status, 0);
		say("exit\t%d\t%d\twork\t%d\t-\t0\n", child, getpid(), WEXITSTATUS(status));
	}
	return 0;
}

/* Threads that wait for the signal; then the first leaves, and another ends with CODE. */
static int job_first_leaves(int argc, char **argv)
{
	pthread_t thread;
	sigset_t set;
	int number_of;

	(void)argc;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (pthread_create(&thread, NULL, end_all_later, (void *)number(argv[1])))
		die("pthread_create");
	sigwait(&set, &number_of);
	syscall(SYS_exit, 3);
	return 0;
}

static void on_signal(int sig)
{
	(void)sig;
}

/*
 * call NAME NUMBER COUNT: calls that the workload makes nowhere else; all of getsid and
 * sched_rr_get_interval fail.
 */
static int job_calls(int argc, char **argv)
{
	long n = number(argv[1]);
	int epoll = (int)syscall(SYS_epoll_create1, 0);
	char event[16];

	(void)argc;
	if (epoll < 0)
		die("epoll_create1");
	signal(SIGUSR1, on_signal);
	for (long i = 0; i < n; i++) {
		syscall(SYS_getpgid, 0);
		syscall(SYS_getpgid, getpid());
		syscall(SYS_getsid, NOBODY);
		syscall(SYS_sched_rr_get_interval, -1, NULL);
		if (i % 10 == 0)
			syscall(SYS_epoll_pwait, epoll, event, 1, 5, NULL, 8);
		if (i % 10 == 5)
			syscall(SYS_tgkill, getpid(), thread_id(), SIGUSR1);
	}
	say("call\tgetpgid\t%d\t%ld\n", SYS_getpgid, 2 * n);
	say("call\tgetsid\t%d\t%ld\n", SYS_getsid, n);
	say("call\tsched_rr_get_interval\t%d\t%ld\n", SYS_sched_rr_get_interval, n);
	say("call\tepoll_pwait\t%d\t%ld\n", SYS_epoll_pwait, (n + 9) / 10);
	say("call\ttgkill\t%d\t%ld\n", SYS_tgkill, (n + 4) / 10);
	return 0;
}

#ifndef SYS_clone3
#define SYS_clone3 435
#endif

/* What ends at once in the child; -1: the kernel does not have the call. */
static long reap(long child)
{
	if (!child)
		syscall(SYS_exit_group, 0);
	if (child > 0 && waitpid((pid_t)child, NULL, 0) != child)
		die("waitpid");
	return child > 0;
}

static void *nothing(void *unused)
{
	return unused;
}

/* Children that make no call that returns, by each call that makes one, and threads. */
static int job_makes(int argc, char **argv)
{
	struct {
		uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, size, tls;
	} clone3 = { .exit_signal = SIGCHLD };
	long n = number(argv[1]), made = 0;
	pthread_t thread;
	pid_t child;

	(void)argc;
	for (long i = 0; i < n; i++) {
#ifdef __s390x__
		made += reap(syscall(SYS_clone, 0, SIGCHLD, 0, 0, 0));
#else
		made += reap(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
#endif
#ifdef SYS_fork
		made += reap(syscall(SYS_fork));
#endif
		made += reap(syscall(SYS_clone3, &clone3, sizeof(clone3)));
		child = vfork();
		if (!child)
			_exit(0);
		made += reap(child);
		if (pthread_create(&thread, NULL, nothing, NULL) || pthread_join(thread, NULL))
			die("pthread_create");
		made++;
	}
	say("makes\t%d\t%ld\n", getpid(), made);
	return 0;
}

/*
 * cap PID TID UID CAP INSETID: checks that the kernel makes before it sees that the call makes no
 * sense.
 */
static int job_checks(int argc, char **argv)
{
	struct sock_fprog none = { .len = 1, .filter = (void *)1 };
	long n = number(argv[1]);
	uid_t uid = getuid();

	(void)argc;
	for (long i = 0; i < n; i++) {
		syscall(SYS_sethostname, NULL, -1);
		say("cap\t%d\t%d\t%d\t21\t0\n", getpid(), thread_id(), uid);
		syscall(SYS_reboot, 0, 0, 0, NULL);
		say("cap\t%d\t%d\t%d\t22\t0\n", getpid(), thread_id(), uid);
		syscall(SYS_setuid, uid);
		say("cap\t%d\t%d\t%d\t7\t1\n", getpid(), thread_id(), uid);
		/*
		 * Whether it may have a filter depends on CAP_SYS_ADMIN, which is not audited; then
		 * there is none to read.
		 */
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &none, 0, 0);
	}
	return 0;
}

/*
 * oom PID COMM: a child that enters a control group by its file cgroup.procs, and takes memory
 * until it is killed.
 */
static int job_eats(int argc, char **argv)
{
	pid_t child = fork();
	int status;

	(void)argc;
	if (child < 0)
		die("fork");
	if (!child) {
		int fd = open(argv[1], O_WRONLY | O_CLOEXEC);

		if (fd < 0 || write(fd, "0", 1) != 1)
			die(argv[1]);
		for (;;)
			memset(malloc(1 << 20), 1, 1 << 20);
	}
	waitpid(child, &status, 0);
	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
		errno = ECHILD;
		die("it was not killed");
	}
	say("oom\t%d\t", child);
	say_comm();
	say("\n");
	return 0;
}

const struct job process_jobs[] = {
	{ "eats", "FILE", 1, job_eats,
	  "oom PID COMM: a process that is killed as memory runs out, in the group of FILE" },
	{ "checks", "N", 1, job_checks,
	  "cap PID TID UID CAP INSETID: capabilities that are checked, all audited" },
	{ "calls", "N", 1, job_calls,
	  "call NAME NUMBER COUNT: all of getsid (ESRCH) and sched_rr_get_interval (EINVAL) "
	  "fail, each epoll_pwait takes 5 ms" },
	{ "makes", "N", 1, job_makes,
	  "makes PID TASKS; N children by each of clone, fork, vfork and clone3, and N threads" },
	{ "exits", "N", 1, job_exits, "exit PID PPID COMM CODE SIGNAL MS" },
	{ "thread-execs", "N", 1, job_thread_execs, "exit PID PPID work CODE - 0" },
	{ "first-leaves", "CODE", 1, job_first_leaves, "nothing" },
	{ "kills", "N", 1, job_kills, "kill PID TID COMM CALL SIG TPID RESULT" },
	{ 0 }
};
