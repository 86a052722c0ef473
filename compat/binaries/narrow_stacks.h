/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NARROW_STACKS_H
#define SONDE_NARROW_STACKS_H

#include <stddef.h>

#include "compat/base/error.h"
#include "compat/binaries/binaries.h"

/*
 * Does a probe at this place of the file, or on returns from there, leave the stacks of its
 * programs as they are? -1 and err, with what to do instead, if not: some kernels damage those of
 * 32-bit programs.
 */
int binary_spared(struct kernel *k, const struct binary *b, uint64_t address, bool returns,
		  struct error *err);

/* What an instruction of 32-bit x86 pushes that the kernel pushes for it where it is probed. */
enum pushes { PUSHES_NOTHING, PUSHES_VALUE, PUSHES_CALL };

enum pushes code_pushes(const unsigned char *code, size_t n);

#endif
