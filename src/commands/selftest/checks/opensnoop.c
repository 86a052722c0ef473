// SPDX-License-Identifier: GPL-2.0
/* opensnoop: one row for each open, by each of the calls, whether it worked or not. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/commands/selftest/selftest.h"

#define SHOWN 255	/* bytes of a path */

struct open_how_0 {	/* struct open_how as of 5.6, which older headers lack */
	uint64_t flags, mode, resolve;
};
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

enum call { OPENAT, OPEN, CREAT, OPENAT2, CALLS };

struct state {
	int dir;
};

/* The C library makes openat(2) of all, and adds a flag on 32-bit machines. */
static long call_open(enum call c, int dir, const char *path, int flags, int mode)
{
	struct open_how_0 how = { .flags = (unsigned int)flags, .mode = (unsigned int)mode };

	switch (c) {
	case OPENAT:
		return syscall(SYS_openat, dir, path, flags, mode);
#ifdef SYS_open
	case OPEN:
		return syscall(SYS_open, path, flags, mode);
	case CREAT:
		return syscall(SYS_creat, path, mode);
#endif
	case OPENAT2:
		return syscall(SYS_openat2, dir, path, &how, sizeof(how));
	default:
		errno = ENOSYS;
		return -1;
	}
}

/* A call that this kernel lacks has no row. */
static void open_one(struct work *w, enum call c, int dir, const char *path, int flags, int mode)
{
	long fd = call_open(c, dir, path, flags, mode);
	int error = fd < 0 ? errno : 0;
	size_t n = strlen(path);

	if (error == ENOSYS)
		return;
	if (fd >= 0)
		close((int)fd);
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_integer(w, "fd", fd);
	want_integer(w, "errno", error);
	want_integer(w, "flags", flags);
	if (flags & O_CREAT)
		want_integer(w, "mode", mode);
	want_text(w, "path", path, n < SHOWN ? n : SHOWN);
	if (n > SHOWN)
		want_true(w, "path_cut");
	want_end(w);
}

static int prepare(struct work *w)
{
	struct state *s = w->state;

	s->dir = open(w->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return s->dir < 0 ? not_here(w, "%s: %s", w->folder, strerror(errno)) : 0;
}

static int work(struct work *w)
{
	static const char *const names[CALLS] = {
		[OPENAT] = "openat", [OPEN] = "open", [CREAT] = "creat", [OPENAT2] = "openat2",
	};
	const struct state *s = w->state;
	char path[4096];

	for (enum call c = 0; c < CALLS; c++) {
		int flags = c == CREAT ? O_CREAT | O_WRONLY | O_TRUNC : O_CREAT | O_RDWR;

		text_all(path, sizeof(path), "%s/%s", w->folder, names[c]);
		open_one(w, c, AT_FDCWD, path, flags, 0640);
		text_all(path, sizeof(path), "%s/not-there/%s", w->folder, names[c]);
		open_one(w, c, AT_FDCWD, path, c == CREAT ? flags : O_RDONLY,
			 c == CREAT ? 0600 : 0);
		if (c == CREAT)
			continue;
		text_all(path, sizeof(path), "%s/%s", w->folder, names[c]);
		open_one(w, c, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
		/* ENOTDIR */
		open_one(w, c, AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
	}
	open_one(w, OPENAT, s->dir, "relative \"and\"\todd\377", O_WRONLY | O_CREAT | O_EXCL, 0600);
	/* EEXIST */
	open_one(w, OPENAT, s->dir, "relative \"and\"\todd\377", O_WRONLY | O_CREAT | O_EXCL, 0600);
	memset(path, '/', 500);
	strcpy(path + 500, w->folder);
	open_one(w, OPENAT, AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
	return 0;
}

static const char *const options[] = { "-e", "--pid", "%pid", NULL };
static const char *const foreign[] = { "-e", "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work },
	{ }
};

SELFTEST(opensnoop, parts, .state_size = sizeof(struct state));
