/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_DECLARED_H
#define SONDE_LANG_DECLARED_H

#include "compat/kernel/format.h"
#include "src/lang/tree.h"

/*
 * The type that a tracepoint's format declares, by C's words for it. `word` is the size of a long
 * and a pointer. Returns false if a word of the declaration is not known.
 */
bool declared_type(const struct field *f, unsigned int word, struct c_type *type);

#endif
