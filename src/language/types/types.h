/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_TYPES_H
#define SONDE_LANG_TYPES_H

#include "src/language/expressions/tree.h"

/* C's integer types and conversions. `word` is the size of a long and a pointer. */

/* An integer type of `size` bytes. */
struct c_type c_integer(unsigned int size, bool is_signed);
/* The type of 0 and 1 that is written as true and false. */
struct c_type c_bool(void);
/*
 * The type of words like "unsigned long", "struct sock", "u32", "const char". `names[n]` has
 * `lengths[n]` letters. Returns false if they are no type.
 */
bool c_type_named(const char *const *names, const size_t *lengths, unsigned int n,
		  unsigned int word, struct c_type *type);
/* Returns true if this word may be a word of a type. */
bool c_type_word(const char *name, size_t length);

/* Returns true for an integer or a pointer. */
bool c_number(const struct c_type *t);
/* Bytes of a number; 0: unknown. */
unsigned int c_size(const struct c_type *t, unsigned int word);
/* Returns true for a signed integer. */
bool c_signed(const struct c_type *t);
/* The type after C's integer promotions. */
struct c_type c_promoted(const struct c_type *t);
/* The usual arithmetic conversions; pointers count as unsigned longs. */
struct c_type c_common(const struct c_type *a, const struct c_type *b, unsigned int word);
/* Converts a number to a type, as C does. The result has 64 bits, extended by its sign. */
uint64_t c_convert(uint64_t value, const struct c_type *t, unsigned int word);
/* The type of a literal number: the first type of C's list that can hold it. */
struct c_type c_literal(uint64_t value, bool is_decimal, bool is_unsigned, unsigned int longs,
			unsigned int word);
/* Precedence of a binary operator, from 1 to 10; 0: not a binary operator. */
int c_strength(uint8_t op);
/* Returns true for an array, false for the address of one of its rows. */
bool c_array(const struct c_type *t);
/* The type of the address of an array's first element. */
struct c_type c_decayed(const struct c_type *t);
/* The type that a pointer points to; the type of a pointer to `to`. */
struct c_type c_pointed(const struct c_type *t);
struct c_type c_pointer(const struct c_type *to);
/* Writes a type for people: "unsigned long", "struct sock *". */
void c_type_text(const struct c_type *t, unsigned int word, char *to, size_t size);

#endif
