// SPDX-License-Identifier: GPL-2.0
/* filegone: a row for each file and directory that is removed or renamed, and none for failures. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/commands/selftest/selftest.h"

static void want_row(struct work *w, const char *action, const char *file, const char *to)
{
	want_begin(w);
	want_integer(w, "pid", getpid());
	want_text(w, "comm", w->name, strlen(w->name));
	want_text(w, "action", action, strlen(action));
	want_text(w, "file", file, strlen(file));
	if (to)
		want_text(w, "to", to, strlen(to));
	want_end(w);
}

static int failed(struct work *w, const char *what)
{
	return not_here(w, "%s: %s", what, strerror(errno));
}

static int work(struct work *w)
{
	char file[4096], other[4096], folder[4096];
	int fd;

	text_all(file, sizeof(file), "%s/a \"file\"\t\377", w->folder);
	text_cut(other, sizeof(other), "%s/another", w->folder);
	text_all(folder, sizeof(folder), "%s/folder", w->folder);
	fd = open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0 || close(fd) || mkdir(folder, 0700))
		return failed(w, "making files");
	if (rename(file, other))
		return failed(w, "rename");
	want_row(w, "RENAME", file, other);
	if (!unlink(file) || !rmdir(file) || !rename(file, other))
		return failed(w, "a file that is not there");
	if (unlink(other))
		return failed(w, "unlink");
	want_row(w, "DELETE", other, NULL);
	if (unlinkat(AT_FDCWD, folder, AT_REMOVEDIR))
		return failed(w, "unlinkat");
	want_row(w, "RMDIR", folder, NULL);
	return 0;
}

static const char *const options[] = { "--pid", "%pid", NULL };
static const char *const foreign[] = { "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .work = work },
	{ }
};

SELFTEST(filegone, parts);
