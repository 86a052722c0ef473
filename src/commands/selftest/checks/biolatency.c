// SPDX-License-Identifier: GPL-2.0
/*
 * biolatency and biostacks: requests of one page each, with O_DIRECT, to our own loop device, where
 * each is counted; else to a file, whose disk others may use too.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "src/commands/selftest/disk.h"

#define WRITES 40
#define READS 20
#define MOST (1 << 20)		/* of others' requests to the same disk */

struct state {
	int fd;
	void *page;
	size_t size;
};

static int64_t page_of(const struct state *s, int i)
{
	return (int64_t)s->size * i;
}

/* A file whose blocks are all allocated, so that only its own pages are written. */
static int disk_file(struct work *w, struct state *s)
{
	char path[4096], name[64];

	text_all(path, sizeof(path), "%s/file", w->folder);
	s->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (s->fd < 0 || !disk_of(s->fd, name, sizeof(name)) || !disk_has_requests(name))
		return not_here(w, "no block device to use: no loop device (modprobe loop), and "
				   "TMPDIR is not on a disk");
	for (int i = 0; i < WRITES; i++)
		if (pwrite(s->fd, s->page, s->size, page_of(s, i)) != (ssize_t)s->size)
			return not_here(w, "%s: %s", path, strerror(errno));
	if (fsync(s->fd) || fcntl(s->fd, F_SETFL, O_DIRECT))
		return not_here(w, "no block device to use: TMPDIR: %s", strerror(errno));
	say_text(w, "disk", name);
	return 0;
}

static int prepare(struct work *w)
{
	struct state *s = w->state;
	char name[32];
	int error;

	s->size = (size_t)sysconf(_SC_PAGESIZE);
	error = posix_memalign(&s->page, s->size, s->size);
	if (error)
		return not_here(w, "%s", strerror(error));
	memset(s->page, 's', s->size);
	s->fd = disk_own(w, s->size * WRITES, O_DIRECT, name, sizeof(name));
	if (s->fd >= 0 && disk_has_requests(name)) {
		say_integer(w, "own", 1);
		return 0;
	}
	if (s->fd >= 0)
		close(s->fd);
	return disk_file(w, s);
}

static int work(struct work *w)
{
	const struct state *s = w->state;
	int64_t start = clock_ns(CLOCK_MONOTONIC) / 1000;

	for (int i = 0; i < WRITES; i++)
		if (pwrite(s->fd, s->page, s->size, page_of(s, i)) != (ssize_t)s->size)
			return not_here(w, "writing to a disk: %s", strerror(errno));
	for (int i = 0; i < READS; i++)
		if (pread(s->fd, s->page, s->size, page_of(s, i)) != (ssize_t)s->size)
			return not_here(w, "reading from a disk: %s", strerror(errno));
	say_integer(w, "usecs", clock_ns(CLOCK_MONOTONIC) / 1000 - start);
	return 0;
}

static void check(struct found *f)
{
	bool own = said_integer(f, "own");

	if (!own)
		cell_note(f->cell, "others use the disk too: not counted exactly");
	found_between(f, "writes", WRITES, found_counted(f, "flags", "Write"), own ? WRITES : MOST);
	/* udev and the like read from a new device, to look for a file system. */
	found_between(f, "reads", READS, found_counted(f, "flags", "Read"), MOST);
	if (own && found_counted(f, NULL, NULL) == WRITES + READS &&
	    found_total(f) > said_integer(f, "usecs"))
		cell_verdict(f->cell, VERDICT_WRONG,
			     "wanted latencies of at most %lld us together, got %lld",
			     (long long)said_integer(f, "usecs"), (long long)found_total(f));
}

static const char *const options[] = { "-F", "-d", "%disk", NULL };

static const struct selftest_part parts[] = {
	{ NULL, options, NULL, prepare, work, check },
	{ }
};

SELFTEST(biolatency, parts, .state_size = sizeof(struct state), .cleanup = disk_remove);

/* Requests of the workload, which waits for each: it made them all. */
static void check_stacks(struct found *f)
{
	bool exact = said_integer(f, "own") && !f->foreign;

	found_between(f, "requests", WRITES + READS, found_counted(f, NULL, NULL),
		      exact ? WRITES + READS : MOST);
}

static const char *const stacks_options[] = { "-d", "%disk", "--pid", "%pid", NULL };
static const char *const stacks_foreign[] = { "-d", "%disk", NULL };

static const struct selftest_part stacks_parts[] = {
	{ NULL, stacks_options, stacks_foreign, prepare, work, check_stacks },
	{ }
};

SELFTEST(biostacks, stacks_parts, .state_size = sizeof(struct state), .cleanup = disk_remove);
