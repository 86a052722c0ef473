/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_BINDER_H
#define SONDE_LANG_BINDER_H

#include "src/lang/inputs.h"

/*
 * Shared by bind.c, which gives every node its type, the files that make inputs of names
 * (names.c, builtins.c, arguments.c) and of memory (places.c, memory.c), and the functions of
 * expressions (functions/). A function that returns int returns -1
 * and sets err if it fails.
 */
struct binder {
	struct tree *t;
	struct scope *s;
	struct error *err;
	bool wants_struct;		/* the name that is bound is followed by -> */
};

#define WRONG(B, N, ...) source_error(&(B)->t->source, (N)->at, (B)->err, __VA_ARGS__)

const char *name_of(const struct binder *b, const struct node *n);
bool is_name(const struct binder *b, const struct node *n, const char *name);
/* NULL: out of memory. */
struct node *new_node(struct binder *b, enum node_kind kind, size_t at);
/*
 * Nodes that are made of others, which may be NULL where memory ran out before. A node is without a
 * value where one below it is. NULL and err: out of memory.
 */
struct node *number_node(struct binder *b, size_t at, uint64_t value, struct c_type type);
struct node *binary_node(struct binder *b, size_t at, uint8_t op, struct node *left,
			 struct node *right, struct c_type type);
/* n becomes `left op right`. */
void make_binary(struct node *n, uint8_t op, struct node *left, struct node *right,
		 struct c_type type);
/* The function that is probed, for messages. */
const char *binder_function(const struct binder *b);

/* The number of the input of this notation, which is new or known; -1: there are too many. */
int binder_input(struct binder *b, const struct node *n, struct lang_input wanted);
/* n is a number of the event from here on: the input of this notation. */
int to_input(struct binder *b, struct node *n, struct c_type type, const char *fetch,
	     const char *input_type);
int bind_name(struct binder *b, struct node *n);
/* A name that begins with a $, but for $retval. */
int bind_builtin(struct binder *b, struct node *n);
/* Argument `number` of the function, from 1; `type` is NULL where no signature tells it. */
int bind_argument(struct binder *b, struct node *n, int number, const struct c_type *type);
/* Argument `number`, from 1, of a probe (USDT). */
int bind_usdt_argument(struct binder *b, struct node *n, unsigned int number);
/* What a function of 64 bits returns on a machine of 32: n is both registers of it. */
int wide_return(struct binder *b, struct node *n);
/* args->NAME */
int bind_field(struct binder *b, struct node *n);
/* "+16($arg1)" of the memory that `n` points to; false: such notation has no way to say it. */
bool fetch_of(struct binder *b, const struct node *n, char *fetch, size_t size);
/* Memory is read for `n`: what is said of it to who wants a ring. */
void note_memory(struct binder *b, const struct node *n, bool follows);
/*
 * `*a`: n is the number of this type at the address a. What the address is made of, inputs from
 * `before` on, is in the new input's notation.
 */
int read_memory(struct binder *b, struct node *n, struct node *a, const struct c_type *type,
		unsigned int before);

/* A text or bytes of the record: args->NAME. */
int field_text(struct binder *b, struct node *n, struct text_node *text);
int bind_node(struct binder *b, struct node **at);
void make_number(struct node *n, uint64_t value, struct c_type type);
/* A value that is an integer or an address: an array is that of its first element. */
int want_number(struct binder *b, struct node *n);
/* *at converted to the type. */
int convert(struct binder *b, struct node **at, struct c_type type);
/* What a pointer points to, with the size of a struct. */
int pointed_type(struct binder *b, const struct node *n, struct c_type *to);
/* A member, what a pointer points to: *at is its value; of a struct or array its address. */
int bind_place(struct binder *b, struct node **at);
/* &a, where n is that: *at is the address. */
int bind_address(struct binder *b, struct node **at);

#endif
