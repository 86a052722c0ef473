// SPDX-License-Identifier: GPL-2.0
/* Files of a recording: which ones they are, and the names that the recording has itself. */
#include <string.h>

#include "compat/recordings/recording_changes.h"
#include "compat/recordings/recording_symbols.h"
#include "src/lib/symbols/files_internal.h"

/* A build id identifies a file. Its numbers are those of the recorded machine. */
void files_recorded_key(const struct files *f, struct file_key *key, const char *path)
{
	const uint8_t *id = key->identified || f->proc ? NULL :
			    recording_build_id(f->recording, path);

	if (id)
		memcpy(key->build_id, id, BUILD_ID);
	key->identified |= id != NULL;
	if (!key->identified)
		return;
	key->major = key->minor = 0;
	key->inode = key->generation = 0;
}

/* The recording names functions by the path: two files of one path have no certain names. */
void files_recorded_new(struct files *f, uint32_t number)
{
	struct file *file = &f->files[number - FILES_FIRST];
	uint32_t *of_path = hash_add(&f->paths, file->path, strlen(file->path));

	file->several = !of_path || *of_path;
	if (!of_path)
		return;
	if (*of_path)
		f->files[*of_path - FILES_FIRST].several = true;
	*of_path = number;
}

static void lack(struct files_absent *of, const struct file *file)
{
	if (!of->n++)
		of->path = file->path;
}

/* Where the recording has names, its recorder knew no more of them. */
void files_recorded_open(struct files *f, struct file *file)
{
	const uint32_t index = (uint32_t)(file - f->files);
	const bool named = !file->several && recording_names(f->recording, file->path);

	if (file->tried)
		return;
	file->tried = true;
	/* on the machine that is recorded, its inode tells as well */
	if (file->key.identified || (f->proc && file->key.inode))
		files_open_range(f, index, index + 1);
	if (file->image < 0 && !named)
		lack(file->key.identified ? &f->unfound : &f->unidentified, file);
}

bool files_recorded_find(const struct files *f, uint32_t number, uint64_t position,
			 const char **name, uint64_t *offset)
{
	const struct file *file = f->recording && number >= FILES_FIRST ?
		&f->files[number - FILES_FIRST] : NULL;
	uint64_t start = 0;
	const char *found = file && !file->several ?
		recording_symbol(f->recording, file->path, position, &start) : NULL;

	if (!found)
		return false;
	*name = found;
	*offset = position - start;
	return true;
}

void files_identify(struct files *f)
{
	f->identify = true;
}

const uint8_t *files_build_id(const struct files *f, uint32_t number)
{
	const struct file *file;

	if (number < FILES_FIRST)
		return NULL;
	file = &f->files[number - FILES_FIRST];
	return file->key.identified ? file->key.build_id :
	       file->identified ? file->build_id : NULL;
}

bool files_several(const struct files *f, uint32_t number)
{
	return number >= FILES_FIRST && f->files[number - FILES_FIRST].several;
}

const char *files_path(const struct files *f, uint32_t number)
{
	return number < FILES_FIRST ? NULL : f->files[number - FILES_FIRST].path;
}

struct files_absent files_unidentified(const struct files *f)
{
	return f->unidentified;
}

struct files_absent files_unfound(const struct files *f)
{
	return f->unfound;
}
