/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_PARSER_H
#define SONDE_LANG_PARSER_H

#include "src/language/expressions/parse/token.h"

/*
 * A walk along the tokens of a source; the files of this folder build nodes of them. Functions that
 * return int return 0, or -1 with err set. Functions that return a node return NULL, with err set,
 * on failure.
 */
#define DEPTH 64			/* of nested brackets and operators */

struct parser {
	struct tree *t;
	struct token now;
	unsigned int word, depth, members;
	struct error *err;
};

/* Reads the first token, at or behind `at`; then the next one. */
int parser_begin(struct parser *p, size_t at);
int parser_step(struct parser *p);
/* Return true if the token is this operator, or this word. */
bool parser_is(const struct parser *p, int op);
bool parser_is_word(const struct parser *p, const char *word);
/* Steps over an operator of one letter; another token is an error. */
int parser_expect(struct parser *p, int op);
/* The rest of the source, from the token on; or the name that the token is. */
const char *parser_text(const struct parser *p);
/* Sets err to this message, at the token. Returns NULL. */
struct node *parser_wrong(struct parser *p, const char *what);
/* Makes a node. */
struct node *parser_node(struct parser *p, enum node_kind kind, size_t at);

/* ---- types.c ---- */

/* Returns true if the token begins a type that is known without the kernel's type information. */
bool parser_begins_type(const struct parser *p);
/* The same with the kernel's type information: for places where only a type is allowed. */
bool parser_names_type(const struct parser *p);
/* The same behind a '(' in an expression. */
bool parser_begins_cast(const struct parser *p);
/* Reads a type. */
int parser_type(struct parser *p, struct c_type *type);

/* ---- expressions.c ---- */

/* Reads an expression, up to a comma, a colon or a closing bracket. */
struct node *parser_expression(struct parser *p);
/* Reads an operand of a binary operator; a literal. */
struct node *parser_operand(struct parser *p);
struct node *parser_literal(struct parser *p);
/* Makes a NODE_NAME of a token, a name; reads the token as one: no call and no member. */
struct node *parser_named(struct parser *p, const struct token *name);
struct node *parser_name(struct parser *p);
/* Reads members and elements behind n; `pointers`: also `->`. */
struct node *parser_members(struct parser *p, struct node *n, bool pointers);

/* ---- calls.c ---- */

/*
 * Reads a call of the function that the token names. If the token is no function's name, *is_call
 * is false, and the result NULL.
 */
struct node *parser_call(struct parser *p, bool *is_call);

#endif
