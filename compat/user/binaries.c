// SPDX-License-Identifier: GPL-2.0
#include "compat/user/binaries.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/user/binaries_internal.h"
#include "compat/user/guard.h"
#include "compat/user/open_file.h"
#include "compat/user/rooted.h"
#include "compat/kernel/keep.h"

#define SILENCE_MS 5000		/* for the symbols of one file */

static const struct library libraries[LIBRARIES] = {
	/* Of glibc, glibc before 2.34, musl, uClibc; bionic's is libc.so, as may be musl's. */
	{ "libc", { "libc.so*", "libc-*.so", "ld-musl-*", "libuClibc-*" } },
	/* What has an allocator of memory: the same, and those that programs have instead. */
	{ "heap", { "libc.so*", "libc-*.so", "ld-musl-*", "libuClibc-*", "libjemalloc*",
		    "libtcmalloc*", "libmimalloc*" },
	  .called = "libc" },
	/* What makes threads: the same, and before glibc 2.34 another. */
	{ "threads", { "libc.so*", "libc-*.so", "ld-musl-*", "libuClibc-*", "libpthread.so*",
		       "libpthread-*" },
	  .called = "libc or libpthread" },
	{ "bash", { "bash" }, .program = true },
	{ "libreadline", { "libreadline.so*" } },
};

struct places {
	struct places *next;
	unsigned int n;
	struct place *places;
	char name[];
};

/* ---- files ---- */

static void close_file(struct file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->binary.path);
	free(f);
}

static void end(void *kept)
{
	struct binaries *o = kept;

	for (struct file *f = o->files, *next; f; f = next) {
		next = f->next;
		close_file(f);
	}
	for (struct places *p = o->places, *next; p; p = next) {
		next = p->next;
		for (unsigned int i = 0; i < p->n; i++)
			free(p->places[i].symbol);
		free(p->places);
		free(p);
	}
	for (struct named *n = o->named, *next; n; n = next) {
		next = n->next;
		free(n);
	}
	lines_free(&o->left_out);
	lines_free(&o->limits);
}

static const struct kernel_key key = { sizeof(struct binaries), end };

struct binaries *binaries_of(struct kernel *k)
{
	struct binaries *o = kernel_keep(k, &key);

	if (o)
		o->left_out.most = o->limits.most = LINES_MOST;
	return o;
}

/* NULL: nothing was asked for yet. */
static struct binaries *binaries_known(const struct kernel *k)
{
	return kernel_kept(k, &key);
}

bool of_some_processes(const struct kernel *k)
{
	unsigned int n;

	kernel_processes(k, &n);
	return n;
}

bool kernel_has_binary(const struct kernel *k, int fd)
{
	struct binaries *o = binaries_known(k);
	const struct file *f = o ? o->files : NULL;

	while (f && f->fd != fd)
		f = f->next;
	return f;
}

const char *kernel_binaries_left_out(const struct kernel *k)
{
	struct binaries *o = binaries_known(k);

	return o ? lines_text(&o->left_out) : NULL;
}

const struct lines *kernel_binaries_limits(const struct kernel *k)
{
	struct binaries *o = binaries_known(k);

	return o ? &o->limits : NULL;
}

void kernel_leave_out(struct kernel *k, struct binary *o, const char *why)
{
	if (!o->left_out)
		lines_add(&binaries_of(k)->left_out, "%s is not probed: %s", o->path, why);
	o->left_out = true;
}

void kernel_leave_out_place(struct kernel *k, const struct place *p, const char *why)
{
	lines_add(&binaries_of(k)->left_out, "%s:%s is not probed: %s", p->binary->path, p->symbol,
		  why);
}

const struct arch_abi *binary_abi(struct kernel *k, const struct elf_kind *kind)
{
	const struct arch_abi *abis = kernel_arch(k)->abis;

	for (unsigned int i = 0; i < ARCH_ABIS; i++)
		if (abis[i].machine == kind->machine && abis[i].word == kind->word)
			return &abis[i];
	return NULL;
}

struct file *binaries_keep(struct kernel *k, const struct library *library, int fd,
			   const char *path, const struct elf_kind *kind,
			   const struct identity *own)
{
	struct file *f = calloc(1, sizeof(*f)), **last;

	if (f)
		f->binary.path = strdup(path);
	if (!f || !f->binary.path) {
		close(fd);
		free(f);
		return NULL;
	}
	f->library = library;
	f->fd = fd;
	f->binary.abi = binary_abi(k, kind);
	f->own = *own;
	/* A name that stays valid, whatever becomes of the path, and has no space for tracefs. */
	snprintf(f->binary.file, sizeof(f->binary.file), "/proc/self/fd/%d", fd);
	/* Last: the files where programs look for the library come before all that are mapped. */
	for (last = &binaries_of(k)->files; *last; last = &(*last)->next)
		;
	*last = f;
	return f;
}

static void found_file(struct search *s, int fd, const char *path, const struct elf_kind *kind,
		       const struct identity *own, const struct identity *mapped)
{
	struct file *f = binaries_keep(s->k, s->library, fd, path, kind, own);

	if (f && mapped)
		f->mapped = *mapped;
	s->files = binaries_of(s->k)->files;
}

int binaries_search(struct kernel *k, const struct library *library, struct error *err)
{
	struct binaries *o = binaries_of(k);
	struct search s = {
		.k = k, .library = library, .files = o->files, .stop = kernel_stop(k),
		.found = found_file, .left_out = &o->left_out, .limits = &o->limits,
	};

	s.processes = kernel_processes(k, &s.n_processes);
	return search_files(&s, err);
}

/* Once; or the user named the files, so that no others are looked for. */
static int search(struct kernel *k, const struct library *library, struct error *err)
{
	bool *searched = &binaries_of(k)->searched[library - libraries];

	if (*searched)
		return 0;
	*searched = true;
	return binaries_search(k, library, err);
}

/* ---- their functions ---- */

/* What the process that reads symbols says: one function of a file, or that a file is done. */
struct said {
	unsigned int file;		/* its number among the library's */
	bool ended, thumb, failed, many;
	uint64_t address;
	char text[512];			/* the symbol; at the end: what failed */
};

struct finder {
	struct kernel *k;
	const struct library *library;
	const char *symbols;		/* separated by `|` */
	struct places *out;
	unsigned int skip;		/* files before this one are done */
	struct file *file;
	/* In the process: */
	struct said said;
	/* the number of the symbol that was found; UINT_MAX: none yet */
	unsigned int best;
	unsigned int n;
	uint64_t found[COPIES_MOST];
};

/* The number of a name in a list separated by `|`; UINT_MAX: the list does not have it. */
static unsigned int number_in(const char *list, const char *name)
{
	for (unsigned int i = 0; *list; i++) {
		size_t n = strcspn(list, "|");

		if (!strncmp(list, name, n) && !name[n])
			return i;
		list += n + (list[n] == '|');
	}
	return UINT_MAX;
}

bool file_touch(const struct file *file, uint64_t position)
{
	char code[16];

	return pread(file->fd, code, sizeof(code), (off_t)position) > 0;
}

static void found_function(void *arg, const char *name, uint64_t position, enum elf_function what)
{
	struct finder *f = arg;
	unsigned int number = number_in(f->symbols, name);

	if (number > f->best || number == UINT_MAX || what == ELF_CHOOSES)
		return;
	if (what == ELF_THUMB) {
		f->said.thumb = true;
		return;
	}
	if (number < f->best)
		f->n = 0;
	f->best = number;
	/* Versions of a function, and .symtab's copy of what .dynsym has. */
	for (unsigned int i = 0; i < f->n; i++)
		if (f->found[i] == position)
			return;
	if (f->n == COPIES_MOST)
		f->said.many = true;
	else if (file_touch(f->file, position))
		f->found[f->n++] = position;
}

static struct file *nth_file(const struct finder *f, unsigned int number)
{
	for (struct file *file = binaries_of(f->k)->files; file; file = file->next)
		if (file->library == f->library && !number--)
			return file;
	return NULL;
}

static void symbol_text(const char *list, unsigned int number, char *to, size_t size)
{
	while (number--)
		list += strcspn(list, "|") + 1;
	snprintf(to, size, "%.*s", (int)strcspn(list, "|"), list);
}

static void find(void *arg, int to)
{
	struct finder *f = arg;

	for (unsigned int number = f->skip; (f->file = nth_file(f, number)); number++) {
		struct error err = { };

		f->said = (struct said){ .file = number };
		f->best = UINT_MAX;
		f->n = 0;
		if (elf_functions(f->file->fd, found_function, f, &err))
			f->said.failed = true;
		if (f->best != UINT_MAX)
			symbol_text(f->symbols, f->best, f->said.text, sizeof(f->said.text));
		/* Of too many copies none is probed: somebody made them to be many. */
		for (unsigned int i = 0; i < f->n && !f->said.many; i++) {
			f->said.address = f->found[i];
			guard_send(to, &f->said, sizeof(f->said), -1);
		}
		f->said.ended = true;
		if (f->said.failed)
			snprintf(f->said.text, sizeof(f->said.text), "%.500s", err.text);
		guard_send(to, &f->said, sizeof(f->said), -1);
	}
}

static void add_place(struct finder *f, struct file *file, const struct said *found)
{
	struct place *more;

	if (f->out->n == PLACES_MOST) {
		lines_add(&binaries_of(f->k)->limits, "%s: more than %d places of functions %s",
			  file->binary.path, PLACES_MOST, f->symbols);
		return;
	}
	if (array_room(&f->out->places, f->out->n, sizeof(*more)))
		return;
	more = &f->out->places[f->out->n];
	*more = (struct place){ .binary = &file->binary, .address = found->address,
				.symbol = strndup(found->text, sizeof(found->text)) };
	f->out->n += more->symbol != NULL;
}

static void take_finding(void *arg, const void *message, size_t size, int fd)
{
	const struct said *found = message;
	struct finder *f = arg;
	struct file *file = size == sizeof(*found) ? nth_file(f, found->file) : NULL;

	(void)fd;
	if (!file)
		return;
	if (!found->ended) {
		add_place(f, file, found);
		return;
	}
	f->skip = found->file + 1;
	if (found->failed)
		kernel_leave_out(f->k, &file->binary, found->text);
	else if (found->thumb &&
		 (!f->out->n || f->out->places[f->out->n - 1].binary != &file->binary))
		kernel_leave_out(f->k, &file->binary,
				 "its functions are Thumb code, which this kernel can't probe");
	if (found->many)
		lines_add(&binaries_of(f->k)->limits, "%s: it has more than %d functions %s",
			  file->binary.path, COPIES_MOST, found->text);
}

static int find_all(struct kernel *k, const struct library *l, const char *symbols,
		    struct places *out, struct error *err)
{
	struct finder f = { .k = k, .library = l, .symbols = symbols, .out = out };
	const struct guarded g = { .work = find, .take = take_finding, .arg = &f,
				   .stop = kernel_stop(k), .ms = SILENCE_MS };
	enum guard_end end;

	/* A file that hangs is left out, and the next is tried. */
	while ((end = guard_run(&g)) == GUARD_HANGS && (f.file = nth_file(&f, f.skip++)))
		lines_add(&binaries_of(k)->limits, "%s: it can't be read within %d s",
			  f.file->binary.path, SILENCE_MS / 1000);
	if (end == GUARD_STOPPED)
		return fail(err, "interrupted");
	return end == GUARD_FAILED ? fail(err, "can't make a process that reads symbols: %s",
					  strerror(errno)) : 0;
}

static const char no_symbols[] = "it was built without it, or its symbols were removed; another "
				 "file can be named";

static int no_places(struct kernel *k, const struct library *l, const char *symbols,
		     struct error *err)
{
	const struct file *f = binaries_of(k)->files;
	const char *why = lines_text(&binaries_of(k)->left_out);
	const bool some = of_some_processes(k);

	while (f && f->library != l)
		f = f->next;
	if (f)
		return fail(err, "%s has no function %.*s\n%s%s%s", f->binary.path,
			    (int)strcspn(symbols, "|"), symbols, no_symbols, why ? "\n" : "",
			    why ? why : "");
	return fail(err, "%s mapped %s, and it is not where %s look for it: a "
			 "file can be named%s%s",
		    some ? "none of the processes of -p has" : "no process has",
		    l->called ? l->called : l->name,
		    some ? "they" : "programs", why ? "\n" : "", why ? why : "");
}

static const struct library *library_by_name(const char *name, size_t length)
{
	for (unsigned int i = 0; i < LIBRARIES; i++)
		if (strlen(libraries[i].name) == length && !memcmp(libraries[i].name, name, length))
			return &libraries[i];
	return NULL;
}

static int snapshot_place(struct kernel *k, const struct library *l, struct places *out)
{
	struct file *f = calloc(1, sizeof(*f));
	const char *symbol;

	out->places = calloc(1, sizeof(*out->places));
	if (f)
		f->binary.path = strdup(l->name);
	if (!f || !f->binary.path || !out->places) {
		free(f);
		return -1;
	}
	f->fd = -1;
	f->library = l;
	f->binary.abi = &kernel_arch(k)->abis[0];
	f->next = binaries_of(k)->files;
	binaries_of(k)->files = f;
	out->places[0].binary = &f->binary;
	symbol = strchr(out->name, ':') + 1;
	out->places[0].symbol = strndup(symbol, strcspn(symbol, "|"));
	out->n = out->places[0].symbol != NULL;
	return out->n ? 0 : -1;
}

int kernel_places(struct kernel *k, const char *name, const struct place **list, struct error *err)
{
	const char *colon = strchr(name, ':');
	const struct library *l = colon ? library_by_name(name, (size_t)(colon - name)) : NULL;
	struct places *p;
	int result = 0;

	if (!l)
		return fail(err, "the hook table is wrong at `%s`", name);
	if (!binaries_of(k))
		return fail(err, "out of memory");
	for (p = binaries_of(k)->places; p && strcmp(p->name, name); p = p->next)
		;
	if (!p) {
		p = calloc(1, sizeof(*p) + strlen(name) + 1);
		if (!p)
			return fail(err, "out of memory");
		strcpy(p->name, name);
		p->next = binaries_of(k)->places;
		binaries_of(k)->places = p;
		if (!kernel_live(k))
			result = snapshot_place(k, l, p);
		else if (search(k, l, err) || find_all(k, l, colon + 1, p, err))
			return -1;
	}
	*list = p->places;
	if (result)
		return fail(err, "out of memory");
	return p->n ? (int)p->n : no_places(k, l, colon + 1, err);
}

/* ---- what the user named ---- */

/* What the process that reads the file says of it. */
struct named_answer {
	bool found, failed;
	char why[512];
};

struct named_file {
	int fd;
	const char *const *symbols;	/* one of them is to be there; NULL at their end */
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
	snprintf(n->answer.why, sizeof(n->answer.why), "%.500s", err.text);
	guard_send(to, &n->answer, sizeof(n->answer), -1);
}

static void take_named(void *arg, const void *message, size_t size, int fd)
{
	struct named_file *n = arg;

	(void)fd;
	if (size == sizeof(n->answer))
		memcpy(&n->answer, message, size);
}

/* -1 and err: why the file can't be probed. */
static int check_named(struct kernel *k, const char *path, int fd, const char *const *symbols,
		       struct error *err)
{
	struct named_file n = { .fd = fd, .symbols = symbols };
	const struct guarded g = { .work = read_named, .take = take_named, .arg = &n,
				   .stop = kernel_stop(k), .ms = SILENCE_MS };

	switch (guard_run(&g)) {
	case GUARD_STOPPED:
		return fail(err, "interrupted");
	case GUARD_HANGS:
		return fail(err, "%s can't be probed: it can't be read within %d s", path,
			    SILENCE_MS / 1000);
	case GUARD_FAILED:
		return fail(err, "%s can't be probed: can't make a process that reads it: %s",
			    path, strerror(errno));
	case GUARD_DONE:
		break;
	}
	if (n.answer.failed)
		return fail(err, "%s can't be probed: %s", path, n.answer.why);
	return *symbols && !n.answer.found ? fail(err, "%s has no function %s\n%s", path, *symbols,
						  no_symbols) : 0;
}

/* A file that is named twice is kept once. */
static bool is_kept(struct kernel *k, const struct library *l, const struct stat *st)
{
	for (const struct file *f = binaries_of(k)->files; f; f = f->next)
		if (f->library == l && f->own.dev == st->st_dev && f->own.ino == st->st_ino)
			return true;
	return false;
}

/* Takes the file over. */
static int add_opened(struct kernel *k, const struct library *l, int fd, const char *path,
		      const char *const *symbols, struct error *err)
{
	struct error why = { };
	struct elf_kind kind;
	struct stat st;
	int result;

	if (fstat(fd, &st) || elf_kind_of(fd, &kind, &why))
		result = fail(err, "%s can't be probed: %s", path, why.text);
	else if (!binary_abi(k, &kind))
		result = fail(err, "%s can't be probed: a program or library of %u bits and "
				   "machine %u, which can't be probed on this kernel",
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

/* `pid`: in the root of this process, which is not sonde's; 0: in sonde's own. */
static int not_opened(struct error *err, const char *path, uint32_t pid, int error)
{
	static const char hint[] = "\nwith -p a path is one that the process sees, whose root is "
				   "not sonde's";
	char where[32];

	snprintf(where, sizeof(where), " of process %u", pid);
	if (error == EINVAL)
		return fail(err, "%s%s can't be probed: it is not a file%s", path,
			    pid ? where : "", pid ? hint : "");
	return fail(err, "%s%s can't be opened: %s%s", path, pid ? where : "", strerror(error),
		    pid ? hint : "");
}

/* The file that the process sees at this path, or had mapped before it was replaced. */
static int open_for(uint32_t pid, int root, const char *path)
{
	int fd = open_file_at(open_in_root(root, path, true)),
	    before = fd < 0 ? -1 : open_replaced(pid, fd);

	if (before < 0)
		return fd;
	close(fd);
	return before;
}

/* The file of this path in the root of each process that is wanted. */
struct rooted {
	struct kernel *k;
	const char *path;
	int fds[FILES_MOST];
	unsigned int n, more;
	struct unseen {			/* by a process, the last one that does not see it */
		uint32_t pid;
		bool ended;		/* it has no root any more */
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

/* -1 and err if no process sees such a file. */
static int find_in_roots(struct rooted *r, struct error *err)
{
	const struct guarded g = { .work = open_in_roots, .take = take_opened, .arg = r,
				   .stop = kernel_stop(r->k), .ms = SILENCE_MS };
	const enum guard_end end = guard_run(&g);

	if (end == GUARD_STOPPED)
		return fail(err, "interrupted");
	if (end == GUARD_FAILED)
		return fail(err, "%s can't be probed: can't make a process that opens it: %s",
			    r->path, strerror(errno));
	if (r->n)
		return 0;
	if (end == GUARD_HANGS)
		return fail(err, "%s can't be probed: it can't be opened within %d s", r->path,
			    SILENCE_MS / 1000);
	if (r->unseen.ended)
		return fail(err, "%s can't be opened: process %u, whose file it would be, has "
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
 * A path is one of the processes that are wanted, if there are any. What is in /proc is sonde's own
 * everywhere: no program is a file there, and /proc/PID/root leads to one that is not elsewhere.
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
	const struct library *l = library_by_name(library, strlen(library));

	if (!l || !binaries_of(k))
		return fail(err, "out of memory");
	if (path)
		return binaries_add(k, l, path, symbols, err);
	binaries_of(k)->searched[l - libraries] = true;
	return 0;
}
