/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_FUNCTIONS_H
#define SONDE_LANG_FUNCTIONS_H

#include "src/language/expressions/bind/binder.h"
#include "src/language/expressions/code.h"

/*
 * Functions of expressions: a row for each function, a file for each family. A front end gives the
 * families of its language to the tree. A call becomes a NODE_CALL; its a, b and c are the
 * arguments.
 */
enum argument_kind {
	ARGUMENT_NONE,
	ARGUMENT_VALUE,			/* an expression */
	ARGUMENT_LITERAL,		/* a text in quotes: NODE_TEXT */
	ARGUMENT_TYPE,			/* NODE_TYPE */
	ARGUMENT_MEMBER,		/* NAME.NAME[N]: the innermost node has no `a` */
	ARGUMENT_SIZED,			/* a type, also of an array; or an operand */
};

#define FUNCTION_ARGUMENTS 3

struct function {
	const char *name;
	const char *form;		/* for messages: "offsetof(TYPE, MEMBER)" */
	uint8_t arguments[FUNCTION_ARGUMENTS];	/* enum argument_kind, up to ARGUMENT_NONE */
	/*
	 * Binds the arguments, and gives *at its type or replaces it by another node. Returns -1
	 * and sets err if the arguments are wrong.
	 */
	int (*infer)(struct binder *b, struct node **at);
	/* As code_value_at(). NULL: infer() replaces every call. */
	void (*emit)(struct code *c, const struct node *n, int depth, const char *fault);
	uint8_t least;			/* arguments that must be there; 0: all */
	/*
	 * Of src/bt. The value is a text or a block: stack[off, size bytes] = it, with zeros behind
	 * its end if `exact`; r0 = its length, or more. Clobbers r8 and the registers from this
	 * depth on.
	 */
	void (*text)(struct code *c, const struct node *n, int off, unsigned int size, int depth,
		     bool exact);
	uint8_t own;			/* of src/bt: enum syntax_value */
};

/* Families: each ends with an empty row. */
extern const struct function size_functions[];		/* sizeof, offsetof */
/* sizeof's infer(). */
int infer_sizeof(struct binder *b, struct node **at);
extern const struct function text_functions[];		/* STRCMP */
extern const struct function call_functions[];		/* $entry */

/* The row of a function that the family has. */
const struct function *function_in(const struct function *family, const char *name);

/* A NODE_CALL keeps which text it reads, in its `value` and `c`. */
void text_to_call(struct node *n, const struct text_node *text);
struct text_node text_of_call(const struct node *n);

/* Goes to `no` unless stack[off] begins with the n letters. Clobbers r2 and r3. */
void code_letters(struct code *c, const char *s, unsigned int n, int off, const char *no);
/* The register = 1; at the label `no` it becomes 0. */
void code_yes_or_no(struct code *c, int reg, const char *no);

/* The families of trace and argdist; ends with NULL. */
extern const struct function *const lang_functions[];

#endif
