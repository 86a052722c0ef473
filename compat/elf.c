// SPDX-License-Identifier: GPL-2.0
#include "compat/elf.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TABLE_MAX (256ULL << 20)	/* bytes of a table, and of its names */

struct elf {
	int fd;
	uint64_t size;			/* of the file */
	bool is64;
	uint16_t machine;
	uint32_t flags;
	uint64_t segments_at, sections_at;
	unsigned int n_segments, n_sections;
	uint8_t *segments, *sections;	/* headers as they stand in the file */
	struct error *err;
};

/* A member of a structure that both classes have, at whatever place and width. */
#define MEMBER(ELF, AT, STRUCT, NAME) \
	((ELF)->is64 ? ((const Elf64_##STRUCT *)(AT))->NAME : ((const Elf32_##STRUCT *)(AT))->NAME)
#define SIZE(ELF, STRUCT) ((ELF)->is64 ? sizeof(Elf64_##STRUCT) : sizeof(Elf32_##STRUCT))

/* Bytes of the file, NUL-terminated beyond them; the caller frees. */
static void *read_part(const struct elf *e, uint64_t at, uint64_t size)
{
	uint8_t *bytes;
	size_t got = 0;

	if (size > TABLE_MAX || at > e->size || size > e->size - at) {
		fail(e->err, "its tables lie beyond its end");
		return NULL;
	}
	bytes = malloc(size + 1);
	while (bytes && got < size) {
		ssize_t n = pread(e->fd, bytes + got, size - got, (off_t)(at + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			fail(e->err, "it can't be read: %s", n ? strerror(errno) : "it became shorter");
			free(bytes);
			return NULL;
		}
		got += (size_t)n;
	}
	if (bytes)
		bytes[size] = 0;
	else
		fail(e->err, "out of memory");
	return bytes;
}

static int read_header(struct elf *e, int fd, struct error *err)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf64_Ehdr any;
	} head = { };
	const int order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB;
	struct stat st;
	ssize_t n;

	memset(e, 0, sizeof(*e));
	e->fd = fd;
	e->err = err;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return fail(err, "it is no file");
	e->size = (uint64_t)st.st_size;
	n = pread(fd, &head, sizeof(head), 0);
	if (n < EI_NIDENT || memcmp(head.ident, ELFMAG, SELFMAG))
		return fail(err, "it is no ELF program or library");
	e->is64 = head.ident[EI_CLASS] == ELFCLASS64;
	if ((!e->is64 && head.ident[EI_CLASS] != ELFCLASS32) || head.ident[EI_DATA] != order ||
	    n < (ssize_t)SIZE(e, Ehdr))
		return fail(err, "it is no ELF program or library of this machine");
	e->machine = MEMBER(e, &head, Ehdr, e_machine);
	e->flags = MEMBER(e, &head, Ehdr, e_flags);
	e->segments_at = MEMBER(e, &head, Ehdr, e_phoff);
	e->sections_at = MEMBER(e, &head, Ehdr, e_shoff);
	e->n_segments = MEMBER(e, &head, Ehdr, e_phnum);
	e->n_sections = MEMBER(e, &head, Ehdr, e_shnum);
	if ((e->n_segments && MEMBER(e, &head, Ehdr, e_phentsize) != SIZE(e, Phdr)) ||
	    (e->n_sections && MEMBER(e, &head, Ehdr, e_shentsize) != SIZE(e, Shdr)))
		return fail(err, "its headers have a size nobody knows");
	return 0;
}

int elf_kind_of(int fd, struct elf_kind *kind, struct error *err)
{
	struct elf e;

	if (read_header(&e, fd, err))
		return -1;
	*kind = (struct elf_kind){ .machine = e.machine, .word = e.is64 ? 8 : 4 };
	return 0;
}

/* Where in the file an address is that a loader maps as code; -1: nowhere. */
static int64_t position(const struct elf *e, uint64_t address)
{
	for (unsigned int i = 0; i < e->n_segments; i++) {
		const uint8_t *s = e->segments + i * SIZE(e, Phdr);
		uint64_t from = MEMBER(e, s, Phdr, p_vaddr), size = MEMBER(e, s, Phdr, p_filesz),
			 at = MEMBER(e, s, Phdr, p_offset);

		if (MEMBER(e, s, Phdr, p_type) != PT_LOAD || !(MEMBER(e, s, Phdr, p_flags) & PF_X))
			continue;
		if (address < from || address - from >= size)
			continue;
		if (at > e->size || address - from >= e->size - at)
			return -1;
		return (int64_t)(at + (address - from));
	}
	return -1;
}

static void hand_over(const struct elf *e, const uint8_t *symbol, const char *name, elf_function_fn each, void *arg)
{
	uint64_t address = MEMBER(e, symbol, Sym, st_value);
	bool thumb = e->machine == EM_ARM && (address & 1);
	int64_t at = position(e, thumb ? address - 1 : address);

	if (at < 0)
		return;
	/* Calls within a file go past the instructions that only those from outside need: both pass the second entry. */
	if (e->machine == EM_PPC64 && (e->flags & EF_PPC64_ABI) == 2)
		at += PPC64_LOCAL_ENTRY_OFFSET(MEMBER(e, symbol, Sym, st_other));
	each(arg, name, (uint64_t)at, thumb);
}

static int read_table(const struct elf *e, const uint8_t *section, elf_function_fn each, void *arg)
{
	uint64_t size = MEMBER(e, section, Shdr, sh_size), names_size;
	unsigned int link = MEMBER(e, section, Shdr, sh_link);
	const uint8_t *strings = link < e->n_sections ? e->sections + link * SIZE(e, Shdr) : NULL;
	uint8_t *symbols;
	char *names;

	if (MEMBER(e, section, Shdr, sh_entsize) != SIZE(e, Sym) || !strings ||
	    MEMBER(e, strings, Shdr, sh_type) != SHT_STRTAB)
		return fail(e->err, "its table of symbols is broken");
	names_size = MEMBER(e, strings, Shdr, sh_size);
	symbols = read_part(e, MEMBER(e, section, Shdr, sh_offset), size);
	names = symbols ? read_part(e, MEMBER(e, strings, Shdr, sh_offset), names_size) : NULL;
	for (uint64_t i = 0; names && i < size / SIZE(e, Sym); i++) {
		const uint8_t *s = symbols + i * SIZE(e, Sym);
		uint32_t name = MEMBER(e, s, Sym, st_name);

		if (ELF64_ST_TYPE(MEMBER(e, s, Sym, st_info)) == STT_FUNC &&
		    MEMBER(e, s, Sym, st_shndx) != SHN_UNDEF && name < names_size)
			hand_over(e, s, names + name, each, arg);
	}
	free(symbols);
	free(names);
	return names ? 0 : -1;
}

int elf_functions(int fd, elf_function_fn each, void *arg, struct error *err)
{
	static const uint32_t tables[] = { SHT_DYNSYM, SHT_SYMTAB };
	struct elf e;
	int result = 0;

	if (read_header(&e, fd, err))
		return -1;
	e.segments = read_part(&e, e.segments_at, e.n_segments * SIZE(&e, Phdr));
	e.sections = e.segments ? read_part(&e, e.sections_at, e.n_sections * SIZE(&e, Shdr)) : NULL;
	if (!e.sections)
		result = -1;
	for (unsigned int t = 0; t < 2 && !result; t++)
		for (unsigned int i = 0; i < e.n_sections && !result; i++) {
			const uint8_t *section = e.sections + i * SIZE(&e, Shdr);

			if (MEMBER(&e, section, Shdr, sh_type) == tables[t])
				result = read_table(&e, section, each, arg);
		}
	free(e.segments);
	free(e.sections);
	return result;
}
