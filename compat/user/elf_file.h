/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ELF_FILE_H
#define SONDE_ELF_FILE_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * An ELF file of unknown content, read by libelf. Each size is checked before libelf reads. Such
 * files are read in a process with a limit: see compat/user/elf.h.
 */

/* Limits far above those of real files. */
#define ELF_TABLE_MAX (32ULL << 20)	/* bytes of a table */
#define ELF_SEGMENTS_MAX 256		/* of code */

struct elf_file {
	uint64_t size;			/* of the file */
	GElf_Ehdr head;
	Elf *elf;
	struct elf_segment {
		uint64_t from, size, at;	/* at: position in the file */
	} code[ELF_SEGMENTS_MAX];	/* what a loader maps as code, sorted by address */
	unsigned int n_code;
	struct error *err;
};

/* A table of names. */
struct elf_names {
	const char *at;
	size_t size, tail;		/* names before `tail` end within the table */
	char *last;			/* the name at `tail`, with a NUL added; or NULL */
};

/* Reads only the header: libelf allocates nothing for sections. Returns -1 and sets err. */
int elf_file_header(struct elf_file *e, int fd, struct error *err);

/*
 * Reads the header, the code segments and the table of sections; of a file without sections only
 * the header. The caller calls elf_file_close(); the other functions use err. Returns -1 and sets
 * err on failure; then there is nothing to close.
 */
int elf_file_open(struct elf_file *e, int fd, struct error *err);
/* The same for a file in memory, which must stay until it is closed. */
int elf_file_memory(struct elf_file *e, void *bytes, size_t n, struct error *err);
void elf_file_close(struct elf_file *e);

/* The position in the file of a code address. Returns -1 if it has none. */
int64_t elf_file_position(const struct elf_file *e, uint64_t address);

/* Reads a section, from 1 to e->head.e_shnum - 1. Returns -1 and sets err on failure. */
int elf_file_section(const struct elf_file *e, size_t number, GElf_Shdr *section);
/* Finds the section of that name. Returns -1 if there is none. */
int elf_file_named(const struct elf_file *e, const char *name, GElf_Shdr *section);
/*
 * Reads a part of the file, owned by libelf until the end. Returns NULL and sets err on failure;
 * size 0 is an error.
 */
Elf_Data *elf_file_part(const struct elf_file *e, uint64_t at, uint64_t size, Elf_Type type);
/* Reads a table of strings; elf_names_free() frees it. Returns -1 and sets err on failure. */
int elf_file_names(const struct elf_file *e, const GElf_Shdr *strings, struct elf_names *names);
/* The name at a position of the table. Returns NULL if it is beyond the table. */
const char *elf_name(const struct elf_names *names, size_t at);
void elf_names_free(struct elf_names *names);

/* A symbol; the name is valid only during the call. */
typedef void (*elf_symbol_fn)(void *arg, const GElf_Sym *symbol, const char *name);
/*
 * Calls `each` for all symbols of the table of this kind, SHT_SYMTAB or SHT_DYNSYM, if there is
 * one. Returns -1 and sets err on failure.
 */
int elf_file_symbols(const struct elf_file *e, uint32_t kind, elf_symbol_fn each, void *arg);

#endif
