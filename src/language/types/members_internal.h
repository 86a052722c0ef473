/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMBERS_INTERNAL_H
#define SONDE_MEMBERS_INTERNAL_H

#include "compat/types/btf.h"
#include "src/language/types/members.h"

#define BTF_MOST 16		/* type information: of the kernel, of files, of modules in use */

struct types {
	struct kernel *kernel;
	struct machine machine;
	struct header *header;		/* NULL: none */
	struct btf *btf[BTF_MOST];	/* the first is the kernel's, which the kernel owns */
	unsigned int n_btf;
	unsigned int n_files;		/* of `btf`: the kernel's and those of --btf */
	bool opened;			/* the kernel's type information was opened */
	const char *headers_named, *btf_named;
	const struct source *script;	/* with declarations; NULL: none */
	struct lines not_read;		/* the kernel's files that type information replaces */
	struct types *of_program;	/* of another machine; NULL: not needed yet */
	bool foreign;			/* this is of_program: the kernel's typedefs do not fit */
};

/* Opens the type information of the kernel and of files. Returns their number. */
unsigned int types_btfs(struct types *t);
/* Converts type `id` of type information `number`. */
void btf_to_c(struct btf *b, unsigned int number, uint32_t id, struct c_type *to,
	      unsigned int depth);
/*
 * Finds a type by its name: in the first type information that has it (its number goes to *number),
 * modules last. Returns its id; 0: there is none, or several have the name (*several).
 */
uint32_t types_btf_named(struct types *t, uint32_t kinds, const char *name, size_t length,
			 unsigned int *number, bool *several);
/* Finds a member of struct `id`. Returns false if there is none. */
bool btf_to_member(struct btf *b, unsigned int number, uint32_t id, const char *name,
		   size_t length, struct member_place *to);
/* The alignment of struct `id`, which its members tell; 1 if it is packed. */
uint32_t btf_alignment(struct btf *b, unsigned int number, uint32_t id, const struct machine *m);
/* As types_member_at(). */
bool btf_to_member_at(struct btf *b, unsigned int number, uint32_t id, unsigned int i,
		      struct member_place *to, const char **name, size_t *length);

/* Returns true if sonde finds members of this struct at run time; finds such a member. */
bool found_struct(const char *tag);
int found_member(struct kernel *k, const char *tag, const char *name, size_t length,
		 unsigned int word, struct member_place *to, struct error *why);

#endif
