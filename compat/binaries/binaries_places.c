// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the places of functions and probes (USDT) in the files of a library. A process of its own
 * reads the files.
 */
#include "compat/binaries/binaries_internal.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/text.h"
#include "compat/user/guard.h"
#include "compat/usdt/notes.h"

/* A message of the process that reads symbols: one function of a file, or the end of a file. */
struct said {
	unsigned int file;		/* its number among the library's */
	bool ended, thumb, failed, many;
	uint64_t address, semaphore;
	char text[512];			/* the symbol; at the end of a file: why it failed */
	char arguments[USDT_TEXT];	/* of a probe (USDT) */
};

struct finder {
	struct kernel *k;
	const struct library *library;
	const char *symbols;		/* separated by `|` */
	struct places *out;
	unsigned int skip;		/* files before this one are done */
	struct file *file;
	/* Only in the process: */
	struct said said;
	/* the number of the symbol that was found; UINT_MAX: none yet */
	unsigned int best;
	unsigned int n;
	uint64_t found[COPIES_MOST], semaphores[COPIES_MOST];
	char arguments[COPIES_MOST][USDT_TEXT];
};

/*
 * Returns the number of a name in a list separated by `|`; UINT_MAX if the list does not have it.
 */
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

	return pread(file->fd, code, sizeof(code), (off_t)position) != 0;
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
	/*
	 * Versions of a function may have the same place, and .symtab repeats the entries of
	 * .dynsym.
	 */
	for (unsigned int i = 0; i < f->n; i++)
		if (f->found[i] == position)
			return;
	if (f->n == COPIES_MOST)
		f->said.many = true;
	else if (file_touch(f->file, position))
		f->found[f->n++] = position;
}

/* In a hook's row the name of a probe (USDT) is PROVIDER:PROBE; functions have no colon. */
static const char *probe_in(const char *symbols)
{
	const char *colon = strchr(symbols, ':');

	return colon ? colon + 1 : NULL;
}

static void found_note(void *arg, const struct usdt_note *note)
{
	struct finder *f = arg;
	const char *probe = probe_in(f->symbols);
	const size_t provider = (size_t)(probe - 1 - f->symbols);

	if (strcmp(note->name, probe) || strncmp(note->provider, f->symbols, provider) ||
	    note->provider[provider])
		return;
	if (note->thumb) {
		f->said.thumb = true;
		return;
	}
	f->best = 0;
	if (f->n == COPIES_MOST) {
		f->said.many = true;
	} else if (file_touch(f->file, note->position)) {
		f->found[f->n] = note->position;
		f->semaphores[f->n] = note->semaphore;
		text_all(f->arguments[f->n++], USDT_TEXT, "%s", note->arguments);
	}
}

static int read_file(struct finder *f, struct error *err)
{
	return probe_in(f->symbols) ? usdt_notes(f->file->fd, found_note, f, err) :
	       elf_functions(f->file->fd, found_function, f, err);
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
	text_cut(to, size, "%.*s", (int)strcspn(list, "|"), list);
}

static void find(void *arg, int to)
{
	struct finder *f = arg;

	for (unsigned int number = f->skip; (f->file = nth_file(f, number)); number++) {
		struct error err = { };

		f->said = (struct said){ .file = number };
		f->best = UINT_MAX;
		f->n = 0;
		if (read_file(f, &err))
			f->said.failed = true;
		if (f->best != UINT_MAX)
			symbol_text(f->symbols, f->best, f->said.text, sizeof(f->said.text));
		/* If there are too many copies, none is probed: somebody made the file that way. */
		for (unsigned int i = 0; i < f->n && !f->said.many; i++) {
			f->said.address = f->found[i];
			f->said.semaphore = f->semaphores[i];
			memcpy(f->said.arguments, f->arguments[i], USDT_TEXT);
			guard_send(to, &f->said, sizeof(f->said), -1);
		}
		f->said.ended = true;
		if (f->said.failed)
			text_cut(f->said.text, sizeof(f->said.text), "%s", err.text);
		guard_send(to, &f->said, sizeof(f->said), -1);
	}
}

static void add_place(struct finder *f, struct file *file, const struct said *found)
{
	const char *probe = probe_in(found->text);
	struct place *more;

	if (f->out->n == PLACES_MOST) {
		lines_add(&binaries_of(f->k)->limits, "%s: more than %d places of %s %s",
			  file->binary.path, PLACES_MOST, probe ? "probes" : "functions",
			  f->symbols);
		return;
	}
	if (array_room(&f->out->places, f->out->n, sizeof(*more)))
		return;
	more = &f->out->places[f->out->n];
	*more = (struct place){
		.binary = &file->binary, .address = found->address, .semaphore = found->semaphore,
		.symbol = strdup(probe ? probe : found->text),
		.arguments = probe ? strdup(found->arguments) : NULL,
	};
	if (more->symbol && (more->arguments || !probe)) {
		f->out->n++;
		return;
	}
	free(more->symbol);
	free((char *)more->arguments);
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
		lines_add(&binaries_of(f->k)->limits, "%s: it has more than %d %s %s",
			  file->binary.path, COPIES_MOST,
			  probe_in(f->symbols) ? "probes" : "functions", found->text);
}

static bool is_kept(const void *arg, int fd)
{
	const struct finder *f = arg;

	return kernel_has_binary(f->k, fd);
}

static int find_all(struct kernel *k, const struct library *l, const char *symbols,
		    struct places *out, struct error *err)
{
	struct finder f = { .k = k, .library = l, .symbols = symbols, .out = out };
	const struct guarded g = { .work = find, .take = take_finding, .arg = &f,
				   .kept = is_kept, .stop = kernel_stop(k), .ms = SILENCE_MS };
	enum guard_end end;

	/* A file that blocks its reader is left out, and the next file is tried. */
	while ((end = guard_run(&g)) == GUARD_HANGS && (f.file = nth_file(&f, f.skip++)))
		lines_add(&binaries_of(k)->limits, "%s: it can't be read within %d s",
			  f.file->binary.path, SILENCE_MS / 1000);
	if (end == GUARD_STOPPED)
		return fail(err, "interrupted");
	return end == GUARD_FAILED ? fail_with(err, errno,
					       "can't make a process that reads symbols: %m") : 0;
}

static int no_places(struct kernel *k, const struct library *l, const char *symbols,
		     struct error *err)
{
	const struct file *f = binaries_of(k)->files;
	const char *why = lines_text(&binaries_of(k)->left_out);
	const bool some = of_some_processes(k);

	if (kernel_recorded(k))
		return fail(err, "the recording has no probe of %.*s() of %s",
			    (int)strcspn(symbols, "|"), symbols, l->called ? l->called : l->name);
	while (f && f->library != l)
		f = f->next;
	if (f && probe_in(symbols))
		return fail(err, "%s has no probe (USDT) %s: it was built without%s%s",
			    f->binary.path, symbols, why ? "\n" : "", why ? why : "");
	if (f)
		return fail(err, "%s has no function %.*s\n%s%s%s", f->binary.path,
			    (int)strcspn(symbols, "|"), symbols, NO_SYMBOLS, why ? "\n" : "",
			    why ? why : "");
	return fail(err, "%s mapped %s, and it is not where %s look for it%s%s%s",
		    some ? "none of the processes of -p has" : "no process has",
		    l->called ? l->called : l->name, some ? "they" : "programs",
		    probe_in(symbols) ? "" : ": a file can be named", why ? "\n" : "",
		    why ? why : "");
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
	symbol = strrchr(out->name, ':') + 1;
	out->places[0].symbol = strndup(symbol, strcspn(symbol, "|"));
	out->n = out->places[0].symbol != NULL;
	return out->n ? 0 : -1;
}

/* Searches once. If the user named the files, it searches for no others. */
static int search(struct kernel *k, const struct library *library, struct error *err)
{
	bool *searched = binaries_searched(k, library);

	if (*searched)
		return 0;
	*searched = !binaries_search(k, library, err);
	return *searched ? 0 : -1;
}

/* After a failed search: the next engine searches again, and has a reason of its own. */
static void forget_places(struct kernel *k, struct places *p)
{
	binaries_of(k)->places = p->next;
	binaries_free_places(p);
}

int kernel_places(struct kernel *k, const char *name, const struct place **list, struct error *err)
{
	const char *colon = strchr(name, ':');
	const struct library *l = colon ? binaries_library(name, (size_t)(colon - name)) : NULL;
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
		if (kernel_recorded(k)) {
			result = recorded_find(k, l, p);
		} else if (!kernel_live(k)) {
			result = snapshot_place(k, l, p);
		} else if (search(k, l, err) || find_all(k, l, colon + 1, p, err)) {
			forget_places(k, p);
			return -1;
		}
	}
	*list = p->places;
	if (result)
		return fail(err, "out of memory");
	return p->n ? (int)p->n : no_places(k, l, colon + 1, err);
}
