/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMBERS_H
#define SONDE_MEMBERS_H

#include "compat/base/lines.h"
#include "compat/kernel/kernel.h"
#include "src/language/types/header.h"

/*
 * Sources of types, in this order: files of declarations (-I), the type information of the kernel
 * and its modules, files of type information (--btf), members that sonde finds at run time, and the
 * structs of user space's ABI. Each source is read when it is first needed.
 */
enum type_source {
	TYPES_UNKNOWN,
	TYPES_HEADER,
	TYPES_FOUND,		/* `tag` has the struct, and the members that led to the type */
	TYPES_ABI,
	TYPES_BTF,		/* and above: TYPES_BTF + number of the type information */
};

struct types;

/* Returns NULL if there is no memory. The caller owns the kernel and the files' names. */
struct types *types_new(struct kernel *k);
void types_free(struct types *t);
/*
 * Sets the files of -I and --btf, one a line; NULL: none. Returns -1 and sets err if one can't be
 * read.
 */
int types_files(struct types *t, const char *headers, const char *btf, struct error *err);

/*
 * Adds declarations of a script, which stays as long as the types. Returns -1 and sets err on
 * failure.
 */
int types_script(struct types *t, const struct source *s, struct error *err);
/* Returns true if the kernel has type information. */
bool types_has_btf(struct types *t);

/* What is shown while events come has types: all that is known of them stays until types_free(). */
void types_stay(struct types *t);

/* Files of -I that are not read, because type information has their declarations. */
const struct lines *types_not_read(const struct types *t);
/*
 * The types of programs of another machine than the kernel's; owned by `t`. Returns NULL and sets
 * err on failure.
 */
struct types *types_of_program(struct types *t, const struct arch *arch, struct error *err);

/* The functions below accept t NULL, which knows only the ABI. Names have `length` letters. */

/* Looks up a typedef of files of declarations. Returns false if there is none. */
bool types_declared(struct types *t, const char *name, size_t length, struct c_type *type);
/* The same, also in type information. */
bool types_typedef(struct types *t, const char *name, size_t length, struct c_type *type);
/*
 * Looks up an enumerator or a macro. Returns 1; 0 if there is none; -1, and sets why, if it is
 * ambiguous.
 */
int types_number(struct types *t, const char *name, size_t length, uint64_t *value,
		 struct c_type *type, struct error *why);
/* Looks up an enum by its tag, behind `enum`. Returns false if there is none. */
bool types_enum(struct types *t, const char *tag, size_t length, struct c_type *type);
/* The name of a value of an enum, by its type's source and id. NULL: it has none. */
const char *types_enumerator(struct types *t, uint8_t source, uint32_t id, uint64_t value,
			     size_t *length);
/* As header_macro(). */
int types_macro(struct types *t, const char *name, size_t length, const char **text,
		const char **end);
/*
 * Finds the source and the size of a struct. `of_program`: the kernel's type information is not
 * searched. Returns -1 and sets why on failure.
 */
int types_complete(struct types *t, struct c_type *type, bool of_program, struct error *why);
/* Finds a member of a completed struct. Returns -1 and sets why on failure. */
int types_member(struct types *t, const struct c_type *type, const char *name, size_t length,
		 unsigned int word, struct member_place *to, struct error *why);
/* Returns true if types_member_at() knows the members of this struct, which is completed. */
bool types_has_members(const struct c_type *type);
/*
 * Member number i of such a struct, and its name; *length is 0 if it has none. Returns false behind
 * the last one.
 */
bool types_member_at(struct types *t, const struct c_type *type, unsigned int i,
		     struct member_place *to, const char **name, size_t *length);
/*
 * Lists the parameters and the result of a function of the kernel. Returns the number of
 * parameters;
 * -1: unknown.
 */
int types_function(struct types *t, const char *name, struct parameter *list,
		   struct c_type *result);

#endif
