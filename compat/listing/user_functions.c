// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of libraries and programs. The files may be anybody's: a process that can be ended
 * reads them (compat/user/guard.h), and sends their wanted functions.
 */
#include "compat/listing/listing.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/listing/listing_recorded.h"
#include "compat/listing/user_files.h"

#define NAME_MOST	4096		/* bytes of a name: C++ and Rust have long names */
#define FUNCTIONS_MOST	20000		/* of one file */

/* A function, as the process that reads symbols sends it. */
struct message {
	struct user_message head;
	bool too_many;			/* the file has more functions than are taken */
	enum elf_function what;
	uint64_t address;
	char text[NAME_MOST];
};

struct reading {
	struct user_reading user;
	const struct wanted_names *w;
	struct listing *to;
	struct file *file;
	unsigned int n;			/* functions of the file so far */
};

/* ---- in the process ---- */

static void found_function(void *arg, const char *name, uint64_t position, enum elf_function what)
{
	const size_t n = strlen(name);
	struct reading *reading = arg;
	struct message m;

	if (reading->n > FUNCTIONS_MOST || n >= NAME_MOST ||
	    !reading->w->wanted(reading->w->arg, name))
		return;
	if (!file_touch(reading->file, position))
		return;
	m.too_many = reading->n++ == FUNCTIONS_MOST;
	m.address = position;
	m.what = what;
	memcpy(m.text, name, n + 1);
	user_say(&reading->user, &m.head, offsetof(struct message, text) + n + 1);
}

static int read_file(struct user_reading *user, struct file *file, struct error *err)
{
	struct reading *reading = user->arg;

	reading->file = file;
	reading->n = 0;
	return elf_functions(file->fd, found_function, reading, err);
}

/* ---- in sonde ---- */

/* Why a function can't be probed; NULL: it can. */
static const char *const reasons[] = {
	[ELF_CODE] = NULL,
	[ELF_THUMB] = "it is Thumb code, which this kernel can't probe",
	[ELF_CHOOSES] = "programs call another function in its place, chosen when they start "
			"(ifunc): name that function",
};

static int take(struct user_reading *user, struct file *file, const void *bytes, size_t size)
{
	const struct message *m = bytes;
	struct reading *reading = user->arg;
	struct listed one = { .binary = &file->binary };

	if (size <= offsetof(struct message, text))
		return 0;
	if (m->too_many) {
		lines_add(&binaries_of(user->k)->limits, "%s: more than %d of its functions",
			  file->binary.path, FUNCTIONS_MOST);
		return 0;
	}
	one.address = m->address;
	one.why = reasons[m->what];
	return listing_add(reading->to, &one, m->text, strlen(m->text));
}

static int read_library(struct reading *reading, struct kernel *k, const char *name,
			struct error *err)
{
	reading->user = (struct user_reading){ k, user_library(k, name, err), read_file, take,
					       reading };
	return reading->user.library ? user_files_read(&reading->user, err) : -1;
}

/* ---- several names of one place ---- */

static unsigned int underscores(const struct listed *f)
{
	return (unsigned int)strspn(f->name, "_");
}

/* Sorts by place. Of several names the one that people know is first: malloc, not __libc_malloc. */
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

/* A place is probed once, even if it has several names. .symtab has all names that .dynsym has. */
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

/*
 * A snapshot has no files. If one function is wanted, it is listed as a function of the named file.
 */
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
	struct reading reading = { .w = w, .to = to };

	if (kernel_recorded(k))
		return list_recorded(k, file, w, to, err);
	if (!kernel_live(k))
		return list_snapshot(k, file, w, to, err);
	if (!binaries_of(k))
		return fail(err, "out of memory");
	if (read_library(&reading, k, file, err))
		return -1;
	if (!to->n && user_library_now(file) &&
	    read_library(&reading, k, user_library_now(file), err))
		return -1;
	drop_copies(to);
	listing_sort(to);
	return 0;
}
