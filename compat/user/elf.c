// SPDX-License-Identifier: GPL-2.0
#include "compat/user/elf.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * What nobody's file comes near to, and what costs a moment at most: bytes of a table, and code
 * segments.
 */
#define TABLE_MAX (32ULL << 20)
#define SEGMENTS_MAX 256

/*
 * libelf reads each table once, when it is first asked for one of its entries, and as much of it as
 * the file says. So each size is checked before. Names are not asked for by elf_strptr(): it brings
 * all that decompresses sections.
 */
struct elf {
	uint64_t size;			/* of the file */
	GElf_Ehdr head;
	Elf *elf;
	struct segment {
		uint64_t from, size, at;	/* at: in the file */
	} code[SEGMENTS_MAX];		/* what a loader maps as code, by address */
	unsigned int n_code;
	struct error *err;
};

static int check_part(const struct elf *e, uint64_t at, uint64_t size)
{
	if (at > e->size || size > e->size - at)
		return fail(e->err, "its tables lie beyond its end");
	return size > TABLE_MAX ? fail(e->err, "its tables are larger than %llu MB",
				       TABLE_MAX >> 20) : 0;
}

static int cannot_read(const struct elf *e)
{
	return fail(e->err, "it can't be read: %s", elf_errmsg(-1));
}

static size_t size_of(Elf *elf, Elf_Type type)
{
	return gelf_fsize(elf, type, 1, EV_CURRENT);
}

static int check_sizes(const struct elf *e, Elf *elf)
{
	if ((e->head.e_phnum && e->head.e_phentsize != size_of(elf, ELF_T_PHDR)) ||
	    (e->head.e_shnum && e->head.e_shentsize != size_of(elf, ELF_T_SHDR)))
		return fail(e->err, "its headers have a size nobody knows");
	return 0;
}

/*
 * Only the header: opening the file with libelf makes room for all sections that the header speaks
 * of.
 */
static int read_header(struct elf *e, int fd, struct error *err)
{
	const int order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB;
	Elf64_Ehdr head = { };		/* of either class */
	struct stat st;
	Elf *elf;
	int result;
	ssize_t n;

	memset(e, 0, sizeof(*e));
	e->err = err;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return fail(err, "it is no file");
	e->size = (uint64_t)st.st_size;
	n = pread(fd, &head, sizeof(head), 0);
	if (n < EI_NIDENT || memcmp(head.e_ident, ELFMAG, SELFMAG))
		return fail(err, "it is no ELF program or library");
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)&head, (size_t)n);
	if (!elf || !gelf_getehdr(elf, &e->head) || head.e_ident[EI_DATA] != order)
		result = fail(err, "it is no ELF program or library of this machine");
	else
		result = check_sizes(e, elf);
	elf_end(elf);
	return result;
}

int elf_kind_of(int fd, struct elf_kind *kind, struct error *err)
{
	struct elf e;

	if (read_header(&e, fd, err))
		return -1;
	*kind = (struct elf_kind){
		.machine = e.head.e_machine, .word = e.head.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4,
	};
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
	if (check_part(e, e->head.e_phoff, e->head.e_phnum * size_of(e->elf, ELF_T_PHDR)))
		return -1;
	for (int i = 0; i < e->head.e_phnum; i++) {
		GElf_Phdr s;

		if (!gelf_getphdr(e->elf, i, &s))
			return cannot_read(e);
		if (s.p_type != PT_LOAD || !(s.p_flags & PF_X))
			continue;
		if (e->n_code == SEGMENTS_MAX)
			return fail(e->err, "it has more than %d segments of code", SEGMENTS_MAX);
		e->code[e->n_code++] = (struct segment){ s.p_vaddr, s.p_filesz, s.p_offset };
	}
	qsort(e->code, e->n_code, sizeof(*e->code), by_address);
	return 0;
}

/*
 * Where in the file an address of code is; -1: nowhere. Segments do not overlap: a loader takes the
 * last for it.
 */
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

static void hand_over(const struct elf *e, const GElf_Sym *symbol, const char *name,
		      elf_function_fn each, void *arg)
{
	uint64_t address = symbol->st_value;
	bool thumb = e->head.e_machine == EM_ARM && (address & 1);
	int64_t at = position(e, thumb ? address - 1 : address);

	if (at < 0)
		return;
	/*
	 * Calls within a file go past the instructions that only those from outside need: both pass
	 * the second entry.
	 */
	if (e->head.e_machine == EM_PPC64 && (e->head.e_flags & EF_PPC64_ABI) == 2)
		at += PPC64_LOCAL_ENTRY_OFFSET(symbol->st_other);
	each(arg, name, (uint64_t)at, thumb);
}

/*
 * Names up to `tail` end within their table; what is behind has no end there, and gets one in a
 * copy.
 */
struct names {
	const char *at;
	size_t size, tail;
	char *last;
};

static const char *name_at(const struct names *n, size_t at)
{
	return at < n->tail ? n->at + at : n->last + (at - n->tail);
}

static int hand_over_all(const struct elf *e, Elf_Data *symbols, const struct names *names,
			 elf_function_fn each,
			 void *arg)
{
	const size_t n = symbols->d_size / size_of(e->elf, ELF_T_SYM);

	for (size_t i = 0; i < n; i++) {
		GElf_Sym s;

		if (!gelf_getsym(symbols, (int)i, &s))
			return cannot_read(e);
		if (GELF_ST_TYPE(s.st_info) == STT_FUNC && s.st_shndx != SHN_UNDEF &&
		    s.st_name < names->size)
			hand_over(e, &s, name_at(names, s.st_name), each, arg);
	}
	return 0;
}

/* A part of the file that was checked; libelf owns it until the end. */
static Elf_Data *read_part(const struct elf *e, uint64_t at, uint64_t size, Elf_Type type)
{
	Elf_Data *data = elf_getdata_rawchunk(e->elf, (int64_t)at, (size_t)size, type);

	/* It keeps what it has read by the low bits of where that was. */
	if (!data || data->d_size != size || data->d_type != type) {
		cannot_read(e);
		return NULL;
	}
	return data;
}

static int read_names(const struct elf *e, const GElf_Shdr *strings, struct names *names)
{
	Elf_Data *data = read_part(e, strings->sh_offset, strings->sh_size, ELF_T_BYTE);
	const char *end;

	if (!data)
		return -1;
	*names = (struct names){ .at = data->d_buf, .size = data->d_size };
	end = memrchr(names->at, '\0', names->size);
	names->tail = end ? (size_t)(end - names->at) + 1 : 0;
	names->last = strndup(names->at + names->tail, names->size - names->tail);
	return names->last ? 0 : fail(e->err, "out of memory");
}

static int read_table(const struct elf *e, const GElf_Shdr *table, elf_function_fn each, void *arg)
{
	const uint64_t entry = size_of(e->elf, ELF_T_SYM), size = table->sh_size / entry * entry;
	struct names names;
	GElf_Shdr strings;
	Elf_Data *symbols;
	int result;

	if (table->sh_entsize != entry || !gelf_getshdr(elf_getscn(e->elf, table->sh_link),
							&strings) ||
	    strings.sh_type != SHT_STRTAB)
		return fail(e->err, "its table of symbols is broken");
	if (check_part(e, table->sh_offset, table->sh_size) ||
	    check_part(e, strings.sh_offset, strings.sh_size))
		return -1;
	if (!size || !strings.sh_size)
		return 0;
	symbols = read_part(e, table->sh_offset, size, ELF_T_SYM);
	if (!symbols || read_names(e, &strings, &names))
		return -1;
	result = hand_over_all(e, symbols, &names, each, arg);
	free(names.last);
	return result;
}

/* A linker makes one table of a kind; what has more wants to be read for long. */
static int read_tables(const struct elf *e, uint32_t kind, elf_function_fn each, void *arg)
{
	GElf_Shdr section, table = { .sh_type = SHT_NULL };

	for (size_t i = 1; i < e->head.e_shnum; i++) {
		if (!gelf_getshdr(elf_getscn(e->elf, i), &section))
			return cannot_read(e);
		if (section.sh_type != kind)
			continue;
		if (table.sh_type == kind)
			return fail(e->err, "it has more than one table of symbols of a kind");
		table = section;
	}
	return table.sh_type == kind ? read_table(e, &table, each, arg) : 0;
}

static int read_all(struct elf *e, elf_function_fn each, void *arg)
{
	GElf_Ehdr head = { };

	if (!gelf_getehdr(e->elf, &head))
		return cannot_read(e);
	if (memcmp(&head, &e->head, sizeof(head)))
		return fail(e->err, "it changes while it is read");
	if (read_segments(e) || check_part(e, head.e_shoff,
					   head.e_shnum * size_of(e->elf, ELF_T_SHDR)))
		return -1;
	return read_tables(e, SHT_DYNSYM, each, arg) ||
		read_tables(e, SHT_SYMTAB, each, arg) ? -1 : 0;
}

int elf_functions(int fd, elf_function_fn each, void *arg, struct error *err)
{
	struct elf e;
	int result;

	if (read_header(&e, fd, err))
		return -1;
	/* libelf would take the number from where there is room for any. */
	if (e.head.e_phnum == PN_XNUM)
		return fail(err, "it has more segments than any program");
	if (!e.head.e_shnum)
		return 0;
	e.elf = elf_begin(fd, ELF_C_READ, NULL);
	result = e.elf ? read_all(&e, each, arg) : cannot_read(&e);
	elf_end(e.elf);
	return result;
}
