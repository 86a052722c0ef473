// SPDX-License-Identifier: GPL-2.0
/* statsnoop: one row for each stat of a path, by each of the calls, whether it worked or not. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/commands/selftest/selftest.h"

#define SHOWN 255	/* bytes of a path */

enum call { FSTATAT, STATX, STATFS, CALLS };

/* The buffers are larger than any of the structs. */
static long call_stat(enum call c, const char *path)
{
	char buffer[512] __attribute__((aligned(8)));

	switch (c) {
	case FSTATAT:
#ifdef SYS_newfstatat
		return syscall(SYS_newfstatat, AT_FDCWD, path, buffer, 0);
#elif defined(SYS_fstatat64)
		return syscall(SYS_fstatat64, AT_FDCWD, path, buffer, 0);
#endif
#ifdef SYS_statx
	case STATX:
		return syscall(SYS_statx, AT_FDCWD, path, 0, 0x7ff, buffer);
#endif
	case STATFS:
		return statfs(path, (struct statfs *)(void *)buffer);
	default:
		errno = ENOSYS;
		return -1;
	}
}

/* A call that this kernel lacks has no row. */
static void stat_one(struct work *w, enum call c, const char *path)
{
	int error = call_stat(c, path) ? errno : 0;
	size_t n = strlen(path);

	if (error == ENOSYS)
		return;
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_integer(w, "ret", error ? -1 : 0);
	want_integer(w, "errno", error);
	want_text(w, "path", path, n < SHOWN ? n : SHOWN);
	if (n > SHOWN)
		want_true(w, "path_cut");
	want_end(w);
}

static int work(struct work *w)
{
	char path[4096];

	for (enum call c = 0; c < CALLS; c++) {
		stat_one(w, c, w->folder);
		text_all(path, sizeof(path), "%s/not \"there\"\t\377", w->folder);
		stat_one(w, c, path);
	}
	memset(path, '/', 500);
	strcpy(path + 500, w->folder);
	stat_one(w, FSTATAT, path);
	return 0;
}

static const char *const options[] = { "--pid", "%pid", NULL };
static const char *const foreign[] = { "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .work = work },
	{ }
};

SELFTEST(statsnoop, parts);
