// SPDX-License-Identifier: GPL-2.0
#include "compat/binaries/binaries.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/binaries/binaries_internal.h"
#include "compat/kernel/keep.h"

static const struct library libraries[LIBRARIES] = {
	/*
	 * glibc, glibc before 2.34, musl, uClibc. bionic's library is libc.so, and musl's may be,
	 * too.
	 */
	{ "libc", { "libc.so*", "libc-*.so", "ld-musl-*", "libuClibc-*" } },
	/*
	 * Libraries with an allocator of memory: C libraries, and libraries that programs use
	 * instead.
	 */
	{ "heap", { "libc.so*", "libc-*.so", "ld-musl-*", "libuClibc-*", "libjemalloc*",
		    "libtcmalloc*", "libmimalloc*" },
	  .called = "libc" },
	/* Libraries that make threads: C libraries, and libpthread before glibc 2.34. */
	{ "threads", { "libc.so*", "libc-*.so", "ld-musl-*", "libuClibc-*", "libpthread.so*",
		       "libpthread-*" },
	  .called = "libc or libpthread" },
	{ "bash", { "bash" }, .program = true },
	{ "libreadline", { "libreadline.so*" } },
	/* OpenSSL and what has its functions; GnuTLS; NSPR, by which programs use NSS. */
	{ "ssl", { "libssl.so*" }, .called = "OpenSSL" },
	{ "gnutls", { "libgnutls.so*" }, .called = "GnuTLS" },
	{ "nspr", { "libnspr4.so*" }, .called = "NSPR" },
	/* Runtimes of languages, with probes of their own. */
	{ "python", { "python3", "python3.*", "libpython3*", "python2.*", "libpython2*" },
	  .program = true, .called = "Python" },
	{ "ruby", { "ruby", "ruby2.*", "ruby3.*", "libruby*" }, .program = true,
	  .called = "Ruby" },
	{ "jvm", { "libjvm.so" }, .called = "Java" },
	/* Databases. */
	{ "postgres", { "postgres", "edb-postgres" }, .program = true, .called = "PostgreSQL" },
	{ "mysql", { "mysqld", "mariadbd", "mysqld-debug" }, .program = true,
	  .called = "MySQL or MariaDB" },
};

static void close_file(struct file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->binary.path);
	free(f);
}

void binaries_free_places(struct places *p)
{
	for (unsigned int i = 0; i < p->n; i++) {
		free(p->places[i].symbol);
		free((char *)p->places[i].arguments);
	}
	free(p->places);
	free(p);
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
		binaries_free_places(p);
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

/* Returns NULL if nothing was asked for yet. */
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

void kernel_each_place(const struct kernel *k,
		       void (*each)(void *arg, const char *name, const struct place *p), void *arg)
{
	const struct binaries *o = binaries_known(k);

	for (const struct places *p = o ? o->places : NULL; p; p = p->next)
		for (unsigned int i = 0; i < p->n; i++)
			each(arg, p->name, &p->places[i]);
}

const char *binary_library(const struct binary *b)
{
	const struct file *f = (const struct file *)((const char *)b -
						     offsetof(struct file, binary));

	return f->library ? f->library->name : NULL;
}

int binary_fd(const struct binary *b)
{
	return ((const struct file *)((const char *)b - offsetof(struct file, binary)))->fd;
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
	/*
	 * This name stays valid even if the path changes, and has no space, which tracefs would not
	 * take.
	 */
	snprintf(f->binary.file, sizeof(f->binary.file), "/proc/self/fd/%d", fd);
	/*
	 * The file becomes the last one: files where programs look for the library come before
	 * files that are only mapped.
	 */
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

const struct library *binaries_library(const char *name, size_t length)
{
	for (unsigned int i = 0; i < LIBRARIES; i++)
		if (strlen(libraries[i].name) == length && !memcmp(libraries[i].name, name, length))
			return &libraries[i];
	return NULL;
}

bool *binaries_searched(struct kernel *k, const struct library *library)
{
	return &binaries_of(k)->searched[library - libraries];
}
