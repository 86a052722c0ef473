// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that is taken and given back in every way there is, by functions whose names are known.
 * This file is part of the workload, and a program of its own where it is built with -DALONE.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

#ifdef ALONE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define say printf
#else
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "work.h"
#endif

/*
 * Functions that end after the call, so that they are in its stack; what they return is used; and
 * no two are the same, so that none is made one with another.
 */
#define KEEP(P)	__asm__ volatile("" : "+r"(P) : "i"(__LINE__) : "memory")
#define TAKES(NAME, ARGS, CALL) \
	static __attribute__((noinline)) void *heap_##NAME ARGS \
	{ \
		void *p = CALL; \
		\
		KEEP(p); \
		return p; \
	}

TAKES(malloc, (size_t n), malloc(n))
TAKES(calloc, (size_t n, size_t size), calloc(n, size))
TAKES(realloc, (void *of, size_t n), realloc(of, n))
TAKES(array, (void *of, size_t n, size_t size), reallocarray(of, n, size))
TAKES(memalign, (size_t n), memalign(64, n))
TAKES(aligned, (size_t n), aligned_alloc(64, n))
TAKES(valloc, (size_t n), valloc(n))
TAKES(mmap, (void *at, size_t n, int fixed),
      mmap(at, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0))
TAKES(mremap, (void *at, size_t n, size_t to), mremap(at, n, to, MREMAP_MAYMOVE))
TAKES(child, (size_t n), malloc(n))
TAKES(none, (size_t n), malloc(n))
TAKES(failed, (void *of, size_t n), realloc(of, n))

static __attribute__((noinline)) void *heap_posix(size_t n)
{
	void *p;

	if (posix_memalign(&p, 64, n))
		p = NULL;
	KEEP(p);
	return p;
}

static void *free_it(void *p)
{
	free(p);
	return NULL;
}

static void free_elsewhere(void *p)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, free_it, p) || pthread_join(thread, NULL))
		abort();
}

static void held(const char *function, long bytes, long n)
{
	say("held\t%d\t%s\t%ld\t%ld\n", getpid(), function, bytes, n);
}

/* A child has its parent's memory, and gives that back: it is another process. */
static void fork_and_free(void *p)
{
	pid_t child = fork();

	if (!child) {
		free(p);
		heap_child(1234);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static int job_heap(int argc, char **argv)
{
	const long page = sysconf(_SC_PAGESIZE);
	/* what failing calls ask for; the compiler need not know */
	volatile size_t huge = (size_t)-1 / 2;
	char *map;
	void *p;

	(void)argc;
	(void)argv;
	free(NULL);
	for (int i = 0; i < 10; i++) {
		heap_malloc(100);
		free(heap_malloc(100));
	}
	free_elsewhere(heap_malloc(5000));
	p = heap_malloc(1000);
	fork_and_free(p);
	held("heap_malloc", 10 * 100 + 1000, 11);
	for (int i = 0; i < 4; i++)
		heap_calloc(3, 10);
	held("heap_calloc", 120, 4);

	p = heap_realloc(NULL, 10);
	for (size_t n = 100; n <= 1000000; n *= 10)
		p = heap_realloc(p, n);
	if (heap_failed(p, huge))
		abort();
	held("heap_realloc", 1000000, 1);
	heap_array(heap_array(NULL, 3, 7), 5, 7);
	held("heap_array", 35, 1);

	heap_memalign(77);
	free(heap_memalign(77));
	held("heap_memalign", 77, 1);
	heap_aligned(192);
	held("heap_aligned", 192, 1);
	heap_valloc(88);
	held("heap_valloc", 88, 1);
	heap_posix(333);
	free(heap_posix(334));
	held("heap_posix", 333, 1);
	if (heap_none(huge))
		abort();

	/* What is unmapped: a part within, the rest of another, all of a third; one is replaced. */
	map = heap_mmap(NULL, 10 * page, 0);
	munmap(map + 3 * page, 2 * page);
	map = heap_mmap(NULL, 4 * page, 0);
	munmap(map + page, 3 * page);
	munmap(heap_mmap(NULL, page, 0), page);
	map = heap_mmap(NULL, 6 * page, 0);
	heap_mmap(map + 2 * page, page, MAP_FIXED);
	munmap(map + 1, page);			/* fails: no address of a page */
	held("heap_mmap", (8 + 1 + 6) * page, 2 + 1 + 3);
	p = heap_mmap(NULL, page, 0);
	heap_mremap(p, page, 3 * page);
	held("heap_mremap", 3 * page, 1);
	return 0;
}

#ifdef ALONE
/* As the workload's -w FILE. */
int main(int argc, char **argv)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s.ready", argv[1]);
	mkdir(path, 0755);
	while (access(argv[1], F_OK))
		usleep(10000);
	return job_heap(argc, argv);
}
#else
/* What there was before the exec is gone. */
static int job_heap_exec(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	for (int i = 0; i < 7; i++)
		heap_malloc(100);
	heap_mmap(NULL, sysconf(_SC_PAGESIZE), 0);
	execl("/proc/self/exe", "work", "heap", NULL);
	die("execl");
}

static __attribute__((noinline)) void *thread_even(void *p)
{
	KEEP(p);
	return p;
}

static __attribute__((noinline)) void *thread_odd(void *p)
{
	KEEP(p);
	return p;
}

static int job_threads(int argc, char **argv)
{
	(void)argc;
	for (long i = 0, n = number(argv[1]); i < n; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, i % 2 ? thread_odd : thread_even, NULL) ||
		    pthread_join(thread, NULL))
			die("pthread_create");
		say("thread\t%d\t%s\n", getpid(), i % 2 ? "thread_odd" : "thread_even");
	}
	return 0;
}

/* More calls a second than rings hold. */
static int job_heap_flood(int argc, char **argv)
{
	(void)argv;
	while (argc)
		free(heap_malloc(10));
	return 0;
}

static void queue(long n, int last)
{
	for (long i = 0; i < n; i++) {
		int id = msgget(IPC_PRIVATE, 0600);

		if (id < 0)
			die("msgget");
		if (last && msgctl(id, IPC_RMID, NULL))
			die("msgctl");
		if (!last)
			say("queue\t%d\t%d\n", getpid(), id);
	}
}

/* Queues of messages outlive their process: some do, others are removed. */
static int job_queues(int argc, char **argv)
{
	(void)argc;
	queue(number(argv[1]), 0);
	queue(number(argv[2]), 1);
	return 0;
}

/* A write whose row of buffers takes so many bytes in the kernel, while it is made. */
static void write_row(int fd, size_t bytes)
{
	static struct iovec row[1024];

	if (writev(fd, row, (int)(bytes / sizeof(row[0]))))
		die("writev");
}

/*
 * A ring, and 8 requests that do nothing: all are the first, which is zero. The kernel takes 8
 * objects for them at once. Returns false if the kernel has no rings, or does not allow them.
 */
static int submit_ring(void)
{
#ifdef SYS_io_uring_setup
	uint32_t params[30] = { 0 }, *ring;
	int fd = (int)syscall(SYS_io_uring_setup, 8, params);

	if (fd < 0)
		return 0;
	ring = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED)
		die("the mapping of a ring");
	ring[params[11] / 4] = 8;		/* sq_off.tail */
	if (syscall(SYS_io_uring_enter, fd, 8, 0, 0, NULL, 0) != 8)
		die("io_uring_enter");
	munmap(ring, 4096);
	close(fd);
	return 1;
#else
	return 0;
#endif
}

/*
 * Sockets; rows of buffers that take 1536 and 16384 bytes (8192 where a buffer's entry has 8); and
 * objects that are taken 8 at once.
 */
static int job_slabs(int argc, char **argv)
{
	long n = number(argv[1]), rings = 0;
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	size_t large = 1024 * sizeof(struct iovec);

	(void)argc;
	for (long i = 0; i < n; i++) {
		int fd = socket(AF_UNIX, SOCK_STREAM, 0);

		if (fd < 0)
			die("socket");
		close(fd);
		write_row(null, 1536);
		write_row(null, large);
	}
	while (rings < 20 && submit_ring())
		rings++;
	say("slabs\t%d\t%ld\t%zu\t%ld\n", getpid(), n, large, 8 * rings);
	return 0;
}

const struct job heap_jobs[] = {
	{ "heap", "", 0, job_heap, "held PID FUNCTION BYTES N: what it has not freed, at its end" },
	{ "heap-exec", "", 0, job_heap_exec, "the same, after others that an exec has freed" },
	{ "heap-flood", "", 0, job_heap_flood, "nothing: it takes and frees until it is killed" },
	{ "threads", "N", 1, job_threads, "thread PID FUNCTION" },
	{ "slabs", "N", 1, job_slabs,
	  "slabs PID N BYTES AT-ONCE: N sockets, and N rows of buffers of 1536 and of BYTES bytes; "
	  "objects taken 8 at once" },
	{ "queues", "KEPT REMOVED", 2, job_queues, "queue PID ID: of messages, of System V" },
	{ 0 }
};
#endif
