// SPDX-License-Identifier: GPL-2.0
/* What is called in the place of parts of the C library that Makefile.left_out leaves out. */
#include "src/lib/left_out.h"

#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

char *untranslated(const char *domain, const char *message, int category)
{
	(void)domain;
	(void)category;
	return (char *)message;
}

void nothing_to_load(void)
{
}

void protect_relro(const void *map)
{
	const ElfW(Phdr) *p = (const void *)getauxval(AT_PHDR);
	const ElfW(Phdr) *end = p + getauxval(AT_PHNUM);
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	(void)map;
	for (; p < end; p++) {
		uintptr_t from = p->p_vaddr & -page, to = (p->p_vaddr + p->p_memsz) & -page;

		if (p->p_type == PT_GNU_RELRO && from < to)
			mprotect((void *)from, to - from, PROT_READ);
	}
}
