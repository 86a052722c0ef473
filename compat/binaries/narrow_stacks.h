/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NARROW_STACKS_H
#define SONDE_NARROW_STACKS_H

#include <stddef.h>

#include "compat/base/error.h"
#include "compat/binaries/binaries.h"

/*
 * Checks that a probe at this place of the file, or on returns from there, does not damage stacks:
 * some kernels damage those of 32-bit programs. Returns -1 and sets err, with advice, if it does.
 */
int binary_spared(struct kernel *k, const struct binary *b, uint64_t address, bool returns,
		  struct error *err);

/* What a probed instruction of 32-bit x86 pushes; the kernel emulates the push. */
enum pushes { PUSHES_NOTHING, PUSHES_VALUE, PUSHES_CALL };

enum pushes code_pushes(const unsigned char *code, size_t n);

#endif
