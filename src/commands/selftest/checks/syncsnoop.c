// SPDX-License-Identifier: GPL-2.0
/* syncsnoop: one row for each call that writes back: a small file, and once everything. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/commands/selftest/selftest.h"

#define PAGE 4096

struct state {
	int fd;
	void *page;
};

static int prepare(struct work *w)
{
	struct state *s = w->state;
	char path[4096];

	text_all(path, sizeof(path), "%s/file", w->folder);
	s->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (s->fd < 0 || ftruncate(s->fd, PAGE))
		return not_here(w, "%s: %s", path, strerror(errno));
	s->page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
	return s->page == MAP_FAILED ? not_here(w, "%s: %s", path, strerror(errno)) : 0;
}

static void want(struct work *w, const char *call)
{
	want_begin(w);
	want_text(w, "call", call, strlen(call));
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_end(w);
}

static int work(struct work *w)
{
	const struct state *s = w->state;

	syscall(SYS_fsync, s->fd);
	want(w, "fsync()");
	syscall(SYS_fdatasync, s->fd);
	want(w, "fdatasync()");
	syscall(SYS_syncfs, s->fd);
	want(w, "syncfs()");
	syscall(SYS_msync, s->page, PAGE, MS_SYNC);
	want(w, "msync()");
	syscall(SYS_sync);
	want(w, "sync()");
	return 0;
}

static const char *const options[] = { "--all", "--pid", "%pid", NULL };
static const char *const foreign[] = { "--all", "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work },
	{ }
};

SELFTEST(syncsnoop, parts, .state_size = sizeof(struct state));
