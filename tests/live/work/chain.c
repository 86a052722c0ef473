// SPDX-License-Identifier: GPL-2.0
/* Functions that call each other in a known way, and take known shares of the CPU. */
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include "work.h"

#define TURN 100000		/* rounds of a loop */

/* Functions that call nobody get a frame if they ask where it is. */
#define SPIN(N) \
	do { \
		for (long i = 0; i < (N); i++) \
			__asm__ volatile("" :: "r"(__builtin_frame_address(0)) : "memory"); \
	} while (0)

static __attribute__((noinline)) void chain_often(void)
{
	SPIN(3 * TURN);
}

static __attribute__((noinline)) void chain_seldom(void)
{
	SPIN(TURN);
}

static __attribute__((noinline)) void chain_inner(void)
{
	chain_often();
	chain_seldom();
	__asm__ volatile("" ::: "memory");
}

long long cpu_us(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL +
		usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static __attribute__((noinline)) void chain_outer(long long until_us)
{
	while (cpu_us() < until_us)
		chain_inner();
}

/* A function with a frame that calls itself, on top of the others. */
static __attribute__((noinline)) void chain_deep(unsigned int depth, long long until_us)
{
	if (depth)
		chain_deep(depth - 1, until_us);
	else
		chain_outer(until_us);
	__asm__ volatile("" ::: "memory");
}

/*
 * chain PID CPU-US: job_chain calls chain_outer, which calls chain_inner, which is in chain_often
 * three quarters of the time and in chain_seldom one, for so many milliseconds of a CPU. DEPTH: on
 * top of as many calls of chain_deep.
 */
static int job_chain(int argc, char **argv)
{
	const long long begun = cpu_us(), until = begun + 1000 * number(argv[1]);

	if (argc > 2)
		chain_deep((unsigned int)number(argv[2]), until);
	else
		chain_outer(until);
	say("chain\t%d\t%lld\n", getpid(), cpu_us() - begun);
	return 0;
}

static long named_ms;

static __attribute__((noinline)) void *named_thread(void *name)
{
	prctl(PR_SET_NAME, name);
	chain_outer(cpu_us() + 1000 * named_ms);
	return NULL;
}

/* named PID: a thread names itself, and runs for so many milliseconds; so does the first one. */
static int job_named(int argc, char **argv)
{
	pthread_t thread;

	(void)argc;
	named_ms = number(argv[1]);
	if (pthread_create(&thread, NULL, named_thread, argv[2]) || pthread_join(thread, NULL))
		die("pthread_create");
	chain_outer(cpu_us() + 1000 * named_ms);
	say("named\t%d\n", getpid());
	return 0;
}

static void one_way(unsigned int way, unsigned int turns);
static void other_way(unsigned int way, unsigned int turns);

/* The chain of calls is the number `way`, a bit a call. */
static __attribute__((noinline)) void turn(unsigned int way, unsigned int turns)
{
	if (!turns)
		syscall(SYS_getppid);
	else if (way & 1)
		one_way(way >> 1, turns - 1);
	else
		other_way(way >> 1, turns - 1);
	__asm__ volatile("" ::: "memory");
}

static __attribute__((noinline)) void one_way(unsigned int way, unsigned int turns)
{
	turn(way, turns);
	__asm__ volatile("" ::: "memory");
}

/* Not the same code, of which a compiler would make one function. */
static __attribute__((noinline)) void other_way(unsigned int way, unsigned int turns)
{
	turn(way, turns);
	__asm__ volatile("nop" ::: "memory");
}

/*
 * ways PID N: so many calls of getppid(2), each with another stack. EACH: so many, then it sleeps a
 * second, and so on.
 */
static int job_ways(int argc, char **argv)
{
	unsigned int n = (unsigned int)number(argv[1]);

	const unsigned int each = argc > 2 ? (unsigned int)number(argv[2]) : n;

	for (unsigned int i = 0; i < n; i++) {
		turn(i, 14);
		if (i % each == each - 1 && i + 1 < n)
			sleep(1);
	}
	say("ways\t%d\t%u\n", getpid(), n);
	return 0;
}

static long long wall_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* pulse PID CPU-US: busy for so many seconds, but from 400 to 600 ms of each second it sleeps. */
static int job_pulse(int argc, char **argv)
{
	const long long end = wall_ms() + 1000 * number(argv[1]);

	(void)argc;
	for (long long now = wall_ms(); now < end; now = wall_ms()) {
		const long long at = now % 1000;

		if (at >= 400 && at < 600)
			usleep((useconds_t)(600 - at) * 1000);
		else
			SPIN(TURN / 10);
	}
	say("pulse\t%d\t%lld\n", getpid(), cpu_us());
	return 0;
}

const struct job chain_jobs[] = {
	{ "chain", "MS [DEPTH]", 1, job_chain, "chain PID CPU-US" },
	{ "named", "MS NAME", 2, job_named, "named PID; a thread of it has the name" },
	{ "pulse", "SECONDS", 1, job_pulse, "pulse PID CPU-US; asleep from 400 to 600 ms of each" },
	{ "ways", "N [EACH]", 1, job_ways, "ways PID N; each call of getppid(2) by another way" },
	{ 0 }
};
