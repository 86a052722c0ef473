// SPDX-License-Identifier: GPL-2.0
/*
 * calls N: calls called() so often, and does nothing else; calls N malloc: takes and gives back
 * memory so often; calls N threads: makes threads, one after the other.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline, noclone)) void called(void);

void called(void)
{
	__asm__ volatile("");
}

static void pair(void)
{
	void *volatile p = malloc(100);

	free(p);
}

static void *empty(void *arg)
{
	return arg;
}

static void thread(void)
{
	pthread_t t;

	if (!pthread_create(&t, NULL, empty, NULL))
		pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : "";
	void (*each)(void) = !strcmp(what, "malloc") ? pair :
			     !strcmp(what, "threads") ? thread : called;

	for (long i = argc > 1 ? atol(argv[1]) : 0; i > 0; i--)
		each();
	return 0;
}
