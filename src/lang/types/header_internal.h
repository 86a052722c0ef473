/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HEADER_INTERNAL_H
#define SONDE_HEADER_INTERNAL_H

#include "src/lang/parse/token.h"
#include "src/lang/types/header.h"

/* A file, kept as long as the names in it are. */
struct header_file {
	struct header_file *next;
	struct source source;		/* its comments are blanks */
	char *text, *raw, *name;
};

enum symbol_space { SPACE_TAG, SPACE_TYPEDEF, SPACE_NUMBER, SPACE_MACRO };

struct symbol {
	uint32_t next;			/* of the same slot, from 1; 0: none */
	uint8_t space;			/* enum symbol_space */
	const char *name;		/* in the file's text */
	uint16_t length;
	bool busy;			/* a macro that is being replaced */
	bool no_number;			/* a macro that takes arguments, or is undefined again */
	uint32_t id;			/* SPACE_TAG: number of the struct */
	struct c_type type;
	uint64_t value;			/* SPACE_NUMBER */
	const struct header_file *file;	/* SPACE_MACRO: what it is replaced by */
	size_t at, end;
};

struct field_of {
	const char *name;		/* NULL: anonymous */
	uint16_t length;
	struct member_place place;
};

struct aggregate {
	bool complete, is_union, busy;
	uint32_t bytes, align;
	struct field_of *fields;
	unsigned int n;
};

#define SYMBOL_SLOTS 4096

struct header {
	struct machine machine;
	struct header_file *files;
	struct symbol *symbols;
	uint32_t n_symbols;
	uint32_t slots[SYMBOL_SLOTS];
	struct aggregate *aggregates;	/* of number 1 and so on */
	uint32_t n_aggregates;
};

struct symbol *header_symbol(const struct header *h, enum symbol_space space, const char *name,
			     size_t length);
/* A new one; NULL: out of memory. */
struct symbol *header_name(struct header *h, enum symbol_space space, const char *name,
			   size_t length);

/* ---- tokens, without directives, macros replaced ---- */

#define LEVELS 16			/* of macros in macros */
#define PACKS 16			/* of #pragma pack in each other */
#define CONDITIONS 32			/* of #if in #if */
/*
 * Macros whose texts have macros can become as much as one likes: so many bytes of all their texts
 * together, and of each token some more, are read for a file.
 */
#define MACRO_WORK_MOST (1u << 25)
#define TOKEN_WORK 8

struct header_reader {
	struct header *h;
	struct token now;
	const struct header_file *file;	/* that the token is in */
	struct {
		const struct header_file *file;
		size_t at, end;
		uint32_t macro;		/* symbol number, from 1; 0: the file itself */
	} levels[LEVELS];
	unsigned int n_levels;
	unsigned int n_conditions;
	bool as_written;		/* macros are not replaced */
	bool of_condition;		/* names that are not known are 0 */
	bool was_typedef;
	unsigned int depth;
	uint8_t pack;			/* #pragma pack: the most of members; 0: none */
	uint8_t packs[PACKS];		/* those that were pushed */
	unsigned int n_packs;
	uint32_t work;			/* in macros */
	struct error *err;
};

int header_step(struct header_reader *r);		/* the next token; -1 and err */
int header_wrong(struct header_reader *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
bool header_is(const struct header_reader *r, int op);
bool header_word(const struct header_reader *r, const char *word);
const char *header_text(const struct header_reader *r);
int header_expect(struct header_reader *r, int op);
/* Past the bracket that ends the one which is the token now. */
int header_skip(struct header_reader *r);

/* A constant expression. */
int header_constant(struct header_reader *r, uint64_t *value, struct c_type *type);
/* "unsigned long", "struct a *": words and stars of a type; `none`: there was no type. */
int header_specifiers(struct header_reader *r, struct c_type *type);
/* The type of a cast or sizeof; false: there is none here. */
bool header_begins_type(const struct header_reader *r);
int header_abstract(struct header_reader *r, struct c_type *type);
int header_declarations(struct header_reader *r);

#endif
