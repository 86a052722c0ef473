// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the files that a user means by the name of a library or program, and reads them one by one.
 */
#include "compat/listing/user_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/user/guard.h"

#define SILENCE_MS	5000		/* for reading the tables of one file */

/* The file of this number, from 0. Returns NULL if there are no more. */
static struct file *file_of(const struct user_reading *r, unsigned int number)
{
	for (struct file *file = binaries_of(r->k)->files; file; file = file->next)
		if (file->library == r->library && !number--)
			return file;
	return NULL;
}

void user_say(struct user_reading *r, struct user_message *m, size_t size)
{
	m->kind = USER_SAYS;
	m->file = r->file;
	guard_send(r->out, m, size, -1);
}

/* Why a file could not be read. */
struct failure {
	struct user_message head;
	struct error why;
};

static void read_files(void *arg, int out)
{
	struct user_reading *r = arg;
	struct file *file;

	r->out = out;
	for (r->file = r->skip; (file = file_of(r, r->file)); r->file++) {
		struct failure f = { .head = { USER_FAILED, r->file } };

		if (r->read(r, file, &f.why))
			guard_send(out, &f, sizeof(f), -1);
		guard_send(out, &(struct user_message){ USER_END, r->file },
			   sizeof(struct user_message), -1);
	}
}

static void take(void *arg, const void *bytes, size_t size, int fd)
{
	const struct user_message *m = bytes;
	struct user_reading *r = arg;
	struct file *file;

	(void)fd;
	if (size < sizeof(*m) || !(file = file_of(r, m->file)))
		return;
	if (m->kind == USER_END)
		r->skip = m->file + 1;
	else if (m->kind == USER_SAYS)
		r->no_memory |= r->take(r, file, bytes, size) != 0;
	else if (size == sizeof(struct failure))
		kernel_leave_out(r->k, &file->binary, ((const struct failure *)bytes)->why.text);
}

static bool is_kept(const void *arg, int fd)
{
	const struct user_reading *r = arg;

	return kernel_has_binary(r->k, fd);
}

int user_files_read(struct user_reading *r, struct error *err)
{
	const struct guarded g = { .work = read_files, .take = take, .arg = r,
				   .kept = is_kept, .stop = kernel_stop(r->k), .ms = SILENCE_MS };
	struct file *file;
	enum guard_end end;

	/* A file that blocks its reader is left out, and the next file is tried. */
	while ((end = guard_run(&g)) == GUARD_HANGS && (file = file_of(r, r->skip++)))
		lines_add(&binaries_of(r->k)->limits, "%s: it can't be read within %d s",
			  file->binary.path, SILENCE_MS / 1000);
	if (end == GUARD_STOPPED)
		return fail(err, "interrupted");
	if (end == GUARD_FAILED)
		return fail_with(err, errno, "the process that reads symbols failed: %m");
	return r->no_memory ? fail(err, "out of memory") : 0;
}

const char *user_library_now(const char *name)
{
	static const char *const merged[] = { "pthread", "rt", "dl", "util", "anl" };

	name += !strncmp(name, "lib", 3) ? 3 : 0;
	for (size_t i = 0; i < sizeof(merged) / sizeof(merged[0]); i++)
		if (!strcmp(name, merged[i]))
			return "c";
	return NULL;
}

static const struct library *named(struct kernel *k, const char *name, bool program)
{
	struct named *n;

	for (n = binaries_of(k)->named; n; n = n->next)
		if (!strcmp(n->name, name) && n->library.program == program)
			return &n->library;
	n = calloc(1, sizeof(*n) + strlen(name) + 1);
	if (!n)
		return NULL;
	strcpy(n->name, name);
	n->library.name = n->name;
	n->library.program = program;
	/* The version is behind the name: libm.so.6, and libm-2.31.so before glibc 2.34. */
	text_all(n->files[0], sizeof(n->files[0]), program ? "%s" : "lib%s.so*", name);
	text_all(n->files[1], sizeof(n->files[1]), "lib%s-*.so", name);
	n->library.files[0] = n->files[0];
	n->library.files[1] = program ? NULL : n->files[1];
	/* musl's C library is its loader. */
	n->library.files[2] = program || strcmp(name, "c") ? NULL : "ld-musl-*";
	n->next = binaries_of(k)->named;
	binaries_of(k)->named = n;
	return &n->library;
}

static bool has_files(struct kernel *k, const struct library *l)
{
	for (const struct file *f = binaries_of(k)->files; f; f = f->next)
		if (f->library == l)
			return true;
	return false;
}

/* The library of this name, or else the program. Returns NULL and sets err if there is neither. */
static const struct library *find_library(struct kernel *k, const char *name, struct error *err)
{
	const bool some = of_some_processes(k);
	const struct library *l;
	const char *why;

	if (!strncmp(name, "lib", 3) && name[3] && !strstr(name, ".so"))
		name += 3;
	for (int program = 0; program < 2; program++) {
		l = named(k, name, program);
		if (!l) {
			fail(err, "out of memory");
			return NULL;
		}
		if (!has_files(k, l) && binaries_search(k, l, err))
			return NULL;
		if (has_files(k, l))
			return l;
	}
	why = lines_text(&binaries_of(k)->left_out);
	fail(err, "there is no library lib%s.so and no program %s: %s one, and none is where %s "
		  "look for it\n"
		  "a file can be named by its path, /PATH/FILE%s%s", name, name,
	     some ? "none of the processes of -p has mapped" : "no process has mapped",
	     some ? "they" : "programs", why ? "\n" : "", why ? why : "");
	return NULL;
}

static const struct library *find_path(struct kernel *k, const char *path, struct error *err)
{
	static const char *const any[] = { NULL };
	const struct library *l = named(k, path, true);

	if (!l)
		fail(err, "out of memory");
	return l && (has_files(k, l) || !binaries_add(k, l, path, any, err)) ? l : NULL;
}

/* All files that the wanted processes have mapped. */
static const struct library *find_any(struct kernel *k, struct error *err)
{
	const struct library *l;
	const char *why;

	if (!of_some_processes(k)) {
		fail(err, "a library or program has to be named: only with -p a process's files "
			  "are known");
		return NULL;
	}
	l = named(k, USER_ANY_FILE, true);
	if (!l)
		fail(err, "out of memory");
	if (!l || (!has_files(k, l) && binaries_search(k, l, err)))
		return NULL;
	if (has_files(k, l))
		return l;
	why = lines_text(&binaries_of(k)->limits);
	fail(err, "no file is known that the processes have mapped: they have ended, are the "
		  "kernel's, or can't be looked at%s%s", why ? "\n" : "", why ? why : "");
	return NULL;
}

const struct library *user_library(struct kernel *k, const char *name, struct error *err)
{
	if (!strcmp(name, USER_ANY_FILE))
		return find_any(k, err);
	return strchr(name, '/') ? find_path(k, name, err) : find_library(k, name, err);
}
