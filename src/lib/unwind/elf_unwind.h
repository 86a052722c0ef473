/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ELF_UNWIND_H
#define SONDE_ELF_UNWIND_H

#include <stddef.h>

#include "compat/base/error.h"
#include "src/lib/unwind/rows.h"

/*
 * Adds the rows of an open ELF file: of its .eh_frame, or on 32-bit ARM of its .ARM.exidx. Files
 * may have any content: a process of its own must call this (compat/user/guard.h). Returns -1 and
 * sets err if the file could not be read to its end; some rows may have been added.
 */
int elf_unwind_read(int fd, struct unwind_maker *m, struct error *err);
/* The same for an image in memory, the vDSO. */
int elf_unwind_read_image(void *image, size_t n, struct unwind_maker *m, struct error *err);

#endif
