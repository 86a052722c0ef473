// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "src/commands/selftest/runner.h"
#include "src/lib/output/sink.h"

/* Checks make files, and empty folders. */
void folder_empty(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
		    unlinkat(dirfd(dir), e->d_name, 0))
			unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR);
	if (dir)
		closedir(dir);
}

/* Ignores the signals that end the others, and does not hold our output open. */
static void keep(const char *path, int alive) __attribute__((noreturn));
static void keep(const char *path, int alive)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	char word;

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_IGN);
	setsid();
	for (int fd = 0; fd <= 2 && null >= 0; fd++)
		dup2(null, fd);
	while (read(alive, &word, 1) < 0 && errno == EINTR)
		;
	folder_empty(path);
	rmdir(path);
	_exit(0);
}

/* If others may rename our folder, they may put one of theirs in its place at any time. */
static bool is_safe(const char *parent)
{
	struct stat st;

	return stat(parent, &st) || ((st.st_uid == geteuid() || !st.st_uid) &&
				     (!(st.st_mode & (S_IWGRP | S_IWOTH)) || st.st_mode & S_ISVTX));
}

int folder_make(struct folder *f)
{
	const char *parent = getenv("TMPDIR");
	int alive[2];

	if (!parent || !*parent)
		parent = "/tmp";
	if (!is_safe(parent)) {
		fprintf(sink_err(), "sonde: selftest: other users may rename files in %s\n"
			"set TMPDIR to a folder of your own, or to one that is sticky, as /tmp "
			"is\n", parent);
		return -1;
	}
	if ((size_t)snprintf(f->path, sizeof(f->path), "%s/sonde-selftest.XXXXXX", parent) >=
	    sizeof(f->path) ||
	    !mkdtemp(f->path)) {
		fprintf(sink_err(),
			"sonde: selftest: can't make a folder in %s: %s\nset TMPDIR to a folder "
			"that you may write to\n", parent,
			strerror(errno));
		return -1;
	}
	text_all(f->name, sizeof(f->name), "selftest.%s", strrchr(f->path, '.') + 1);
	if (!pipe2(alive, O_CLOEXEC)) {
		f->keeper = fork();
		if (!f->keeper) {
			close(alive[1]);
			keep(f->path, alive[0]);
		}
		close(alive[0]);
		f->alive = alive[1];
		if (f->keeper > 0)
			return 0;
		close(alive[1]);
	}
	fprintf(sink_err(), "sonde: selftest: can't make a process: %s\n", strerror(errno));
	rmdir(f->path);
	return -1;
}

void folder_remove(struct folder *f)
{
	close(f->alive);
	while (waitpid(f->keeper, NULL, 0) < 0 && errno == EINTR)
		;
}
