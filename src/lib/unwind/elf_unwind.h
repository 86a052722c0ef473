/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ELF_UNWIND_H
#define SONDE_ELF_UNWIND_H

#include <stddef.h>

#include "compat/base/error.h"
#include "src/lib/unwind/rows.h"

/*
 * The rows of an open ELF file: of its .eh_frame, or on 32-bit ARM of its .ARM.exidx. Files are
 * anybody's: this belongs into a process of its own (compat/user/guard.h). Returns -1 and sets err
 * if the file could not be read to its end; rows may have been added then.
 */
int elf_unwind_read(int fd, struct unwind_maker *m, struct error *err);
/* The same of an image in memory, the vDSO. */
int elf_unwind_read_image(void *image, size_t n, struct unwind_maker *m, struct error *err);

#endif
