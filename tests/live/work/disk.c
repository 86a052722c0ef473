// SPDX-License-Identifier: GPL-2.0
/* Jobs for block devices and the page cache. */
#include <time.h>

#include "work.h"

#define BLOCK 4096

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

/*
 * block PID read|write SECTOR BYTES USECS: N requests of SIZE bytes (4096, if not said), one after the other, past the
 * page cache, from the beginning of a device or file on. With flush instead, N times fsync(2): sector and bytes are 0.
 * USECS is how long the call took.
 */
static int job_block(int argc, char **argv)
{
	bool reads = !strcmp(argv[1], "read"), flushes = !strcmp(argv[1], "flush");
	long n = number(argv[3]), size = flushes ? 0 : argc > 4 ? number(argv[4]) : BLOCK;
	int fd = open(argv[2], (reads ? O_RDONLY : O_WRONLY) | O_DIRECT);
	void *buffer;

	if (fd < 0)
		die(argv[2]);
	if (posix_memalign(&buffer, BLOCK, size + BLOCK))
		die("memory");
	memset(buffer, 0, size);
	for (long i = 0; i < n; i++) {
		int64_t begin = now_us();
		ssize_t done = reads ? pread(fd, buffer, size, i * size) :
			       flushes ? fsync(fd) : pwrite(fd, buffer, size, i * size);

		if (done != size)
			die(argv[2]);
		say("block\t%d\t%s\t%ld\t%ld\t%lld\n", getpid(), argv[1], i * size / 512, size,
		    (long long)(now_us() - begin));
	}
	free(buffer);
	close(fd);
	return 0;
}

/* cache PID dirty N: N whole pages of a file written through the page cache, and left dirty there. */
static int job_dirty(int argc, char **argv)
{
	long n = number(argv[2]), size = sysconf(_SC_PAGESIZE);
	int fd = open(argv[1], O_RDWR | O_CREAT, 0600);
	char *page = calloc(1, size);

	(void)argc;
	if (fd < 0 || !page)
		die(argv[1]);
	for (long i = 0; i < n; i++)
		if (pwrite(fd, page, size, i * size) != size)
			die(argv[1]);
	close(fd);
	free(page);
	say("cache\t%d\tdirty\t%ld\n", getpid(), n);
	return 0;
}

/* cache PID read N: every page of a file read once, a page a call, without read-ahead. */
static int job_readback(int argc, char **argv)
{
	int fd = open(argv[1], O_RDONLY);
	long n = 0, size = sysconf(_SC_PAGESIZE);
	char *page = malloc(size);

	(void)argc;
	if (fd < 0 || !page)
		die(argv[1]);
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	while (pread(fd, page, size, n * size) > 0)
		n++;
	close(fd);
	free(page);
	say("cache\t%d\tread\t%ld\n", getpid(), n);
	return 0;
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

const struct job disk_jobs[] = {
	{ "block", "read|write|flush FILE N [SIZE]", 3, job_block, "block PID read|write SECTOR BYTES USECS" },
	{ "dirty", "FILE N", 2, job_dirty, "cache PID dirty N" },
	{ "readback", "FILE", 1, job_readback, "cache PID read N" },
	{ "drop", "FILE", 1, job_drop, "nothing; drops a file from the page cache" },
	{ 0 }
};
