// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/files/mounts.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/user/rooted.h"

struct mount {
	uint32_t dev;
	char *root, *place;	/* the part of the file system that is mounted, and where */
	bool by_number;		/* it finds files by their numbers */
	bool firsts;		/* it is in the tree of process 1 */
};

#define FIRSTS_ROOT	"/proc/1/root"

/* \040 and the like in place. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
		    s[3] >= '0' && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
}

/* OPTIONS... - TYPE SOURCE OPTIONS */
static bool finds_by_number(const char *rest)
{
	static const char *const types[] = { "ext2 ", "ext3 ", "ext4 ", "f2fs " };
	const char *type = rest ? strstr(rest, " - ") : NULL;

	for (size_t i = 0; type && i < sizeof(types) / sizeof(types[0]); i++)
		if (!strncmp(type + 3, types[i], strlen(types[i])))
			return true;
	return false;
}

/* ID PARENT MAJOR:MINOR ROOT PLACE ... */
static void add(struct mounts *m, char *line, bool firsts)
{
	char *words[5], *rest = line;
	const char *at;
	uint64_t major, minor;
	struct mount mount;

	for (int i = 0; i < 5; i++)
		if (!(words[i] = strsep(&rest, " ")))
			return;
	at = words[2];
	if (!scan_number(&at, UINT32_MAX, &major) || !scan_text(&at, ":") ||
	    !scan_number(&at, UINT32_MAX, &minor) || array_room(&m->list, m->n, sizeof(mount)))
		return;
	unescape(words[3]);
	unescape(words[4]);
	mount.dev = (uint32_t)(major << 20 | minor);
	mount.root = strdup(words[3]);
	mount.place = strdup(words[4]);
	mount.by_number = finds_by_number(rest);
	mount.firsts = firsts;
	m->list[m->n++] = mount;
}

void mounts_free(struct mounts *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->list[i].root);
		free(m->list[i].place);
	}
	free(m->list);
	*m = (struct mounts){ };
}

static void read_tree(struct mounts *m, const char *path, bool firsts)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	while (file && getline(&line, &room, file) > 0)
		add(m, line, firsts);
	free(line);
	if (file)
		fclose(file);
}

void mounts_read(struct mounts *m)
{
	mounts_free(m);
	read_tree(m, "/proc/self/mountinfo", false);
	if (has_own_root(1))
		read_tree(m, "/proc/1/mountinfo", true);
}

/* The rest of `path` below `root`; NULL: it is not below it. */
static const char *below(const char *path, const char *root)
{
	size_t n = strcmp(root, "/") ? strlen(root) : 0;

	return !strncmp(path, root, n) && (!path[n] || path[n] == '/') ? path + n : NULL;
}

bool mounts_path(const struct mounts *m, uint32_t dev, const char *path, char *to, size_t size)
{
	const struct mount *best = NULL;
	const char *rest;

	/* The whole file system rather than a part of it; of several places the first. */
	for (size_t i = 0; i < m->n; i++) {
		const struct mount *at = &m->list[i];

		if (at->dev == dev && at->root && at->place && below(path, at->root) &&
		    (!best || (at->firsts == best->firsts &&
			       strlen(at->root) < strlen(best->root))))
			best = at;
	}
	if (!best)
		return false;
	rest = below(path, best->root);
	text_cut(to, size, "%s%s", strcmp(best->place, "/") || !*rest ? best->place : "", rest);
	return true;
}

/* A later mount at the place, or above it. */
static bool hidden(const struct mounts *m, size_t i)
{
	for (size_t later = i + 1; later < m->n; later++)
		if (m->list[later].place && m->list[later].firsts == m->list[i].firsts &&
		    below(m->list[i].place, m->list[later].place))
			return true;
	return false;
}

int mounts_open(const struct mounts *m, uint32_t dev, const char **root)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < m->n; i++) {
		const struct mount *at = &m->list[i];
		struct stat found;
		int fd;

		if (at->dev != dev || !at->by_number || !at->root || strcmp(at->root, "/") ||
		    !at->place || hidden(m, i))
			continue;
		*root = at->firsts ? FIRSTS_ROOT : "";
		text_all(path, sizeof(path), "%s%s", *root, at->place);
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0 && !fstat(fd, &found) &&
		    found.st_dev == makedev(dev >> 20, dev & 0xfffff))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}
