// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs that are off their CPUs for a known time, by a known chain of functions. What is called last
 * may leave the function before it out of a walk by frame pointers: each chain has one for that.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <termios.h>
#include <time.h>

#include "work.h"

/* The self-test's holder of locks serves here, too. */
#include "../../../src/commands/selftest/held.c"

/* A function of a chain: it has a frame, and calls; it does not jump. */
#define LINK __attribute__((noinline, noclone, optimize("no-omit-frame-pointer")))
#define CALLED	__asm__ volatile("" : : : "memory")

static long long usecs(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

LINK static void sleep_inner(long ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL);
	CALLED;
}

LINK static void sleep_middle(long ms)
{
	sleep_inner(ms);
	CALLED;
}

LINK static void sleep_outer(long ms)
{
	sleep_middle(ms);
	CALLED;
}

LINK static void wait_inner(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		die("read");
	CALLED;
}

LINK static void wait_middle(int fd)
{
	wait_inner(fd);
	CALLED;
}

LINK static void wait_outer(int fd)
{
	wait_middle(fd);
	CALLED;
}

LINK static void wake_inner(int fd)
{
	if (write(fd, "", 1) != 1)
		die("write");
	CALLED;
}

LINK static void wake_middle(int fd)
{
	wake_inner(fd);
	CALLED;
}

LINK static void wake_outer(int fd)
{
	wake_middle(fd);
	CALLED;
}

/* To this CPU, with all threads that are made from now on. */
static void stay_on(long cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

struct sleeper {
	long n, ms;
	int pipe[2], awake[2];
	pid_t tid;
	long long slept, waited, off;
};

static void *sleeper(void *arg)
{
	struct sleeper *s = arg;
	long long begin = usecs(CLOCK_MONOTONIC), ran = usecs(CLOCK_THREAD_CPUTIME_ID), before;

	s->tid = thread_id();
	for (long i = 0; i < s->n; i++) {
		before = usecs(CLOCK_MONOTONIC);
		sleep_outer(s->ms);
		s->slept += usecs(CLOCK_MONOTONIC) - before;
		if (write(s->awake[1], "", 1) != 1)
			die("write");
		before = usecs(CLOCK_MONOTONIC);
		wait_outer(s->pipe[0]);
		s->waited += usecs(CLOCK_MONOTONIC) - before;
	}
	s->off = usecs(CLOCK_MONOTONIC) - begin - (usecs(CLOCK_THREAD_CPUTIME_ID) - ran);
	return NULL;
}

/*
 * asleep PID TID SLEPT-US WAITED-US OFF-US: a thread sleeps N times for MS ms, in sleep_outer(),
 * and waits as often for a byte, in wait_outer(); the main thread sends that MS ms later, in
 * wake_outer(). How long the calls took, and how long the thread was off its CPU in its life. Both
 * are on the given CPU, if any.
 */
static int job_asleep(int argc, char **argv)
{
	struct sleeper s = { .n = number(argv[1]), .ms = number(argv[2]) };
	pthread_t thread;
	char byte;

	if (argc > 3)
		stay_on(number(argv[3]));
	if (pipe(s.pipe) || pipe(s.awake))
		die("pipe");
	if (pthread_create(&thread, NULL, sleeper, &s))
		die("pthread_create");
	for (long i = 0; i < s.n; i++) {
		if (read(s.awake[0], &byte, 1) != 1)
			die("read");
		nanosleep(&(struct timespec){ .tv_sec = s.ms / 1000,
					      .tv_nsec = s.ms % 1000 * 1000000 }, NULL);
		wake_outer(s.pipe[1]);
	}
	pthread_join(thread, NULL);
	say("asleep\t%d\t%d\t%lld\t%lld\t%lld\n", getpid(), s.tid, s.slept, s.waited, s.off);
	return 0;
}

/* The same by one call, of the main thread. */
static int job_sleep(int argc, char **argv)
{
	long long begin = usecs(CLOCK_MONOTONIC);

	if (argc > 2)
		stay_on(number(argv[2]));
	sleep_outer(number(argv[1]));
	say("sleep\t%d\t%lld\n", getpid(), usecs(CLOCK_MONOTONIC) - begin);
	return 0;
}

/* pipe or a file; the number of waits, and their ms. */
static int job_contend(int argc, char **argv)
{
	long n = number(argv[2]);
	long long ns, sum = 0;
	struct held h;
	int ends[2] = { -1, -1 }, fd;

	(void)argc;
	if (strcmp(argv[1], "pipe")) {
		fd = open(argv[1], O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	} else {
		fd = pipe2(ends, O_CLOEXEC);
		fd = fd ? fd : ends[1];
	}
	if (fd < 0)
		die(argv[1]);
	if (held_start(&h, fd, ends[0], number(argv[3])))
		die("userfaultfd");
	for (long i = 0; i < n; i++) {
		ns = held_wait(&h);
		if (ns < 0)
			die("waiting");
		sum += ns;
	}
	say_comm();
	say("%d\t%ld\t%lld\n", getpid(), n, sum / 1000);
	return 0;
}

/* ---- a mutex, that one thread holds and another waits for ---- */

static struct mutex_work {
	const struct mutex_kind *kind;
	pthread_mutex_t mutex;
	pthread_cond_t never;
	int go[2], held[2], done[2];
	long n, ms, timeouts, waited;
	pid_t holder, waiter;
	long long us;			/* of all waits */
} locks;

static void byte_to(int fd)
{
	if (write(fd, "b", 1) != 1)
		die("a pipe");
}

static void byte_from(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		die("a pipe");
}

/* A mutex of pthreads. */
static void lock_pthread(void)
{
	pthread_mutex_lock(&locks.mutex);
}

static void unlock_pthread(void)
{
	pthread_mutex_unlock(&locks.mutex);
}

/* One of our own, as of glibc: 2 while somebody may wait, the owner 8 bytes behind. */
static struct {
	uint32_t word, unused, owner;
} own;

static long wait_bitset(void)
{
	return syscall(SYS_futex, &own.word, FUTEX_WAIT_BITSET_PRIVATE, 2, NULL, NULL,
		       FUTEX_BITSET_MATCH_ANY);
}

/* struct futex_waitv, which older headers do not have. */
static long wait_vector(void)
{
	struct {
		uint64_t value, address;
		uint32_t flags, unused;
	} one = { 2, (uintptr_t)&own.word, 2 | FUTEX_PRIVATE_FLAG, 0 };

	return syscall(449, &one, 1, 0, NULL, CLOCK_MONOTONIC);	/* since 5.16 */
}

static void lock_own(void);

static void unlock_own(void)
{
	own.owner = 0;
	__atomic_store_n(&own.word, 0, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &own.word, FUTEX_WAKE_PRIVATE, 1);
}

static const struct mutex_kind {
	const char *name;
	void *address;
	void (*lock)(void), (*unlock)(void);
	long (*wait)(void);		/* of lock_own() */
} mutex_kinds[] = {
	{ "plain", &locks.mutex, lock_pthread, unlock_pthread, NULL },
	{ "pi", &locks.mutex, lock_pthread, unlock_pthread, NULL },
	{ "bitset", &own.word, lock_own, unlock_own, wait_bitset },
	{ "waitv", &own.word, lock_own, unlock_own, wait_vector },
	{ 0 }
};

static void lock_own(void)
{
	while (__atomic_exchange_n(&own.word, 2, __ATOMIC_SEQ_CST))
		if (locks.kind->wait() < 0 && errno != EAGAIN && errno != EINTR)
			die("a wait");
	own.owner = thread_id();
}

/* Pipes tell each other what is next: these are no futexes. */
static void *holds_mutex(void *none)
{
	const struct timespec time = { locks.ms / 1000, locks.ms % 1000 * 1000000 };

	locks.holder = thread_id();
	for (long i = 0; i < locks.n; i++) {
		byte_from(locks.go[0]);
		locks.kind->lock();
		byte_to(locks.held[1]);
		nanosleep(&time, NULL);
		locks.kind->unlock();
	}
	return none;
}

static LINK void waits_for_mutex(void)
{
	long long from;

	for (long i = 0; i < locks.n; i++) {
		byte_to(locks.go[1]);
		byte_from(locks.held[0]);
		from = usecs(CLOCK_MONOTONIC);
		locks.kind->lock();
		from = usecs(CLOCK_MONOTONIC) - from;
		locks.us += from;
		/* on a slow machine the holder may be done before */
		locks.waited += from > 1000;
		locks.kind->unlock();
	}
	CALLED;
}

static LINK void waits_in_vain(void)
{
	struct timespec until;

	pthread_mutex_lock(&locks.mutex);
	for (long i = 0; i < locks.timeouts; i++) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 5000000;
		if (until.tv_nsec >= 1000000000) {
			until.tv_nsec -= 1000000000;
			until.tv_sec++;
		}
		pthread_cond_timedwait(&locks.never, &locks.mutex, &until);
	}
	pthread_mutex_unlock(&locks.mutex);
	CALLED;
}

static void *waits(void *none)
{
	locks.waiter = thread_id();
	waits_for_mutex();
	waits_in_vain();
	byte_to(locks.done[1]);
	return none;
}

static int job_futexes(int argc, char **argv)
{
	pthread_mutexattr_t how;
	pthread_t threads[2];

	(void)argc;
	locks.kind = mutex_kinds;
	while (locks.kind->name && strcmp(locks.kind->name, argv[1]))
		locks.kind++;
	if (!locks.kind->name)
		die("such a mutex");
	locks.n = number(argv[2]);
	locks.ms = number(argv[3]);
	locks.timeouts = number(argv[4]);
	pthread_mutexattr_init(&how);
	if (!strcmp(argv[1], "pi"))
		pthread_mutexattr_setprotocol(&how, PTHREAD_PRIO_INHERIT);
	if (pthread_mutex_init(&locks.mutex, &how) || pthread_cond_init(&locks.never, NULL) ||
	    pipe2(locks.go, O_CLOEXEC) || pipe2(locks.held, O_CLOEXEC) ||
	    pipe2(locks.done, O_CLOEXEC))
		die("a mutex");
	if (pthread_create(&threads[0], NULL, holds_mutex, NULL) ||
	    pthread_create(&threads[1], NULL, waits, NULL))
		die("a thread");
	pthread_detach(threads[0]);
	pthread_detach(threads[1]);
	/* pthread_join() would wait for a futex, too. */
	byte_from(locks.done[0]);
	say("%d\t%d\t%d\t0x%lx\t%lld\t%ld\n", getpid(), locks.waiter, locks.holder,
	    (unsigned long)(uintptr_t)locks.kind->address, locks.us, locks.waited);
	return 0;
}

/* Bytes to a terminal, each of which a work of a workqueue hands over. */
static int job_terminal_bytes(int argc, char **argv)
{
	int ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), other;
	long n = number(argv[1]);
	struct termios raw;
	char byte = 'b';

	(void)argc;
	if (ours < 0 || grantpt(ours) || unlockpt(ours))
		die("a terminal");
	other = open(ptsname(ours), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (other < 0 || tcgetattr(other, &raw))
		die("a terminal");
	cfmakeraw(&raw);
	if (tcsetattr(other, TCSANOW, &raw))
		die("a terminal");
	for (long i = 0; i < n; i++)
		if (write(ours, &byte, 1) != 1 || read(other, &byte, 1) != 1)
			die("a terminal");
	say("%d\t%ld\n", getpid(), n);
	return 0;
}

const struct job asleep_jobs[] = {
	{ "terminal_bytes", "N", 1, job_terminal_bytes, "pid, bytes" },
	{ "futexes", "plain|pi|bitset|waitv N MS TIMEOUTS", 4, job_futexes,
	  "pid, thread that waits, thread that holds, mutex, us of all waits, waits" },
	{ "contend", "pipe|FILE N MS", 3, job_contend, "comm, pid, waits, us of all" },
	{ "asleep", "N MS [CPU]", 2, job_asleep, "asleep PID TID SLEPT-US WAITED-US OFF-US" },
	{ "sleep", "MS [CPU]", 1, job_sleep, "sleep PID US" },
	{ 0 }
};
