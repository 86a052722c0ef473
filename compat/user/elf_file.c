// SPDX-License-Identifier: GPL-2.0
#include "compat/user/elf_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * libelf reads each table once, when its first entry is needed, and reads as much as the file says.
 * So each size is checked before. elf_strptr() is not used for names: it would link the code that
 * decompresses sections.
 */

static int check_part(const struct elf_file *e, uint64_t at, uint64_t size)
{
	if (at > e->size || size > e->size - at)
		return fail(e->err, "its tables lie beyond its end");
	return size > ELF_TABLE_MAX ? fail(e->err, "its tables are larger than %llu MB",
					   ELF_TABLE_MAX >> 20) : 0;
}

static int unreadable(const struct elf_file *e)
{
	return fail_with(e->err, EIO, "it can't be read: %s", elf_errmsg(-1));
}

static size_t size_of(Elf *elf, Elf_Type type)
{
	return gelf_fsize(elf, type, 1, EV_CURRENT);
}

static int check_sizes(const struct elf_file *e, Elf *elf)
{
	if ((e->head.e_phnum && e->head.e_phentsize != size_of(elf, ELF_T_PHDR)) ||
	    (e->head.e_shnum && e->head.e_shentsize != size_of(elf, ELF_T_SHDR)))
		return fail(e->err, "its headers have an unknown size");
	return 0;
}

/* `head`: a header of either class. n of its bytes were read. */
static int check_header(struct elf_file *e, Elf64_Ehdr *head, size_t n)
{
	const int order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB;
	Elf *elf;
	int result;

	if (n < EI_NIDENT || memcmp(head->e_ident, ELFMAG, SELFMAG))
		return fail(e->err, "it is not an ELF program or library");
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)head, n);
	if (!elf || !gelf_getehdr(elf, &e->head) || head->e_ident[EI_DATA] != order)
		result = fail(e->err, "it is not an ELF program or library of this machine");
	else
		result = check_sizes(e, elf);
	elf_end(elf);
	return result;
}

int elf_file_header(struct elf_file *e, int fd, struct error *err)
{
	Elf64_Ehdr head = { };
	struct stat st;
	ssize_t n;

	memset(e, 0, sizeof(*e));
	e->err = err;
	if (fstat(fd, &st))
		return fail_with(err, errno, "%m");
	if (!S_ISREG(st.st_mode))
		return fail(err, "it is not a file");
	e->size = (uint64_t)st.st_size;
	n = pread(fd, &head, sizeof(head), 0);
	if (n < 0)
		return fail_with(err, errno, "%m");
	return check_header(e, &head, (size_t)n);
}

static int by_address(const void *a, const void *b)
{
	const struct elf_segment *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* Reads the segments that a loader maps as code. They are sorted for the look-up of each symbol. */
static int read_segments(struct elf_file *e)
{
	if (check_part(e, e->head.e_phoff, e->head.e_phnum * size_of(e->elf, ELF_T_PHDR)))
		return -1;
	for (int i = 0; i < e->head.e_phnum; i++) {
		GElf_Phdr s;

		if (!gelf_getphdr(e->elf, i, &s))
			return unreadable(e);
		if (s.p_type != PT_LOAD || !(s.p_flags & PF_X))
			continue;
		if (e->n_code == ELF_SEGMENTS_MAX)
			return fail(e->err, "it has more than %d segments of code",
				    ELF_SEGMENTS_MAX);
		e->code[e->n_code++] = (struct elf_segment){ s.p_vaddr, s.p_filesz, s.p_offset };
	}
	qsort(e->code, e->n_code, sizeof(*e->code), by_address);
	return 0;
}

/* If segments overlap, the last one counts, as it does for a loader. */
int64_t elf_file_position(const struct elf_file *e, uint64_t address)
{
	unsigned int low = 0, high = e->n_code;
	const struct elf_segment *s;

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

/* Reads and checks the parts behind the header. */
static int read_parts(struct elf_file *e)
{
	GElf_Ehdr head = { };

	if (!e->elf || !gelf_getehdr(e->elf, &head))
		return unreadable(e);
	if (memcmp(&head, &e->head, sizeof(head)))
		return fail(e->err, "it changes while it is read");
	return read_segments(e) || check_part(e, e->head.e_shoff, e->head.e_shnum *
					      size_of(e->elf, ELF_T_SHDR)) ? -1 : 0;
}

/* Takes ownership of `elf`, and reads its parts. */
static int begin(struct elf_file *e, Elf *elf)
{
	e->elf = elf;
	if (!read_parts(e))
		return 0;
	elf_end(elf);
	e->elf = NULL;
	return -1;
}

/*
 * Returns 1 if libelf may read the file, 0 if there is nothing to read. A number of segments that
 * does not fit the header is in another place, which can have any number.
 */
static int check_numbers(const struct elf_file *e)
{
	if (e->head.e_phnum == PN_XNUM)
		return fail(e->err, "it has more segments than any program");
	return e->head.e_shnum != 0;
}

int elf_file_open(struct elf_file *e, int fd, struct error *err)
{
	int result = elf_file_header(e, fd, err) ? -1 : check_numbers(e);

	return result <= 0 ? result : begin(e, elf_begin(fd, ELF_C_READ, NULL));
}

int elf_file_memory(struct elf_file *e, void *bytes, size_t n, struct error *err)
{
	Elf64_Ehdr head = { };
	const size_t known = n < sizeof(head) ? n : sizeof(head);
	int result;

	memset(e, 0, sizeof(*e));
	e->err = err;
	e->size = n;
	memcpy(&head, bytes, known);
	result = check_header(e, &head, known) ? -1 : check_numbers(e);
	return result <= 0 ? result : begin(e, elf_memory(bytes, n));
}

void elf_file_close(struct elf_file *e)
{
	elf_end(e->elf);
	e->elf = NULL;
}

int elf_file_section(const struct elf_file *e, size_t number, GElf_Shdr *section)
{
	return gelf_getshdr(elf_getscn(e->elf, number), section) ? 0 : unreadable(e);
}

Elf_Data *elf_file_part(const struct elf_file *e, uint64_t at, uint64_t size, Elf_Type type)
{
	Elf_Data *data;

	if (check_part(e, at, size))
		return NULL;
	data = elf_getdata_rawchunk(e->elf, (int64_t)at, (size_t)size, type);
	/*
	 * libelf finds a part that it read before by the low bits of its place: it may be another
	 * part.
	 */
	if (!data || !size || data->d_size != size || data->d_type != type) {
		unreadable(e);
		return NULL;
	}
	return data;
}

int elf_file_names(const struct elf_file *e, const GElf_Shdr *strings, struct elf_names *names)
{
	Elf_Data *data = elf_file_part(e, strings->sh_offset, strings->sh_size, ELF_T_BYTE);
	const char *end;

	if (!data)
		return -1;
	*names = (struct elf_names){ .at = data->d_buf, .size = data->d_size };
	end = memrchr(names->at, '\0', names->size);
	names->tail = end ? (size_t)(end - names->at) + 1 : 0;
	names->last = strndup(names->at + names->tail, names->size - names->tail);
	return names->last ? 0 : fail(e->err, "out of memory");
}

const char *elf_name(const struct elf_names *names, size_t at)
{
	if (at >= names->size)
		return NULL;
	return at < names->tail ? names->at + at : names->last + (at - names->tail);
}

void elf_names_free(struct elf_names *names)
{
	free(names->last);
}

static int hand_over_all(const struct elf_file *e, Elf_Data *symbols,
			 const struct elf_names *names, elf_symbol_fn each, void *arg)
{
	const size_t n = symbols->d_size / size_of(e->elf, ELF_T_SYM);

	for (size_t i = 0; i < n; i++) {
		const char *name;
		GElf_Sym s;

		if (!gelf_getsym(symbols, (int)i, &s))
			return unreadable(e);
		name = elf_name(names, s.st_name);
		if (name)
			each(arg, &s, name);
	}
	return 0;
}

static int read_table(const struct elf_file *e, const GElf_Shdr *table, elf_symbol_fn each,
		      void *arg)
{
	const uint64_t entry = size_of(e->elf, ELF_T_SYM), size = table->sh_size / entry * entry;
	struct elf_names names;
	GElf_Shdr strings;
	Elf_Data *symbols;
	int result;

	if (table->sh_entsize != entry ||
	    !gelf_getshdr(elf_getscn(e->elf, table->sh_link), &strings) ||
	    strings.sh_type != SHT_STRTAB)
		return fail(e->err, "its table of symbols is broken");
	if (check_part(e, table->sh_offset, table->sh_size) ||
	    check_part(e, strings.sh_offset, strings.sh_size))
		return -1;
	if (!size || !strings.sh_size)
		return 0;
	symbols = elf_file_part(e, table->sh_offset, size, ELF_T_SYM);
	if (!symbols || elf_file_names(e, &strings, &names))
		return -1;
	result = hand_over_all(e, symbols, &names, each, arg);
	elf_names_free(&names);
	return result;
}

/* A linker makes one table of a kind. A file with more tables was made to keep its reader busy. */
int elf_file_symbols(const struct elf_file *e, uint32_t kind, elf_symbol_fn each, void *arg)
{
	GElf_Shdr section, table = { .sh_type = SHT_NULL };

	for (size_t i = 1; i < e->head.e_shnum; i++) {
		if (elf_file_section(e, i, &section))
			return -1;
		if (section.sh_type != kind)
			continue;
		if (table.sh_type == kind)
			return fail(e->err, "it has more than one table of symbols of a kind");
		table = section;
	}
	return table.sh_type == kind ? read_table(e, &table, each, arg) : 0;
}

int elf_file_named(const struct elf_file *e, const char *name, GElf_Shdr *section)
{
	struct elf_names names;
	GElf_Shdr strings;
	int found = -1;

	if (!e->head.e_shstrndx || e->head.e_shstrndx >= e->head.e_shnum ||
	    elf_file_section(e, e->head.e_shstrndx, &strings) ||
	    elf_file_names(e, &strings, &names))
		return -1;
	for (size_t i = 1; i < e->head.e_shnum && found < 0; i++) {
		const char *n;

		if (elf_file_section(e, i, section))
			break;
		n = elf_name(&names, section->sh_name);
		if (n && !strcmp(n, name))
			found = 0;
	}
	elf_names_free(&names);
	return found;
}
