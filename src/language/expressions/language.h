/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_LANGUAGE_H
#define SONDE_LANG_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

struct binder;
struct c_type;
struct error;
struct node;
struct parser;
struct source;
struct token;

/*
 * What the expressions of a front end have that C's have not. The functions find the front end's
 * own state in the source. Each may be NULL.
 */
struct language {
	/*
	 * Reads the token at t->at. Returns 1 if it is the language's own; 0 if C has it; -1, with
	 * err set, if it is invalid.
	 */
	int (*token)(const struct source *s, struct token *t, struct error *err);
	/* Makes a name the token that it stands for. Returns 0, or -1 with err set. */
	int (*replace)(const struct source *s, struct token *t, struct error *err);
	/* Sets err to a message about the letters at `at`, in the language's own form. */
	void (*message)(const struct source *s, size_t at, const char *message, struct error *err);
	/* Reads a value that begins with a token of the language; *own is false for all others. */
	struct node *(*primary)(struct parser *p, bool *own);
	/*
	 * Gives a name its meaning. Returns 1 if the name is the language's own; 0 if it is not;
	 * -1, with err set, if the name means nothing here.
	 */
	int (*name)(struct binder *b, struct node *n);
	/* The same for an operator with two sides and for a choice, whose sides are bound. */
	int (*binary)(struct binder *b, struct node *n);
	int (*choice)(struct binder *b, struct node *n);
	/*
	 * Changes a side, bound, of a choice or of a comparison for equality. Inputs from `before`
	 * on are of this side only. Returns -1, with err set, on failure.
	 */
	int (*side)(struct binder *b, struct node *n, unsigned int before);
	/* The same for *a, &a, a->b, a.b and a cast to an array, before anything of it is bound. */
	int (*place)(struct binder *b, struct node **at);
	/*
	 * The letter of a text that *(TEXT + NUMBER) is, n->a being the sum, unbound. Returns 0; 1
	 * if it is no text: then its sides may be bound; -1, with err set, on failure.
	 */
	int (*letter)(struct binder *b, struct node *n);
	/* Reads what may be behind a value, as .0, and C has not. Returns n, or what it became. */
	struct node *(*parts)(struct parser *p, struct node *n);
	/*
	 * The word that begins a type that C has not, and what reads the type, from the word on. It
	 * may become known when it is bound (C_TYPEOF): `type_of` gives *type that of n then.
	 */
	const char *type_word;
	int (*type)(struct parser *p, struct c_type *type);
	int (*type_of)(struct binder *b, const struct node *n, struct c_type *type);
	/*
	 * Operators compute with 64 bits. The result is signed if one side is, or of a difference;
	 * a literal has the sign of the other side. `*` in front of a number of 64 bits is the
	 * number in memory there.
	 */
	bool wide;
	/* `.` behind a pointer is `->`. */
	bool dots;
};

#endif
