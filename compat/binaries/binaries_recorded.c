// SPDX-License-Identifier: GPL-2.0
/* The files and places that a recording has probes of. None of the files is looked for here. */
#include "compat/binaries/binaries_internal.h"

#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "compat/base/text.h"
#include "compat/recordings/recorded_probes.h"

/* A binary of the recording as a file without content. Returns NULL if there is no memory. */
static struct file *file_of(struct kernel *k, const struct library *library, unsigned int number)
{
	unsigned int n;
	const struct recorded_binary *b = &recorded_binaries(recording_of(k), &n)[number];
	const struct arch_abi *abi = &kernel_arch(k)->abis[b->abi];
	const struct elf_kind kind = { .machine = abi->machine, .word = abi->word };
	char name[sizeof(((struct binary *)NULL)->file)];
	struct file *f = binaries_of(k)->files;

	recorded_binary_file(number, name, sizeof(name));
	while (f && strcmp(f->binary.file, name))
		f = f->next;
	if (!f)
		f = binaries_keep(k, library, -1, b->path, &kind, &(struct identity){ });
	if (!f || !f->binary.abi)
		return NULL;
	text_all(f->binary.file, sizeof(f->binary.file), "%s", name);
	return f;
}

/* Returns true if the user named other files of the library, and not this one. */
static bool is_left_out(struct kernel *k, const struct library *library, unsigned int number)
{
	char name[32];
	const struct file *f = binaries_of(k)->files;

	if (!*binaries_searched(k, library))
		return false;
	recorded_binary_file(number, name, sizeof(name));
	while (f && strcmp(f->binary.file, name))
		f = f->next;
	return !f;
}

static int add(struct kernel *k, const struct library *library, const struct recorded_place *from,
	       struct places *out)
{
	struct file *f = file_of(k, library, from->binary);
	struct place *to;

	if (!f || array_room(&out->places, out->n, sizeof(*to)))
		return -1;
	to = &out->places[out->n];
	*to = (struct place){
		.binary = &f->binary, .address = from->address, .semaphore = from->semaphore,
		.symbol = strdup(from->symbol),
		.arguments = from->arguments ? strdup(from->arguments) : NULL,
	};
	out->n++;
	return to->symbol && (to->arguments || !from->arguments) ? 0 : -1;
}

int recorded_find(struct kernel *k, const struct library *library, struct places *out)
{
	unsigned int n;
	const struct recorded_place *list = recorded_places(recording_of(k), &n);

	for (unsigned int i = 0; i < n && out->n < PLACES_MOST; i++)
		if (!strcmp(list[i].name, out->name) && !is_left_out(k, library, list[i].binary) &&
		    add(k, library, &list[i], out))
			return -1;
	return 0;
}

int recorded_named(struct kernel *k, const struct library *library, const char *path,
		   struct error *err)
{
	unsigned int n;
	const struct recorded_binary *list = recorded_binaries(recording_of(k), &n);
	bool found = false;

	for (unsigned int i = 0; i < n; i++) {
		if (strcmp(list[i].path, path))
			continue;
		found = true;
		if (!file_of(k, library, i))
			return fail(err, "out of memory");
	}
	*binaries_searched(k, library) = true;
	return found ? 0 : fail(err, "the recording has no probe of %s", path);
}

int kernel_recorded_places(struct kernel *k, const char *library,
			   int (*each)(void *arg, const struct place *p), void *arg,
			   struct error *err)
{
	unsigned int n;
	const struct recorded_place *list = recorded_places(recording_of(k), &n);
	bool found = false;

	for (unsigned int i = 0; i < n && binaries_of(k); i++) {
		struct file *f;

		if (*list[i].name != '=' || strcmp(list[i].name + 1, library))
			continue;
		found = true;
		f = file_of(k, NULL, list[i].binary);
		if (!f || each(arg, &(struct place){
				.binary = &f->binary, .address = list[i].address,
				.semaphore = list[i].semaphore, .symbol = (char *)list[i].symbol,
				.arguments = list[i].arguments }))
			return fail(err, "out of memory");
	}
	return found ? 0 : fail(err, "the recording has no probe of %s", library);
}
