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
/* The type of a number as it is written: the first of C's list that has it. */
struct c_type c_literal(uint64_t value, bool is_decimal, bool is_unsigned, unsigned int longs,
			unsigned int word);
/* How strongly a binary operator binds, from 1 to 10; 0: it is none. */
int c_strength(uint8_t op);
/* An array, and not the address of one of its rows. */
bool c_array(const struct c_type *t);
/* Of an array: the address of its first element. */
struct c_type c_decayed(const struct c_type *t);
/* What a pointer points to. */
struct c_type c_pointed(const struct c_type *t);
struct c_type c_pointer(const struct c_type *to);
/* "unsigned long", "struct sock *": for people. */
void c_type_text(const struct c_type *t, unsigned int word, char *to, size_t size);

#endif
