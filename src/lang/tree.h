/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TREE_H
#define SONDE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * The language of expressions: C's, over what an event tells. The way of a text is
 *
 *	parse/		tokens, and a tree of them: expressions, types, calls of functions
 *	functions/	a row for each function: its arguments, its type, its instructions
 *	bind/		a C type for each node, with C's conversions; fold.c computes constants
 *	  texts.c	the texts that are compared or shown
 *	  places.c	the places of members and elements, by the structs that types/ knows
 *	  names.c	names -> inputs; builtins.c has those with a $, arguments.c the arguments
 *			of functions
 *	  memory.c	memory -> inputs
 *	inputs.c	the inputs as fetch notation, which every engine reads
 *	code.c		the tree -> instructions, of the macros that all programs are made of
 *
 * So a question is one program for all engines, and the resolver, the lowering and the verifiers'
 * rules are those of the tools. A script (script.h) says where a program runs and which statement
 * takes the values; front ends (question.h, spec.h) read the grammar around the expressions.
 *
 * What is not in the language, or can't be known, is an error that shows its place in the text.
 */

/* What the user wrote, and where errors point to. */
struct source {
	const char *text;
	const char *file;		/* where it is from; NULL: the command line */
	const char *raw;		/* of a file: as it was written, to be shown */
};

/* -1 and err: the message, the text and a caret below this place of it. */
int source_error(const struct source *s, size_t at, struct error *err, const char *format,
		 ...) __attribute__((format(printf, 4, 5)));

enum c_base {
	C_INTEGER,
	C_VOID,
	C_STRUCT,		/* `tag`: its name; its members are asked for (types/members.h) */
	C_TEXT,			/* a literal in quotes */
	C_OTHER,		/* of `size` bytes that are no integer: floating point, 128 bits */
};

#define DIMENSIONS 3

/*
 * A C type: a base, how many pointers lead to it, and of how many such it is an array. A value
 * whose type is a struct or an array is its address.
 */
struct c_type {
	uint8_t base;		/* enum c_base */
	uint8_t size;		/* of an integer, bytes */
	bool is_signed;
	bool is_char;		/* of text */
	bool is_bool;
	bool is_union;		/* C_STRUCT: of the tags of unions */
	bool user;		/* what it points to is memory of user space */
	/*
	 * It is of the kernel, also in a function of user space: the size of its pointers, which
	 * those of the program may not have; 0: it is not.
	 */
	uint8_t kernel;
	uint8_t pointers;
	uint8_t n_dims;
	bool row;		/* no array but the address of a row, whose dimensions these are */
	uint8_t source;		/* C_STRUCT: enum type_source; 0: not asked for yet */
	uint32_t dims[DIMENSIONS];	/* the outermost first */
	uint32_t align;		/* what a typedef asks for, or a struct has; 0: as it is */
	uint32_t bytes;		/* C_STRUCT: its size, 0: not known */
	uint32_t id;		/* C_STRUCT: its number at its source */
	char tag[64];
};

enum node_kind {
	NODE_NUMBER,		/* value */
	NODE_TEXT,		/* text, length: of a literal */
	NODE_NAME,		/* text, length: in the source */
	NODE_MEMBER,		/* a -> text; op: '.' or '>' */
	NODE_USER,		/* a@user: the value is an address of user space */
	NODE_UNARY,		/* op a: - + ~ ! * & */
	NODE_BINARY,		/* a op b */
	NODE_CHOICE,		/* a ? b : c */
	NODE_CAST,		/* (type)a */
	NODE_TYPE,		/* an argument: the type; of an array: b times the type of a */
	NODE_CALL,		/* function(a, b, c) */
	/* made by bind.c, names.c and memory.c: */
	NODE_INPUT,		/* the number `value` of the inputs */
	NODE_READ,		/* the same, of memory: it may be unreadable */
	NODE_FOLLOW,		/* the number in memory at the address `a`, for BPF alone */
	NODE_SLOT,		/* what the program has put at `value` of its stack, 64 bits */
	NODE_KINDS
};

/* Operators of two and more letters; those of one are their letter. */
enum { OP_SHL = 128, OP_SHR, OP_LE, OP_GE, OP_EQ, OP_NE, OP_AND, OP_OR, OP_ARROW };

struct node {
	uint8_t kind;		/* enum node_kind */
	uint8_t op;
	bool faults;		/* it, or what is below, may be without a value */
	uint16_t at, length;	/* in the source */
	struct c_type type;
	uint64_t value;
	char *text;		/* NODE_TEXT: the bytes, which end with a NUL */
	struct node *a, *b, *c;
	const struct function *function;	/* NODE_CALL (functions/functions.h) */
	struct node *next;	/* of all nodes of the tree */
};

/* Owns all nodes that were made for it. */
struct tree {
	struct source source;
	struct node *nodes;
	struct types *types;		/* what tells types (types/members.h); NULL: only the ABI */
	/* families of functions (functions/functions.h), then NULL; NULL: there are none */
	const struct function *const *functions;
};

/* A node of this kind, all else zero; NULL: out of memory. */
struct node *tree_node(struct tree *t, enum node_kind kind, size_t at);
void tree_free(struct tree *t);

/*
 * Reads an expression from `*at` of the source on, and sets `*at` behind it: to the end, or to what
 * can't go on an expression. NULL and err. `word` is the size of a long and a pointer.
 */
struct node *parse_expression(struct tree *t, size_t *at, unsigned int word, struct error *err);

/* The same of a type: "unsigned int", "char *". -1 and err. */
int parse_type(struct tree *t, size_t *at, unsigned int word, struct c_type *type,
	       struct error *err);

#define PARAMETERS_MOST 12

struct parameter {
	char name[32];
	struct c_type type;
};

/* "(struct sock *sk, int how)": how many there are; -1 and err. `*at` is set behind it. */
int parse_parameters(struct tree *t, size_t *at, unsigned int word, struct parameter *p,
		     struct error *err);

#endif
