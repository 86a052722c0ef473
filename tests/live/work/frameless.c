// SPDX-License-Identifier: GPL-2.0
/* Functions without frame pointers that call each other in a known way. */
#include <sys/syscall.h>
#include <unistd.h>

#include "work.h"

#define TURN 100000		/* rounds of a loop */
#define SPIN(N) \
	do { \
		for (long i = 0; i < (N); i++) \
			__asm__ volatile("" ::: "memory"); \
	} while (0)
#define FRAMELESS static __attribute__((noinline, noclone, optimize("omit-frame-pointer")))
#define CALLED __asm__ volatile("" ::: "memory")

FRAMELESS void frameless_often(void)
{
	SPIN(3 * TURN);
}

FRAMELESS void frameless_seldom(void)
{
	SPIN(TURN);
}

FRAMELESS void frameless_inner(void)
{
	volatile char room[1000];

	room[0] = 0;
	frameless_often();
	frameless_seldom();
	room[1] = room[0];
}

FRAMELESS void frameless_outer(long long until_us)
{
	while (cpu_us() < until_us)
		frameless_inner();
	CALLED;
}

/* 32 KB of stack: more than is copied of it. */
FRAMELESS void frameless_deep(unsigned int depth, long long until_us)
{
	volatile char room[2048];

	room[depth] = 0;
	if (depth)
		frameless_deep(depth - 1, until_us);
	else
		frameless_outer(until_us);
	room[depth + 1] = room[depth];
}

/*
 * frameless PID CPU-US: job_frameless calls frameless_outer, which calls frameless_inner, which is
 * in frameless_often three quarters of the time, for so many milliseconds of a CPU. DEPTH: on top
 * of as many calls of frameless_deep.
 */
static int job_frameless(int argc, char **argv)
{
	const long long begun = cpu_us(), until = begun + 1000 * number(argv[1]);

	if (argc > 2)
		frameless_deep((unsigned int)number(argv[2]), until);
	else
		frameless_outer(until);
	say("frameless\t%d\t%lld\n", getpid(), cpu_us() - begun);
	return 0;
}

/* ---- a function without a frame, called by some that have one ---- */

/* Not as long as the others: of functions that are the same gcc makes one. */
FRAMELESS void leaf_spins(void)
{
	SPIN(2 * TURN);
}

#define FRAMED static __attribute__((noinline, noclone, optimize("no-omit-frame-pointer")))

FRAMED void leaf_middle(long long until_us)
{
	while (cpu_us() < until_us)
		leaf_spins();
	CALLED;
}

/* The C library's syscall() has no frame either. */
FRAMED void leaf_sleeper(void)
{
	const long moment[] = { 0, 1000000 };

	syscall(SYS_nanosleep, moment, NULL);
	CALLED;
}

/*
 * leaves PID CPU-US: job_leaves calls leaf_middle, which is in leaf_spins for so many milliseconds
 * of a CPU, and leaf_sleeper as many times, which sleeps a millisecond in syscall().
 */
static __attribute__((optimize("no-omit-frame-pointer"))) int job_leaves(int argc, char **argv)
{
	long long begun = cpu_us();
	long ms = number(argv[1]);

	(void)argc;
	leaf_middle(begun + ms * 1000LL);
	for (long i = 0; i < ms; i++)
		leaf_sleeper();
	say("leaves\t%d\t%lld\n", getpid(), cpu_us() - begun);
	return 0;
}

const struct job frameless_jobs[] = {
	{ "frameless", "MS [DEPTH]", 1, job_frameless, "frameless PID CPU-US" },
	{ "leaves", "MS", 1, job_leaves, "leaves PID CPU-US" },
	{ 0 }
};
