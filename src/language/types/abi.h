/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_ABI_H
#define SONDE_LANG_ABI_H

#include "src/language/expressions/tree.h"

/*
 * Structs that programs and the kernel exchange. Their layout never changes on a machine, so sonde
 * has it built in.
 */
enum abi_answer { ABI_KNOWN, ABI_NO_STRUCT, ABI_NO_MEMBER, ABI_TWO_LAYOUTS };

/* Finds the offset and type of a member of struct `tag`. The name has `length` letters. */
enum abi_answer abi_member(const char *tag, const char *name, size_t length, unsigned int word,
			   unsigned int *offset, struct c_type *type);

#endif
