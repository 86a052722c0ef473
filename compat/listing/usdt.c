// SPDX-License-Identifier: GPL-2.0
/*
 * Statically defined probes of libraries and programs (USDT). As for functions, a process that can
 * be ended reads the files.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "compat/listing/listing.h"
#include "compat/listing/listing_recorded.h"
#include "compat/listing/user_files.h"
#include "compat/usdt/notes.h"

/* A probe, as the process that reads notes sends it. */
struct message {
	struct user_message head;
	uint64_t position, semaphore;
	bool thumb;
	uint16_t name, arguments;	/* offsets in `text`, which begins with the provider */
	char text[3 * USDT_TEXT];
};

struct reading {
	struct user_reading user;
	const struct wanted_names *w;
	struct listing *to;
	struct file *file;
};

/* ---- in the process ---- */

static size_t put(struct message *m, size_t at, const char *text)
{
	const size_t n = strlen(text) + 1;

	memcpy(m->text + at, text, n);
	return at + n;
}

static void found_note(void *arg, const struct usdt_note *note)
{
	struct reading *reading = arg;
	struct message m = { .position = note->position, .semaphore = note->semaphore,
			     .thumb = note->thumb };
	char both[2 * USDT_TEXT];
	size_t n;

	text_cut(both, sizeof(both), "%s:%s", note->provider, note->name);
	if (!reading->w->wanted(reading->w->arg, both))
		return;
	if (!file_touch(reading->file, note->position))
		return;
	m.name = (uint16_t)put(&m, 0, note->provider);
	m.arguments = (uint16_t)put(&m, m.name, note->name);
	n = put(&m, m.arguments, note->arguments);
	user_say(&reading->user, &m.head, offsetof(struct message, text) + n);
}

static int read_file(struct user_reading *user, struct file *file, struct error *err)
{
	struct reading *reading = user->arg;

	reading->file = file;
	return usdt_notes(file->fd, found_note, reading, err);
}

/* ---- in sonde ---- */

static const char thumb[] = "it is Thumb code, which this kernel can't probe";

static int take(struct user_reading *user, struct file *file, const void *bytes, size_t size)
{
	const struct message *m = bytes;
	struct reading *reading = user->arg;
	struct listed *one;

	if (size <= offsetof(struct message, text))
		return 0;
	if (listing_add(reading->to, &(struct listed){ .binary = &file->binary }, m->text + m->name,
			strlen(m->text + m->name)))
		return -1;
	one = &reading->to->list[reading->to->n - 1];
	one->address = m->position;
	one->semaphore = m->semaphore;
	one->why = m->thumb ? thumb : NULL;
	one->module = strdup(m->text);
	one->arguments = strdup(m->text + m->arguments);
	return one->module && one->arguments ? 0 : -1;
}

static int read_library(struct reading *reading, struct kernel *k, const char *name,
			struct error *err)
{
	reading->user = (struct user_reading){ k, user_library(k, name, err), read_file, take,
					       reading };
	return reading->user.library ? user_files_read(&reading->user, err) : -1;
}

int list_usdt(struct kernel *k, const char *file, const struct wanted_names *w, struct listing *to,
	      struct error *err)
{
	struct reading reading = { .w = w, .to = to };

	if (kernel_recorded(k))
		return list_recorded(k, file, w, to, err);
	if (!kernel_live(k))
		return fail(err, "a snapshot has no files, for %s", file);
	if (!binaries_of(k))
		return fail(err, "out of memory");
	if (read_library(&reading, k, file, err))
		return -1;
	if (!to->n && user_library_now(file) &&
	    read_library(&reading, k, user_library_now(file), err))
		return -1;
	listing_sort(to);
	return 0;
}
