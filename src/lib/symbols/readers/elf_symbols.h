/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ELF_SYMBOLS_H
#define SONDE_ELF_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "compat/kernel/build_id.h"
#include "compat/user/elf_file.h"
#include "src/lib/symbols/readers/table.h"

/*
 * All names of code that an ELF file has, by position in the file: the symbols of .symtab and
 * .dynsym, and NAME@plt for the entries of its procedure linkage table. A file without .symtab has
 * the symbols of its debug file (found by build id or by the name in the file) or of
 * .gnu_debugdata. Files may have any content: a process of its own must call this
 * (compat/user/guard.h).
 */
struct elf_source {
	int fd;
	/* a root folder where debug files are looked for first; NULL: only / */
	const char *root;
	const char *path;		/* of the file in that root; NULL: unknown */
	/* the positions that will be asked for, sorted; NULL: any */
	const uint64_t *wanted;
	size_t n_wanted;
};

/* Adds the names. Returns -1 if the file could not be read; some names may have been added. */
int elf_symbols(struct table_maker *m, const struct elf_source *source, struct error *err);
/* The build id of an ELF file, cut or filled with zeros. Returns -1 if it has none. */
int symbols_build_id(int fd, uint8_t id[BUILD_ID]);
/* elf_symbols() for an image in memory, the vDSO: its .dynsym and .symtab. */
int elf_image_symbols(struct table_maker *m, void *image, size_t n, struct error *err);

/* ---- parts of elf_symbols() ---- */

/*
 * Adds the symbols in sections of type `kind` (SHT_SYMTAB, SHT_DYNSYM) of `e`, by positions in
 * `in`: `in` is e itself, or the file that e is the debug file of. `bias` is added to addresses of
 * e to get addresses of `in`.
 */
int elf_add_symbols(struct table_maker *m, const struct elf_file *e, uint32_t kind,
		    const struct elf_file *in, uint64_t bias);

/* Adds the entries of the procedure linkage table (elf_plt.c). */
void elf_add_plt(struct table_maker *m, const struct elf_file *e);

/* Adds the symbols of debug files of e (elf_debug.c). */
void elf_add_debug(struct table_maker *m, const struct elf_file *e,
		   const struct elf_source *source);

#define ELF_NAMED_MOST 64		/* bytes of a section's name, with its NUL */

#endif
