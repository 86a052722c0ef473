// SPDX-License-Identifier: GPL-2.0
/* Jobs that make many events, or keep CPUs busy. */
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

#include <sys/resource.h>

#include "work.h"

static void flood_openat(long i)
{
	(void)i;
	syscall(SYS_openat, AT_FDCWD, "/nonexistent/flood", O_RDONLY);
}

/* Each with a name of its own, so that a lost one can be told. */
static void flood_names(long i)
{
	char name[40];

	snprintf(name, sizeof(name), "/nonexistent/%ld", i);
	syscall(SYS_openat, AT_FDCWD, name, O_RDONLY);
}

static void flood_execve(long i)
{
	(void)i;
	syscall(SYS_execve, "/nonexistent/flood", (char *[]){ "flood", NULL }, (char *[]){ NULL });
}

static void flood_getppid(long i)
{
	(void)i;
	syscall(SYS_getppid);
}

/* Long enough that all threads sleep at once. */
static void flood_nap(long i)
{
	(void)i;
	nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
}

/* To a port of loopback where nobody listens: an attempt each, and no port is used up. */
static void flood_connect(long i)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(1) };
	int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)i;
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	connect(s, (struct sockaddr *)&to, sizeof(to));
	close(s);
}

static const struct {
	const char *name;
	void (*call)(long i);
} calls[] = {
	{ "openat", flood_openat }, { "names", flood_names }, { "execve", flood_execve },
	{ "getppid", flood_getppid }, { "connect", flood_connect }, { "nap", flood_nap },
};

struct flood {
	void (*call)(long i);
	long n;
};

static void *flood(void *arg)
{
	const struct flood *f = arg;

	for (long i = 0; i < f->n; i++)
		f->call(i);
	return NULL;
}

/* flood PID CALL TOTAL: N calls by each of THREADS threads, as fast as they go. */
static int job_flood(int argc, char **argv)
{
	long threads = argc > 3 ? number(argv[3]) : 1;
	struct flood f = { .n = number(argv[2]) };
	pthread_t *t = calloc(threads + 1, sizeof(*t));

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (!strcmp(calls[i].name, argv[1]))
			f.call = calls[i].call;
	if (!f.call) {
		fprintf(stderr, "work: can't flood %s\n", argv[1]);
		return 2;
	}
	for (long i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, flood, &f);
	for (long i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	free(t);
	say("flood\t%d\t%s\t%ld\n", getpid(), argv[1], f.n * threads);
	return 0;
}

/* faults PID N: so many page faults more than with 0, of pages that are small wherever it runs. */
static int job_faults(int argc, char **argv)
{
	long n = number(argv[1]), size = sysconf(_SC_PAGESIZE);
	char *pages;

	(void)argc;
	pages = mmap(NULL, (size_t)(n + 1) * size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		return 2;
	madvise(pages, (size_t)(n + 1) * size, MADV_NOHUGEPAGE);
	for (long i = 0; i < n; i++)
		*(volatile char *)(pages + i * size) = 1;
	say("faults\t%d\t%ld\n", getpid(), n);
	return 0;
}

static void pin(long cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

/*
 * How often this process, or its children that have ended, gave way to another task, by the
 * kernel's account.
 */
static long switches(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/*
 * sleeps PID N SWITCHES BEFORE: N sleeps of 1 ms, one after the other; each ends in a wakeup. On
 * the given CPU, if any.
 */
static int job_sleeps(int argc, char **argv)
{
	const long before = switches(RUSAGE_SELF);

	if (argc > 2)
		pin(number(argv[2]));
	for (long i = 0, n = number(argv[1]); i < n; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	say("sleeps\t%d\t%s\t%ld\t%ld\n", getpid(), argv[1], switches(RUSAGE_SELF), before);
	return 0;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static volatile bool spun;

static void *spin(void *arg)
{
	long turns = 0;

	(void)arg;
	while (!spun)
		turns++;
	return (void *)turns;
}

/*
 * spin PID THREADS MS CPU-US WALL-US: threads that want a CPU all the time; all on the given one,
 * if any. What they had of it, by the kernel's account, and how long it took.
 */
static int job_spin(int argc, char **argv)
{
	long threads = number(argv[1]), ms = number(argv[2]);
	pthread_t *t = calloc(threads + 1, sizeof(*t));
	double begin = seconds(), end = begin + ms / 1e3;
	long long before = cpu_us();	/* what it had before execve(2) is the same process's */

	if (argc > 3)
		pin(number(argv[3]));
	for (long i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, spin, NULL);
	while (seconds() < end)
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
	spun = true;
	for (long i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	free(t);
	say("spin\t%d\t%ld\t%ld\t%lld\t%lld\n", getpid(), threads, ms, cpu_us() - before,
	    (long long)((seconds() - begin) * 1e6));
	return 0;
}

/*
 * rival PID MS: for so long nobody else has the CPU. A task of real time may have one for 0.95 of a
 * second.
 */
static int job_rival(int argc, char **argv)
{
	const double end = seconds() + number(argv[1]) / 1e3;

	(void)argc;
	pin(number(argv[2]));
	if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 50 }))
		die("sched_setscheduler");
	while (seconds() < end)
		;
	say("rival\t%d\t%s\n", getpid(), argv[1]);
	return 0;
}

/*
 * pingpong PID CHILD N SWITCHES CHILD-SWITCHES: a byte goes N times to a child and back, both on
 * one CPU: each turn puts either of them on the run queue once, by a wakeup, or by preemption where
 * the woken one takes the CPU at once.
 */
static int job_pingpong(int argc, char **argv)
{
	long n = number(argv[1]);
	int there[2], back[2];
	char byte = 0;
	pid_t child;

	pin(argc > 2 ? number(argv[2]) : 0);
	if (pipe(there) || pipe(back))
		die("pipe");
	child = fork();
	if (child < 0)
		die("fork");
	if (!child) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	for (long i = 0; i < n; i++)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			die("pipe");
	close(there[1]);
	waitpid(child, NULL, 0);
	say("pingpong\t%d\t%d\t%ld\t%ld\t%ld\n", getpid(), child, n, switches(RUSAGE_SELF),
	    switches(RUSAGE_CHILDREN));
	return 0;
}

/* The sum of the lines of /proc/vmstat that begin with a name. */
static long long vmstat(const char *name)
{
	FILE *f = fopen("/proc/vmstat", "r");
	long long sum = 0, n;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)) && sscanf(line, "%*s %lld", &n) == 1)
			sum += n;
	if (f)
		fclose(f);
	return sum;
}

static int huge_pages(const char *n)
{
	int fd = open("/proc/sys/vm/nr_hugepages", O_WRONLY);
	int written = fd >= 0 && write(fd, n, strlen(n)) > 0;

	if (fd >= 0)
		close(fd);
	return written;
}

/*
 * reclaim PID COMM STALLS PAGES: asks for more huge pages than there is memory, which it has to get
 * free, and gives them back; the kernel's own counts of how often tasks had to, and of pages they
 * got, meanwhile.
 */
static int job_reclaim(int argc, char **argv)
{
	long long stalls = vmstat("allocstall"), pages = vmstat("pgsteal_direct");

	(void)argc;
	(void)argv;
	if (!huge_pages("1000000") || !huge_pages("0"))
		die("/proc/sys/vm/nr_hugepages");
	say("reclaim\t%d\t", getpid());
	say_comm();
	say("%lld\t%lld\n", vmstat("allocstall") - stalls, vmstat("pgsteal_direct") - pages);
	return 0;
}

static void *nothing(void *arg)
{
	return arg;
}

/*
 * churn PID FORKS WRAPS FILES: FORKS processes that end at once, one after the other, every eighth
 * with a thread; the ids began anew WRAPS times. FILES files are made in DIR; every other one is
 * removed, the others stay.
 */
static int job_churn(int argc, char **argv)
{
	long forks = number(argv[2]), files = number(argv[3]), wraps = 0;
	pid_t last = 0;
	char path[300];

	(void)argc;
	for (long i = 0; i < forks; i++) {
		pthread_t t;
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid) {
			if (i % 8 == 0 && !pthread_create(&t, NULL, nothing, NULL))
				pthread_join(t, NULL);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		wraps += pid < last;
		last = pid;
	}
	for (long i = 0; i < files; i++) {
		snprintf(path, sizeof(path), "%s/%d-%ld", argv[1], getpid(), i);
		close(open(path, O_WRONLY | O_CREAT | O_EXCL, 0600));
		if (i % 2)
			unlink(path);
	}
	say("churn\t%d\t%ld\t%ld\t%ld\n", getpid(), forks, wraps, files);
	return 0;
}

/* By the call that people name, which the C library may have replaced by another. */
static int job_naps(int argc, char **argv)
{
	const struct { long s, ns; } nap = { .ns = number(argv[2]) };	/* the kernel's own words */

	if (argc > 3)
		pin(number(argv[3]));
	for (long i = 0, n = number(argv[1]); i < n; i++)
		if (syscall(SYS_nanosleep, &nap, NULL))
			die("nanosleep");
	say("naps\t%d\t%s\n", getpid(), argv[1]);
	return 0;
}

/* The kernel copies the list: it asks for memory of that size. */
static int job_vectors(int argc, char **argv)
{
	long n = number(argv[1]), size = number(argv[2]);
	struct iovec *list = calloc((size_t)size, sizeof(*list));
	int fd = open("/dev/null", O_WRONLY);

	(void)argc;
	for (long i = 0; i < size; i++)
		list[i] = (struct iovec){ argv[0], 1 };
	for (long i = 0; i < n; i++)
		if (writev(fd, list, (int)size) != size)
			die("writev");
	say("vectors\t%d\t%ld\t%zu\n", getpid(), n, (size_t)size * sizeof(*list));
	free(list);
	close(fd);
	return 0;
}

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21			/* 5.4 */
#endif

/* N pages of different contents go to swap, and are read again, the last one first. */
static int job_swap(int argc, char **argv)
{
	long n = number(argv[1]), page = sysconf(_SC_PAGESIZE), sum = 0;
	char *pages = mmap(NULL, (size_t)(n * page), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)argc;
	if (pages == MAP_FAILED)
		die("mmap");
	madvise(pages, (size_t)(n * page), MADV_NOHUGEPAGE);
	for (long i = 0; i < n * page; i++)
		pages[i] = (char)(i * 7 + i / page + 1);
	if (madvise(pages, (size_t)(n * page), MADV_PAGEOUT)) {
		say("swap\tno\n");
		return 0;
	}
	/* Pages that are being written stay in memory. Once that is done, they can leave it. */
	usleep(1000000);
	for (int again = 0; again < 2; again++) {
		for (long i = n - 1; i >= 0; i--)
			sum += pages[i * page];
		madvise(pages, (size_t)(n * page), MADV_PAGEOUT);
	}
	for (long i = n - 1; i >= 0; i--)
		sum += pages[i * page];
	say("swap\t%ld\t%ld\n", n, sum);
	return 0;
}

const struct job load_jobs[] = {
	{ "swap", "N", 1, job_swap, "swap N SUM: pages; or `no`: this kernel can't be asked to" },
	{ "reclaim", "", 0, job_reclaim, "reclaim PID COMM STALLS PAGES" },
	{ "faults", "N", 1, job_faults, "faults PID N" },
	{ "naps", "N NS [CPU]", 2, job_naps, "naps PID N" },
	{ "vectors", "N SEGMENTS", 2, job_vectors, "vectors PID N BYTES: of each list" },
	{ "flood", "CALL N [THREADS]", 2, job_flood,
	  "flood PID CALL TOTAL (openat names execve getppid connect nap)" },
	{ "churn", "DIR FORKS FILES", 3, job_churn, "churn PID FORKS WRAPS FILES" },
	{ "sleeps", "N [CPU]", 1, job_sleeps, "sleeps PID N SWITCHES BEFORE" },
	{ "spin", "THREADS MS [CPU]", 2, job_spin, "spin PID THREADS MS CPU-US WALL-US" },
	{ "rival", "MS CPU", 2, job_rival, "rival PID MS" },
	{ "pingpong", "N [CPU]", 1, job_pingpong, "pingpong PID CHILD N SWITCHES CHILD-SWITCHES" },
	{ 0 }
};
