// SPDX-License-Identifier: GPL-2.0
/* Signals of all kinds, one at a time: who sends them, why, and what becomes of them. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "work.h"

#define REAL_TIME 60		/* a signal that nobody else uses here */

static sigjmp_buf back;

static void handle(int sig)
{
	(void)sig;
}

static void leave(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

/* A sender: `from` and `thread` 0: unknown, as an interrupt sends it. */
struct sent {
	int from, thread, to, to_thread, sig;
	const char *code, *result;
};

static void id(int number)
{
	if (number)
		say("%d\t", number);
	else
		say("-\t");
}

/* generate PID TID COMM SIG CODE TPID TTID TCOMM RESULT */
static void say_sent(const struct sent *s)
{
	say("generate\t");
	id(s->from);
	id(s->thread);
	if (s->from)
		say_comm();
	else
		say("-\t");
	say("%d\t%s\t%d\t", s->sig, s->code, s->to);
	id(s->to_thread);
	say_comm();
	say("%s\n", s->result);
}

/* deliver PID TID SIG CODE ACTION */
static void say_delivered(int thread, int sig, const char *code, const char *action)
{
	say("deliver\t%d\t%d\t%d\t%s\t%s\n", getpid(), thread, sig, code, action);
}

static void to_self(int sig, const char *result)
{
	if (kill(getpid(), sig))
		die("kill");
	say_sent(&(struct sent){ getpid(), thread_id(), getpid(), 0, sig, "SI_USER", result });
}

static void ignored_and_handled(void)
{
	signal(SIGUSR1, SIG_IGN);
	to_self(SIGUSR1, "ignored");
	signal(SIGUSR2, handle);
	to_self(SIGUSR2, "delivered");
	say_delivered(thread_id(), SIGUSR2, "SI_USER", "handler");
	if (syscall(SYS_tgkill, getpid(), thread_id(), SIGUSR2))
		die("tgkill");
	say_sent(&(struct sent){ getpid(), thread_id(), getpid(), thread_id(), SIGUSR2,
				 "SI_TKILL", "delivered" });
	say_delivered(thread_id(), SIGUSR2, "SI_TKILL", "handler");
}

/* A second one while the first waits; the first is taken without a handler. */
static void blocked(void)
{
	const struct timespec none = { };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	to_self(SIGTERM, "delivered");
	to_self(SIGTERM, "pending");
	if (sigtimedwait(&set, NULL, &none) != SIGTERM)
		die("sigtimedwait");
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void queued(void)
{
	signal(REAL_TIME, handle);
	if (sigqueue(getpid(), REAL_TIME, (union sigval){ .sival_int = 1 }))
		die("sigqueue");
	say_sent(&(struct sent){ getpid(), thread_id(), getpid(), 0, REAL_TIME, "SI_QUEUE",
				 "delivered" });
	say_delivered(thread_id(), REAL_TIME, "SI_QUEUE", "handler");
}

static void broken_pipe(void)
{
	int fds[2];

	if (pipe(fds))
		die("pipe");
	close(fds[0]);
	signal(SIGPIPE, handle);
	if (write(fds[1], "x", 1) != -1 || errno != EPIPE)
		die("write");
	close(fds[1]);
	say_sent(&(struct sent){ getpid(), thread_id(), getpid(), thread_id(), SIGPIPE, "SI_USER",
				 "delivered" });
	say_delivered(thread_id(), SIGPIPE, "SI_USER", "handler");
}

static void fault(void)
{
	char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		die("mmap");
	signal(SIGSEGV, leave);
	if (!sigsetjmp(back, 1))
		*(volatile char *)page = 1;
	munmap(page, 4096);
	say_sent(&(struct sent){ getpid(), thread_id(), getpid(), thread_id(), SIGSEGV,
				 "SEGV_ACCERR", "delivered" });
	say_delivered(thread_id(), SIGSEGV, "SEGV_ACCERR", "handler");
}

/* A timer's interrupt sends it, to whichever thread. */
static void timer(void)
{
	struct itimerspec soon = { .it_value.tv_nsec = 1000000 };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
	sigset_t set, before;
	timer_t id;

	signal(SIGALRM, handle);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, &before);
	if (timer_create(CLOCK_MONOTONIC, &event, &id) || timer_settime(id, 0, &soon, NULL))
		die("timer");
	sigdelset(&before, SIGALRM);
	sigsuspend(&before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	timer_delete(id);
	say_sent(&(struct sent){ 0, 0, getpid(), 0, SIGALRM, "SI_TIMER", "delivered" });
	say_delivered(thread_id(), SIGALRM, "SI_TIMER", "handler");
}

static int thread_of;
static pthread_barrier_t met;

static void *wait_for_it(void *unused)
{
	sigset_t none;

	(void)unused;
	__atomic_store_n(&thread_of, thread_id(), __ATOMIC_SEQ_CST);
	pthread_barrier_wait(&met);
	sigemptyset(&none);
	sigsuspend(&none);
	return NULL;
}

/* To a thread that is not the first one: its process is ours. */
static void to_thread(void)
{
	pthread_t thread;
	sigset_t set, before;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	pthread_barrier_init(&met, NULL, 2);
	if (pthread_create(&thread, NULL, wait_for_it, NULL))
		die("pthread_create");
	pthread_barrier_wait(&met);
	if (syscall(SYS_tgkill, getpid(), thread_of, SIGUSR2))
		die("tgkill");
	pthread_join(thread, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	say_sent(&(struct sent){ getpid(), thread_id(), getpid(), thread_of, SIGUSR2, "SI_TKILL",
				 "delivered" });
	say_delivered(thread_of, SIGUSR2, "SI_TKILL", "handler");
}

/* A child that is killed; its end is a signal to us. */
static void child(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	while (!pid)
		pause();
	if (kill(pid, SIGKILL))
		die("kill");
	waitpid(pid, NULL, 0);
	say_sent(&(struct sent){ getpid(), thread_id(), pid, 0, SIGKILL, "SI_USER", "delivered" });
	say_sent(&(struct sent){ pid, pid, getpid(), 0, SIGCHLD, "CLD_KILLED", "ignored" });
}

static int job_sends(int argc, char **argv)
{
	long n = number(argv[1]);

	(void)argc;
	for (long i = 0; i < n; i++) {
		ignored_and_handled();
		blocked();
		queued();
		broken_pipe();
		fault();
		timer();
		to_thread();
		child();
	}
	return 0;
}

const struct job signals_jobs[] = {
	{ "sends", "N", 1, job_sends,
	  "generate PID TID COMM SIG CODE TPID TTID TCOMM RESULT, - for what an interrupt sends; "
	  "deliver PID TID SIG CODE ACTION: signals of all kinds, N times" },
	{ 0 }
};
