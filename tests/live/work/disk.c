// SPDX-License-Identifier: GPL-2.0
/* Jobs for block devices and the page cache. */
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "work.h"

#define BLOCK 4096
/* The largest page any kernel has. */
#define PAGE_MAX 65536

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

/* BLKDISCARD and the like of a part of a device; as a write, how many bytes were written. */
static ssize_t erase(int fd, unsigned long call, long size, int64_t at)
{
	uint64_t range[2] = { at, size };

	return ioctl(fd, call, range) ? -1 : size;
}

/* Where access number i of n is, in accesses: behind the other; apart, the last first; in pairs. */
static long place(const char *order, long i, long n)
{
	if (!strcmp(order, "backward"))
		return 2 * (n - i);
	return !strcmp(order, "pairs") ? i / 2 * 4 + i % 2 : i;
}

/*
 * block PID read|write SECTOR BYTES USECS: N requests of SIZE bytes (4096, if not said), one after
 * the other, past the page cache, from the beginning of a device or file on. With flush instead, N
 * times fsync(2): sector and bytes are 0. With discard or zero the device is told so, where it can
 * do that. USECS is how long the call took. Instead of one behind the other, each may lie apart,
 * the last place first, or every second one.
 */
static int job_block(int argc, char **argv)
{
	bool reads = !strcmp(argv[1], "read"), flushes = !strcmp(argv[1], "flush");
	unsigned long erases = !strcmp(argv[1], "discard") ? BLKDISCARD :
			       !strcmp(argv[1], "zero") ? BLKZEROOUT : 0;
	long n = number(argv[3]), size = flushes ? 0 : argc > 4 ? number(argv[4]) : BLOCK;
	int fd = open(argv[2], (reads ? O_RDONLY : O_WRONLY) | O_DIRECT);
	void *buffer;

	if (fd < 0)
		die(argv[2]);
	if (posix_memalign(&buffer, PAGE_MAX, size + BLOCK))
		die("memory");
	memset(buffer, 0, size);
	for (long i = 0; i < n; i++) {
		int64_t begin = now_us();
		off_t at = place(argc > 5 ? argv[5] : "forward", i, n) * size;
		ssize_t done = reads ? pread(fd, buffer, size, at) :
			       flushes ? fsync(fd) :
			       erases ? erase(fd, erases, size, at) :
			       pwrite(fd, buffer, size, at);

		if (done != size)
			die(argv[2]);
		say("block\t%d\t%s\t%ld\t%ld\t%lld\n", getpid(), argv[1], (long)(at / 512), size,
		    (long long)(now_us() - begin));
	}
	free(buffer);
	close(fd);
	return 0;
}

/* A partition of a loop device, which goes with it: number 1, from a sector on. */
static int job_partition(int argc, char **argv)
{
	struct blkpg_partition part = { .start = 512LL * number(argv[2]),
					.length = 512LL * number(argv[3]), .pno = 1 };
	struct blkpg_ioctl_arg add = { .op = BLKPG_ADD_PARTITION, .datalen = sizeof(part),
				       .data = &part };
	struct loop_info64 info;
	int fd = open(argv[1], O_RDWR);

	(void)argc;
	if (fd < 0 || ioctl(fd, LOOP_GET_STATUS64, &info))
		die(argv[1]);
	info.lo_flags |= LO_FLAGS_PARTSCAN;
	if (ioctl(fd, LOOP_SET_STATUS64, &info) || ioctl(fd, BLKPG, &add))
		die("BLKPG_ADD_PARTITION");
	close(fd);
	return 0;
}

struct ioflood {
	const char *file;
	long first, pages, n;
};

static void *ioflood(void *arg)
{
	const struct ioflood *f = arg;
	int fd = open(f->file, O_RDWR | O_DIRECT);
	void *buffer;

	if (fd < 0)
		die(f->file);
	if (posix_memalign(&buffer, PAGE_MAX, BLOCK))
		die("memory");
	memset(buffer, 0, BLOCK);
	for (long i = 0; i < f->n; i++) {
		long at = (f->first + i * 7919 % f->pages) * BLOCK;

		if ((i % 2 ? pread(fd, buffer, BLOCK, at) : pwrite(fd, buffer, BLOCK, at)) != BLOCK)
			die(f->file);
	}
	free(buffer);
	close(fd);
	return NULL;
}

/*
 * ioflood PID FROM TO TOTAL: each of THREADS threads writes and reads N blocks of 4096 bytes, all
 * over its own share of PAGES blocks from the block FIRST on, or all of them over the one block if
 * there is but one; sectors FROM to TO.
 */
static int job_ioflood(int argc, char **argv)
{
	long first = number(argv[2]), pages = number(argv[3]), n = number(argv[4]),
		threads = number(argv[5]);
	struct ioflood *f = calloc(threads + 1, sizeof(*f));
	pthread_t *t = calloc(threads + 1, sizeof(*t));

	(void)argc;
	for (long i = 0; i < threads; i++) {
		f[i] = (struct ioflood){ argv[1], first + i * (pages / threads),
					 pages > 1 ? pages / threads : 1, n };
		pthread_create(&t[i], NULL, ioflood, &f[i]);
	}
	for (long i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	say("ioflood\t%d\t%ld\t%ld\t%ld\n", getpid(), first * 8, (first + pages) * 8 - 1,
	    n * threads);
	free(t);
	free(f);
	return 0;
}

struct syncer {
	const char *dir;
	long number, n;
};

static void *syncer(void *arg)
{
	const struct syncer *s = arg;
	char path[300];
	int fd;

	snprintf(path, sizeof(path), "%s/synced-%ld", s->dir, s->number);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		die(path);
	for (long i = 0; i < s->n; i++)
		if (pwrite(fd, "x", 1, i) != 1 || fsync(fd))
			die(path);
	close(fd);
	unlink(path);
	return NULL;
}

/* syncflood PID TOTAL: THREADS threads write to a file each in DIR and sync it, N times. */
static int job_syncflood(int argc, char **argv)
{
	long n = number(argv[2]), threads = number(argv[3]);
	struct syncer *s = calloc(threads + 1, sizeof(*s));
	pthread_t *t = calloc(threads + 1, sizeof(*t));

	(void)argc;
	for (long i = 0; i < threads; i++) {
		s[i] = (struct syncer){ argv[1], i, n };
		pthread_create(&t[i], NULL, syncer, &s[i]);
	}
	for (long i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	say("syncflood\t%d\t%ld\n", getpid(), n * threads);
	free(t);
	free(s);
	return 0;
}

/*
 * cache PID dirty N: N whole pages of a file written through the page cache, and left dirty there.
 */
static int job_dirty(int argc, char **argv)
{
	static char page[PAGE_MAX];
	long n = number(argv[2]), size = sysconf(_SC_PAGESIZE);
	int fd = open(argv[1], O_RDWR | O_CREAT, 0600);

	(void)argc;
	if (fd < 0)
		die(argv[1]);
	for (long i = 0; i < n; i++)
		if (pwrite(fd, page, size, i * size) != size)
			die(argv[1]);
	close(fd);
	say("cache\t%d\tdirty\t%ld\n", getpid(), n);
	return 0;
}

/* cache PID read N: every page of a file read once, a page a call, without read-ahead. */
static int job_readback(int argc, char **argv)
{
	static char page[PAGE_MAX];
	long n = 0, size = sysconf(_SC_PAGESIZE);
	int fd = open(argv[1], O_RDONLY);

	(void)argc;
	if (fd < 0)
		die(argv[1]);
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	while (pread(fd, page, size, n * size) > 0)
		n++;
	close(fd);
	say("cache\t%d\tread\t%ld\n", getpid(), n);
	return 0;
}

/* Every page of a file is read and read again, and N pages of another are written. */
static int job_threefold(int argc, char **argv)
{
	job_readback(argc, argv);
	job_readback(argc, argv);
	return job_dirty(argc, argv + 1);
}

/* Writes a file's pages out and drops them from the cache: the next reads miss. */
static int job_drop(int argc, char **argv)
{
	int fd = open(argv[1], O_RDONLY);

	(void)argc;
	if (fd < 0 || fsync(fd) || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
		die(argv[1]);
	close(fd);
	return 0;
}

static int job_cached(int argc, char **argv)
{
	long n = 0, size = sysconf(_SC_PAGESIZE);
	int fd = open(argv[1], O_RDONLY);
	unsigned char *cached = NULL;
	struct stat s = { };
	size_t pages;
	void *file;

	(void)argc;
	if (fd < 0 || fstat(fd, &s))
		die(argv[1]);
	pages = (s.st_size + size - 1) / size;
	cached = calloc(1, pages + 1);
	file = mmap(NULL, s.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (!cached || file == MAP_FAILED || mincore(file, s.st_size, cached))
		die(argv[1]);
	for (size_t i = 0; i < pages; i++)
		n += cached[i] & 1;
	say("cache\t%d\tcached\t%ld\n", getpid(), n);
	return 0;
}

const struct job disk_jobs[] = {
	{ "block", "read|write|flush|discard|zero FILE N [SIZE [forward|backward|pairs]]", 3,
	  job_block,
	  "block PID read|write SECTOR BYTES USECS" },
	{ "partition", "LOOP START SECTORS", 3, job_partition,
	  "nothing; makes partition 1 of a loop device" },
	{ "ioflood", "FILE FIRST PAGES N THREADS", 5, job_ioflood, "ioflood PID FROM TO TOTAL" },
	{ "syncflood", "DIR N THREADS", 3, job_syncflood, "syncflood PID TOTAL" },
	{ "dirty", "FILE N", 2, job_dirty, "cache PID dirty N" },
	{ "readback", "FILE", 1, job_readback, "cache PID read N" },
	{ "threefold", "FILE FILE2 N", 3, job_threefold,
	  "cache PID read N, twice; cache PID dirty N" },
	{ "cached", "FILE", 1, job_cached,
	  "cache PID cached N: pages of the file that are in the page cache" },
	{ "drop", "FILE", 1, job_drop, "nothing; drops a file from the page cache" },
	{ 0 }
};
