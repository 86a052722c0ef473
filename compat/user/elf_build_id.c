// SPDX-License-Identifier: GPL-2.0
#include "compat/user/elf_build_id.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define SEGMENTS_MOST 64
#define NOTES_MOST 4096

/* Where the notes are: a segment of a file of 32 or 64 bits. */
struct segment {
	uint64_t offset, size;
	uint32_t type;
};

static int read_at(int fd, uint64_t offset, void *to, size_t size)
{
	return offset <= INT64_MAX && pread(fd, to, size, (off_t)offset) == (ssize_t)size ? 0 : -1;
}

static int read_segment(int fd, bool wide, uint64_t at, struct segment *to)
{
	Elf64_Phdr w;
	Elf32_Phdr n;

	if (wide ? read_at(fd, at, &w, sizeof(w)) : read_at(fd, at, &n, sizeof(n)))
		return -1;
	*to = wide ? (struct segment){ w.p_offset, w.p_filesz, w.p_type } :
	      (struct segment){ n.p_offset, n.p_filesz, n.p_type };
	return 0;
}

static int id_of(int fd, const struct segment *s, uint8_t id[BUILD_ID])
{
	uint8_t notes[NOTES_MOST];
	const size_t n = s->size < sizeof(notes) ? (size_t)s->size : sizeof(notes);

	return read_at(fd, s->offset, notes, n) ? -1 : build_id_of_notes(notes, n, id);
}

int elf_build_id(int fd, uint8_t id[BUILD_ID])
{
	Elf64_Ehdr wide;
	Elf32_Ehdr narrow;
	struct segment s;
	bool is_wide;

	if (read_at(fd, 0, &narrow, sizeof(narrow)) ||
	    memcmp(narrow.e_ident, ELFMAG, SELFMAG))
		return -1;
	is_wide = narrow.e_ident[EI_CLASS] == ELFCLASS64;
	if (is_wide && read_at(fd, 0, &wide, sizeof(wide)))
		return -1;
	for (unsigned int i = 0; i < SEGMENTS_MOST; i++) {
		const uint64_t at = is_wide ? wide.e_phoff + (uint64_t)i * sizeof(Elf64_Phdr) :
				    narrow.e_phoff + (uint64_t)i * sizeof(Elf32_Phdr);

		if (i >= (is_wide ? wide.e_phnum : narrow.e_phnum) ||
		    read_segment(fd, is_wide, at, &s))
			return -1;
		if (s.type == PT_NOTE && !id_of(fd, &s, id))
			return 0;
	}
	return -1;
}
