/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SCALAR_H
#define SONDE_SCALAR_H

#include "compat/types/btf.h"

/*
 * Returns true if a program that has a pointer to the struct may load `size` bytes at `offset` of
 * it as a number, or as a part of one. The verifier looks at the first member that has one of these
 * bytes, also in nested structs and unions (btf_struct_walk(), 5.6). A text, whose size is 0, is no
 * number.
 */
bool scalar_at(struct btf *b, const char *name, size_t length, uint32_t offset, uint32_t size);

#endif
