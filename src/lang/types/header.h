/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HEADER_H
#define SONDE_HEADER_H

#include "src/lang/types/placement.h"

/*
 * Declarations of C from files of the user's: structs, unions, bit fields, enums, typedefs, arrays
 * and macros that are numbers. Not a preprocessor: nothing is included, macros with arguments are
 * left out, and #if is for what the file itself defines. The files may be anybody's: reading takes
 * time and memory in proportion to their size, and ends. What could be laid out in another way than
 * the kernel's compiler does it is refused, with the file's line and a caret.
 */
struct header;

#define HEADER_MOST (16u << 20)		/* bytes of a file */

/* NULL: out of memory. */
struct header *header_new(const struct machine *m);
void header_free(struct header *h);
/* Adds a file's declarations to those of others. -1 and err. */
int header_read(struct header *h, const char *path, struct error *err);
/* The same of a text in memory. */
int header_add(struct header *h, const char *name, const char *text, size_t length,
	       struct error *err);

/* Where a member is, counted from the beginning of what was asked about. */
struct member_place {
	int64_t bits;			/* as placement_add() has it */
	uint32_t width;			/* of a bit field; 0: it is none */
	struct c_type type;
};

/* Names have `length` letters. False: the files declare no such thing. */
bool header_typedef(const struct header *h, const char *name, size_t length, struct c_type *type);
/* A struct or union by its tag: its number, bytes and align are set. */
bool header_struct(const struct header *h, const char *tag, struct c_type *type);
/* Through anonymous structs and unions, too. */
bool header_member(const struct header *h, uint32_t id, const char *name, size_t length,
		   struct member_place *to);
/* An enumerator, or a macro that is a number. */
bool header_number(struct header *h, const char *name, size_t length, uint64_t *value,
		   struct c_type *type);

#endif
