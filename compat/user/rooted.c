// SPDX-License-Identifier: GPL-2.0
#include "compat/user/rooted.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "compat/base/file.h"

#define LINKS_MOST 40		/* links that the kernel follows in a path */
#define FOLDERS_MOST 128

/*
 * The kernel does this since 5.6 (openat2 with RESOLVE_IN_ROOT). All folders on the way stay open:
 * `..` is the folder before, even if it was moved meanwhile.
 */
struct walk {
	int folders[FOLDERS_MOST];	/* the first one is the root */
	unsigned int n, links;
	char rest[PATH_MAX];		/* of the path, not walked yet */
};

static void leave(struct walk *w)
{
	close(w->folders[--w->n]);
}

/* Puts the text of the link before the rest of the path. Returns -1 and sets errno on failure. */
static int enter_link(struct walk *w, int link)
{
	char to[PATH_MAX];
	const int n = file_link(link, "", to, sizeof(to));
	size_t rest = strlen(w->rest);
	struct statfs fs;

	if (n < 0) {
		errno = -n;
		return -1;
	}
	errno = ELOOP;
	/* Links of /proc lead elsewhere than their text says, also out of this root. */
	if (++w->links > LINKS_MOST || fstatfs(link, &fs) || fs.f_type == PROC_SUPER_MAGIC)
		return -1;
	errno = ENAMETOOLONG;
	if ((size_t)n + 1 + rest >= sizeof(w->rest))
		return -1;
	memmove(w->rest + n + 1, w->rest, rest + 1);
	memcpy(w->rest, to, (size_t)n);
	w->rest[n] = '/';
	while (to[0] == '/' && w->n > 1)
		leave(w);
	return 0;
}

/* Takes the next word of the path. Returns false if there is none. */
static bool next_word(struct walk *w, char word[NAME_MAX + 1])
{
	size_t begin = strspn(w->rest, "/"), n = strcspn(w->rest + begin, "/");

	if (!n || n > NAME_MAX)
		return false;
	memcpy(word, w->rest + begin, n);
	word[n] = '\0';
	memmove(w->rest, w->rest + begin + n, strlen(w->rest + begin + n) + 1);
	return true;
}

static int step(struct walk *w, const char *word, bool follow)
{
	bool last = !w->rest[strspn(w->rest, "/")];
	struct stat st;
	int fd, result;

	if (!strcmp(word, "."))
		return 0;
	if (!strcmp(word, "..")) {
		if (w->n > 1)
			leave(w);
		return 0;
	}
	errno = ENAMETOOLONG;
	if (w->n == FOLDERS_MOST)
		return -1;
	fd = openat(w->folders[w->n - 1], word, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || !S_ISLNK(st.st_mode)) {
		w->folders[w->n++] = fd;
		return 0;
	}
	errno = ELOOP;
	result = last && !follow ? -1 : enter_link(w, fd);
	close(fd);
	return result;
}

int open_in_root(int root, const char *path, bool follow)
{
	struct walk w = { .folders = { dup(root) }, .n = 1 };
	char word[NAME_MAX + 1];
	int result = 0, fd = -1, error;

	if (w.folders[0] < 0)
		return -1;
	if ((size_t)snprintf(w.rest, sizeof(w.rest), "%s", path) >= sizeof(w.rest)) {
		errno = ENAMETOOLONG;
		result = -1;
	}
	while (!result && next_word(&w, word))
		result = step(&w, word, follow);
	if (!result && w.rest[strspn(w.rest, "/")]) {
		errno = ENAMETOOLONG;
		result = -1;
	}
	if (!result)
		fd = fcntl(w.folders[w.n - 1], F_DUPFD_CLOEXEC, 0);
	error = errno;
	while (w.n)
		leave(&w);
	errno = error;
	return fd;
}

int open_root_of(uint32_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u/root", pid);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool has_own_root(uint32_t pid)
{
	char root[32], mounts[32];

	snprintf(root, sizeof(root), "/proc/%u/root", pid);
	snprintf(mounts, sizeof(mounts), "/proc/%u/ns/mnt", pid);
	return !same_file(root, "/proc/self/root") || !same_file(mounts, "/proc/self/ns/mnt");
}
