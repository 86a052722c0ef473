/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_ABI_H
#define SONDE_LANG_ABI_H

#include "src/lang/tree.h"

/*
 * Structs that programs and the kernel hand to each other: what is where in them never changes on a
 * machine, so nobody has to tell.
 */
enum abi_answer { ABI_KNOWN, ABI_NO_STRUCT, ABI_NO_MEMBER, ABI_TWO_LAYOUTS };

/* The member of struct `tag` whose name has `length` letters: its offset and type. */
enum abi_answer abi_member(const char *tag, const char *name, size_t length, unsigned int word,
			   unsigned int *offset, struct c_type *type);

#endif
