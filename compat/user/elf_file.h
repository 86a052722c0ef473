/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ELF_FILE_H
#define SONDE_ELF_FILE_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * An ELF file of somebody else's as libelf reads it: each size is checked before libelf is asked to
 * read so much. What compat/user/elf.h says of such files is true here, too: it belongs into a
 * process that has a limit.
 */

/* What nobody's file comes near to, and what costs a moment at most. */
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

/* The header alone, without libelf making room for what it speaks of. -1 and err. */
int elf_file_header(struct elf_file *e, int fd, struct error *err);

/*
 * The header, the segments of code and where the sections are; of a file without sections the
 * header alone. The file stays the caller's; err is kept for the other calls. -1 and err: nothing
 * is to be closed.
 */
int elf_file_open(struct elf_file *e, int fd, struct error *err);
/* The same of a file that is in memory, which stays there until it is closed. */
int elf_file_memory(struct elf_file *e, void *bytes, size_t n, struct error *err);
void elf_file_close(struct elf_file *e);

/* Where in the file an address of code is; -1: nowhere. */
int64_t elf_file_position(const struct elf_file *e, uint64_t address);

/* Sections are numbered from 1 to e->head.e_shnum - 1. -1 and err. */
int elf_file_section(const struct elf_file *e, size_t number, GElf_Shdr *section);
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
