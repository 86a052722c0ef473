/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMBERS_INTERNAL_H
#define SONDE_MEMBERS_INTERNAL_H

#include "compat/types/btf.h"
#include "src/lang/types/members.h"

#define BTF_MOST 16		/* the kernel's, files', and those of modules that were needed */

struct types {
	struct kernel *kernel;
	struct machine machine;
	struct header *header;		/* NULL: none */
	struct btf *btf[BTF_MOST];	/* the first is the kernel's, which the kernel owns */
	unsigned int n_btf;
	unsigned int n_files;		/* of them: the kernel's and those of --btf */
	bool opened;			/* the kernel's was asked for */
	const char *headers_named, *btf_named;
	struct lines not_read;		/* files of the kernel's that BTF makes up for */
	struct types *of_program;	/* of another machine; NULL: not asked for yet */
	bool foreign;			/* it is that: the kernel's typedefs do not fit */
};

/* The kernel's type information and that of files; how many. */
unsigned int types_btfs(struct types *t);
/* A type of one of them. */
void btf_to_c(struct btf *b, unsigned int number, uint32_t id, struct c_type *to,
	      unsigned int depth);
/*
 * The number of a type by its name, of the first that has one, modules last; which is in *number.
 * 0: there is none, or several with the same name (*several).
 */
uint32_t types_btf_named(struct types *t, uint32_t kinds, const char *name, size_t length,
			 unsigned int *number, bool *several);
bool btf_to_member(struct btf *b, unsigned int number, uint32_t id, const char *name,
		   size_t length, struct member_place *to);

/* Members that are found at run time: is the struct one of those? */
bool found_struct(const char *tag);
int found_member(struct kernel *k, const char *tag, const char *name, size_t length,
		 unsigned int word, struct member_place *to, struct error *why);

#endif
