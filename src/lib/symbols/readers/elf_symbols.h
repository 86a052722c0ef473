/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ELF_SYMBOLS_H
#define SONDE_ELF_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "compat/user/elf_file.h"
#include "src/lib/symbols/readers/table.h"

/*
 * All names of code that an ELF file has, by their position in it: those of .symtab and .dynsym,
 * NAME@plt of the entries of its procedure linkage table, and where it has no .symtab those of its
 * debug file, found by the build id or the name it gives, or of .gnu_debugdata. Files are
 * anybody's: this belongs into a process of its own (compat/user/guard.h).
 */
struct elf_source {
	int fd;
	/* where debug files are looked for first; NULL: only in / */
	const char *root;
	const char *path;		/* of the file there; NULL: not known */
	/* the positions that will be asked for, sorted; NULL: any */
	const uint64_t *wanted;
	size_t n_wanted;
};

/* -1 and err: it could not be read; some names may have been added. */
int elf_symbols(struct table_maker *m, const struct elf_source *source, struct error *err);
/* Of an image in memory, the vDSO: its .dynsym and .symtab. */
int elf_image_symbols(struct table_maker *m, void *image, size_t n, struct error *err);

/* ---- its parts ---- */

/*
 * The symbols of a table of `e`, by positions in `in`: e itself, or the file that e has the symbols
 * of. `bias`: what is added to an address of e for one of `in`.
 */
int elf_add_symbols(struct table_maker *m, const struct elf_file *e, uint32_t kind,
		    const struct elf_file *in, uint64_t bias);

/* elf_plt.c */
void elf_add_plt(struct table_maker *m, const struct elf_file *e);

/* elf_debug.c: from other files than e. */
void elf_add_debug(struct table_maker *m, const struct elf_file *e,
		   const struct elf_source *source);

#define ELF_NAMED_MOST 64		/* bytes of a section's name, with its NUL */

#endif
