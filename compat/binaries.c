// SPDX-License-Identifier: GPL-2.0
#include "compat/binaries.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/elf.h"
#include "compat/kernel_internal.h"

#define FILES 4

/* What a library's files are called; `*` stands for anything. Those that are programs are looked for in $PATH. */
static const struct library {
	const char *name;
	const char *files[FILES];
	bool program;
} libraries[] = {
	/* Of glibc, the same before 2.34, of musl, of uClibc; libc.so is bionic's, and musl's own name too. */
	{ "libc", { "libc.so*", "libc-*.so", "ld-musl-*", "libuClibc-*" } },
	{ "bash", { "bash" }, .program = true },
	{ "libreadline", { "libreadline.so*" } },
};
#define LIBRARIES (sizeof(libraries) / sizeof(libraries[0]))

struct file {
	struct file *next;
	struct binary binary;
	const struct library *library;
	int fd;
	struct {
		uint64_t dev, ino;
	} mapped, own;			/* as /proc/PID/maps has it, and stat(2): not the same on some file systems */
};

struct places {
	struct places *next;
	unsigned int n;
	struct place *places;
	char name[];
};

struct binaries {
	struct file *files;
	bool searched[LIBRARIES];	/* or the user named the files, so that nothing is looked for */
	struct places *places;
	char *left_out;
};

/* Said once, however many processes have mapped it. */
static void add_line(char **lines, const char *path, const char *why)
{
	const char *before = *lines ? *lines : "";
	char *line, *more;

	if (asprintf(&line, "%s is not probed: %s", path, why) < 0)
		return;
	if (!strstr(before, line) && asprintf(&more, "%s%s%s", before, *before ? "\n" : "", line) >= 0) {
		free(*lines);
		*lines = more;
	}
	free(line);
}

static void close_file(struct file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->binary.path);
	free(f);
}

void binaries_free(struct binaries *o)
{
	if (!o)
		return;
	for (struct file *f = o->files, *next; f; f = next) {
		next = f->next;
		close_file(f);
	}
	for (struct places *p = o->places, *next; p; p = next) {
		next = p->next;
		free(p->places);
		free(p);
	}
	free(o->left_out);
	free(o);
}

const char *kernel_binaries_left_out(const struct kernel *k)
{
	return k->binaries ? k->binaries->left_out : NULL;
}

void kernel_leave_out(struct kernel *k, struct binary *o, const char *why)
{
	if (!o->left_out)
		add_line(&k->binaries->left_out, o->path, why);
	o->left_out = true;
}

static bool matches(const char *pattern, const char *name, size_t length)
{
	const char *star = strchr(pattern, '*');
	size_t head = star ? (size_t)(star - pattern) : strlen(pattern), tail = star ? strlen(star + 1) : 0;

	return (star ? length >= head + tail : length == head) && !memcmp(name, pattern, head) &&
	       !memcmp(name + length - tail, star ? star + 1 : "", tail);
}

static bool is_file_of(const struct library *l, const char *name, size_t length)
{
	for (unsigned int i = 0; i < FILES && l->files[i]; i++)
		if (matches(l->files[i], name, length))
			return true;
	return false;
}

static const struct arch_abi *abi_of(struct kernel *k, const struct elf_kind *kind)
{
	const struct arch_abi *abis = kernel_arch(k)->abis;

	for (unsigned int i = 0; i < ARCH_ABIS; i++)
		if (abis[i].machine == kind->machine && abis[i].word == kind->word)
			return &abis[i];
	return NULL;
}

/* Keeps an open file, or closes it: if it is known already, or can't be probed (-1, and why). */
static int keep(struct kernel *k, const struct library *library, int fd, const char *path, struct file **kept,
		struct error *err)
{
	struct binaries *o = k->binaries;
	struct file *f;
	struct elf_kind kind;
	struct stat st;
	const struct arch_abi *abi;

	*kept = NULL;
	if (fstat(fd, &st) || elf_kind_of(fd, &kind, err)) {
		close(fd);
		return -1;
	}
	for (f = o->files; f; f = f->next)
		if (f->own.dev == st.st_dev && f->own.ino == st.st_ino && f->library == library) {
			close(fd);
			*kept = f;
			return 0;
		}
	abi = abi_of(k, &kind);
	if (!abi) {
		close(fd);
		return fail(err, "a program or library of %u bits and machine %u, which can't be probed on this kernel",
			    kind.word * 8U, kind.machine);
	}
	f = calloc(1, sizeof(*f));
	if (f)
		f->binary.path = strdup(path);
	if (!f || !f->binary.path) {
		close(fd);
		free(f);
		return fail(err, "out of memory");
	}
	f->library = library;
	f->fd = fd;
	f->binary.abi = abi;
	f->own.dev = st.st_dev;
	f->own.ino = st.st_ino;
	/* A name that stays, whatever becomes of the path, and has no space in it, which tracefs would not take. */
	snprintf(f->binary.file, sizeof(f->binary.file), "/proc/self/fd/%d", fd);
	f->next = o->files;
	o->files = f;
	*kept = f;
	return 0;
}

/* ---- what processes have mapped ---- */

struct mapping {
	unsigned long long from, to, dev, ino;
	char *path;
	size_t length;		/* of the path without what the kernel adds to those that were removed */
};

/* A line of /proc/PID/maps: true if it is a file's code. */
static bool parse_mapping(char *line, struct mapping *m)
{
	static const char gone[] = " (deleted)";
	unsigned int major, minor;
	char mode[5] = "";
	int n = 0;

	if (sscanf(line, "%llx-%llx %4s %*x %x:%x %llu %n", &m->from, &m->to, mode, &major, &minor, &m->ino, &n) < 6 ||
	    !n || mode[2] != 'x' || line[n] != '/')
		return false;
	m->dev = (unsigned long long)major << 32 | minor;
	m->path = line + n;
	m->length = strcspn(m->path, "\n");
	m->path[m->length] = '\0';
	if (m->length > sizeof(gone) && !strcmp(m->path + m->length - (sizeof(gone) - 1), gone))
		m->length -= sizeof(gone) - 1;
	return true;
}

/* The mapped file itself, or what has its path in the root of the process and is still the same. */
static int open_mapping(const char *pid, const struct mapping *m)
{
	char path[PATH_MAX];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/map_files/%llx-%llx", pid, m->from, m->to);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		return fd;
	if (snprintf(path, sizeof(path), "/proc/%s/root%s", pid, m->path) >= (int)sizeof(path))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && (fstat(fd, &st) || st.st_ino != m->ino)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* The path as we have to write it: that of another root goes through the process. */
static const char *own_path(const char *pid, const struct mapping *m, int fd, char *path, size_t size)
{
	struct stat there, here;

	if (!fstat(fd, &there) && !stat(m->path, &here) && here.st_dev == there.st_dev && here.st_ino == there.st_ino)
		return m->path;
	snprintf(path, size, "/proc/%s/root%s", pid, m->path);
	return path;
}

static void add_mapping(struct kernel *k, const struct library *library, const char *pid, const struct mapping *m)
{
	const char *name = memrchr(m->path, '/', m->length) + 1;
	char buffer[PATH_MAX];
	struct error err = { };
	const char *path;
	struct file *f;
	int fd;

	if (!is_file_of(library, name, (size_t)(m->path + m->length - name)))
		return;
	for (f = k->binaries->files; f; f = f->next)
		if (f->mapped.dev == m->dev && f->mapped.ino == m->ino && f->library == library)
			return;
	fd = open_mapping(pid, m);
	if (fd < 0) {
		add_line(&k->binaries->left_out, m->path, "a process has mapped it, but it can't be opened");
		return;
	}
	path = own_path(pid, m, fd, buffer, sizeof(buffer));
	if (keep(k, library, fd, path, &f, &err)) {
		add_line(&k->binaries->left_out, path, err.text);
		return;
	}
	f->mapped.dev = m->dev;
	f->mapped.ino = m->ino;
}

static void scan_process(struct kernel *k, const struct library *library, const char *pid)
{
	char path[288], *line = NULL;
	struct mapping m;
	size_t size = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	maps = fopen(path, "re");
	while (maps && getline(&line, &size, maps) > 0)
		if (parse_mapping(line, &m))
			add_mapping(k, library, pid, &m);
	if (maps)
		fclose(maps);
	free(line);
}

static void scan_processes(struct kernel *k, const struct library *library)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;

	while (dir && (d = readdir(dir)))
		if (isdigit((unsigned char)d->d_name[0]))
			scan_process(k, library, d->d_name);
	if (dir)
		closedir(dir);
}

/* ---- where programs find them ---- */

static void add_path(struct kernel *k, const struct library *library, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct file *f;

	/* Linker scripts have such names, too, and so have the files of other machines. */
	if (fd >= 0)
		keep(k, library, fd, path, &f, NULL);
}

/* `deeper`: folders of one machine, x86_64-linux-gnu, as well. */
static void scan_folder(struct kernel *k, const struct library *library, const char *folder, bool deeper)
{
	char path[PATH_MAX];
	struct dirent *d;
	struct stat st;
	DIR *dir;

	if (lstat(folder, &st) || !S_ISDIR(st.st_mode) || !(dir = opendir(folder)))	/* links lead to one of the others */
		return;
	while ((d = readdir(dir))) {
		if (snprintf(path, sizeof(path), "%s/%s", folder, d->d_name) >= (int)sizeof(path))
			continue;
		if (is_file_of(library, d->d_name, strlen(d->d_name)))
			add_path(k, library, path);
		else if (deeper && strstr(d->d_name, "-linux-"))
			scan_folder(k, library, path, false);
	}
	closedir(dir);
}

static void scan_path(struct kernel *k, const struct library *library)
{
	const char *list = getenv("PATH");
	char path[PATH_MAX];

	list = list ? list : "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
	while (*list) {
		size_t n = strcspn(list, ":");

		if (n && n < sizeof(path) - 64) {
			snprintf(path, sizeof(path), "%.*s/%s", (int)n, list, library->files[0]);
			if (!access(path, X_OK)) {
				add_path(k, library, path);
				return;
			}
		}
		list += n + (list[n] == ':');
	}
}

static void search(struct kernel *k, const struct library *library)
{
	static const char *const folders[] = { "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib" };
	bool *searched = &k->binaries->searched[library - libraries];

	if (*searched)
		return;
	*searched = true;
	scan_processes(k, library);
	for (unsigned int i = 0; !library->program && i < sizeof(folders) / sizeof(folders[0]); i++)
		scan_folder(k, library, folders[i], true);
	if (library->program)
		scan_path(k, library);
}

/* ---- their functions ---- */

struct finder {
	struct file *file;
	const char *symbols;		/* by `|` */
	unsigned int best;		/* the number of the symbol that was found; UINT_MAX: none yet */
	struct places *out;
	unsigned int begin;		/* of this file's in out */
	bool thumb, failed;
};

/* The number of a name in a list by `|`; UINT_MAX: it is not there. */
static unsigned int number_in(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (unsigned int i = 0; *list; i++) {
		size_t n = strcspn(list, "|");

		if (n == length && !memcmp(list, name, n))
			return i;
		list += n + (list[n] == '|');
	}
	return UINT_MAX;
}

static void found_function(void *arg, const char *name, uint64_t position, bool thumb)
{
	struct finder *f = arg;
	unsigned int number = number_in(f->symbols, name);
	struct place *more;
	char code[16];

	if (number > f->best || number == UINT_MAX)
		return;
	if (thumb) {
		f->thumb = true;
		return;
	}
	if (number < f->best)
		f->out->n = f->begin;
	f->best = number;
	/* Versions of a function, and .symtab's copy of what .dynsym has. */
	for (unsigned int i = f->begin; i < f->out->n; i++)
		if (f->out->places[i].address == position)
			return;
	/* A kernel reads the page itself when it sets a probe, of which ext4 of 6.18 warns in its log: it is there then. */
	if (pread(f->file->fd, code, sizeof(code), (off_t)position) <= 0)
		return;
	more = realloc(f->out->places, (f->out->n + 1) * sizeof(*more));
	if (!more) {
		f->failed = true;
		return;
	}
	f->out->places = more;
	more += f->out->n++;
	*more = (struct place){ .binary = &f->file->binary, .address = position };
	snprintf(more->symbol, sizeof(more->symbol), "%s", name);
}

static void find_in(struct kernel *k, struct file *file, const char *symbols, struct places *out)
{
	struct finder f = { .file = file, .symbols = symbols, .best = UINT_MAX, .out = out, .begin = out->n };
	struct error err = { };
	int result = elf_functions(file->fd, found_function, &f, &err);

	if (f.failed)
		result = fail(&err, "out of memory");
	if (!result && f.thumb && out->n == f.begin)
		result = fail(&err, "its functions are Thumb code, which this kernel can't probe");
	if (result)
		kernel_leave_out(k, &file->binary, err.text);
}

static const char no_symbols[] = "it was built without it, or its symbols were removed; another file can be named";

static int no_places(const struct kernel *k, const struct library *l, const char *symbols, struct error *err)
{
	const struct file *f = k->binaries->files;
	const char *why = k->binaries->left_out;

	while (f && f->library != l)
		f = f->next;
	if (f)
		return fail(err, "%s has no function %.*s\n%s%s%s", f->binary.path, (int)strcspn(symbols, "|"), symbols,
			    no_symbols, why ? "\n" : "", why ? why : "");
	return fail(err, "no %s is mapped by a process, or is where programs look for it: one can be named%s%s", l->name,
		    why ? "\n" : "", why ? why : "");
}

static struct binaries *binaries(struct kernel *k)
{
	if (!k->binaries)
		k->binaries = calloc(1, sizeof(*k->binaries));
	return k->binaries;
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
	f->next = k->binaries->files;
	k->binaries->files = f;
	out->places[0].binary = &f->binary;
	symbol = strchr(out->name, ':') + 1;
	snprintf(out->places[0].symbol, sizeof(out->places[0].symbol), "%.*s", (int)strcspn(symbol, "|"), symbol);
	out->n = 1;
	return 0;
}

int kernel_places(struct kernel *k, const char *name, const struct place **list, struct error *err)
{
	const char *colon = strchr(name, ':');
	const struct library *l = colon ? library_by_name(name, (size_t)(colon - name)) : NULL;
	struct places *p;
	int result = 0;

	if (!l)
		return fail(err, "the hook table is wrong at `%s`", name);
	if (!binaries(k))
		return fail(err, "out of memory");
	for (p = k->binaries->places; p && strcmp(p->name, name); p = p->next)
		;
	if (!p) {
		p = calloc(1, sizeof(*p) + strlen(name) + 1);
		if (!p)
			return fail(err, "out of memory");
		strcpy(p->name, name);
		p->next = k->binaries->places;
		k->binaries->places = p;
		if (!kernel_live(k))
			result = snapshot_place(k, l, p);
		else
			search(k, l);
		for (struct file *f = k->binaries->files; f && kernel_live(k); f = f->next)
			if (f->library == l)
				find_in(k, f, strchr(p->name, ':') + 1, p);
	}
	*list = p->places;
	if (result)
		return fail(err, "out of memory");
	return p->n ? (int)p->n : no_places(k, l, colon + 1, err);
}

/* ---- what the user named ---- */

static void saw_function(void *arg, const char *name, uint64_t position, bool thumb)
{
	const char *const **symbols = arg;

	(void)position;
	(void)thumb;
	for (const char *const *s = *symbols; s && *s; s++)
		if (!strcmp(*s, name)) {
			*symbols = NULL;
			return;
		}
}

int kernel_binary(struct kernel *k, const char *library, const char *path, const char *const *symbols,
		  struct error *err)
{
	const struct library *l = library_by_name(library, strlen(library));
	const char *const *wanted = symbols;
	struct error why = { };
	struct file *f;
	int fd;

	if (!l || !binaries(k))
		return fail(err, "out of memory");
	k->binaries->searched[l - libraries] = true;
	if (!path)
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return fail(err, "%s can't be opened: %s", path, strerror(errno));
	if (keep(k, l, fd, path, &f, &why) || elf_functions(f->fd, saw_function, &wanted, &why))
		return fail(err, "%s can't be probed: %s", path, why.text);
	if (wanted)
		return fail(err, "%s has no function %s\n%s", path, *symbols, no_symbols);
	return 0;
}
