// SPDX-License-Identifier: GPL-2.0
#include "src/lib/unwind/elf_unwind.h"

#include "compat/arch/arch.h"
#include "compat/user/elf_file.h"
#include "src/lib/unwind/cfi.h"
#include "src/lib/unwind/exidx.h"

static int64_t position(const void *arg, uint64_t address)
{
	return elf_file_position(arg, address);
}

/* Reads a section by its name. Returns -1 if there is none, or it can't be read. */
static int read_part(const struct elf_file *e, const char *name, struct exidx_part *part)
{
	GElf_Shdr section;
	Elf_Data *data;

	if (elf_file_named(e, name, &section) || section.sh_type == SHT_NOBITS ||
	    !section.sh_size)
		return -1;
	data = elf_file_part(e, section.sh_offset, section.sh_size, ELF_T_BYTE);
	if (!data || !data->d_buf)
		return -1;
	*part = (struct exidx_part){ data->d_buf, data->d_size, (uint32_t)section.sh_addr };
	return 0;
}

static int read_exidx(const struct elf_file *e, struct unwind_maker *m, struct error *err)
{
	struct exidx_source s = {
		.big_endian = e->head.e_ident[EI_DATA] == ELFDATA2MSB,
		.entry = (uint32_t)e->head.e_entry, .position = position, .arg = e,
	};

	if (read_part(e, ".ARM.exidx", &s.index))
		return fail(err, "it has no .ARM.exidx");
	read_part(e, ".ARM.extab", &s.table);	/* may be missing: short programs need none */
	return exidx_rows(&s, m, err);
}

static int read_section(const struct elf_file *e, struct unwind_maker *m, struct error *err)
{
	struct cfi_source s = { .position = position, .arg = e };
	const struct arch *arch = arch_by_elf(e->head.e_machine);
	GElf_Shdr section;
	Elf_Data *data;

	if (arch && arch->unwind.exidx)
		return read_exidx(e, m, err);
	if (!arch || !arch->unwind.sp)
		return fail(err, "it is for another machine");
	if (elf_file_named(e, ".eh_frame", &section))
		return fail(err, "it has no .eh_frame");
	if (section.sh_type == SHT_NOBITS || !section.sh_size)
		return fail(err, "its .eh_frame is empty");
	data = elf_file_part(e, section.sh_offset, section.sh_size, ELF_T_BYTE);
	if (!data || !data->d_buf)
		return -1;
	s.bytes = data->d_buf;
	s.size = data->d_size;
	s.address = section.sh_addr;
	s.big_endian = e->head.e_ident[EI_DATA] == ELFDATA2MSB;
	s.word = arch->word;
	s.fp = arch->unwind.fp;
	s.sp = arch->unwind.sp;
	return cfi_rows(&s, m, err);
}

int elf_unwind_read_image(void *image, size_t n, struct unwind_maker *m, struct error *err)
{
	struct elf_file e;
	int result;

	if (elf_file_memory(&e, image, n, err))
		return -1;
	result = read_section(&e, m, err);
	elf_file_close(&e);
	return result;
}

int elf_unwind_read(int fd, struct unwind_maker *m, struct error *err)
{
	struct elf_file e;
	int result;

	if (elf_file_open(&e, fd, err))
		return -1;
	result = read_section(&e, m, err);
	elf_file_close(&e);
	return result;
}
