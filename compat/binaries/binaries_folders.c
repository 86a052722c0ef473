// SPDX-License-Identifier: GPL-2.0
/* Finds the files of a library where programs would find them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "compat/binaries/binaries_looker.h"
#include "compat/user/open_file.h"
#include "compat/user/rooted.h"

static void add_path(struct looker *l, const char *path)
{
	int fd;

	if (looker_full(l) || !looker_looks_at(l, path))
		return;
	fd = l->root < 0 ? open_file(path) : open_file_at(open_in_root(l->root, path, true));
	if (fd < 0)
		return;
	looker_considers(l, fd, path, NULL);
	close(fd);
}

/* Links are not followed: a link leads to one of the other folders. */
static DIR *open_folder(const struct looker *l, const char *folder)
{
	int at = l->root < 0 ? open(folder, O_PATH | O_NOFOLLOW | O_CLOEXEC) :
		 open_in_root(l->root, folder, false),
	    fd = at < 0 ? -1 : openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (at >= 0)
		close(at);
	if (fd >= 0 && !dir)
		close(fd);
	return dir;
}

/* `deeper`: also scans folders for one machine, such as x86_64-linux-gnu. */
static void scan_folder(struct looker *l, const char *folder, bool deeper)
{
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir = open_folder(l, folder);

	if (!dir)
		return;
	while ((d = readdir(dir))) {
		if (snprintf(path, sizeof(path), "%s/%s", folder, d->d_name) >= (int)sizeof(path))
			continue;
		if (library_has_file(l->s->library, d->d_name, strlen(d->d_name)))
			add_path(l, path);
		else if (deeper && strstr(d->d_name, "-linux-"))
			scan_folder(l, path, false);
	}
	closedir(dir);
}

static bool is_program(const struct looker *l, const char *path)
{
	struct stat st;
	int fd;

	if (l->root < 0)
		return !access(path, X_OK);
	fd = open_in_root(l->root, path, true);
	if (fd < 0)
		return false;
	if (fstat(fd, &st))
		st.st_mode = 0;
	close(fd);
	return S_ISREG(st.st_mode) && st.st_mode & 0111;
}

static void scan_path(struct looker *l)
{
	const char *list = getenv("PATH");
	char path[PATH_MAX];

	list = list ? list : "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
	while (*list) {
		size_t n = strcspn(list, ":");

		if (n && n < sizeof(path) - 64) {
			text_all(path, sizeof(path), "%.*s/%s", (int)n, list,
				 l->s->library->files[0]);
			if (is_program(l, path)) {
				add_path(l, path);
				return;
			}
		}
		list += n + (list[n] == ':');
	}
}

void looker_scan_folders(struct looker *l)
{
	static const char *const folders[] = { "/lib", "/lib64", "/usr/lib", "/usr/lib64",
					       "/usr/local/lib" };

	if (l->s->library->program)
		scan_path(l);
	else
		for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
			scan_folder(l, folders[i], true);
}

bool looker_scan_roots(struct looker *l)
{
	bool shared = false;
	char text[96];

	for (unsigned int i = 0; i < l->s->n_processes; i++) {
		l->root = open_root_of(l->s->processes[i]);
		text_cut(text, sizeof(text), "the root of process %u: %s", l->s->processes[i],
			 errno == ENOENT ? "it has ended" : strerror(errno));
		if (l->root < 0) {
			looker_limit(l, text);
			continue;
		}
		looker_scan_folders(l);
		close(l->root);
		shared |= !has_own_root(l->s->processes[i]);
	}
	l->root = -1;
	return shared;
}
