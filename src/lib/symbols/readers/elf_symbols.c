// SPDX-License-Identifier: GPL-2.0
#include "src/lib/symbols/readers/elf_symbols.h"

#include <string.h>

#include "compat/arch/arch.h"

/* Sections whose ends are kept: a symbol without a size ends there at the latest. */
#define SECTIONS_MOST 512

struct adder {
	struct table_maker *maker;
	const struct elf_file *file, *in;
	uint64_t bias;
	bool thumb;			/* addresses of functions may be odd */
	uint64_t ends[SECTIONS_MOST];	/* ends of the sections with code; 0: it has none */
};

static void find_ends(struct adder *a)
{
	for (size_t i = 1; i < a->file->head.e_shnum && i < SECTIONS_MOST; i++) {
		GElf_Shdr s;

		if (elf_file_section(a->file, i, &s))
			return;
		if ((s.sh_flags & SHF_EXECINSTR) && s.sh_size <= UINT64_MAX - s.sh_addr)
			a->ends[i] = s.sh_addr + s.sh_size;
	}
}

/* Returns true for marks within functions: an assembler's ($x) and a compiler's (.L1). */
static bool is_label(const char *name)
{
	return name[0] == '$' || (name[0] == '.' && name[1] == 'L');
}

/* memcpy@@GLIBC_2.14 is memcpy. */
static size_t name_length(const char *name)
{
	const size_t n = strcspn(name, "@");

	return n ? n : strlen(name);
}

static void add_symbol(void *arg, const GElf_Sym *s, const char *name)
{
	const struct adder *a = arg;
	const int type = GELF_ST_TYPE(s->st_info);
	const bool code = type == STT_FUNC || type == STT_GNU_IFUNC;
	uint64_t value = s->st_value, size = s->st_size, end;
	unsigned int rank = GELF_ST_BIND(s->st_info) == STB_LOCAL ? TABLE_LOCAL : 0;
	int64_t at;

	if ((!code && type != STT_NOTYPE) || s->st_shndx == SHN_UNDEF)
		return;
	end = s->st_shndx < SECTIONS_MOST ? a->ends[s->st_shndx] : 0;
	if (!code && (!end || is_label(name)))
		return;
	if (code && a->thumb)
		value &= ~1ULL;
	if (!size && value < end) {
		size = end - value;
		rank |= TABLE_UNSIZED;
	}
	at = elf_file_position(a->in, value + a->bias);
	if (at >= 0 && table_takes(a->maker, (uint64_t)at, size))
		table_add(a->maker, (uint64_t)at, size, code ? rank : rank | TABLE_LABEL, name,
			  name_length(name));
}

int elf_add_symbols(struct table_maker *m, const struct elf_file *e, uint32_t kind,
		    const struct elf_file *in, uint64_t bias)
{
	const struct arch *arch = arch_by_elf(e->head.e_machine);
	struct adder a = {
		.maker = m, .file = e, .in = in, .bias = bias, .thumb = arch && arch->thumb,
	};

	find_ends(&a);
	return elf_file_symbols(e, kind, add_symbol, &a);
}

static bool has_table(const struct elf_file *e, uint32_t kind)
{
	GElf_Shdr s;

	for (size_t i = 1; i < e->head.e_shnum; i++)
		if (!elf_file_section(e, i, &s) && s.sh_type == kind)
			return true;
	return false;
}

static int add_own(struct table_maker *m, const struct elf_file *e)
{
	return elf_add_symbols(m, e, SHT_SYMTAB, e, 0) ||
		elf_add_symbols(m, e, SHT_DYNSYM, e, 0) ? -1 : 0;
}

int elf_symbols(struct table_maker *m, const struct elf_source *source, struct error *err)
{
	struct elf_file e;
	int result;

	if (elf_file_open(&e, source->fd, err))
		return -1;
	result = add_own(m, &e);
	/* The rest only adds symbols: from here on a broken part is not an error. */
	e.err = NULL;
	elf_add_plt(m, &e);
	if (!has_table(&e, SHT_SYMTAB))
		elf_add_debug(m, &e, source);
	elf_file_close(&e);
	return result;
}

int elf_image_symbols(struct table_maker *m, void *image, size_t n, struct error *err)
{
	struct elf_file e;
	int result;

	if (elf_file_memory(&e, image, n, err))
		return -1;
	result = add_own(m, &e);
	elf_file_close(&e);
	return result;
}
