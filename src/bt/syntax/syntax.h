/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_SYNTAX_H
#define SONDE_BT_SYNTAX_H

#include "src/bt/bt.h"
#include "src/language/expressions/parse/parser.h"

/*
 * The text of a script as trees, which are read once and stay as they are: statements (struct
 * syntax) and, in them, values (struct node). What a name means is not known here. It is told by
 * the binding of an action, which each of its probes has of its own (bind/), and which copies the
 * values. Functions that return int return 0, or -1 with err set; those that return a
 * node return NULL, with err set.
 */
enum syntax_kind {
	SYNTAX_SET, SYNTAX_LET, SYNTAX_STORE, SYNTAX_AGGREGATE, SYNTAX_VALUE, SYNTAX_CALL,
	SYNTAX_BLOCK, SYNTAX_IF, SYNTAX_UNROLL, SYNTAX_WHILE, SYNTAX_FOR, SYNTAX_EACH,
	SYNTAX_RETURN, SYNTAX_BREAK, SYNTAX_CONTINUE,
};

/*
 * What a NODE_OWN is, its `op`, and what a NODE_CALL is that became of it, by its function. Of a
 * map `b` is the list of NODE_KEYs of a key, or NULL, and `own` the map. Those that have
 * statements have them as their `own` (syntax_of()).
 */
enum syntax_value {
	VALUE_OTHER, VALUE_MAP, VALUE_HAS_KEY, VALUE_DELETED, VALUE_LENGTH,
	VALUE_KEPT_LENGTH,		/* the length of the stack that `a` keeps */
	VALUE_TUPLE,			/* `b`: its parts, NODE_KEYs (syntax_part_name()) */
	VALUE_PART,			/* part number `value` of `a` */
	VALUE_BLOCK,			/* { ...; VALUE } */
	VALUE_IF,			/* if (a) { b } else { c } */
	VALUE_CALL,			/* a call that is a statement */
	VALUE_STEP,			/* a step, whose value is `a` then */
	/* what is made when values are bound: statements before `a`; a text of memory */
	VALUE_INNER, VALUE_MEMORY_TEXT,
	VALUES
};

/* A name: its place in the source, and its letters, which end at length. */
struct syntax_name {
	size_t at, length;
	const char *text;
};

/* What is between ( and ). */
struct syntax_arguments {
	struct node *list;		/* NODE_KEYs; the `value` of each is the place behind it */
	size_t end;			/* the closing bracket */
};

struct syntax {
	enum syntax_kind kind;
	size_t at;
	struct syntax *next;		/* the statement behind it in its block */
	struct syntax *all;		/* list of all statements of the action */
	union {
		struct {
			struct syntax_name name;
			struct node *type;	/* of `let`: NODE_TYPE; NULL: it says none */
			struct node *value;	/* of `let` it may be NULL */
		} set;			/* $NAME = value; let $NAME: type = value */
		struct {
			struct bt_map *map;
			struct node *keys;	/* list of NODE_KEYs; NULL: none */
			/* @map[keys] op= value */
			uint8_t op;		/* the operator before =; 0: none */
			struct node *value;
			/* AGGREGATE: @map[keys] = FUNCTION(arguments) */
			unsigned int row;	/* of the functions that only maps have */
			size_t function;	/* its place */
			struct syntax_arguments arguments;
		} store;
		struct {
			unsigned int row;	/* of the functions that are statements */
			struct syntax_arguments arguments;
		} call;
		struct {
			struct node *value;
			struct syntax *then, *otherwise;
			bool chain;		/* `otherwise` is an if, and no block */
		} branch;		/* IF, UNROLL, WHILE; of BLOCK only `then` */
		struct {
			struct syntax_name name;
			struct node *from, *to;		/* FOR */
			struct bt_map *map;		/* EACH */
			bool has_keys;
			size_t over;			/* the place of the map */
			struct syntax *body;
		} loop;
		struct node *value;	/* VALUE; RETURN, which may have none */
	};
};

/* `/ predicate / { statements }`, which each probe of a list has. */
struct syntax_action {
	struct syntax_action *next;
	struct tree tree;
	struct node *predicate;		/* NULL: none */
	struct syntax *statements;
	struct syntax *all;
};

/*
 * Reads the action at *at of the script, and moves *at behind it. Appends it to b->syntax, which
 * syntax_free() frees. Returns NULL and sets err if it can't be read.
 */
struct syntax_action *syntax_action(struct bt *b, size_t *at, struct error *err);
void syntax_free(struct bt *b);

/* The tables of what has names. */
static inline const struct bt_builtins *syntax_builtins(const struct tree *t)
{
	return ((const struct bt *)t->source.front)->builtins;
}

/* The name that the token is. */
static inline struct syntax_name syntax_name(const struct source *s, const struct token *t)
{
	return (struct syntax_name){ t->at, t->length, t->name ? t->name : s->text + t->at };
}

/* Set the parser's err to a message about its token, or about the place AT. Return -1. */
#define NOT_HERE(P, ...) NOT_AT(P, (P)->now.at, __VA_ARGS__)
#define NOT_AT(P, AT, ...) source_error(&(P)->t->source, AT, (P)->err, __VA_ARGS__)

/* ---- statements.c ---- */

/* Reads a block with its brackets; a statement without a block; an if; a call. */
int syntax_block(struct parser *p, struct syntax **to);
int syntax_simple(struct parser *p, struct syntax **to);
int syntax_if(struct parser *p, struct syntax **to);
int syntax_call(struct parser *p, struct syntax **to);
/* Reads $NAME, $NAME: TYPE, $NAME: TYPE = VALUE behind `let`; string, string[N] or a type of C. */
int syntax_let(struct parser *p, struct syntax **to);
struct node *syntax_type(struct parser *p);
/*
 * Moves to the bracket that closes the block from the token on; `within` is what it is, for the
 * message.
 */
int syntax_to_closing(struct parser *p, const char *within);
/* Makes a statement. Returns NULL and sets err if there is no memory. */
struct syntax *syntax_new(struct parser *p, enum syntax_kind kind, size_t at);
/* The same of one that begins at the token, which is read. *to is it. */
struct syntax *syntax_begin(struct parser *p, enum syntax_kind kind, struct syntax **to);
/* Reads an expression. */
int syntax_expression(struct parser *p, struct node **to);
/* Reads one as a NODE_KEY, which is appended to the list that ends at *end. */
struct node *syntax_key(struct parser *p, struct node ***end);
/*
 * The number of the row, `size` bytes, whose name is the token; the name is a row's first member,
 * and the last one has none. -1: there is no such row.
 */
int syntax_row(const struct parser *p, const void *rows, size_t size);
/* Refuses $t.0 as the name of a variable that gets a value. */
int syntax_is_whole(struct parser *p, const struct token *name);
/* Returns true for ++ and --. */
bool syntax_is_step(const struct parser *p);
/*
 * Sets *to, a parser of its own, behind the variable or map whose name is the token, with its key.
 * Returns false if that can't be read.
 */
bool syntax_behind_name(const struct parser *p, struct parser *to);

/* ---- loops.c ---- */

/* Read a loop. */
int syntax_unroll(struct parser *p, struct syntax **to);
int syntax_while(struct parser *p, struct syntax **to);
int syntax_for(struct parser *p, struct syntax **to);

/* Makes the 1 of a step; LEFT op RIGHT, where NULL says that there was no memory. */
struct node *syntax_one(struct parser *p, size_t at);
struct node *syntax_operation(struct parser *p, size_t at, uint8_t op, struct node *left,
			      struct node *right);

/* ---- maps.c ---- */

/* Reads @NAME and the key behind it. The map is added if it is new. */
int syntax_map(struct parser *p, struct bt_map **m, struct node **keys);
/* Makes a value of a map and a key; reads a map and its key as VALUE_MAP. */
struct node *syntax_map_value(struct parser *p, size_t at, enum syntax_value what,
			      struct bt_map *m, struct node *keys);
struct node *syntax_map_read(struct parser *p);
/* Reads has_key(), delete() and len() as values; *is: the token was the name of one. */
struct node *syntax_map_function(struct parser *p, bool *is);
/* Reads kstack, kstack(LIMIT), ustack(perf, LIMIT) as a NODE_NAME. */
struct node *syntax_stack(struct parser *p);

/* ---- macros.c ---- */

/* The macro or function of the script whose name the token is; NULL: there is none. */
const struct bt_macro *syntax_macro(const struct parser *p);
/* Read its call as a value; as a statement, a block. */
struct node *syntax_macro_value(struct parser *p);
int syntax_macro_statement(struct parser *p, struct syntax **to);
/* A function of struct language: gives names of a macro's body their meaning. */
int syntax_replace(const struct source *s, struct token *t, struct error *err);
/* Reads a TOKEN_TREE as a value. */
struct node *syntax_argument(struct parser *p);
/* Makes `return` within a function, with its value, what ends its body. */
int syntax_returned(struct parser *p, struct syntax *s);

/* ---- options.c ---- */

/* Reads getopt(). */
struct node *syntax_option(struct parser *p);
/* Refuses options that the script, when all of it is read, has not. */
int syntax_unknown_option(const struct bt *b, struct error *err);

/* ---- values.c ---- */

/* Functions of struct language. */
struct node *syntax_primary(struct parser *p, bool *own);
struct node *syntax_parts(struct parser *p, struct node *n);
int syntax_typeof(struct parser *p, struct c_type *type);
/* Makes a text that the script has not in quotes. */
struct node *syntax_literal(struct parser *p, size_t at, const char *text);
/* Returns true if the token names a function that has a value; if a bracket is behind it. */
bool syntax_is_function(const struct parser *p);
bool syntax_has_bracket(const struct parser *p);

/* The N of argN; -1: it is another name. */
int syntax_argument_number(const char *name, size_t length);
/* The row of the function that is a statement; -1: the token names none. */
int syntax_call_row(const struct parser *p);
/* Makes a NODE_OWN; one with statements. */
struct node *syntax_value(struct parser *p, enum syntax_value what, size_t at);
struct node *syntax_with_statements(struct parser *p, size_t at, enum syntax_value what,
				    struct syntax *list);

/* The statements of VALUE_BLOCK to VALUE_STEP. */
static inline const struct syntax *syntax_of(const struct node *n)
{
	return n->own;
}

/* The name of a tuple's part, a NODE_KEY; NULL: it has a number. */
static inline const char *syntax_part_name(const struct node *key)
{
	return key->own;
}

#endif
