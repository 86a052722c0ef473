// SPDX-License-Identifier: GPL-2.0
#include "compat/kernel/build_id.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/file.h"

#define NOTES_MOST (1 << 20)

static size_t padded(uint32_t n)
{
	return ((size_t)n + 3) & ~(size_t)3;
}

int build_id_of_notes(const void *notes, size_t n, uint8_t id[BUILD_ID])
{
	const uint8_t *at = notes, *end = at + n;
	Elf64_Nhdr note;		/* the same for 32 bits */

	while ((size_t)(end - at) >= sizeof(note)) {
		size_t left = (size_t)(end - at) - sizeof(note);

		memcpy(&note, at, sizeof(note));
		at += sizeof(note);
		if (padded(note.n_namesz) > left || note.n_descsz > left - padded(note.n_namesz))
			return -1;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(at, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) && note.n_descsz) {
			memset(id, 0, BUILD_ID);
			memcpy(id, at + padded(note.n_namesz),
			       note.n_descsz < BUILD_ID ? note.n_descsz : BUILD_ID);
			return 0;
		}
		left -= padded(note.n_namesz);
		at += padded(note.n_namesz);
		at += padded(note.n_descsz) < left ? padded(note.n_descsz) : left;
	}
	return -1;
}

int kernel_build_id(uint8_t id[BUILD_ID])
{
	size_t n = 0;
	char *notes = file_text("/sys/kernel/notes", NOTES_MOST, &n);
	const int result = notes ? build_id_of_notes(notes, n, id) : -1;

	free(notes);
	return result;
}
