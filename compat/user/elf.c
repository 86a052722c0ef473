// SPDX-License-Identifier: GPL-2.0
#include "compat/user/elf.h"

#include <string.h>

#include "compat/arch/arch.h"
#include "compat/user/elf_file.h"

int elf_kind_of(int fd, struct elf_kind *kind, struct error *err)
{
	struct elf_file e;

	if (elf_file_header(&e, fd, err))
		return -1;
	*kind = (struct elf_kind){
		.machine = e.head.e_machine, .word = e.head.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4,
	};
	return 0;
}

struct reader {
	struct elf_file file;
	const struct arch *arch;	/* NULL: unknown */
	elf_function_fn each;
	void *arg;
};

static void hand_over(void *arg, const GElf_Sym *symbol, const char *name)
{
	const struct reader *reader = arg;
	const struct elf_file *e = &reader->file;
	const bool chooses = GELF_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC;
	uint64_t address = symbol->st_value;
	const struct arch *arch = reader->arch;
	bool thumb = arch && arch->thumb && (address & 1);
	int64_t at;

	if ((GELF_ST_TYPE(symbol->st_info) != STT_FUNC && !chooses) ||
	    symbol->st_shndx == SHN_UNDEF)
		return;
	at = elf_file_position(e, thumb ? address - 1 : address);
	if (at < 0)
		return;
	/*
	 * Only calls from other files need the first instructions. Calls within the file skip them:
	 * all calls pass the second entry.
	 */
	if (arch && arch->local_entries && (e->head.e_flags & EF_PPC64_ABI) == 2)
		at += PPC64_LOCAL_ENTRY_OFFSET(symbol->st_other);
	reader->each(reader->arg, name, (uint64_t)at,
		     chooses ? ELF_CHOOSES :
		     thumb   ? ELF_THUMB :
			       ELF_CODE);
}

int elf_functions(int fd, elf_function_fn each, void *arg, struct error *err)
{
	struct reader reader = { .each = each, .arg = arg };
	int result;

	if (elf_file_open(&reader.file, fd, err))
		return -1;
	reader.arch = arch_by_elf(reader.file.head.e_machine);
	result = elf_file_symbols(&reader.file, SHT_DYNSYM, hand_over, &reader) ||
				 elf_file_symbols(&reader.file, SHT_SYMTAB, hand_over, &reader) ?
			 -1 :
			 0;
	elf_file_close(&reader.file);
	return result;
}

static bool is_one_of(const char *name, const char *const *names)
{
	while (name && *names && strcmp(name, *names))
		names++;
	return name && *names;
}

static int find_section(const struct elf_file *e, const char *const *wanted)
{
	struct elf_names names;
	GElf_Shdr section;
	int found = 0;

	if (elf_file_section(e, e->head.e_shstrndx, &section) ||
	    elf_file_names(e, &section, &names))
		return -1;
	for (size_t i = 1; i < e->head.e_shnum && !found; i++)
		found = elf_file_section(e, i, &section) ? -1 :
			is_one_of(elf_name(&names, section.sh_name), wanted);
	elf_names_free(&names);
	return found;
}

int elf_has_section(int fd, const char *const *names, struct error *err)
{
	struct elf_file e;
	int result;

	if (elf_file_open(&e, fd, err))
		return -1;
	result = e.elf && e.head.e_shstrndx ? find_section(&e, names) : 0;
	elf_file_close(&e);
	return result;
}
