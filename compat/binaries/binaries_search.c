// SPDX-License-Identifier: GPL-2.0
/*
 * The files of a library: where programs look for it, and what processes have mapped with its name.
 * Somebody may have made all of it to keep sonde busy, so a process of its own does it, and there
 * are limits.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/scan.h"
#include "compat/binaries/binaries_internal.h"
#include "compat/user/guard.h"
#include "compat/user/open_file.h"
#include "compat/user/rooted.h"

#define CANDIDATES_MOST	16384		/* different files of the name in all processes */
#define TRIES_MOST	256		/* of them that are opened */
#define SILENCE_MS	5000		/* for one file, or the list of one process's mappings */
#define SECONDS_MOST	10
#define HANGS_MOST	3

enum said { SAID_LOOKS, SAID_FOUND, SAID_LEFT_OUT, SAID_LIMIT };

/* What the process tells sonde: what it looks at now, or what became of that. */
struct message {
	enum said said;
	struct elf_kind kind;
	struct identity own, mapped;
	char text[GUARD_MESSAGE / 2];		/* a path; behind its NUL why it is left out */
};

/* A file that some processes have mapped. */
struct candidate {
	struct identity mapped;
	/* how many; the number of the last one in the search */
	unsigned int processes, last;
	/* of the first one: the mapping, the process, the path there */
	unsigned long long from, to;
	char pid[12];
	char *path;
};

struct looker {
	struct search *s;
	int to;
	int64_t end;				/* seconds */
	char *hung[HANGS_MOST];			/* paths that are not looked at any more */
	unsigned int n_hung;
	int root;				/* of the paths; -1: sonde's own */
	char now[PATH_MAX + 32];		/* what it looks at */
	bool again;				/* for the second time, as it hung there before */
	/* In the process: */
	unsigned int kept, process, n_candidates, unlisted;
	struct candidate *candidates;		/* a hash table */
	struct identity own[FILES_MOST];	/* of files that were handed over */
};

static bool late(const struct looker *l)
{
	return monotonic_ms() > l->end;
}

/* ---- what is said ---- */

static void say(const struct looker *l, struct message *m, int fd, const char *path,
		const char *why)
{
	size_t n = (size_t)snprintf(m->text, sizeof(m->text) / 2, "%s", path) + 1;

	if (n > sizeof(m->text) / 2)
		n = sizeof(m->text) / 2;
	n += (size_t)snprintf(m->text + n, sizeof(m->text) - n, "%s", why) + 1;
	guard_send(l->to, m, offsetof(struct message, text) + n, fd);
}

static void leave_out(const struct looker *l, const char *path, const char *why)
{
	say(l, &(struct message){ SAID_LEFT_OUT }, -1, path, why);
}

static void limit(const struct looker *l, const char *what)
{
	say(l, &(struct message){ SAID_LIMIT }, -1, what, "");
}

/* Says what it will look at next; false if that hung before. */
static bool looks_at(const struct looker *l, const char *path)
{
	for (unsigned int i = 0; i < l->n_hung; i++)
		if (!strcmp(l->hung[i], path))
			return false;
	say(l, &(struct message){ SAID_LOOKS }, -1, path, "");
	return true;
}

/* ---- one file ---- */

static bool same(const struct identity *a, const struct identity *b)
{
	return a->dev == b->dev && a->ino == b->ino;
}

static bool is_known(const struct looker *l, const struct identity *own)
{
	for (unsigned int i = 0; i < l->kept; i++)
		if (same(&l->own[i], own))
			return true;
	for (const struct file *f = l->s->files; f; f = f->next)
		if (f->library == l->s->library && same(&f->own, own))
			return true;
	return false;
}

/* Hands over an open file that is new and can be probed; of a mapped one else says why not. */
static void consider(struct looker *l, int fd, const char *path, const struct identity *mapped)
{
	struct message m = { SAID_FOUND };
	struct error err = { };
	struct stat st;

	if (fstat(fd, &st) || elf_kind_of(fd, &m.kind, &err)) {
		/* Linker scripts have such names too. */
		if (mapped)
			leave_out(l, path, err.text);
		return;
	}
	m.own = (struct identity){ st.st_dev, st.st_ino };
	if (is_known(l, &m.own))
		return;
	if (!binary_abi(l->s->k, &m.kind)) {
		fail(&err, "a program or library of %u bits and machine %u, which can't be probed "
			   "on this kernel", m.kind.word * 8U, m.kind.machine);
		if (mapped)
			leave_out(l, path, err.text);
		return;
	}
	if (mapped)
		m.mapped = *mapped;
	l->own[l->kept++] = m.own;
	say(l, &m, fd, path, "");
}

static bool full(const struct looker *l)
{
	unsigned int n = l->kept;

	for (const struct file *f = l->s->files; f; f = f->next)
		n += f->library == l->s->library;
	return n >= FILES_MOST;
}

/* ---- what processes have mapped ---- */

struct mapping {
	uint64_t from, to;
	struct identity file;
	char *path;
	/* of the path, without the " (deleted)" that the kernel may add */
	size_t length;
};

/* Parses a line of /proc/PID/maps; true if it is code of a file. */
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

static bool matches(const char *pattern, const char *name, size_t length)
{
	const char *star = strchr(pattern, '*');
	size_t head = star ? (size_t)(star - pattern) : strlen(pattern),
		tail = star ? strlen(star + 1) : 0;

	return (star ? length >= head + tail : length == head) && !memcmp(name, pattern, head) &&
	       !memcmp(name + length - tail, star ? star + 1 : "", tail);
}

static bool is_file_of(const struct library *l, const char *name, size_t length)
{
	for (unsigned int i = 0; i < LIBRARY_FILES && l->files[i]; i++)
		if (matches(l->files[i], name, length))
			return true;
	return false;
}

/* The candidate with this identity, or the empty place for it; the table is never full. */
static struct candidate *candidate(struct looker *l, const struct identity *file)
{
	uint64_t hash = (file->ino * 0x9e3779b97f4a7c15ULL ^ file->dev) * 0x9e3779b97f4a7c15ULL;

	for (size_t i = hash >> 32;; i++) {
		struct candidate *c = &l->candidates[i % (2 * CANDIDATES_MOST)];

		if (!c->path || same(&c->mapped, file))
			return c;
	}
}

static void note_mapping(struct looker *l, const char *pid, const struct mapping *m)
{
	const char *name = memrchr(m->path, '/', m->length) + 1;
	struct candidate *c;

	if (!is_file_of(l->s->library, name, (size_t)(m->path + m->length - name)))
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
		snprintf(c->pid, sizeof(c->pid), "%s", pid);
	}
	c->processes += c->last != l->process;
	c->last = l->process;
}

static void scan_process(struct looker *l, const char *pid)
{
	char path[48], *line = NULL;
	struct mapping m;
	size_t size = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%.20s/maps", pid);
	if (!looks_at(l, path))
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

static void scan_processes(struct looker *l)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;
	unsigned int left = 0;
	char text[96];

	while (dir && (d = readdir(dir))) {
		if (!isdigit((unsigned char)d->d_name[0]))
			continue;
		if (late(l))
			left++;
		else
			scan_process(l, d->d_name);
	}
	if (dir)
		closedir(dir);
	snprintf(text, sizeof(text),
		 "the files of %u processes: looking through the others took %d s", left,
		 SECONDS_MOST);
	if (left)
		limit(l, text);
}

/* Opens the mapped file; else the file with its path in the process's root, if that is the same. */
static int open_mapping(const struct candidate *c)
{
	char path[PATH_MAX];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/map_files/%llx-%llx", c->pid, c->from, c->to);
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

/* Is it the file that the process sees at this path? */
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
 * The path as users have to write it with -p: as the process sees it, which in a chroot is not what
 * its list of mappings says. A file that is at no path any more is named by its mapping.
 */
static const char *path_there(const struct candidate *c, int fd, char *path, size_t size)
{
	const char *there = c->path;
	char root[32];
	ssize_t n;

	snprintf(root, sizeof(root), "/proc/%s/root", c->pid);
	n = readlink(root, path, size);
	if (n > 1 && !strncmp(there, path, (size_t)n) && there[n] == '/')
		there += n;
	if (is_seen_at(c, there, fd))
		return there;
	snprintf(path, size, "/proc/%s/map_files/%llx-%llx", c->pid, c->from, c->to);
	return access(path, R_OK) ? c->path : path;
}

/* The path as sonde has to write it: a path in another root goes through the process. */
static const char *own_path(const struct candidate *c, int fd, char *path, size_t size)
{
	struct stat there, here;

	if (!fstat(fd, &there) && !stat(c->path, &here) && here.st_dev == there.st_dev &&
	    here.st_ino == there.st_ino)
		return c->path;
	snprintf(path, size, "/proc/%s/root%s", c->pid, c->path);
	return path;
}

static void try_candidate(struct looker *l, const struct candidate *c)
{
	char buffer[PATH_MAX];
	int fd;

	for (const struct file *f = l->s->files; f; f = f->next)
		if (f->library == l->s->library && same(&f->mapped, &c->mapped))
			return;
	if (!looks_at(l, c->path))
		return;
	fd = open_mapping(c);
	if (fd < 0) {
		leave_out(l, c->path, "a process has mapped it, but it can't be opened");
		return;
	}
	consider(l, fd, l->s->n_processes ? path_there(c, fd, buffer, sizeof(buffer)) :
		 own_path(c, fd, buffer, sizeof(buffer)), &c->mapped);
	close(fd);
}

int open_replaced(uint32_t pid, int fd)
{
	char path[PATH_MAX], name[32], *line = NULL;
	struct candidate c = { };
	struct mapping m;
	size_t size = 0;
	ssize_t n;
	FILE *maps;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, path, sizeof(path));
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

/* The files that most processes use come first. */
static void try_candidates(struct looker *l)
{
	unsigned int tries = 0;
	char text[128];

	qsort(l->candidates, 2 * CANDIDATES_MOST, sizeof(*l->candidates), by_processes);
	while (tries < l->n_candidates && tries < TRIES_MOST && !full(l) && !late(l))
		try_candidate(l, &l->candidates[tries++]);
	l->unlisted += l->n_candidates - tries;
	snprintf(text, sizeof(text),
		 "%u files that processes have mapped as %s: no more than %d are (-p takes a "
		 "process's own)", l->unlisted, l->s->library->name, FILES_MOST);
	if (l->unlisted)
		limit(l, text);
}

/* ---- where programs find them ---- */

static void add_path(struct looker *l, const char *path)
{
	int fd;

	if (full(l) || !looks_at(l, path))
		return;
	fd = l->root < 0 ? open_file(path) : open_file_at(open_in_root(l->root, path, true));
	if (fd < 0)
		return;
	consider(l, fd, path, NULL);
	close(fd);
}

/* A link leads to one of the other folders. */
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

/* `deeper`: also in folders for one machine, such as x86_64-linux-gnu. */
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
		if (is_file_of(l->s->library, d->d_name, strlen(d->d_name)))
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
			snprintf(path, sizeof(path), "%.*s/%s", (int)n, list,
				 l->s->library->files[0]);
			if (is_program(l, path)) {
				add_path(l, path);
				return;
			}
		}
		list += n + (list[n] == ':');
	}
}

static void scan_folders(struct looker *l)
{
	static const char *const folders[] = { "/lib", "/lib64", "/usr/lib", "/usr/lib64",
					       "/usr/local/lib" };

	if (l->s->library->program)
		scan_path(l);
	else
		for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
			scan_folder(l, folders[i], true);
}

/* Where the wanted processes would find it: in their own roots. Returns whether one has sonde's. */
static bool scan_roots(struct looker *l)
{
	bool shared = false;
	char text[96];

	for (unsigned int i = 0; i < l->s->n_processes; i++) {
		l->root = open_root_of(l->s->processes[i]);
		snprintf(text, sizeof(text), "the root of process %u: %s", l->s->processes[i],
			 errno == ENOENT ? "it has ended" : strerror(errno));
		if (l->root < 0) {
			limit(l, text);
			continue;
		}
		scan_folders(l);
		close(l->root);
		shared |= !has_own_root(l->s->processes[i]);
	}
	l->root = -1;
	return shared;
}

static void look(void *arg, int to)
{
	struct looker *l = arg;
	const struct search *s = l->s;
	char pid[16];

	l->to = to;
	l->candidates = calloc(2 * CANDIDATES_MOST, sizeof(*l->candidates));
	if (!l->candidates)
		_exit(1);
	for (unsigned int i = 0; i < s->n_processes; i++) {
		snprintf(pid, sizeof(pid), "%u", s->processes[i]);
		scan_process(l, pid);
	}
	/* If one of the wanted processes has mapped it, no other file is wanted. */
	if (l->n_candidates || !strcmp(s->library->name, USER_ANY_FILE)) {
		try_candidates(l);
		return;
	}
	/* What others mapped at an unusual place, one that has the same root may map, too. */
	if (s->n_processes) {
		if (!scan_roots(l))
			return;
	} else {
		scan_folders(l);
	}
	scan_processes(l);
	try_candidates(l);
}

static void take(void *arg, const void *message, size_t size, int fd)
{
	struct looker *l = arg;
	struct search *s = l->s;
	const struct message *m = message;

	if (size <= offsetof(struct message, text))
		return;
	switch (m->said) {
	case SAID_LOOKS:
		snprintf(l->now, sizeof(l->now), "%.*s", PATH_MAX, m->text);
		break;
	case SAID_FOUND:
		s->found(s, fd, m->text, &m->kind, &m->own, m->mapped.ino ? &m->mapped : NULL);
		return;
	case SAID_LEFT_OUT:
		lines_add(s->left_out, "%s is not probed: %s", m->text,
			  m->text + strlen(m->text) + 1);
		break;
	case SAID_LIMIT:
		lines_add(s->limits, "%s", m->text);
		break;
	}
}

/*
 * There are kernels where a page fault of the process is handled again and again, for seconds
 * (riscv64, 6.12). No server is asked for the mappings of processes, so they are tried once more
 * before they are given up. That takes nothing from the time of the others.
 */
static bool try_again(struct looker *l)
{
	l->again = !l->again && !strncmp(l->now, "/proc/", strlen("/proc/"));
	if (l->again)
		l->end += SILENCE_MS;
	return l->again;
}

int search_files(struct search *s, struct error *err)
{
	struct looker l = { .s = s, .root = -1, .end = monotonic_ms() + SECONDS_MOST * 1000 };
	const struct guarded g = { .work = look, .take = take, .arg = &l, .stop = s->stop,
				   .ms = SILENCE_MS };
	enum guard_end end;

	do {
		end = guard_run(&g);
		if (end != GUARD_HANGS)
			break;
		if (try_again(&l))
			continue;
		lines_add(s->limits, "%s: it can't be read within %d s", l.now, SILENCE_MS / 1000);
		l.hung[l.n_hung++] = strdup(l.now);
	} while (l.again || (l.n_hung < HANGS_MOST && l.hung[l.n_hung - 1]));
	for (unsigned int i = 0; i < l.n_hung; i++)
		free(l.hung[i]);
	if (end == GUARD_STOPPED)
		return fail(err, "interrupted");
	return end == GUARD_FAILED ? fail(err, "can't make a process that looks for files: %s",
					  strerror(errno)) : 0;
}
