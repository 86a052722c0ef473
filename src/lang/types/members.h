/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMBERS_H
#define SONDE_MEMBERS_H

#include "compat/base/lines.h"
#include "compat/kernel/kernel.h"
#include "src/lang/types/header.h"

/*
 * What tells types, asked in this order: files of declarations (-I), the kernel's type information
 * and that of its modules, a file of type information (--btf), the members whose places sonde finds
 * at run time, and the structs of user space's ABI. Nothing is read before it is asked for.
 */
enum type_source {
	TYPES_UNKNOWN,
	TYPES_HEADER,
	TYPES_FOUND,		/* `tag`: the struct, and the members that led to the type */
	TYPES_ABI,
	TYPES_BTF,		/* and above: the number of the type information */
};

struct types;

/* NULL: out of memory. The kernel is the caller's, and so are the files' names. */
struct types *types_new(struct kernel *k);
void types_free(struct types *t);
/* Files: what -I and --btf name, with newlines between; NULL: none. -1 and err. */
int types_files(struct types *t, const char *headers, const char *btf, struct error *err);

/* Files that are not read because type information has what they declare. */
const struct lines *types_not_read(const struct types *t);
/*
 * The same for programs of another machine, by its name in arch.h, whose files are laid out for it.
 * It is part of `t`. NULL and err.
 */
struct types *types_of_program(struct types *t, const char *machine, unsigned int word,
			       struct error *err);

/* All that follow take NULL, which knows the ABI alone. */

/* A typedef of files of declarations. */
bool types_declared(struct types *t, const char *name, size_t length, struct c_type *type);
/* The same, or of type information. */
bool types_typedef(struct types *t, const char *name, size_t length, struct c_type *type);
/* An enumerator or a macro. 1; 0: there is none; -1 and why: nobody knows which. */
int types_number(struct types *t, const char *name, size_t length, uint64_t *value,
		 struct c_type *type, struct error *why);
/*
 * Finds out who declares a struct, and how large it is. Of programs the kernel's type information
 * says nothing. -1 and why.
 */
int types_complete(struct types *t, struct c_type *type, bool of_program, struct error *why);
/* A member of such a struct. -1 and why. */
int types_member(struct types *t, const struct c_type *type, const char *name, size_t length,
		 unsigned int word, struct member_place *to, struct error *why);
/* The parameters of a function of the kernel; how many, -1: not known. */
int types_function(struct types *t, const char *name, struct parameter *list,
		   struct c_type *result);

#endif
