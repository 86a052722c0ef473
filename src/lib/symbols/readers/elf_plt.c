// SPDX-License-Identifier: GPL-2.0
/*
 * The procedure linkage table: a few instructions for each function of other files. They jump to
 * the address in an entry of the global offset table. On some machines sonde can read from the
 * instructions which entry this is: each linker has its own order. On other machines the entries
 * are taken to be in the order of their relocations, if there are exactly as many.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/arch/arch.h"
#include "compat/base/array.h"
#include "src/lib/symbols/readers/elf_symbols.h"

#define SLOTS_MOST 65536	/* of the global offset table */
#define SUFFIX "@plt"

struct slot {
	uint64_t address;		/* of the entry of the global offset table */
	uint32_t symbol;		/* in .dynsym */
};

struct plt {
	struct table_maker *maker;
	const struct elf_file *file;
	struct slot *slots;		/* in the order of the relocations */
	size_t n;
	uint64_t got;			/* i386: the global offset table, at which %ebx points */
	Elf_Data *symbols;
	struct elf_names names;
};

/*
 * The address of the entry of the global offset table that the instructions at `code` use; 0:
 * unknown. `address`: of `code` in memory.
 */
typedef uint64_t target_fn(const struct plt *p, const uint8_t *code, uint64_t address);

static uint32_t number(const uint8_t *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof(n));
	return n;
}

/* endbr64, a `bnd`, then jmp *n(%rip) */
static uint64_t target_x86_64(const struct plt *p, const uint8_t *code, uint64_t address)
{
	unsigned int i = 0;

	(void)p;
	if (!memcmp(code, "\xf3\x0f\x1e\xfa", 4))
		i = 4;
	if (code[i] == 0xf2)
		i++;
	if (code[i] != 0xff || code[i + 1] != 0x25)
		return 0;
	return address + i + 6 + (uint64_t)(int64_t)(int32_t)number(code + i + 2);
}

/* endbr32, then jmp *n or jmp *n(%ebx) */
static uint64_t target_i386(const struct plt *p, const uint8_t *code, uint64_t address)
{
	unsigned int i = memcmp(code, "\xf3\x0f\x1e\xfb", 4) ? 0 : 4;

	(void)address;
	if (code[i] != 0xff || (code[i + 1] != 0x25 && code[i + 1] != 0xa3))
		return 0;
	return (uint32_t)(number(code + i + 2) + (code[i + 1] == 0xa3 ? p->got : 0));
}

/* bti, then adrp x16, page; ldr x17, [x16, n] */
static uint64_t target_aarch64(const struct plt *p, const uint8_t *code, uint64_t address)
{
	uint32_t adrp = number(code), ldr = number(code + 4);
	uint64_t page;

	(void)p;
	if (adrp == 0xd503245f) {
		adrp = ldr;
		ldr = number(code + 8);
		address += 4;
	}
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return 0;
	page = (uint64_t)((int64_t)((uint64_t)(adrp >> 5 & 0x7ffff) << 45) >> 31) |
		(uint64_t)(adrp >> 29 & 3) << 12;
	return (address & ~0xfffULL) + page + (ldr >> 10 & 0xfff) * 8;
}

/* NULL: entries are found by their order. */
static target_fn *const targets[] = {
	[PLT_BY_ORDER] = NULL, [PLT_X86_64] = target_x86_64, [PLT_I386] = target_i386,
	[PLT_AARCH64] = target_aarch64,
};

static void add_slot(struct plt *p, uint64_t address, uint64_t info)
{
	if (p->n < SLOTS_MOST && !array_room(&p->slots, p->n, sizeof(*p->slots)))
		p->slots[p->n++] = (struct slot){ address, (uint32_t)GELF_R_SYM(info) };
}

static void read_relocations(struct plt *p, const GElf_Shdr *section)
{
	const Elf_Type type = section->sh_type == SHT_RELA ? ELF_T_RELA : ELF_T_REL;
	const size_t entry = gelf_fsize(p->file->elf, type, 1, EV_CURRENT);
	const uint64_t size = section->sh_size / entry * entry;
	Elf_Data *data = size ? elf_file_part(p->file, section->sh_offset, size, type) : NULL;

	for (size_t i = 0; data && i < size / entry && p->n < SLOTS_MOST; i++) {
		GElf_Rela a;
		GElf_Rel r;

		if (type == ELF_T_RELA && gelf_getrela(data, (int)i, &a))
			add_slot(p, a.r_offset, a.r_info);
		else if (type == ELF_T_REL && gelf_getrel(data, (int)i, &r))
			add_slot(p, r.r_offset, r.r_info);
	}
}

static void add_entry(struct plt *p, const struct slot *s, uint64_t address, uint64_t size)
{
	const int64_t at = elf_file_position(p->file, address);
	char name[TABLE_NAME_MOST + 1];
	const char *symbol;
	GElf_Sym sym;
	int n;

	/* without a symbol: a function of this file that is chosen at start (IFUNC) */
	if (at < 0 || !s->symbol || !gelf_getsym(p->symbols, (int)s->symbol, &sym))
		return;
	symbol = elf_name(&p->names, sym.st_name);
	n = symbol && *symbol ? snprintf(name, sizeof(name), "%s" SUFFIX, symbol) : 0;
	if (n > 0 && (size_t)n < sizeof(name))
		table_add(p->maker, (uint64_t)at, size, TABLE_LOCAL, name, (size_t)n);
}

static int by_address(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void add_by_code(struct plt *p, const struct arch_plt *m, const GElf_Shdr *section)
{
	Elf_Data *code = elf_file_part(p->file, section->sh_offset, section->sh_size, ELF_T_BYTE);
	uint64_t step = m->step;

	for (uint64_t i = 0; code && code->d_size - i >= 16; i += step) {
		struct slot key = {
			targets[m->code](p, (uint8_t *)code->d_buf + i, section->sh_addr + i), 0,
		};
		const struct slot *s = key.address ? bsearch(&key, p->slots, p->n, sizeof(key),
							     by_address) : NULL;

		if (s)
			add_entry(p, s, section->sh_addr + i,
				  code->d_size - i < m->entry ? code->d_size - i : m->entry);
		if (code->d_size - i < 16 + step)
			return;
	}
}

static void add_by_order(struct plt *p, const struct arch_plt *m, const GElf_Shdr *section)
{
	if (section->sh_size != m->head + p->n * m->entry)
		return;
	for (size_t i = 0; i < p->n; i++)
		add_entry(p, &p->slots[i], section->sh_addr + m->head + i * m->entry, m->entry);
}

static int read_names(struct plt *p)
{
	GElf_Shdr table, strings;

	for (size_t i = 1; i < p->file->head.e_shnum; i++) {
		if (elf_file_section(p->file, i, &table) || table.sh_type != SHT_DYNSYM)
			continue;
		if (elf_file_section(p->file, table.sh_link, &strings))
			return -1;
		p->symbols = elf_file_part(p->file, table.sh_offset, table.sh_size, ELF_T_SYM);
		return p->symbols ? elf_file_names(p->file, &strings, &p->names) : -1;
	}
	return -1;
}

static const char *const tables[] = { ".plt", ".plt.sec", ".plt.got" };
#define N_TABLES (sizeof(tables) / sizeof(*tables))

static bool is_wanted(const struct table_maker *m, const struct elf_file *e)
{
	GElf_Shdr s;

	for (unsigned int i = 0; i < N_TABLES; i++)
		if (!elf_file_named(e, tables[i], &s) && s.sh_type == SHT_PROGBITS &&
		    table_wants(m, s.sh_offset, s.sh_size))
			return true;
	return false;
}

static void add_sections(struct plt *p, const struct arch_plt *m)
{
	GElf_Shdr s;

	if (!elf_file_named(p->file, ".got.plt", &s) || !elf_file_named(p->file, ".got", &s))
		p->got = s.sh_addr;
	if (!targets[m->code]) {
		if (!elf_file_named(p->file, ".plt", &s) && s.sh_type == SHT_PROGBITS)
			add_by_order(p, m, &s);
		return;
	}
	if (!p->n)
		return;
	qsort(p->slots, p->n, sizeof(*p->slots), by_address);
	for (unsigned int i = 0; i < N_TABLES; i++)
		if (!elf_file_named(p->file, tables[i], &s) && s.sh_type == SHT_PROGBITS)
			add_by_code(p, m, &s);
}

void elf_add_plt(struct table_maker *maker, const struct elf_file *e)
{
	static const char *const relocations[] = {
		".rela.plt", ".rel.plt", ".rela.dyn", ".rel.dyn",
	};
	const struct arch *arch = arch_by_elf(e->head.e_machine);
	const struct arch_plt *m = arch ? &arch->plt : NULL;
	struct plt p = { .maker = maker, .file = e };
	/* by order, other relocations would make more entries than the table has */
	const unsigned int n = m && targets[m->code] ? 4 : 2;
	GElf_Shdr s;

	if (!m || !m->entry || !is_wanted(maker, e) || read_names(&p))
		return;
	for (unsigned int i = 0; i < n; i++)
		if (!elf_file_named(e, relocations[i], &s) &&
		    (s.sh_type == SHT_RELA || s.sh_type == SHT_REL))
			read_relocations(&p, &s);
	add_sections(&p, m);
	free(p.slots);
	elf_names_free(&p.names);
}
