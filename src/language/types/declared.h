/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_DECLARED_H
#define SONDE_LANG_DECLARED_H

#include "compat/kernel/format.h"
#include "src/language/expressions/tree.h"

/*
 * The type of a field by its declaration in a tracepoint's format. `word` is the size of a long and
 * a pointer. Returns false if the declaration has an unknown word.
 */
bool declared_type(const struct field *f, unsigned int word, struct c_type *type);

#endif
