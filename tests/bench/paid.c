// SPDX-License-Identifier: GPL-2.0
/*
 * paid WORK CPU [WHAT]: does a piece of work on that CPU again and again, and prints "ns N", the
 * time that one operation took.
 *
 * Operations come in bursts, and only these are timed. Most works begin a burst each millisecond
 * at the earliest: what a tool hands over must have been read before its buffers are full, or a
 * tool that loses events would look cheap. The figure is the mean of the middle half of the bursts:
 * interrupts and other tasks do not count, and what a tool does now and then counts as a part.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_NS 1000000
#define WARM 10			/* bursts that are not counted */
#define BURSTS 150
#define THREADS 8
#define BLOCK 4096
#define PAGES 64
#define STACK_BYTES (256 * 1024)

struct work {
	const char *name, *what;	/* what: the argument WHAT, NULL: it takes none */
	void (*prepare)(void);		/* NULL: nothing to prepare */
	void (*once)(void);		/* one operation */
	void (*after)(void);		/* after each burst, not timed; NULL: nothing */
	int burst;			/* operations */
	int threads;
};

static const char *what;
static int to[2] = { -1, -1 }, from[2] = { -1, -1 };
static int file = -1, listener = -1;
static struct sockaddr_in address;
static char self[4096];
static char *pages;
static int page;
static pthread_barrier_t all_began;

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void die(const char *text)
{
	fprintf(stderr, "paid: error: %s: %s\n", text, strerror(errno));
	exit(1);
}

static void echo(void)
{
	char byte;

	while (read(to[0], &byte, 1) == 1)
		if (write(from[1], &byte, 1) != 1)
			return;
}

static void prepare_pingpong(void)
{
	pid_t parent = getpid(), pid;

	if (pipe(to) || pipe(from))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	close(to[1]);
	echo();
	_exit(0);
}

static void once_pingpong(void)
{
	char byte = 0;

	if (write(to[1], &byte, 1) != 1 || read(from[0], &byte, 1) != 1)
		die("pipe");
}

static void once_getppid(void)
{
	syscall(SYS_getppid);
}

/* Signal 0: the kernel only asks whether it may be sent. */
static void once_kill(void)
{
	if (kill(getpid(), 0))
		die("kill");
}

/* A time that there is not: the kernel reads it, and does not sleep. */
static void once_nap(void)
{
	struct timespec t = { 0, 2000000000 };

	syscall(SYS_nanosleep, &t, NULL);
}

static void prepare_self(void)
{
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		die("/proc/self/exe");
	file = open(self, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		die(self);
}

static void once_open(void)
{
	int fd = open(self, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die(self);
	close(fd);
}

/* newstat, which scripts look at, where the machine has it. */
static void once_stat(void)
{
	struct stat s;

#ifdef SYS_stat
	if (syscall(SYS_stat, self, &s))
#else
	if (stat(self, &s))
#endif
		die(self);
}

static void once_read(void)
{
	char byte;

	if (pread(file, &byte, 1, 0) != 1)
		die(self);
}

static void once_sync(void)
{
	if (fdatasync(file))
		die(self);
}

static void prepare_direct(void)
{
	file = open(what, O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (file < 0)
		die(what);
}

/* Each thread reads other blocks than the others, so that no request is merged or waits. */
static void once_direct(void)
{
	static _Atomic unsigned int next;
	static __thread char *block;

	if (!block && posix_memalign((void **)&block, BLOCK, BLOCK))
		die("memory");
	if (pread(file, block, BLOCK, (off_t)(next++ % 4096) * 2 * BLOCK) != BLOCK)
		die(what);
}

static void prepare_connect(void)
{
	socklen_t n = sizeof(address);

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener < 0 || bind(listener, (struct sockaddr *)&address, n) ||
	    listen(listener, 16) || getsockname(listener, (struct sockaddr *)&address, &n))
		die("listen on 127.0.0.1");
}

/* A reset ends the connection: ports that wait after a close would soon be all there are. */
static void once_connect(void)
{
	struct linger reset = { .l_onoff = 1 };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), other;

	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)))
		die("connect to 127.0.0.1");
	other = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (other < 0 || setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset)))
		die("accept");
	close(fd);
	close(other);
}

/* A connection that stays. */
static void prepare_send(void)
{
	prepare_connect();
	to[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (to[0] < 0 || connect(to[0], (struct sockaddr *)&address, sizeof(address)))
		die("connect to 127.0.0.1");
	to[1] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (to[1] < 0)
		die("accept");
}

static void once_send(void)
{
	char bytes[64] = "";

	if (send(to[0], bytes, sizeof(bytes), 0) != sizeof(bytes) ||
	    recv(to[1], bytes, sizeof(bytes), MSG_WAITALL) != sizeof(bytes))
		die("send over 127.0.0.1");
}

/* fork() and not posix_spawn(), which makes no process of its own memory. */
static void once_exec(void)
{
	char *argv[] = { (char *)what, "noop", NULL };
	pid_t pid = fork();
	int status;

	if (pid < 0)
		die("fork");
	if (!pid) {
		execv(what, argv);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		die(what);
}

static void prepare_fault(void)
{
	pages = mmap(NULL, PAGES * BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (pages == MAP_FAILED)
		die("mmap");
	madvise(pages, PAGES * BLOCK, MADV_NOHUGEPAGE);
}

static void once_fault(void)
{
	((volatile char *)pages)[page++ * BLOCK] = 1;
}

static void after_fault(void)
{
	if (madvise(pages, PAGES * BLOCK, MADV_DONTNEED))
		die("madvise");
	page = 0;
}

static void once_malloc(void)
{
	void *volatile p = malloc(100);

	free(p);
}

static const struct work works[] = {
	{ "pingpong", NULL, prepare_pingpong, once_pingpong, NULL, 32, 1 },
	{ "getppid", NULL, NULL, once_getppid, NULL, 200, 1 },
	{ "kill", NULL, NULL, once_kill, NULL, 100, 1 },
	{ "open", NULL, prepare_self, once_open, NULL, 32, 1 },
	{ "stat", NULL, prepare_self, once_stat, NULL, 32, 1 },
	{ "read", NULL, prepare_self, once_read, NULL, 100, 1 },
	{ "sync", NULL, prepare_self, once_sync, NULL, 32, 1 },
	{ "nap", NULL, NULL, once_nap, NULL, 32, 1 },
	{ "direct", "DEVICE", prepare_direct, once_direct, NULL, 16, 1 },
	{ "direct8", "DEVICE", prepare_direct, once_direct, NULL, 4, THREADS },
	{ "connect", NULL, prepare_connect, once_connect, NULL, 4, 1 },
	{ "send", NULL, prepare_send, once_send, NULL, 16, 1 },
	{ "exec", "PROGRAM", NULL, once_exec, NULL, 1, 1 },
	{ "fault", NULL, prepare_fault, once_fault, after_fault, PAGES, 1 },
	{ "malloc", NULL, NULL, once_malloc, NULL, 16, 1 },
};

static const struct work *work;
static double samples[THREADS * BURSTS];	/* ns an operation, of each burst */

/* One thread keeps its CPU awake; several would take it from each other. */
static void wait_until(int64_t at)
{
	struct timespec t = { at / 1000000000, at % 1000000000 };

	if (work->threads > 1)
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	while (now_ns() < at)
		;
}

/* The bursts of a thread; all threads begin theirs in the same milliseconds. */
static void *bursts(void *arg)
{
	double *sample = arg;
	int64_t next;

	pthread_barrier_wait(&all_began);
	next = (now_ns() / PERIOD_NS + 1) * PERIOD_NS;
	for (int i = -WARM; i < BURSTS; i++) {
		int64_t begin;

		wait_until(next);
		begin = now_ns();
		for (int j = 0; j < work->burst; j++)
			work->once();
		if (i >= 0)
			sample[i] = (double)(now_ns() - begin) / work->burst;
		if (work->after)
			work->after();
		next += PERIOD_NS;
		if (next < now_ns())
			next = (now_ns() / PERIOD_NS + 1) * PERIOD_NS;
	}
	return NULL;
}

static void run(void)
{
	pthread_t threads[THREADS];
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_barrier_init(&all_began, NULL, (unsigned int)work->threads);
	for (int i = 1; i < work->threads; i++)
		if (pthread_create(&threads[i], &attr, bursts, samples + i * BURSTS))
			die("pthread_create");
	bursts(samples);
	for (int i = 1; i < work->threads; i++)
		pthread_join(threads[i], NULL);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double middle_half(size_t n)
{
	double sum = 0;
	size_t first = n / 4, end = n - n / 4;

	qsort(samples, n, sizeof(*samples), by_value);
	for (size_t i = first; i < end; i++)
		sum += samples[i];
	return sum / (double)(end - first);
}

/* Threads may run on all CPUs, whatever the one that started this may. */
static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (i == cpu || work->threads > 1)
			CPU_SET(i, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 2 && i < sizeof(works) / sizeof(*works); i++)
		if (!strcmp(argv[1], works[i].name) && argc == (works[i].what ? 4 : 3))
			work = &works[i];
	if (!work) {
		fputs("usage: paid WORK CPU [WHAT]; the works:", stderr);
		for (size_t i = 0; i < sizeof(works) / sizeof(*works); i++)
			fprintf(stderr, " %s%s%s", works[i].name, works[i].what ? " CPU " : "",
				works[i].what ? works[i].what : "");
		fputc('\n', stderr);
		return 2;
	}
	what = argv[3];
	pin(atoi(argv[2]));
	if (work->prepare)
		work->prepare();
	run();
	printf("ns %.1f\n", middle_half((size_t)work->threads * BURSTS));
	return 0;
}
