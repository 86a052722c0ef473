// SPDX-License-Identifier: GPL-2.0
/* Files that the user named: paths are paths of the traced processes. */
#include "compat/binaries/binaries_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/text.h"
#include "compat/user/guard.h"
#include "compat/user/open_file.h"
#include "compat/user/rooted.h"

/* The answer of the process that reads the file. */
struct named_answer {
	bool found, failed;
	char why[512];
};

struct named_file {
	int fd;
	const char *const *symbols;	/* one of them must exist; ends with NULL */
	struct named_answer answer;
};

static void saw_function(void *arg, const char *name, uint64_t position, enum elf_function what)
{
	struct named_file *n = arg;

	(void)position;
	if (what == ELF_CHOOSES)
		return;
	for (const char *const *s = n->symbols; *s && !n->answer.found; s++)
		n->answer.found = !strcmp(*s, name);
}

static void read_named(void *arg, int to)
{
	struct named_file *n = arg;
	struct error err = { };

	n->answer.failed = elf_functions(n->fd, saw_function, n, &err);
	text_cut(n->answer.why, sizeof(n->answer.why), "%s", err.text);
	guard_send(to, &n->answer, sizeof(n->answer), -1);
}

static void take_named(void *arg, const void *message, size_t size, int fd)
{
	struct named_file *n = arg;

	(void)fd;
	if (size == sizeof(n->answer))
		memcpy(&n->answer, message, size);
}

/* Returns -1 and sets err if the file can't be probed. */
static int check_named(struct kernel *k, const char *path, int fd, const char *const *symbols,
		       struct error *err)
{
	struct named_file n = { .fd = fd, .symbols = symbols };
	const struct guarded g = { .work = read_named, .take = take_named, .arg = &n,
				   .file = &n.fd, .stop = kernel_stop(k), .ms = SILENCE_MS };

	switch (guard_run(&g)) {
	case GUARD_STOPPED:
		return fail(err, "interrupted");
	case GUARD_HANGS:
		return fail(err, "%s can't be probed: it can't be read within %d s", path,
			    SILENCE_MS / 1000);
	case GUARD_FAILED:
		return fail_with(err, errno,
				 "%s can't be probed: can't make a process that reads it: %m",
				 path);
	case GUARD_DONE:
		break;
	}
	if (n.answer.failed)
		return fail(err, "%s can't be probed: %s", path, n.answer.why);
	return *symbols && !n.answer.found ? fail(err, "%s has no function %s\n%s", path, *symbols,
						  NO_SYMBOLS) : 0;
}

/* A file that is named twice is kept once. */
static bool is_kept(struct kernel *k, const struct library *l, const struct stat *st)
{
	for (const struct file *f = binaries_of(k)->files; f; f = f->next)
		if (f->library == l && f->own.dev == st->st_dev && f->own.ino == st->st_ino)
			return true;
	return false;
}

/* Adds an open file, and takes ownership of it. */
static int add_opened(struct kernel *k, const struct library *l, int fd, const char *path,
		      const char *const *symbols, struct error *err)
{
	struct error why = { };
	struct elf_kind kind;
	struct stat st;
	int result;

	if (fstat(fd, &st))
		result = fail_with(err, errno, "%s can't be probed: %m", path);
	else if (elf_kind_of(fd, &kind, &why))
		result = fail_with(err, why.number, "%s can't be probed: %s", path, why.text);
	else if (!binary_abi(k, &kind))
		result = fail(err, "%s can't be probed on this kernel: it is a program or library "
				   "of %u bits and machine %u",
			      path, kind.word * 8U, kind.machine);
	else
		result = check_named(k, path, fd, symbols, err);
	if (result || is_kept(k, l, &st)) {
		close(fd);
		return result;
	}
	return binaries_keep(k, l, fd, path, &kind, &(struct identity){ st.st_dev, st.st_ino }) ?
		0 : fail(err, "out of memory");
}

/* `pid`: the path is in the root of this process, which is not sonde's root; 0: in sonde's root. */
static int not_opened(struct error *err, const char *path, uint32_t pid, int error)
{
	static const char hint[] = "\nwith -p the process's root counts for a path, and that is "
				   "not sonde's root";
	char where[32];

	snprintf(where, sizeof(where), " of process %u", pid);
	if (error == EINVAL)
		return fail(err, "%s%s can't be probed: it is not a file%s", path,
			    pid ? where : "", pid ? hint : "");
	return fail_with(err, error, "%s%s can't be opened: %m%s", path, pid ? where : "",
			 pid ? hint : "");
}

/*
 * Opens the file that the process sees at this path, or the file that it mapped before the path got
 * another one.
 */
static int open_for(uint32_t pid, int root, const char *path)
{
	int fd = open_file_at(open_in_root(root, path, true)),
	    before = fd < 0 ? -1 : open_replaced(pid, fd);

	if (before < 0)
		return fd;
	close(fd);
	return before;
}

/* The files of this path in the roots of all wanted processes. */
struct rooted {
	struct kernel *k;
	const char *path;
	int fds[FILES_MOST];
	unsigned int n, more;
	struct unseen {			/* the last process that does not see the path */
		uint32_t pid;
		bool ended;		/* the process has no root any more */
		int error;
	} unseen;
};

static void open_in_roots(void *arg, int to)
{
	const struct rooted *r = arg;

	unsigned int n;
	const uint32_t *processes = kernel_processes(r->k, &n);

	for (unsigned int i = 0; i < n; i++) {
		struct unseen u = { .pid = processes[i] };
		int root = open_root_of(u.pid), fd = -1;

		u.ended = root < 0 && errno == ENOENT;
		if (root >= 0) {
			fd = open_for(u.pid, root, r->path);
			u.error = errno;
			close(root);
		} else {
			u.error = errno;
		}
		guard_send(to, &u, sizeof(u), fd);
		if (fd >= 0)
			close(fd);
	}
}

static void take_opened(void *arg, const void *message, size_t size, int fd)
{
	struct rooted *r = arg;

	if (fd < 0 && size == sizeof(r->unseen)) {
		memcpy(&r->unseen, message, sizeof(r->unseen));
		return;
	}
	if (fd >= 0 && r->n < FILES_MOST) {
		r->fds[r->n++] = fd;
		return;
	}
	if (fd >= 0)
		close(fd);
	r->more++;
}

/* Returns -1 and sets err if no process sees such a file. */
static int find_in_roots(struct rooted *r, struct error *err)
{
	const struct guarded g = { .work = open_in_roots, .take = take_opened, .arg = r,
				   .opens = true, .stop = kernel_stop(r->k), .ms = SILENCE_MS };
	const enum guard_end end = guard_run(&g);

	if (end == GUARD_STOPPED)
		return fail(err, "interrupted");
	if (end == GUARD_FAILED)
		return fail_with(err, errno,
				 "%s can't be probed: can't make a process that opens it: %m",
				 r->path);
	if (r->n)
		return 0;
	if (end == GUARD_HANGS)
		return fail(err, "%s can't be probed: it can't be opened within %d s", r->path,
			    SILENCE_MS / 1000);
	if (r->unseen.ended)
		return fail(err, "%s can't be opened: process %u, which had this path, has "
				 "ended", r->path, r->unseen.pid);
	return not_opened(err, r->path, has_own_root(r->unseen.pid) ? r->unseen.pid : 0,
			  r->unseen.error);
}

static int add_in_roots(struct kernel *k, const struct library *l, const char *path,
			const char *const *symbols, struct error *err)
{
	struct rooted r = { .k = k, .path = path };
	int result = find_in_roots(&r, err);

	for (unsigned int i = 0; i < r.n; i++) {
		if (result)
			close(r.fds[i]);
		else
			result = add_opened(k, l, r.fds[i], path, symbols, err);
	}
	if (!result && r.unseen.pid)
		lines_add(&binaries_of(k)->left_out, "%s of process %u is not probed: %s", path,
			  r.unseen.pid, r.unseen.ended ? "it has ended" : strerror(r.unseen.error));
	if (!result && r.more)
		lines_add(&binaries_of(k)->limits, "%s of %u processes: no more than %d are", path,
			  r.more, FILES_MOST);
	return result;
}

/*
 * If processes are wanted, a path is a path of these processes. But /proc is always sonde's own: no
 * program is a file of /proc itself, and /proc/PID/root leads to files that sonde sees only there.
 */
static bool is_of_processes(const struct kernel *k, const char *path)
{
	return of_some_processes(k) && kernel_live(k) && path[0] == '/' &&
	       strncmp(path, "/proc/", 6);
}

int binaries_add(struct kernel *k, const struct library *l, const char *path,
		 const char *const *symbols, struct error *err)
{
	int fd;

	if (is_of_processes(k, path))
		return add_in_roots(k, l, path, symbols, err);
	fd = open_file(path);
	return fd < 0 ? not_opened(err, path, 0, errno) :
	       add_opened(k, l, fd, path, symbols, err);
}

int kernel_binary(struct kernel *k, const char *library, const char *path,
		  const char *const *symbols, struct error *err)
{
	const struct library *l = binaries_library(library, strlen(library));

	if (!l || !binaries_of(k))
		return fail(err, "out of memory");
	if (path && kernel_recorded(k))
		return recorded_named(k, l, path, err);
	if (path)
		return binaries_add(k, l, path, symbols, err);
	*binaries_searched(k, l) = true;
	return 0;
}
