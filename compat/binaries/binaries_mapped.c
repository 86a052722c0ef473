// SPDX-License-Identifier: GPL-2.0
/* Finds the files of a library that processes have mapped. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/binaries/binaries_looker.h"
#include "compat/user/open_file.h"
#include "compat/user/rooted.h"

#define TRIES_MOST	256		/* candidates that are opened, at most */

struct mapping {
	uint64_t from, to;
	struct identity file;
	char *path;
	/* of the path, without the " (deleted)" that the kernel may add */
	size_t length;
};

/* Parses a line of /proc/PID/maps. Returns true if it is code of a file. */
static bool parse_mapping(char *line, struct mapping *m)
{
	static const char gone[] = " (deleted)";
	uint64_t offset, major, minor, ino;
	const char *at = line;
	char mode[5] = "";

	if (!scan_hex(&at, UINT64_MAX, &m->from) || !scan_text(&at, "-") ||
	    !scan_hex(&at, UINT64_MAX, &m->to) || !scan_text(&at, " ") ||
	    !scan_until(&at, " ", mode, sizeof(mode)) || !scan_text(&at, " ") ||
	    !scan_hex(&at, UINT64_MAX, &offset) || !scan_text(&at, " ") ||
	    !scan_hex(&at, UINT32_MAX, &major) || !scan_text(&at, ":") ||
	    !scan_hex(&at, UINT32_MAX, &minor) || !scan_text(&at, " ") ||
	    !scan_number(&at, UINT64_MAX, &ino) || !scan_text(&at, " ") ||
	    mode[2] != 'x' || *at != '/')
		return false;
	m->file = (struct identity){ major << 32 | minor, ino };
	m->path = line + (at - line);
	m->length = strcspn(m->path, "\n");
	m->path[m->length] = '\0';
	if (m->length > sizeof(gone) && !strcmp(m->path + m->length - (sizeof(gone) - 1), gone))
		m->length -= sizeof(gone) - 1;
	return true;
}

/* The candidate with this identity, or the empty place for it. The table is never full. */
static struct candidate *candidate(struct looker *l, const struct identity *file)
{
	uint64_t hash = (file->ino * 0x9e3779b97f4a7c15ULL ^ file->dev) * 0x9e3779b97f4a7c15ULL;

	for (size_t i = hash >> 32;; i++) {
		struct candidate *c = &l->candidates[i % (2 * CANDIDATES_MOST)];

		if (!c->path || identity_same(&c->mapped, file))
			return c;
	}
}

static void note_mapping(struct looker *l, const char *pid, const struct mapping *m)
{
	const char *name = memrchr(m->path, '/', m->length) + 1;
	struct candidate *c;

	if (!library_has_file(l->s->library, name, (size_t)(m->path + m->length - name)))
		return;
	c = candidate(l, &m->file);
	if (!c->path) {
		if (l->n_candidates == CANDIDATES_MOST || !(c->path = strdup(m->path))) {
			l->unlisted++;
			return;
		}
		l->n_candidates++;
		c->mapped = m->file;
		c->from = m->from;
		c->to = m->to;
		text_all(c->pid, sizeof(c->pid), "%s", pid);
	}
	c->processes += c->last != l->process;
	c->last = l->process;
}

void looker_scan_process(struct looker *l, const char *pid)
{
	char path[48], *line = NULL;
	struct mapping m;
	size_t size = 0;
	FILE *maps;

	text_all(path, sizeof(path), "/proc/%.20s/maps", pid);
	if (!looker_looks_at(l, path))
		return;
	l->process++;
	maps = fopen(path, "re");
	while (maps && getline(&line, &size, maps) > 0)
		if (parse_mapping(line, &m))
			note_mapping(l, pid, &m);
	if (maps)
		fclose(maps);
	free(line);
}

void looker_scan_processes(struct looker *l)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;
	unsigned int left = 0;
	char text[96];

	while (dir && (d = readdir(dir))) {
		if (!isdigit((unsigned char)d->d_name[0]))
			continue;
		if (looker_late(l))
			left++;
		else
			looker_scan_process(l, d->d_name);
	}
	if (dir)
		closedir(dir);
	snprintf(text, sizeof(text),
		 "the files of %u processes: looking through the other processes took %d s", left,
		 SECONDS_MOST);
	if (left)
		looker_limit(l, text);
}

/*
 * Opens the mapped file. Otherwise opens its path in the process's root, if that is the same file.
 */
static int open_mapping(const struct candidate *c)
{
	char path[PATH_MAX];
	struct stat st;
	int fd;

	text_all(path, sizeof(path), "/proc/%s/map_files/%llx-%llx", c->pid, c->from, c->to);
	fd = open_file(path);
	if (fd >= 0)
		return fd;
	if (snprintf(path, sizeof(path), "/proc/%s/root%s", c->pid, c->path) >= (int)sizeof(path))
		return -1;
	fd = open_file(path);
	if (fd >= 0 && (fstat(fd, &st) || st.st_ino != c->mapped.ino)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Returns true if the process sees this file at the path. */
static bool is_seen_at(const struct candidate *c, const char *path, int fd)
{
	int root = open_root_of((uint32_t)strtoul(c->pid, NULL, 10)),
	    seen = root < 0 ? -1 : open_in_root(root, path, true);
	struct stat there, here;
	bool is = seen >= 0 && !fstat(fd, &there) && !fstat(seen, &here) &&
		  here.st_dev == there.st_dev && here.st_ino == there.st_ino;

	if (seen >= 0)
		close(seen);
	if (root >= 0)
		close(root);
	return is;
}

/*
 * The path as users have to write it with -p: as the process sees it. In a chroot the process's
 * list of mappings has another path. A file that is at no path any more is named by its mapping.
 */
static const char *path_there(const struct candidate *c, int fd, char *path, size_t size)
{
	const char *there = c->path;
	char root[32];
	int n;

	text_all(root, sizeof(root), "/proc/%s/root", c->pid);
	n = file_link(AT_FDCWD, root, path, size);
	if (n > 1 && !strncmp(there, path, (size_t)n) && there[n] == '/')
		there += n;
	if (is_seen_at(c, there, fd))
		return there;
	text_all(path, size, "/proc/%s/map_files/%llx-%llx", c->pid, c->from, c->to);
	return access(path, R_OK) ? c->path : path;
}

/*
 * The path as sonde has to write it. A path in another root goes through the process. NULL: such a
 * path would be too long.
 */
static const char *own_path(const struct candidate *c, int fd, char *path, size_t size)
{
	struct stat there, here;

	if (!fstat(fd, &there) && !stat(c->path, &here) && here.st_dev == there.st_dev &&
	    here.st_ino == there.st_ino)
		return c->path;
	return text_all(path, size, "/proc/%s/root%s", c->pid, c->path) ? path : NULL;
}

static void try_candidate(struct looker *l, const struct candidate *c)
{
	char buffer[PATH_MAX];
	const char *path;
	int fd;

	for (const struct file *f = l->s->files; f; f = f->next)
		if (f->library == l->s->library && identity_same(&f->mapped, &c->mapped))
			return;
	if (!looker_looks_at(l, c->path))
		return;
	fd = open_mapping(c);
	if (fd < 0) {
		looker_leaves_out(l, c->path, "a process has mapped it, but it can't be opened");
		return;
	}
	path = l->s->n_processes ? path_there(c, fd, buffer, sizeof(buffer)) :
	       own_path(c, fd, buffer, sizeof(buffer));
	if (path)
		looker_considers(l, fd, path, &c->mapped);
	else
		looker_leaves_out(l, c->path, "its path in another root is too long");
	close(fd);
}

int open_replaced(uint32_t pid, int fd)
{
	char path[PATH_MAX], name[32], *line = NULL;
	struct candidate c = { };
	struct mapping m;
	size_t size = 0;
	FILE *maps;
	int n;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = file_link(AT_FDCWD, name, path, sizeof(path));
	snprintf(c.pid, sizeof(c.pid), "%u", pid);
	snprintf(name, sizeof(name), "/proc/%u/maps", pid);
	maps = n < 0 ? NULL : fopen(name, "re");
	while (maps && !c.path && getline(&line, &size, maps) > 0) {
		if (!parse_mapping(line, &m) || m.length != (size_t)n || !m.path[n] ||
		    memcmp(m.path, path, (size_t)n))
			continue;
		c.from = m.from;
		c.to = m.to;
		c.mapped = m.file;
		c.path = m.path;
	}
	if (maps)
		fclose(maps);
	fd = c.path ? open_mapping(&c) : -1;
	free(line);
	return fd;
}

static int by_processes(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return x->processes < y->processes ? 1 : -(x->processes > y->processes);
}

void looker_try_candidates(struct looker *l)
{
	unsigned int tries = 0;
	char text[128];

	qsort(l->candidates, 2 * CANDIDATES_MOST, sizeof(*l->candidates), by_processes);
	while (tries < l->n_candidates && tries < TRIES_MOST && !looker_full(l) && !looker_late(l))
		try_candidate(l, &l->candidates[tries++]);
	l->unlisted += l->n_candidates - tries;
	text_cut(text, sizeof(text),
		 "%u files that processes have mapped as %s: no more than %d are (-p takes a "
		 "process's own)", l->unlisted, l->s->library->name, FILES_MOST);
	if (l->unlisted)
		looker_limit(l, text);
}
