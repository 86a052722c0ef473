/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_TYPES_H
#define SONDE_LANG_TYPES_H

#include "src/lang/tree.h"

/* C's integer types and conversions. `word` is the size of a long and a pointer. */

struct c_type c_integer(unsigned int size, bool is_signed);

/*
 * Words of a type: "unsigned long", "struct sock", "u32", "const char". `names[n]` has `lengths[n]`
 * letters. False: they are no type.
 */
bool c_type_named(const char *const *names, const size_t *lengths, unsigned int n,
		  unsigned int word, struct c_type *type);
/* May this word be one of a type's? */
bool c_type_word(const char *name, size_t length);

bool c_number(const struct c_type *t);		/* an integer, or a pointer */
unsigned int c_size(const struct c_type *t, unsigned int word);	/* 0: not known */
bool c_signed(const struct c_type *t);
struct c_type c_promoted(const struct c_type *t);
/* The usual arithmetic conversions; pointers count as unsigned longs. */
struct c_type c_common(const struct c_type *a, const struct c_type *b, unsigned int word);
/* What C makes of a number by converting it to a type; 64 bits, extended by its sign. */
uint64_t c_convert(uint64_t value, const struct c_type *t, unsigned int word);
/* "unsigned long", "struct sock *": for people. */
void c_type_text(const struct c_type *t, unsigned int word, char *to, size_t size);

#endif
