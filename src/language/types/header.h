/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HEADER_H
#define SONDE_HEADER_H

#include "src/language/types/placement.h"

/*
 * C declarations from files of the user: structs, unions, bit fields, enums, typedefs, arrays, and
 * macros that are numbers. This is no preprocessor: includes and macros with arguments are ignored,
 * and #if knows only the file's own macros. Files may have any content: reading takes time and
 * memory in proportion to their size. Declarations that the kernel's compiler might lay out
 * otherwise are refused, with the line and a caret.
 */
struct header;

#define HEADER_MOST (16u << 20)		/* bytes of a file */

/* Returns NULL if there is no memory. */
struct header *header_new(const struct machine *m);
void header_free(struct header *h);
/*
 * Where else structs are declared: it sets source, id, bytes and align of *type, which has a tag.
 * Returns false if there is none.
 */
typedef bool header_outside_fn(void *arg, struct c_type *type);
/* Asks there for structs that are embedded in declarations, and not declared themselves. */
void header_outside(struct header *h, header_outside_fn *outside, void *arg);
/* Adds the declarations of a file. Returns -1 and sets err on failure. */
int header_read(struct header *h, const char *path, struct error *err);
/* The same for a text in memory. */
int header_add(struct header *h, const char *name, const char *text, size_t length,
	       struct error *err);
/*
 * The same for declarations in a script, whose language tells the form of messages. There a struct
 * needs no semicolon behind it.
 */
int header_script(struct header *h, const struct source *s, struct error *err);

/* The place of a member, from the beginning of the struct that was asked for. */
struct member_place {
	int64_t bits;			/* as placement_add() returns it */
	uint32_t width;			/* of a bit field; 0: no bit field */
	struct c_type type;
};

/* Look up a declaration. Names have `length` letters. Return false if there is none. */
bool header_typedef(const struct header *h, const char *name, size_t length, struct c_type *type);
/* A struct or union by its tag: sets id, bytes and align of *type. */
bool header_struct(const struct header *h, const char *tag, struct c_type *type);
/* A member of struct number `id`, also in anonymous structs and unions of it. */
bool header_member(const struct header *h, uint32_t id, const char *name, size_t length,
		   struct member_place *to);
/* Member number i; its name has no letters if it has none. Returns false behind the last one. */
bool header_member_at(const struct header *h, uint32_t id, unsigned int i,
		      struct member_place *to, const char **name, size_t *length);
/*
 * The text of a macro that is no number. Returns 1; 0 if there is none; -1 if it has arguments. The
 * text stays as long as h.
 */
int header_macro(struct header *h, const char *name, size_t length, const char **text,
		 const char **end);
/* The enum of this tag. */
bool header_enum(const struct header *h, const char *tag, size_t length, struct c_type *type);
/* The enumerator of enum number `id` that has the value; *length is its name's. NULL: none has. */
const char *header_enumerator(const struct header *h, uint32_t id, uint64_t value,
			      size_t *length);
/* An enumerator, or a macro that is a number. */
bool header_number(struct header *h, const char *name, size_t length, uint64_t *value,
		   struct c_type *type);

#endif
