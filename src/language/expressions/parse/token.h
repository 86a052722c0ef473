/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TOKEN_H
#define SONDE_TOKEN_H

#include "src/language/expressions/tree.h"

enum token_kind {
	TOKEN_END, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_NAME, TOKEN_OPERATOR,
	TOKEN_TREE,		/* a name of the language's that stands for what was read before */
};

struct token {
	uint8_t kind;		/* enum token_kind */
	uint8_t op;		/* a letter, or OP_... */
	size_t at, length;	/* in the source; of a text: with its quotes */
	size_t behind;		/* where the source goes on */
	const char *name;	/* of a name: if it is not the one in the source; or NULL */
	struct node *tree;	/* TOKEN_TREE: a value; NODE_TYPE: a type */
	uint64_t value;		/* of a number or a character */
	bool is_decimal, is_unsigned;
	uint8_t longs;		/* number of suffixes l of a number */
};

/* Reads the token at or behind `at`. Returns -1 and sets err if there is no valid token. */
int token_next(const struct source *s, size_t at, struct token *t, struct error *err);

/*
 * Returns the character at *at of a literal with C's escapes, and moves *at behind it. Returns -1
 * and sets err if it is invalid.
 */
int token_letter(const struct source *s, size_t *at, struct error *err);

#endif
