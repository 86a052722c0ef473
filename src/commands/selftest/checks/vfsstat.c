// SPDX-License-Identifier: GPL-2.0
/*
 * vfsstat: rounds with a file and a folder of our own, and what the process writes to the runner.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/commands/selftest/selftest.h"

#define ROUNDS 10

static int work(struct work *w)
{
	char path[4096], byte = 'v';

	text_all(path, sizeof(path), "%s/file", w->folder);
	for (int i = 0; i < ROUNDS; i++) {
		/* The second time the file exists already. */
		for (int again = 0; again < 2; again++) {
			int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

			if (fd < 0 || pwrite(fd, &byte, 1, 0) != 1 || pread(fd, &byte, 1, 0) != 1 ||
			    fdatasync(fd))
				return not_here(w, "%s: %s", path, strerror(errno));
			close(fd);
		}
		if (unlink(path) || mkdir(path, 0700) || rmdir(path))
			return not_here(w, "%s: %s", path, strerror(errno));
	}
	return 0;
}

/* Beside the file the process writes to its runner, and may read from it. */
static void check(struct found *f)
{
	static const struct { const char *member, *hook; int64_t rounds, more; } wanted[] = {
		{ "reads", "vfs.read", 2, 10 }, { "writes", "vfs.write", 2, 10 },
		{ "fsyncs", "vfs.fsync", 2, 0 },
		{ "opens", "vfs.open", 2, 0 }, { "creates", "made.file", 1, 0 },
		{ "unlinks", "vfs.unlink", 1, 0 },
		{ "mkdirs", "vfs.mkdir", 1, 0 }, { "rmdirs", "vfs.rmdir", 1, 0 },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		int64_t least = wanted[i].rounds * ROUNDS, n;
		int64_t most = f->foreign ? INT64_MAX : least + wanted[i].more;

		if (found_missing(f, wanted[i].hook))
			continue;
		if (found_sum(f, wanted[i].member, &n))
			found_between(f, wanted[i].member, least, n, most);
		else
			cell_verdict(f->cell, VERDICT_WRONG, "%s: wanted %lld, got nothing",
				     wanted[i].member, (long long)least);
	}
}

static const char *const options[] = { "--pid", "%pid", "3600", NULL };
static const char *const foreign[] = { "3600", NULL };	/* of all processes: at least ours */

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .work = work, .check = check },
	{ }
};

SELFTEST(vfsstat, parts);
