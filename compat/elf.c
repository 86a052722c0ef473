// SPDX-License-Identifier: GPL-2.0
#include "compat/elf.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What nobody's file comes near to, and what costs a moment at most: bytes of a table, and code segments. */
#define TABLE_MAX (32ULL << 20)
#define SEGMENTS_MAX 256
#define CHUNK 65536		/* bytes of symbols that are read at a time */

struct elf {
	int fd;
	uint64_t size;			/* of the file */
	bool is64;
	uint16_t machine;
	uint32_t flags;
	uint64_t segments_at, sections_at;
	unsigned int n_segments, n_sections;
	uint8_t *sections;		/* headers as they stand in the file */
	struct segment {
		uint64_t from, size, at;	/* at: in the file */
	} *code;			/* what a loader maps as code, by address */
	unsigned int n_code;
	struct error *err;
};

/* A member of a structure that both classes have, at whatever place and width. */
#define MEMBER(ELF, AT, STRUCT, NAME) \
	((ELF)->is64 ? ((const Elf64_##STRUCT *)(AT))->NAME : ((const Elf32_##STRUCT *)(AT))->NAME)
#define SIZE(ELF, STRUCT) ((ELF)->is64 ? sizeof(Elf64_##STRUCT) : sizeof(Elf32_##STRUCT))

static int check_part(const struct elf *e, uint64_t at, uint64_t size)
{
	if (at > e->size || size > e->size - at)
		return fail(e->err, "its tables lie beyond its end");
	return size > TABLE_MAX ? fail(e->err, "its tables are larger than %llu MB", TABLE_MAX >> 20) : 0;
}

static int read_bytes(const struct elf *e, uint64_t at, void *to, size_t size)
{
	for (size_t got = 0; got < size;) {
		ssize_t n = pread(e->fd, (uint8_t *)to + got, size - got, (off_t)(at + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return fail(e->err, "it can't be read: %s", n ? strerror(errno) : "it became shorter");
		got += (size_t)n;
	}
	return 0;
}

/* Bytes of the file, NUL-terminated beyond them; the caller frees. */
static void *read_part(const struct elf *e, uint64_t at, uint64_t size)
{
	uint8_t *bytes;

	if (check_part(e, at, size))
		return NULL;
	bytes = malloc(size + 1);
	if (!bytes) {
		fail(e->err, "out of memory");
		return NULL;
	}
	if (read_bytes(e, at, bytes, size)) {
		free(bytes);
		return NULL;
	}
	bytes[size] = 0;
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

static int by_address(const void *a, const void *b)
{
	const struct segment *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* Segments that a loader maps as code, sorted: they are looked at for each symbol. */
static int read_segments(struct elf *e)
{
	uint8_t *headers = read_part(e, e->segments_at, e->n_segments * SIZE(e, Phdr));
	int result = 0;

	e->code = headers ? calloc(SEGMENTS_MAX, sizeof(*e->code)) : NULL;
	if (!e->code)
		result = headers ? fail(e->err, "out of memory") : -1;
	for (unsigned int i = 0; i < e->n_segments && !result; i++) {
		const uint8_t *s = headers + i * SIZE(e, Phdr);

		if (MEMBER(e, s, Phdr, p_type) != PT_LOAD || !(MEMBER(e, s, Phdr, p_flags) & PF_X))
			continue;
		if (e->n_code == SEGMENTS_MAX) {
			result = fail(e->err, "it has more than %d segments of code", SEGMENTS_MAX);
			continue;
		}
		e->code[e->n_code++] = (struct segment){
			MEMBER(e, s, Phdr, p_vaddr), MEMBER(e, s, Phdr, p_filesz), MEMBER(e, s, Phdr, p_offset),
		};
	}
	free(headers);
	if (e->n_code)
		qsort(e->code, e->n_code, sizeof(*e->code), by_address);
	return result;
}

/* Where in the file an address of code is; -1: nowhere. Segments do not overlap: a loader takes the last for it. */
static int64_t position(const struct elf *e, uint64_t address)
{
	unsigned int low = 0, high = e->n_code;
	const struct segment *s;

	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (e->code[middle].from <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return -1;
	s = &e->code[low - 1];
	address -= s->from;
	if (address >= s->size || s->at > e->size || address >= e->size - s->at)
		return -1;
	return (int64_t)(s->at + address);
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

struct names {
	char *at;
	uint64_t size;
};

static void hand_over_all(const struct elf *e, const uint8_t *symbols, size_t n, const struct names *names,
			  elf_function_fn each, void *arg)
{
	for (size_t i = 0; i < n; i++) {
		const uint8_t *s = symbols + i * SIZE(e, Sym);
		uint32_t name = MEMBER(e, s, Sym, st_name);

		if (ELF64_ST_TYPE(MEMBER(e, s, Sym, st_info)) == STT_FUNC &&
		    MEMBER(e, s, Sym, st_shndx) != SHN_UNDEF && name < names->size)
			hand_over(e, s, names->at + name, each, arg);
	}
}

static int read_table(const struct elf *e, const uint8_t *section, elf_function_fn each, void *arg)
{
	uint64_t at = MEMBER(e, section, Shdr, sh_offset), size = MEMBER(e, section, Shdr, sh_size), n;
	unsigned int link = MEMBER(e, section, Shdr, sh_link);
	const uint8_t *strings = link < e->n_sections ? e->sections + link * SIZE(e, Shdr) : NULL;
	const size_t chunk = CHUNK / SIZE(e, Sym) * SIZE(e, Sym);
	struct names names;
	uint8_t *symbols;
	int result;

	if (MEMBER(e, section, Shdr, sh_entsize) != SIZE(e, Sym) || !strings ||
	    MEMBER(e, strings, Shdr, sh_type) != SHT_STRTAB)
		return fail(e->err, "its table of symbols is broken");
	if (check_part(e, at, size))
		return -1;
	names.size = MEMBER(e, strings, Shdr, sh_size);
	names.at = read_part(e, MEMBER(e, strings, Shdr, sh_offset), names.size);
	symbols = names.at ? malloc(chunk) : NULL;
	result = symbols ? 0 : names.at ? fail(e->err, "out of memory") : -1;
	for (; size >= SIZE(e, Sym) && !result; at += n, size -= n) {
		n = size < chunk ? size / SIZE(e, Sym) * SIZE(e, Sym) : chunk;
		result = read_bytes(e, at, symbols, n);
		if (!result)
			hand_over_all(e, symbols, n / SIZE(e, Sym), &names, each, arg);
	}
	free(symbols);
	free(names.at);
	return result;
}

/* A linker makes one table of a kind; what has more wants to be read for long. */
static int read_tables(const struct elf *e, uint32_t kind, elf_function_fn each, void *arg)
{
	const uint8_t *table = NULL;

	for (unsigned int i = 0; i < e->n_sections; i++) {
		const uint8_t *section = e->sections + i * SIZE(e, Shdr);

		if (MEMBER(e, section, Shdr, sh_type) != kind)
			continue;
		if (table)
			return fail(e->err, "it has more than one table of symbols of a kind");
		table = section;
	}
	return table ? read_table(e, table, each, arg) : 0;
}

int elf_functions(int fd, elf_function_fn each, void *arg, struct error *err)
{
	struct elf e;
	int result;

	if (read_header(&e, fd, err))
		return -1;
	result = read_segments(&e);
	if (!result) {
		e.sections = read_part(&e, e.sections_at, e.n_sections * SIZE(&e, Shdr));
		result = e.sections ? 0 : -1;
	}
	if (!result)
		result = read_tables(&e, SHT_DYNSYM, each, arg) || read_tables(&e, SHT_SYMTAB, each, arg) ? -1 : 0;
	free(e.code);
	free(e.sections);
	return result;
}
