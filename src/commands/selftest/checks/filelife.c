// SPDX-License-Identifier: GPL-2.0
/*
 * filelife: files that are created and removed, one of them renamed before; not one that existed,
 * and is opened with O_CREAT.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/commands/selftest/selftest.h"

static int make(struct work *w, const char *name, char path[4096])
{
	int fd;

	text_all(path, 4096, "%s/%s", w->folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return not_here(w, "%s: %s", path, strerror(errno));
	close(fd);
	return 0;
}

static int remove_wanted(struct work *w, const char *path)
{
	const char *name = strrchr(path, '/') + 1;

	if (unlink(path))
		return not_here(w, "%s: %s", path, strerror(errno));
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_text(w, "file", name, strlen(name));
	want_hook(w, "unlink.exit");
	want_end(w);
	return 0;
}

static int prepare(struct work *w)
{
	char path[4096];

	return make(w, "old", path);
}

static int work(struct work *w)
{
	char path[4096], other[4096];

	if (make(w, "old", path) || unlink(path))
		return -1;
	if (make(w, "not \"old\"\t\377", path) || remove_wanted(w, path) || make(w, "one", path))
		return -1;
	text_cut(other, sizeof(other), "%s/another", w->folder);
	if (rename(path, other) || mkfifo(path, 0600) || unlink(path))
		return not_here(w, "%s: %s", path, strerror(errno));
	return remove_wanted(w, other);
}

static const char *const options[] = { "--pid", "%pid", NULL };
static const char *const foreign[] = { "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .prepare = prepare, .work = work },
	{ }
};

SELFTEST(filelife, parts);
