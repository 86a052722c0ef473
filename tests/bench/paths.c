// SPDX-License-Identifier: GPL-2.0
/*
 * paths N: calls getppid(2) by N chains of functions, each of which is another one, once. The bits
 * of a chain's number say which of two functions calls which.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BITS 14
/* Behind the call there is something left to do: it is no jump. */
#define DONE __asm__ volatile("" : : : "memory")
#define CHAIN __attribute__((noinline, noclone, optimize("no-omit-frame-pointer")))

static void one(unsigned int bits, unsigned int n);
static void two(unsigned int bits, unsigned int n);

static CHAIN void next(unsigned int bits, unsigned int n)
{
	if (!n)
		syscall(SYS_getppid);
	else if (bits & 1)
		one(bits >> 1, n - 1);
	else
		two(bits >> 1, n - 1);
	DONE;
}

static CHAIN void one(unsigned int bits, unsigned int n)
{
	next(bits, n);
	DONE;
}

static CHAIN void two(unsigned int bits, unsigned int n)
{
	DONE;
	next(bits, n);
	DONE;
}

int main(int argc, char **argv)
{
	unsigned int n = argc > 1 ? (unsigned int)atol(argv[1]) : 0;

	for (unsigned int i = 0; i < n && i < 1U << BITS; i++)
		next(i, BITS);
	return 0;
}
