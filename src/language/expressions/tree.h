/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TREE_H
#define SONDE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "src/language/expressions/language.h"

/*
 * The language of expressions: C's, over an event's values. A text is processed by
 *
 *	parse/		tokens, and a tree of them: expressions, types, calls of functions
 *	functions/	a row for each function: its arguments, its type, its instructions
 *	bind/		a C type for each node, with C's conversions; fold.c computes constants
 *	  texts.c	texts to compare or to show
 *	  places.c	places of members and elements, by the structs that types/ knows
 *	  names.c	names -> inputs; builtins.c: names with a $; arguments.c: arguments of
 *			functions
 *	  memory.c	memory -> inputs
 *	inputs.c	the inputs as fetch notation, which every engine reads
 *	code.c		the tree -> instructions, with the macros that all programs are made of
 *
 * So a question is one program for all engines. The resolver, the lowering and the verifiers' rules
 * are those of the tools. A script (script.h) says where a program runs and which statement takes
 * the values. Front ends (question.h, spec.h) parse the grammar around the expressions.
 *
 * What the language lacks, or what is unknown, is an error that shows its place in the text.
 */

/* A file whose text is a part of a source's, from `begin` on. */
struct source_file {
	const struct source_file *next;
	size_t begin;
	const char *name;
};

/* The user's text, for parsing and for messages. */
struct source {
	const char *text;
	const char *file;		/* its file; NULL: the command line */
	const char *raw;		/* of a file: the original text, shown in messages */
	const struct language *language;	/* NULL: C's tokens and values only */
	void *front;			/* the front end's own state, for its language */
	const struct source_file *files;	/* if it is made of several, in their order */
};

/* Writes to err the message, the line, and a caret below position `at`. Returns -1. */
int source_error(const struct source *s, size_t at, struct error *err, const char *format,
		 ...) __attribute__((format(printf, 4, 5)));
/* The same with the message and the number of another error. */
int source_cause(const struct source *s, size_t at, struct error *err, const struct error *why);

enum c_base {
	C_INTEGER,
	C_VOID,
	C_STRUCT,		/* `tag` is its name; members are looked up by types/members.h */
	C_TEXT,			/* a literal in quotes, a field; of src/bt any text */
	C_OTHER,		/* `size` bytes that are no integer: floating point, 128 bits */
	C_TYPEOF,		/* the type of the value `of`, until the type is bound */
};

struct node;


#define DIMENSIONS 3

/*
 * A C type: a base, the number of pointers to it, and the dimensions of an array of that. The value
 * of a struct or an array is its address.
 */
struct c_type {
	uint8_t base;		/* enum c_base */
	uint8_t size;		/* bytes of an integer */
	bool is_signed;
	bool is_char;		/* char, the element of texts */
	bool is_bool;
	bool is_union;		/* C_STRUCT: a union */
	bool user;		/* it points to user memory */
	/*
	 * The size of pointers, if the type is the kernel's: in a function of user space the
	 * program's pointers may have another size. 0: not the kernel's.
	 */
	uint8_t kernel;
	uint8_t pointers;
	uint8_t n_dims;
	bool row;		/* not an array, but the address of a row with these dimensions */
	uint8_t source;		/* of a struct or enum: enum type_source; 0: not looked up yet */
	uint32_t dims[DIMENSIONS];	/* the outermost first */
	uint32_t align;		/* of a typedef or struct; 0: the natural one */
	uint32_t bytes;		/* C_STRUCT: its size; 0: unknown */
	uint32_t id;		/* of a struct or enum: its number in its source */
	uint8_t width;		/* of a wide language: bytes of the value's own type; or 0 */
	union {
		char tag[64];
		/* C_TEXT: what the front end knows of the text (bt_shape_in()) */
		_Alignas(8) uint8_t shape[64];
	};
	const struct node *of;	/* C_TYPEOF: not bound, and of the tree that was read */
};

enum node_kind {
	NODE_NUMBER,		/* value */
	NODE_TEXT,		/* text, length: of a literal */
	NODE_NAME,		/* text, length: in the source */
	NODE_MEMBER,		/* a -> text; op: '.' or '>' */
	NODE_USER,		/* a@user: the value is an address of user space */
	NODE_UNARY,		/* op a: - + ~ ! * & */
	NODE_BINARY,		/* a op b */
	NODE_CHOICE,		/* a ? b : c; without b a ?: c, whose `a` is computed once */
	NODE_CAST,		/* (type)a */
	NODE_TYPE,		/* an argument: the type; of an array: b times the type of a */
	NODE_CALL,		/* function(a, b, c) */
	NODE_OWN,		/* a value that only the front end has; it becomes another node */
	/* made by bind.c, names.c and memory.c: */
	NODE_INPUT,		/* input number `value` */
	NODE_READ,		/* the same, from memory: it may be unreadable */
	NODE_FOLLOW,		/* the number in memory at the address `a`; BPF only */
	NODE_SLOT,		/* 64 bits at `value` of the program's stack */
	NODE_KEY,		/* an expression `a` of a map's key; b: the next one */
	NODE_KINDS
};

/* Operators of two and more letters; an operator of one letter is that letter. */
enum { OP_SHL = 128, OP_SHR, OP_LE, OP_GE, OP_EQ, OP_NE, OP_AND, OP_OR, OP_ARROW };

struct node {
	uint8_t kind;		/* enum node_kind */
	uint8_t op;
	bool faults;		/* its value, or that of a node below, may be missing */
	uint32_t at;		/* in the source */
	uint16_t length;
	struct c_type type;
	union {
		uint64_t value;
		void *own;	/* what the front end has of its own values, and of keys */
	};
	/*
	 * NODE_TEXT: the bytes, with a NUL at the end; NODE_NAME: the name, if it is not the one in
	 * the source, or NULL
	 */
	char *text;
	struct node *a, *b, *c;
	const struct function *function;	/* NODE_CALL (functions/functions.h) */
	struct node *next;	/* list of all nodes of the tree */
};

/* Owns its nodes. */
struct tree {
	struct source source;
	struct node *nodes;
	/* for names of types (types/members.h); NULL: only the ABI */
	struct types *types;
	/* families of functions (functions/functions.h), then NULL; NULL: there are none */
	const struct function *const *functions;
};

/* Makes a node; all but kind and place is zero. Returns NULL if there is no memory. */
struct node *tree_node(struct tree *t, enum node_kind kind, size_t at);
/*
 * A copy, in t, of a node that is not bound, with all below it. What `value` points to is shared.
 * Returns NULL if there is no memory.
 */
struct node *tree_copy(struct tree *t, const struct node *n);
void tree_free(struct tree *t);

/*
 * Parses an expression from `*at` of the source on, and moves `*at` behind it: to the end, or to
 * the first token that can't continue an expression. `word` is the size of a long and a pointer.
 * Returns NULL and sets err on failure.
 */
struct node *parse_expression(struct tree *t, size_t *at, unsigned int word, struct error *err);

/* The same for a type: "unsigned int", "char *". Returns -1 and sets err on failure. */
int parse_type(struct tree *t, size_t *at, unsigned int word, struct c_type *type,
	       struct error *err);

#define PARAMETERS_MOST 12

struct parameter {
	char name[32];
	struct c_type type;
};

/*
 * Parses "(struct sock *sk, int how)" and moves `*at` behind it. Returns the number of parameters,
 * or -1 and sets err.
 */
int parse_parameters(struct tree *t, size_t *at, unsigned int word, struct parameter *p,
		     struct error *err);

#endif
