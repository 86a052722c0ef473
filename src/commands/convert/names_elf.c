// SPDX-License-Identifier: GPL-2.0
/*
 * An ELF file of names: symbols without what they name. Readers take a class and a byte order from
 * its first bytes, so that one form serves programs of all machines.
 */
#include "src/commands/convert/names_elf.h"

#include <elf.h>
#include <string.h>

enum { NOTE = 1, TEXT, SYMBOLS, NAMES, SECTION_NAMES, SECTIONS };
static const char section_names[] =
	"\0.note.gnu.build-id\0.text\0.symtab\0.strtab\0.shstrtab";

/* Where a section is in the file. */
static void end_section(struct strbuf *elf, Elf64_Shdr *section, size_t at)
{
	section->sh_offset = at;
	section->sh_size = elf->n - at;
	while (elf->n % 8 && !elf->cut)
		strbuf_add(elf, "", 1);
}

static void add_note(struct strbuf *elf, Elf64_Shdr *section, const uint8_t *id, size_t size)
{
	const Elf64_Nhdr head = {
		.n_namesz = 4, .n_descsz = (Elf64_Word)size, .n_type = NT_GNU_BUILD_ID,
	};
	const size_t at = elf->n;

	strbuf_add(elf, (const char *)&head, sizeof(head));
	strbuf_add(elf, "GNU", 4);
	strbuf_add(elf, (const char *)id, size);
	end_section(elf, section, at);
}

/* Positions in the file serve as addresses, as all that a reader does is to go back to these. */
static void add_symbols(struct strbuf *elf, Elf64_Shdr sections[SECTIONS],
			const struct named_function *list, size_t n)
{
	Elf64_Sym symbol = { };
	size_t at = elf->n, name = 1;

	strbuf_add(elf, (const char *)&symbol, sizeof(symbol));
	for (size_t i = 0; i < n; i++) {
		symbol = (Elf64_Sym){
			.st_name = (Elf64_Word)name, .st_shndx = TEXT,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_value = list[i].at, .st_size = list[i].length,
		};
		name += strlen(list[i].name) + 1;
		if (symbol.st_value + symbol.st_size > sections[TEXT].sh_size)
			sections[TEXT].sh_size = symbol.st_value + symbol.st_size;
		strbuf_add(elf, (const char *)&symbol, sizeof(symbol));
	}
	end_section(elf, &sections[SYMBOLS], at);
	at = elf->n;
	strbuf_add(elf, "", 1);
	for (size_t i = 0; i < n; i++)
		strbuf_add(elf, list[i].name, strlen(list[i].name) + 1);
	end_section(elf, &sections[NAMES], at);
}

void names_elf(struct strbuf *elf, const uint8_t *id, size_t id_size,
	       const struct named_function *list, size_t n)
{
	Elf64_Shdr sections[SECTIONS] = {
		[NOTE] = { .sh_name = 1, .sh_type = SHT_NOTE, .sh_addralign = 4 },
		[TEXT] = { .sh_name = 20, .sh_type = SHT_NOBITS, .sh_addralign = 1,
			   .sh_flags = SHF_ALLOC | SHF_EXECINSTR },
		[SYMBOLS] = { .sh_name = 26, .sh_type = SHT_SYMTAB, .sh_link = NAMES, .sh_info = 1,
			      .sh_addralign = 8, .sh_entsize = sizeof(Elf64_Sym) },
		[NAMES] = { .sh_name = 34, .sh_type = SHT_STRTAB, .sh_addralign = 1 },
		[SECTION_NAMES] = { .sh_name = 42, .sh_type = SHT_STRTAB, .sh_addralign = 1 },
	};
	Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_DYN, .e_version = EV_CURRENT, .e_ehsize = sizeof(head),
		.e_shentsize = sizeof(sections[0]), .e_shnum = SECTIONS,
		.e_shstrndx = SECTION_NAMES,
	};
	size_t at;

	strbuf_add(elf, (const char *)&head, sizeof(head));
	add_note(elf, &sections[NOTE], id, id_size);
	add_symbols(elf, sections, list, n);
	at = elf->n;
	strbuf_add(elf, section_names, sizeof(section_names));
	end_section(elf, &sections[SECTION_NAMES], at);
	head.e_shoff = elf->n;
	strbuf_add(elf, (const char *)sections, sizeof(sections));
	if (!elf->cut)
		memcpy(elf->s, &head, sizeof(head));
}
