// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of libraries and programs. The files are those of anybody: a process that can be ended
 * reads them (compat/user/guard.h), and says which of their functions are wanted.
 */
#include "compat/listing/listing.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/kernel/kernel_internal.h"
#include "compat/user/binaries_internal.h"
#include "compat/user/guard.h"

#define SILENCE_MS	5000		/* for the symbols of one file */
#define NAME_MOST	4096		/* of a function: C++ and Rust have long ones */
#define FUNCTIONS_MOST	20000		/* of one file */

enum said { SAID_FUNCTION, SAID_TOO_MANY, SAID_FAILED, SAID_END };

/* What the process that reads symbols says. */
struct message {
	enum said said;
	unsigned int file;		/* its number among the library's */
	enum elf_function what;
	uint64_t address;
	char text[NAME_MOST];		/* of the function, or what failed */
};

struct reading {
	struct kernel *k;
	const struct library *library;
	const struct wanted_names *w;
	struct listing *to;
	unsigned int skip;		/* files before this one are done */
	bool no_memory;
	/* In the process: */
	struct file *file;
	int out;
	unsigned int n;
	struct message message;
};

static struct file *nth_file(const struct reading *r, unsigned int number)
{
	for (struct file *file = r->k->binaries->files; file; file = file->next)
		if (file->library == r->library && !number--)
			return file;
	return NULL;
}

/* ---- in the process ---- */

static void say(struct reading *r, enum said said, const char *text)
{
	size_t n = strlen(text);

	r->message.said = said;
	if (n >= sizeof(r->message.text))
		n = sizeof(r->message.text) - 1;
	memcpy(r->message.text, text, n);
	r->message.text[n] = '\0';
	guard_send(r->out, &r->message, offsetof(struct message, text) + n + 1, -1);
}

static void found_function(void *arg, const char *name, uint64_t position, enum elf_function what)
{
	struct reading *r = arg;
	char code[16];

	if (r->n > FUNCTIONS_MOST || strlen(name) >= NAME_MOST || !r->w->wanted(r->w->arg, name))
		return;
	/* So that the page is in memory when the kernel sets the probe: binaries.c says why. */
	if (pread(r->file->fd, code, sizeof(code), (off_t)position) <= 0)
		return;
	r->message.address = position;
	r->message.what = what;
	say(r, r->n++ == FUNCTIONS_MOST ? SAID_TOO_MANY : SAID_FUNCTION, name);
}

static void read_files(void *arg, int out)
{
	struct reading *r = arg;

	r->out = out;
	for (unsigned int number = r->skip; (r->file = nth_file(r, number)); number++) {
		struct error err = { };

		r->message = (struct message){ .file = number };
		r->n = 0;
		if (elf_functions(r->file->fd, found_function, r, &err))
			say(r, SAID_FAILED, err.text);
		say(r, SAID_END, "");
	}
}

/* ---- in sonde ---- */

/* Why it can't be probed. */
static const char *const reasons[] = {
	[ELF_CODE] = NULL,
	[ELF_THUMB] = "it is Thumb code, which this kernel can't probe",
	[ELF_CHOOSES] = "another function is chosen for it when a program starts (ifunc): name "
			"that one",
};

static void take(void *arg, const void *bytes, size_t size, int fd)
{
	const struct message *m = bytes;
	struct reading *r = arg;
	struct file *file;
	struct listed one = { };

	(void)fd;
	if (size <= offsetof(struct message, text) || !(file = nth_file(r, m->file)))
		return;
	switch (m->said) {
	case SAID_FUNCTION:
		one.binary = &file->binary;
		one.address = m->address;
		one.why = reasons[m->what];
		if (listing_add(r->to, &one, m->text, strlen(m->text)))
			r->no_memory = true;
		break;
	case SAID_TOO_MANY:
		lines_add(&r->k->binaries->limits, "%s: more than %d of its functions",
			  file->binary.path, FUNCTIONS_MOST);
		break;
	case SAID_FAILED:
		kernel_leave_out(r->k, &file->binary, m->text);
		break;
	case SAID_END:
		r->skip = m->file + 1;
		break;
	}
}

static int read_all(struct reading *r, struct error *err)
{
	const struct guarded g = { .work = read_files, .take = take, .arg = r, .stop = r->k->stop,
				   .ms = SILENCE_MS };
	struct file *file;
	enum guard_end end;

	/* A file that hangs is left out, and the next is tried. */
	while ((end = guard_run(&g)) == GUARD_HANGS && (file = nth_file(r, r->skip++)))
		lines_add(&r->k->binaries->limits, "%s: it can't be read within %d s",
			  file->binary.path, SILENCE_MS / 1000);
	if (end == GUARD_STOPPED)
		return fail(err, "interrupted");
	if (end == GUARD_FAILED)
		return fail(err, "can't make a process that reads symbols: %s", strerror(errno));
	return r->no_memory ? fail(err, "out of memory") : 0;
}

/* ---- names of files ---- */

static const struct library *named(struct kernel *k, const char *name, bool program)
{
	struct named *n;

	for (n = k->binaries->named; n; n = n->next)
		if (!strcmp(n->name, name) && n->library.program == program)
			return &n->library;
	n = calloc(1, sizeof(*n) + strlen(name) + 1);
	if (!n)
		return NULL;
	strcpy(n->name, name);
	n->library.name = n->name;
	n->library.program = program;
	/* Versions come behind: libm.so.6, and libm-2.31.so before glibc 2.34. */
	snprintf(n->files[0], sizeof(n->files[0]), program ? "%s" : "lib%s.so*", name);
	snprintf(n->files[1], sizeof(n->files[1]), "lib%s-*.so", name);
	n->library.files[0] = n->files[0];
	n->library.files[1] = program ? NULL : n->files[1];
	/* musl's C library is its loader. */
	n->library.files[2] = program || strcmp(name, "c") ? NULL : "ld-musl-*";
	n->next = k->binaries->named;
	k->binaries->named = n;
	return &n->library;
}

static bool has_files(const struct kernel *k, const struct library *l)
{
	for (const struct file *f = k->binaries->files; f; f = f->next)
		if (f->library == l)
			return true;
	return false;
}

/* The library of this name, or else the program; NULL and err: there is neither. */
static const struct library *find_library(struct kernel *k, const char *name, struct error *err)
{
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
	why = lines_text(&k->binaries->left_out);
	fail(err, "there is no library lib%s.so and no program %s: no process has mapped one, "
		  "and none is where programs look for it\n"
		  "a file can be named: /PATH/FILE:FUNCTION%s%s", name, name, why ? "\n" : "",
	     why ? why : "");
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

/* ---- several names of one place ---- */

static unsigned int underscores(const struct listed *f)
{
	return (unsigned int)strspn(f->name, "_");
}

/* By place; of several names the one first that people know: malloc, not __libc_malloc. */
static int place_order(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	if (x->binary != y->binary)
		return x->binary < y->binary ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (underscores(x) != underscores(y))
		return underscores(x) < underscores(y) ? -1 : 1;
	if (strlen(x->name) != strlen(y->name))
		return strlen(x->name) < strlen(y->name) ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* A place is probed once, whatever names it has; .symtab has all that .dynsym has. */
static void drop_copies(struct listing *l)
{
	unsigned int n = 0;

	if (l->n)
		qsort(l->list, l->n, sizeof(*l->list), place_order);
	for (unsigned int i = 0; i < l->n; i++) {
		if (n && l->list[n - 1].binary == l->list[i].binary &&
		    l->list[n - 1].address == l->list[i].address)
			free(l->list[i].name);
		else
			l->list[n++] = l->list[i];
	}
	l->n = n;
}

/* Of a snapshot, which has no files: one that has the function, if it is asked for one. */
static int list_snapshot(struct kernel *k, const char *file, const struct wanted_names *w,
			 struct listing *to, struct error *err)
{
	const struct arch_abi *abi = &kernel_arch(k)->abis[0];
	const struct elf_kind kind = { .machine = abi->machine, .word = abi->word };
	struct listed one = { };
	struct file *f;

	if (!w->one)
		return fail(err, "a snapshot has no files, for %s", file);
	f = binaries_of(k) ? binaries_keep(k, NULL, -1, file, &kind, &(struct identity){ }) : NULL;
	if (!f)
		return fail(err, "out of memory");
	one.binary = &f->binary;
	return listing_add(to, &one, w->one, strlen(w->one)) ? fail(err, "out of memory") : 0;
}

int list_user_functions(struct kernel *k, const char *file, const struct wanted_names *w,
			struct listing *to, struct error *err)
{
	struct reading r = { .k = k, .w = w, .to = to };

	if (!kernel_live(k))
		return list_snapshot(k, file, w, to, err);
	if (!binaries_of(k))
		return fail(err, "out of memory");
	r.library = strchr(file, '/') ? find_path(k, file, err) : find_library(k, file, err);
	if (!r.library || read_all(&r, err))
		return -1;
	drop_copies(to);
	listing_sort(to);
	return 0;
}
