// SPDX-License-Identifier: GPL-2.0
/* The same in C, by a function that is chosen when the program starts. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define CALLED __attribute__((noinline, noclone))
/* 100000 on average. Turns of one length may keep step with a profiler: it sees one part. */
#define VARIED(turn) (50000 + (turn) % 101 * 1000)

static CALLED void often(long n)
{
	for (long i = 0; i < n; i++)
		__asm__ volatile("" :: "r"(__builtin_frame_address(0)) : "memory");
}

static CALLED void seldom(long n)
{
	for (long i = 0; i < n; i++)
		__asm__ volatile("" :: "r"(__builtin_frame_address(0)) : "memory");
}

static CALLED int slow(long n)
{
	seldom(n);
	often(n);
	return 1;
}

static CALLED int quick(long n)
{
	often(3 * n);
	seldom(n);
	__asm__ volatile("" ::: "memory");
	return 0;
}

typedef int serve_fn(long n);
serve_fn *choose(void);

serve_fn *choose(void)
{
	return getenv ? quick : slow;
}

int chosen(long n) __attribute__((ifunc("choose")));

static CALLED int run(int turns)
{
	int result = 0;

	while (turns--)
		result |= chosen(VARIED(turns));
	return result;
}

/* -w FILE TURNS, as there. */
int main(int argc, char **argv)
{
	char ready[4096];
	int result;

	if (argc < 4 || snprintf(ready, sizeof(ready), "%s.ready", argv[2]) < 0 ||
	    mkdir(ready, 0700))
		return 2;
	while (access(argv[2], F_OK))
		usleep(10000);
	result = run(atoi(argv[3]));
	rmdir(ready);
	return result;
}
