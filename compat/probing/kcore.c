// SPDX-License-Identifier: GPL-2.0
#include "compat/probing/kcore.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define SEGMENTS 1024			/* a kernel has some for its text, and one for each piece
					   of memory */

/* Where a file of 32 or 64 bits has the same things. */
struct segment {
	uint64_t address, size, offset;
};

static int read_at(int fd, uint64_t offset, void *to, size_t size)
{
	const ssize_t n = pread(fd, to, size, (off_t)offset);

	return n == (ssize_t)size ? 0 : n < 0 ? -errno : -EFAULT;
}

static int segment_at(int fd, const unsigned char *ident, uint64_t at, struct segment *s)
{
	Elf64_Phdr wide;
	Elf32_Phdr narrow;
	int error;

	if (ident[EI_CLASS] == ELFCLASS64) {
		error = read_at(fd, at, &wide, sizeof(wide));
		*s = (struct segment){ wide.p_vaddr, wide.p_type == PT_LOAD ? wide.p_memsz : 0,
				       wide.p_offset };
	} else {
		error = read_at(fd, at, &narrow, sizeof(narrow));
		*s = (struct segment){ narrow.p_vaddr,
				       narrow.p_type == PT_LOAD ? narrow.p_memsz : 0,
				       narrow.p_offset };
	}
	return error;
}

static int copy(int fd, uint64_t address, void *to, size_t size)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf64_Ehdr wide;
		Elf32_Ehdr narrow;
	} head;
	uint64_t at, entry, n;
	int error = read_at(fd, 0, &head, sizeof(head));

	if (error)
		return error;
	if (memcmp(head.ident, ELFMAG, SELFMAG))
		return -ENOEXEC;
	if (head.ident[EI_CLASS] == ELFCLASS64) {
		at = head.wide.e_phoff;
		entry = head.wide.e_phentsize;
		n = head.wide.e_phnum;
	} else {
		at = head.narrow.e_phoff;
		entry = head.narrow.e_phentsize;
		n = head.narrow.e_phnum;
	}
	for (uint64_t i = 0; i < n && i < SEGMENTS; i++) {
		struct segment s;

		error = segment_at(fd, head.ident, at + i * entry, &s);
		if (error)
			return error;
		if (address >= s.address && address - s.address < s.size &&
		    size <= s.size - (address - s.address))
			return read_at(fd, s.offset + (address - s.address), to, size);
	}
	return -EFAULT;
}

int kcore_read(uint64_t address, void *to, size_t size)
{
	const int fd = open("/proc/kcore", O_RDONLY | O_CLOEXEC);
	int error;

	if (fd < 0)
		return -errno;
	error = copy(fd, address, to, size);
	close(fd);
	return error;
}
