// SPDX-License-Identifier: GPL-2.0
/*
 * Statically defined probes of libraries and programs (USDT). As for functions, a process that can
 * be ended reads the files.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/kernel/kernel_internal.h"
#include "compat/listing/listing.h"
#include "compat/listing/user_files.h"
#include "compat/usdt/notes.h"
#include "compat/user/guard.h"

enum said { SAID_PROBE, SAID_FAILED, SAID_END };

/* What the process that reads notes says. */
struct message {
	enum said said;
	unsigned int file;		/* its number among the library's */
	uint64_t position, semaphore;
	bool thumb;
	uint16_t name, arguments;	/* where they are in the text, behind the provider */
	char text[3 * USDT_TEXT];	/* three texts, or what failed */
};

struct reading {
	struct kernel *k;
	const struct library *library;
	const struct wanted_names *w;
	struct listing *to;
	unsigned int skip;
	bool no_memory;
	/* In the process: */
	struct file *file;
	int out;
	struct message message;
};

/* ---- in the process ---- */

static void say(struct reading *r, enum said said, size_t n)
{
	r->message.said = said;
	guard_send(r->out, &r->message, offsetof(struct message, text) + n, -1);
}

static size_t put(struct message *m, size_t at, const char *text)
{
	const size_t n = strlen(text) + 1;

	memcpy(m->text + at, text, n);
	return at + n;
}

static void found_note(void *arg, const struct usdt_note *note)
{
	struct reading *r = arg;
	struct message *m = &r->message;
	char both[2 * USDT_TEXT];
	size_t n;

	snprintf(both, sizeof(both), "%s:%s", note->provider, note->name);
	if (!r->w->wanted(r->w->arg, both))
		return;
	if (!file_touch(r->file, note->position))
		return;
	m->position = note->position;
	m->semaphore = note->semaphore;
	m->thumb = note->thumb;
	m->name = (uint16_t)put(m, 0, note->provider);
	m->arguments = (uint16_t)put(m, m->name, note->name);
	n = put(m, m->arguments, note->arguments);
	say(r, SAID_PROBE, n);
}

static void read_files(void *arg, int out)
{
	struct reading *r = arg;

	r->out = out;
	for (unsigned int n = r->skip; (r->file = user_file(r->k, r->library, n)); n++) {
		struct error err = { };

		r->message = (struct message){ .file = n };
		if (usdt_notes(r->file->fd, found_note, r, &err))
			say(r, SAID_FAILED, put(&r->message, 0, err.text));
		say(r, SAID_END, 1);
	}
}

/* ---- in sonde ---- */

static const char thumb[] = "it is Thumb code, which this kernel can't probe";

static int keep(struct reading *r, const struct message *m, struct file *file)
{
	struct listed *one;

	if (listing_add(r->to, &(struct listed){ .binary = &file->binary }, m->text + m->name,
			strlen(m->text + m->name)))
		return -1;
	one = &r->to->list[r->to->n - 1];
	one->address = m->position;
	one->semaphore = m->semaphore;
	one->why = m->thumb ? thumb : NULL;
	one->module = strdup(m->text);
	one->arguments = strdup(m->text + m->arguments);
	return one->module && one->arguments ? 0 : -1;
}

static void take(void *arg, const void *bytes, size_t size, int fd)
{
	const struct message *m = bytes;
	struct reading *r = arg;
	struct file *file;

	(void)fd;
	if (size <= offsetof(struct message, text) ||
	    !(file = user_file(r->k, r->library, m->file)))
		return;
	switch (m->said) {
	case SAID_PROBE:
		r->no_memory |= keep(r, m, file) != 0;
		break;
	case SAID_FAILED:
		kernel_leave_out(r->k, &file->binary, m->text);
		break;
	case SAID_END:
		r->skip = m->file + 1;
		break;
	}
}

static int read_library(struct reading *r, const char *name, struct error *err)
{
	struct user_reading of = { r->k, NULL, read_files, take, r, &r->skip };

	r->library = of.library = user_library(r->k, name, err);
	r->skip = 0;
	if (!r->library || user_files_read(&of, err))
		return -1;
	return r->no_memory ? fail(err, "out of memory") : 0;
}

int list_usdt(struct kernel *k, const char *file, const struct wanted_names *w, struct listing *to,
	      struct error *err)
{
	struct reading r = { .k = k, .w = w, .to = to };

	if (!kernel_live(k))
		return fail(err, "a snapshot has no files, for %s", file);
	if (!binaries_of(k))
		return fail(err, "out of memory");
	if (read_library(&r, file, err))
		return -1;
	if (!to->n && user_library_now(file) && read_library(&r, user_library_now(file), err))
		return -1;
	listing_sort(to);
	return 0;
}
