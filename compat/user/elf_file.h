/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ELF_FILE_H
#define SONDE_ELF_FILE_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * Somebody's ELF file, read by libelf, with each size checked before libelf is asked to read so
 * much. As compat/user/elf.h says, such files are read in a process that has a limit.
 */

/* Limits that no real file comes near. */
#define ELF_TABLE_MAX (32ULL << 20)	/* bytes of a table */
#define ELF_SEGMENTS_MAX 256		/* of code */

struct elf_file {
	uint64_t size;			/* of the file */
	GElf_Ehdr head;
	Elf *elf;
	struct elf_segment {
		uint64_t from, size, at;	/* at: in the file */
	} code[ELF_SEGMENTS_MAX];	/* what a loader maps as code, by address */
	unsigned int n_code;
	struct error *err;
};

/* A table of names. */
struct elf_names {
	const char *at;
	size_t size, tail;		/* names up to `tail` end within their table */
	char *last;			/* what is behind, with an end; or NULL */
};

/* The header alone: libelf allocates no memory for the sections that it names. -1 and err. */
int elf_file_header(struct elf_file *e, int fd, struct error *err);

/*
 * The header, the segments of code and the table of sections; of a file without sections only the
 * header. The caller closes the file; the other calls use err. -1 and err: there is nothing to
 * close.
 */
int elf_file_open(struct elf_file *e, int fd, struct error *err);
/* The same for a file in memory, which must stay there until it is closed. */
int elf_file_memory(struct elf_file *e, void *bytes, size_t n, struct error *err);
void elf_file_close(struct elf_file *e);

/* The position in the file of a code address; -1: it has none. */
int64_t elf_file_position(const struct elf_file *e, uint64_t address);

/* Sections are numbered from 1 to e->head.e_shnum - 1. -1 and err. */
int elf_file_section(const struct elf_file *e, size_t number, GElf_Shdr *section);
/* The section of that name; -1: there is none. */
int elf_file_named(const struct elf_file *e, const char *name, GElf_Shdr *section);
/* A part of the file, owned by libelf until the end; NULL and err. Size 0 is an error. */
Elf_Data *elf_file_part(const struct elf_file *e, uint64_t at, uint64_t size, Elf_Type type);
/* The names of a table of strings; freed by elf_names_free(). -1 and err. */
int elf_file_names(const struct elf_file *e, const GElf_Shdr *strings, struct elf_names *names);
/* NULL: it lies beyond the table. */
const char *elf_name(const struct elf_names *names, size_t at);
void elf_names_free(struct elf_names *names);

/* One symbol; the name is valid during the call only. */
typedef void (*elf_symbol_fn)(void *arg, const GElf_Sym *symbol, const char *name);
/* All of the table of this kind, if there is one: SHT_SYMTAB, SHT_DYNSYM. -1 and err. */
int elf_file_symbols(const struct elf_file *e, uint32_t kind, elf_symbol_fn each, void *arg);

#endif
