/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HEADER_INTERNAL_H
#define SONDE_HEADER_INTERNAL_H

#include "src/language/expressions/parse/token.h"
#include "src/language/types/header.h"

/* A file, kept because names point into its text. */
struct header_file {
	struct header_file *next;
	struct source source;		/* comments are replaced by blanks */
	char *text, *raw, *name;
};

enum symbol_space { SPACE_TAG, SPACE_TYPEDEF, SPACE_NUMBER, SPACE_MACRO };

struct symbol {
	uint32_t next;			/* next symbol of the same slot, from 1; 0: none */
	uint8_t space;			/* enum symbol_space */
	const char *name;		/* in the file's text */
	uint16_t length;
	bool busy;			/* a macro that is being replaced */
	bool no_number;			/* a macro with arguments, or one that was undefined */
	uint32_t id;			/* SPACE_TAG: number of the struct */
	struct c_type type;
	uint64_t value;			/* SPACE_NUMBER */
	const struct header_file *file;	/* SPACE_MACRO: file and place of its text */
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
	struct aggregate *aggregates;	/* numbers begin with 1 */
	uint32_t n_aggregates, n_enums;
	header_outside_fn *outside;	/* NULL: there is none */
	void *arg;
};

/* Finds a symbol. Returns NULL if there is none. */
struct symbol *header_symbol(const struct header *h, enum symbol_space space, const char *name,
			     size_t length);
/* Adds a symbol. Returns NULL if there is no memory. */
struct symbol *header_name(struct header *h, enum symbol_space space, const char *name,
			   size_t length);

/* ---- reading tokens: directives are obeyed, macros replaced ---- */

#define LEVELS 16			/* of macros in macros */
#define PACKS 16			/* of nested #pragma pack */
#define CONDITIONS 32			/* of nested #if */
/*
 * Macros in texts of macros may expand without limit. So there is a limit for a file: bytes of all
 * texts of macros that are read, plus TOKEN_WORK for each token.
 */
#define MACRO_WORK_MOST (1u << 25)
#define TOKEN_WORK 8

struct header_reader {
	struct header *h;
	struct token now;
	const struct header_file *file;	/* the file of the token */
	struct {
		const struct header_file *file;
		size_t at, end;
		uint32_t macro;		/* symbol number, from 1; 0: the file itself */
	} levels[LEVELS];
	unsigned int n_levels;
	unsigned int n_conditions;
	bool as_written;		/* macros are not replaced */
	bool of_condition;		/* unknown names are 0 */
	bool was_typedef;
	bool script;			/* a struct needs no semicolon behind it */
	unsigned int depth;
	uint8_t pack;			/* #pragma pack: largest alignment of members; 0: none */
	uint8_t packs[PACKS];		/* pushed values of `pack` */
	unsigned int n_packs;
	uint32_t work;			/* done for macros so far */
	struct error *err;
};

/* Functions that return int return 0, or -1 with r->err set. */

/* Reads the next token. */
int header_step(struct header_reader *r);
/* Writes an error at the current token. Returns -1. */
int header_wrong(struct header_reader *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Return true if the token is this operator, or this word. */
bool header_is(const struct header_reader *r, int op);
bool header_word(const struct header_reader *r, const char *word);
/* The token's text in its file. */
const char *header_text(const struct header_reader *r);
/* Reads the next token; the current one must be this operator. */
int header_expect(struct header_reader *r, int op);
/* The token is an opening bracket: skips everything up to its closing bracket. */
int header_skip(struct header_reader *r);

/* Reads a constant expression. */
int header_constant(struct header_reader *r, uint64_t *value, struct c_type *type);
/* Reads words and stars of a type: "unsigned long", "struct a *". */
int header_specifiers(struct header_reader *r, struct c_type *type);
/* Returns true if the token begins a type, as in a cast or sizeof. */
bool header_begins_type(const struct header_reader *r);
/* Reads such a type. */
int header_abstract(struct header_reader *r, struct c_type *type);
/* Reads all declarations. */
int header_declarations(struct header_reader *r);

#endif
