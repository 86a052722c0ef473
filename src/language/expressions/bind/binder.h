/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_BINDER_H
#define SONDE_LANG_BINDER_H

#include "src/language/expressions/inputs.h"

/*
 * Shared by bind.c, which gives every node its type; by the files that make inputs of names
 * (names.c, builtins.c, arguments.c) and of memory (places.c, memory.c); and by the functions of
 * expressions (functions/). Functions that return int return 0, or -1 with err set. Functions that
 * return a node return NULL, with err set, if there is no memory.
 */
struct binder {
	struct tree *t;
	struct scope *s;
	struct error *err;
	bool wants_struct;		/* the name being bound is followed by -> */
};

#define WRONG(B, N, ...) source_error(&(B)->t->source, (N)->at, (B)->err, __VA_ARGS__)
#define CAUSE(B, N, WHY) source_cause(&(B)->t->source, (N)->at, (B)->err, WHY)

/* The name of a NODE_NAME; whether it is `name`. */
const char *name_of(const struct binder *b, const struct node *n);
bool is_name(const struct binder *b, const struct node *n, const char *name);
/* Makes a node. Returns NULL and sets err if there is no memory. */
struct node *new_node(struct binder *b, enum node_kind kind, size_t at);
/*
 * Make a number, or an operator on nodes. A node of NULL is accepted: memory ran out before, and
 * the result is NULL. If the value of a node may be missing, so may the result's.
 */
struct node *number_node(struct binder *b, size_t at, uint64_t value, struct c_type type);
struct node *binary_node(struct binder *b, size_t at, uint8_t op, struct node *left,
			 struct node *right, struct c_type type);
/* Turns n into `left op right`. */
void make_binary(struct node *n, uint8_t op, struct node *left, struct node *right,
		 struct c_type type);
/* The probed function, for messages. */
const char *binder_function(const struct binder *b);

/*
 * The number of the input with this notation; it is added if new. Returns -1 if there are too many.
 */
int binder_input(struct binder *b, const struct node *n, struct lang_input wanted);
/* Turns n into the input with this notation, a number of the event. */
int to_input(struct binder *b, struct node *n, struct c_type type, const char *fetch,
	     const char *input_type);
/* Binds a name. */
int bind_name(struct binder *b, struct node *n);
/* Binds a name that begins with a $, other than $retval. */
int bind_builtin(struct binder *b, struct node *n);
/* Binds argument `number` of the function, from 1. type NULL: no signature gives the type. */
int bind_argument(struct binder *b, struct node *n, int number, const struct c_type *type);
/* Makes n an input that every hook has: an unsigned number of `size` bytes. */
int bind_identity(struct binder *b, struct node *n, const char *input, unsigned int size);
/* Makes n the address of the current task. */
int bind_task(struct binder *b, struct node *n);
/* Binds argument `number`, from 1, of a USDT probe. */
int bind_usdt_argument(struct binder *b, struct node *n, unsigned int number);
/* Turns n into a 64-bit return value of a 32-bit machine, which is in two registers. */
int wide_return(struct binder *b, struct node *n);
/* Binds args->NAME. */
int bind_field(struct binder *b, struct node *n);
/* Binds args.NAME[N]. Returns 1; 0 if n is something else; -1 on failure. */
int bind_element(struct binder *b, struct node *n);
/*
 * Writes the notation of the memory that `n` points to, "+16($arg1)". Returns false if the notation
 * can't express it.
 */
bool fetch_of(struct binder *b, const struct node *n, char *fetch, size_t size);
/* Notes that memory is read for `n`: the reason why rings can't serve the question. */
void note_memory(struct binder *b, const struct node *n, bool follows);
/* Notes that rings can't serve what n asks for. */
void note_bpf(struct binder *b, const struct node *n, const char *why);
/*
 * Turns n into `*a`, a number of this type at the address a. Inputs from `before` on, which only
 * the address used, become a part of the new input's notation.
 */
int read_memory(struct binder *b, struct node *n, struct node *a, const struct c_type *type,
		unsigned int before);

/* Binds args->NAME that is a text or bytes of the record. */
int field_text(struct binder *b, struct node *n, struct text_node *text);
/*
 * Sets where the text at the address n is read; n is bound. Inputs from `before` on are the
 * address's.
 */
int memory_text(struct binder *b, const struct node *n, unsigned int before,
		struct text_node *text);
/*
 * Makes a list of nodes NODE_KEY: numbers with all bytes from the address n on. The value of each
 * is its size.
 */
int bind_parts(struct binder *b, const struct node *n, unsigned int size, struct node **to);
/* Gives a type that is that of a value its meaning. */
int bind_type(struct binder *b, struct c_type *type);
/* Binds any node; *at may be replaced. */
int bind_node(struct binder *b, struct node **at);
/* Turns n into a constant. */
void make_number(struct node *n, uint64_t value, struct c_type type);
/* Requires an integer or an address; an array becomes the address of its first element. */
int want_number(struct binder *b, struct node *n);
/* Converts *at to the type. */
int convert(struct binder *b, struct node **at, struct c_type type);
/* The type that a pointer points to; a struct is completed, so that its size is known. */
int pointed_type(struct binder *b, const struct node *n, struct c_type *to);
/* Binds a member or `*a`: *at becomes its value; of a struct or array its address. */
int bind_place(struct binder *b, struct node **at);
/* Binds &a, where a is a member or `*b`: *at becomes the address. */
int bind_address(struct binder *b, struct node **at);

#endif
