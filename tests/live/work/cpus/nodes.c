// SPDX-License-Identifier: GPL-2.0
/* Tasks and memory on the CPUs that the user names: of other NUMA nodes, where there are any. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "../work.h"

static void pin(long cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

struct hops {
	long n, cpus[2];
};

static void *hop(void *arg)
{
	const struct hops *h = arg;

	for (long i = 0; i < h->n; i++) {
		pin(h->cpus[(i + 1) % 2]);
		say("hop\t%d\t%d\t%ld\t%ld\n", getpid(), thread_id(), h->cpus[i % 2],
		    h->cpus[(i + 1) % 2]);
	}
	return NULL;
}

/* The number of hops is even, so that the thread begins where the first one began. */
static int job_hops(int argc, char **argv)
{
	struct hops h = { 2 * number(argv[1]), { number(argv[2]), number(argv[3]) } };
	pthread_t thread;

	(void)argc;
	hop(&h);
	if (pthread_create(&thread, NULL, hop, &h))
		die("pthread_create");
	pthread_join(thread, NULL);
	return 0;
}

static int job_astray(int argc, char **argv)
{
	const size_t size = (size_t)number(argv[1]) << 20;
	const long seconds = number(argv[4]);
	const time_t end = time(NULL) + seconds;
	unsigned char *memory;
	size_t touched = 0;

	(void)argc;
	pin(number(argv[2]));
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		die("mmap");
	madvise(memory, size, MADV_NOHUGEPAGE);
	memset(memory, 1, size);
	pin(number(argv[3]));
	while (time(NULL) < end) {
		for (size_t i = 0; i < size; i += 4096)
			memory[i]++;
		touched++;
	}
	say("astray\t%d\t%zu\n", getpid(), touched);
	return 0;
}

const struct job nodes_jobs[] = {
	{ "hops", "N CPU CPU", 3, job_hops,
	  "hop PID TID CPU CPU: from the first CPU to the second and back, N times, and a "
	  "thread the same; it is to begin on the first" },
	{ "astray", "MB CPU CPU SECONDS", 4, job_astray,
	  "astray PID TIMES: memory of the first CPU's node, used on the second for so long" },
	{ 0 }
};
