// SPDX-License-Identifier: GPL-2.0
/*
 * cachestat, cachefill: pages of our own loop device, or else of a file, are read while they are
 * not in the cache and read again, and others are written. One page at a time: the kernel counts
 * readahead and large writes in larger pieces. What others do meanwhile is counted too by
 * cachestat; how many pages they dirtied is known.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/commands/selftest/disk.h"

#define BYTES (4 << 20)
#define LEAST 256		/* pages, where they are large */

struct state {
	int fd;
	char *page;
	size_t size;
	int pages;
	int64_t dirtied;
};

/* File systems whose files are in the page cache page by page; by their numbers in statfs(2). */
static bool known_file_system(int fd)
{
	static const uint32_t known[] = {
		0xef53 /* ext2 to ext4 */, 0x58465342 /* xfs */, 0x9123683e /* btrfs */,
	};
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return false;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if ((uint32_t)fs.f_type == known[i])
			return true;
	return false;
}

static int open_pages(struct work *w, struct state *s)
{
	char path[4096], name[32];

	s->fd = disk_own(w, 2 * s->size * (size_t)s->pages, 0, name, sizeof(name));
	if (s->fd >= 0)
		return 0;
	text_all(path, sizeof(path), "%s/file", w->folder);
	s->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (s->fd < 0)
		return not_here(w, "%s: %s", path, strerror(errno));
	if (!known_file_system(s->fd))
		return not_here(w, "no page cache to use: no loop device (modprobe loop), and "
				   "TMPDIR is on tmpfs or the like, "
				"which counts in its own way");
	return 0;
}

static int64_t page_of(const struct state *s, int i)
{
	return (int64_t)s->size * i;
}

static int write_pages(struct work *w, const struct state *s, int first)
{
	for (int i = first; i < first + s->pages; i++)
		if (pwrite(s->fd, s->page, s->size, page_of(s, i)) != (ssize_t)s->size)
			return not_here(w, "writing %d pages: %s", s->pages, strerror(errno));
	return 0;
}

/*
 * Pages dirtied since boot, as the kernel counts them; it adds up the CPUs when this file is read.
 */
static int64_t dirtied(void)
{
	char byte;
	int fd = open("/proc/sys/vm/stat_refresh", O_RDONLY | O_CLOEXEC);	/* 4.7 */

	if (fd >= 0) {
		if (read(fd, &byte, 1) < 0)
			byte = '\0';
		close(fd);
	}
	return vmstat_count("nr_dirtied");
}

static int prepare(struct work *w)
{
	struct state *s = w->state;

	s->size = (size_t)sysconf(_SC_PAGESIZE);
	s->pages = (int)(BYTES / s->size);
	s->pages = s->pages < LEAST ? LEAST : s->pages;
	s->page = malloc(s->size);
	if (!s->page)
		return not_here(w, "out of memory");
	memset(s->page, 's', s->size);
	if (open_pages(w, s))
		return -1;
	posix_fadvise(s->fd, 0, 0, POSIX_FADV_RANDOM);
	return 0;
}

/* What is read later is on the disk, and not in the cache. */
static int prepare_read(struct work *w)
{
	struct state *s = w->state;

	if (prepare(w) || write_pages(w, s, 0))
		return -1;
	if (fsync(s->fd))
		return not_here(w, "writing %d pages: %s", s->pages, strerror(errno));
	posix_fadvise(s->fd, 0, 0, POSIX_FADV_DONTNEED);
	s->dirtied = dirtied();
	return 0;
}

static int prepare_write(struct work *w)
{
	struct state *s = w->state;

	if (prepare(w))
		return -1;
	s->dirtied = dirtied();
	return 0;
}

static int work_read(struct work *w)
{
	const struct state *s = w->state;

	for (int turn = 0; turn < 2; turn++)
		for (int i = 0; i < s->pages; i++)
			if (pread(s->fd, s->page, s->size, page_of(s, i)) != (ssize_t)s->size)
				return not_here(w, "reading %d pages: %s", s->pages,
						strerror(errno));
	say_integer(w, "pages", s->pages);
	say_integer(w, "others", dirtied() - s->dirtied);
	return 0;
}

static int work_write(struct work *w)
{
	const struct state *s = w->state;

	if (write_pages(w, s, s->pages))
		return -1;
	say_integer(w, "pages", s->pages);
	say_integer(w, "others", dirtied() - s->dirtied - s->pages);
	return 0;
}

/*
 * Where the kernel does not tell what pages are added for, nobody knows the misses while others
 * dirty pages.
 */
static void check_read(struct found *f)
{
	int64_t pages = said_integer(f, "pages"), others = said_integer(f, "others"),
		slack = pages / 20, n;

	others = others > 0 ? others : 0;
	if (found_sum(f, "misses", &n))
		found_between(f, "misses", pages - others - slack, n, pages + pages / 2 + others);
	else if (!found_missing(f, "cache.add") && !found_missing(f, "cache.dirty") &&
		 !found_missing(f, "cache.add.gfp"))
		cell_verdict(f->cell, VERDICT_WRONG, "misses: wanted %lld, got nothing",
			     (long long)pages);
	if (found_sum(f, "hits", &n))
		found_between(f, "hits", pages - others - slack, n, INT64_MAX);
	else if (!found_missing(f, "cache.access") && !found_missing(f, "cache.add") &&
		 !found_missing(f, "cache.dirty") &&
		 !found_missing(f, "cache.buffer") && !found_missing(f, "cache.add.gfp"))
		cell_verdict(f->cell, VERDICT_WRONG, "hits: wanted %lld, got nothing",
			     (long long)pages);
}

static void check_write(struct found *f)
{
	int64_t pages = said_integer(f, "pages"), others = said_integer(f, "others"),
		slack = pages / 4, n;

	others = others > 0 ? others : 0;
	if (found_sum(f, "dirties", &n))
		found_between(f, "dirties", pages, n, pages + others + slack);
	else if (!found_missing(f, "cache.dirty"))
		cell_verdict(f->cell, VERDICT_WRONG, "dirties: wanted %lld, got nothing",
			     (long long)pages);
}

/* One interval, longer than the whole workload. */
static const char *const options[] = { "3600", NULL };

static const struct selftest_part parts[] = {
	{ "reads", options, NULL, prepare_read, work_read, check_read },
	{ "writes", options, NULL, prepare_write, work_write, check_write },
	{ }
};

SELFTEST(cachestat, parts, .machine_wide = true, .state_size = sizeof(struct state),
	 .cleanup = disk_remove);

/* Pages that are there already do not come into the cache. */
static void check_fill(struct found *f)
{
	int64_t pages = said_integer(f, "pages"), n = 0;

	found_sum(f, "pages", &n);
	found_between(f, "pages", pages, n, f->foreign ? INT64_MAX : pages + pages / 20);
}

static const char *const fill_options[] = { "--pid", "%pid", "3600", NULL };

static const struct selftest_part fill_parts[] = {
	{ .options = fill_options, .foreign = options, .prepare = prepare_read, .work = work_read,
	  .check = check_fill },
	{ }
};

SELFTEST(cachefill, fill_parts, .state_size = sizeof(struct state), .cleanup = disk_remove);
