/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_TEXT_H
#define SONDE_BT_TEXT_H

#include <ctype.h>

#include "src/language/expressions/parse/token.h"

/* The language of the expressions, for sources of scripts; their `front` is a struct bt. */
extern const struct language bt_language;

/*
 * Operators of bpftrace that C's expressions have not, behind those of tree.h. BT_OP_CLOSE is the
 * slash that ends a predicate: it has a block behind it.
 */
enum { BT_OP_INCREMENT = 160, BT_OP_DECREMENT, BT_OP_CLOSE, BT_OP_RANGE, BT_OP_ASSIGN };
/* The operator X of `X=`: the letter, or OP_SHL, OP_SHR; 0: the token is no such operator. */
uint8_t bt_assigns(const struct token *t);

/* A copy of the script with blanks instead of comments and the #! line; the caller frees. */
char *bt_without_comments(const char *text);

#define BT_BLANKS " \t\v\f\r\n"

/* Returns true if a name may have this letter. */
static inline bool bt_is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns true if the name at p is this word. */
bool bt_is_word(const char *p, const char *word);
/* Returns true if a name at this place is that of a member: behind `.` or `->`, not behind `..` */
bool bt_is_member(const char *text, size_t at);
/* The end of the text in quotes that begins at p. */
const char *bt_text_end(const char *p);
/* The length of a word that tells a probe. A slash belongs to a path if a colon is before it. */
size_t bt_probe_length(const char *p);

/* Functions of struct language. */
int bt_token(const struct source *s, struct token *t, struct error *err);
void bt_message(const struct source *s, size_t at, const char *message, struct error *err);

struct bt;
/* Keeps a message as a warning, in bpftrace's form: of a probe that is left out too. */
void bt_warn(struct bt *b, const struct error *why);

#endif
