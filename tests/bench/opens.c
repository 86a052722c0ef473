// SPDX-License-Identifier: GPL-2.0
/*
 * opens N: opens a file that is not there N times, from the last CPU on, 32 a millisecond: slowly
 * enough for tools that print a line for each to keep up. A full buffer would make a program's work
 * look cheap.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BURST 32

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;
	int64_t next = now_ns();
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (long i = 0; i < n; i++) {
		/* awake all the time: a CPU that went to sleep comes back slow */
		if (i % BURST == 0) {
			while (now_ns() < next)
				;
			next += 1000000;
		}
		syscall(SYS_openat, AT_FDCWD, "/nonexistent/some/path/of/usual/length", O_RDONLY);
	}
	return 0;
}
