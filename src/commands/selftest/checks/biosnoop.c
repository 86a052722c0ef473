// SPDX-License-Identifier: GPL-2.0
/*
 * biosnoop and biotop: writes and reads of known places and sizes, on a disk that nobody else uses.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/commands/selftest/disk.h"

#define REQUESTS 60
#define LARGE 65536		/* bytes of every fourth one; no page is larger */
#define MOST 5			/* reads by udev and the like, which look for a file system */

struct state {
	int fd;
	void *bytes;
	char disk[32];
};

static int prepare(struct work *w)
{
	struct state *s = w->state;

	s->fd = disk_direct(w, REQUESTS * LARGE, LARGE, &s->bytes, s->disk, sizeof(s->disk));
	return s->fd < 0 ? -1 : 0;
}

static size_t size_of(int i)
{
	return i % 4 ? 4096 : LARGE;
}

static void want_request(struct work *w, int i)
{
	const struct state *s = w->state;

	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_text(w, "disk", s->disk, strlen(s->disk));
	want_text(w, "type", i % 2 ? "R" : "W", 1);
	want_integer(w, "sector", i * (LARGE / 512));
	want_integer(w, "bytes", (int64_t)size_of(i));
	want_end(w);
}

static void want_sums(struct work *w, const char *type, int first)
{
	const struct state *s = w->state;
	int64_t bytes = 0;

	for (int i = first; i < REQUESTS; i += 2)
		bytes += (int64_t)size_of(i);
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_text(w, "disk", s->disk, strlen(s->disk));
	want_text(w, "type", type, 1);
	want_integer(w, "io", REQUESTS / 2);
	want_integer(w, "kbytes", bytes / 1024);
	want_end(w);
}

static int request(struct work *w, int i)
{
	const struct state *s = w->state;
	size_t size = size_of(i);
	off_t at = (off_t)i * LARGE;
	ssize_t done = i % 2 ? pread(s->fd, s->bytes, size, at) : pwrite(s->fd, s->bytes, size, at);

	return done == (ssize_t)size ? 0 : not_here(w, "a disk: %s", strerror(errno));
}

static int work_snoop(struct work *w)
{
	for (int i = 0; i < REQUESTS; i++) {
		if (request(w, i))
			return -1;
		want_request(w, i);
	}
	return 0;
}

/* As many writes as reads; the large ones are all writes: their row is the first. */
static int work_top(struct work *w)
{
	for (int i = 0; i < REQUESTS; i++)
		if (request(w, i))
			return -1;
	want_sums(w, "W", 0);
	want_sums(w, "R", 1);
	return 0;
}

/* No process is asked for, so reads that look for a file system are summed up too. */
static void check_top(struct found *f)
{
	int64_t requests = 0;

	if (!f->foreign) {
		rows_compare(f);
		return;
	}
	if (!found_sum(f, "io", &requests))
		cell_verdict(f->cell, VERDICT_WRONG, "a row without a number of requests");
	found_between(f, "requests", REQUESTS, requests, REQUESTS + MOST);
}

static const char *const snoop_options[] = { "-d", "%disk", "--pid", "%pid", NULL };
static const char *const snoop_foreign[] = { "-d", "%disk", "--name", "%name", NULL };
static const char *const top_options[] = { "-d", "%disk", "-p", "%pid", "1000", NULL };
static const char *const top_foreign[] = { "-d", "%disk", "1000", NULL };

/* Without it no request has a known process, so none is this one's. */
static const struct selftest_input inputs[] = {
	{ "pid", "block.request" }, { "comm", "block.request" }, { }
};

static const struct selftest_part snoop_parts[] = {
	{ .options = snoop_options, .foreign = snoop_foreign, .prepare = prepare,
	  .work = work_snoop },
	{ }
}, top_parts[] = {
	{ .options = top_options, .foreign = top_foreign, .prepare = prepare, .work = work_top,
	  .check = check_top },
	{ }
};

SELFTEST(biosnoop, snoop_parts, .inputs = inputs, .state_size = sizeof(struct state),
	 .cleanup = disk_remove);

SELFTEST(biotop, top_parts, .inputs = inputs, .state_size = sizeof(struct state),
	 .cleanup = disk_remove);
