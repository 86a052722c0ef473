// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of libraries and programs. The files are those of anybody: a process that can be ended
 * reads them (compat/user/guard.h), and says which of their functions are wanted.
 */
#include "compat/listing/listing.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/kernel/kernel_internal.h"
#include "compat/listing/user_files.h"
#include "compat/user/guard.h"

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

	if (r->n > FUNCTIONS_MOST || strlen(name) >= NAME_MOST || !r->w->wanted(r->w->arg, name))
		return;
	if (!file_touch(r->file, position))
		return;
	r->message.address = position;
	r->message.what = what;
	say(r, r->n++ == FUNCTIONS_MOST ? SAID_TOO_MANY : SAID_FUNCTION, name);
}

static void read_files(void *arg, int out)
{
	struct reading *r = arg;

	r->out = out;
	for (unsigned int n = r->skip; (r->file = user_file(r->k, r->library, n)); n++) {
		struct error err = { };

		r->message = (struct message){ .file = n };
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
	if (size <= offsetof(struct message, text) ||
	    !(file = user_file(r->k, r->library, m->file)))
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
	const struct user_reading reading = {
		r->k, r->library, read_files, take, r, &r->skip,
	};

	if (user_files_read(&reading, err))
		return -1;
	return r->no_memory ? fail(err, "out of memory") : 0;
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
	r.library = user_library(k, file, err);
	if (!r.library || read_all(&r, err))
		return -1;
	if (!to->n && user_library_now(file)) {
		r.library = user_library(k, user_library_now(file), err);
		r.skip = 0;
		if (!r.library || read_all(&r, err))
			return -1;
	}
	drop_copies(to);
	listing_sort(to);
	return 0;
}
