/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_PARSER_H
#define SONDE_LANG_PARSER_H

#include "src/lang/parse/token.h"

/*
 * A walk along the tokens of a source, from which the files of this folder build nodes. Functions
 * that return int or bool as success return -1, and those that return a node NULL, with err set.
 */
#define DEPTH 64			/* of brackets and operators in each other */

struct parser {
	struct tree *t;
	struct token now;
	unsigned int word, depth, members;
	struct error *err;
};

/* The first token, at or behind `at`. */
int parser_begin(struct parser *p, size_t at);
int parser_step(struct parser *p);
/* Is the token this operator, or this word? */
bool parser_is(const struct parser *p, int op);
bool parser_is_word(const struct parser *p, const char *word);
/* Steps over this operator, which is of one letter; an error if another token is there. */
int parser_expect(struct parser *p, int op);
/* The text of the token and what is behind it. */
const char *parser_text(const struct parser *p);
/* Sets err to this message, at the token; returns NULL. */
struct node *parser_wrong(struct parser *p, const char *what);
struct node *parser_node(struct parser *p, enum node_kind kind, size_t at);

/* ---- types.c ---- */

/* Is the token the first of a type that is known without asking the kernel? */
bool parser_begins_type(const struct parser *p);
/* The same, or one that only the kernel's type information knows: where only a type may be. */
bool parser_names_type(const struct parser *p);
/* The same behind a '(' in an expression. */
bool parser_begins_cast(const struct parser *p);
int parser_type(struct parser *p, struct c_type *type);

/* ---- expressions.c ---- */

/* An expression: all that a comma, a colon or a closing bracket ends. */
struct node *parser_expression(struct parser *p);
/* An operand of a binary operator. */
struct node *parser_operand(struct parser *p);
struct node *parser_literal(struct parser *p);
/* Members and elements behind n; with `pointers` also what is behind a pointer. */
struct node *parser_members(struct parser *p, struct node *n, bool pointers);

/* ---- calls.c ---- */

/*
 * A call of the function whose name is the token; *is_call is false, and the result NULL, if it is
 * another name.
 */
struct node *parser_call(struct parser *p, bool *is_call);

#endif
