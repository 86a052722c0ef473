/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_PARSE_H
#define SONDE_BT_PARSE_H

#include "src/bt/bt.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/expressions/parse/parser.h"

/*
 * Reading a script: program.c reads probes and blocks, attach.c where a probe is, statements.c
 * statements, calls.c those that are calls, maps.c what maps hold, values.c values, names.c names.
 * An action is read and bound once for each probe that has it. Functions that return int return 0,
 * or -1 with err set.
 */

/* The script that a parser or a binder is in. */
static inline struct bt *bt_of(const struct tree *t)
{
	return t->source.front;
}

/* A binder for what the parser reads. */
static inline struct binder bt_binder(const struct parser *p)
{
	return (struct binder){ .t = p->t, .s = &bt_of(p->t)->now->on->probe.scope,
				.err = p->err };
}

/* Set the parser's err to a message about its token, or about the place AT. Return -1. */
#define NOT_HERE(P, ...) NOT_AT(P, (P)->now.at, __VA_ARGS__)
#define NOT_AT(P, AT, ...) source_error(&(P)->t->source, AT, (P)->err, __VA_ARGS__)

/* ---- attach.c ---- */

/*
 * Finds what the probe at p->at names, and makes its tree and scope. Positional parameters are
 * replaced.
 */
int bt_attach(struct bt *b, struct bt_probe *p, unsigned int number, struct error *err);

/* ---- statements.c ---- */

/* Reads a block with its brackets into *to. */
int bt_block(struct parser *p, struct bt_statement **to);
/*
 * Moves to the bracket that closes the block from the token on; `within` is what it is, for the
 * message.
 */
int bt_to_closing(struct parser *p, const char *within);
/*
 * Sets *to, a parser of its own, behind the variable or map whose name is the token, with its key.
 * Returns false if that can't be read.
 */
bool bt_behind_name(const struct parser *p, struct parser *to);
/* Reads typeof(VALUE) or typeof(TYPE), from its name on; of struct language. */
int bt_typeof(struct parser *p, struct c_type *type);
/* Reads a statement without a block, and an if. */
int bt_simple(struct parser *p, struct bt_statement **to);
int bt_if(struct parser *p, struct bt_statement **to);
/* Makes a statement. Returns NULL and sets err if there is no memory. */
struct bt_statement *bt_statement(struct parser *p, enum bt_kind kind);

/*
 * A variable gets a value of this shape; it is made if it is new. Returns its number. `at` is for
 * messages.
 */
int bt_declare(struct parser *p, const char *name, size_t length, size_t at,
	       const struct bt_shape *shape);
/* The same of the block that is being read. */
int bt_declare_here(struct parser *p, const char *name, size_t length, size_t at,
		    const struct bt_shape *shape);

/* ---- tuples.c, tuple_variables.c, tuple_maps.c ---- */

/*
 * The function of a NODE_CALL that is a tuple, or a record, whose parts have names. Its `b` is the
 * list of parts, NODE_KEYs; the `value` of one is its name (bt_keep_name()), or 0.
 */
extern const struct function bt_tuple;
/* Returns true for such a node. */
static inline bool bt_is_tuple_node(const struct node *n)
{
	return n->kind == NODE_CALL && n->function == &bt_tuple;
}
/* The name of a part; NULL: it has a number. */
static inline const char *bt_name_of_part(const struct node *key)
{
	return (const char *)(uintptr_t)key->value;
}
/* Makes n the tuple of these parts. */
void bt_make_tuple(struct node *n, struct node *parts);
/* Appends a part, NULL without memory, to the list that ends at *end. */
int bt_append_part(struct binder *b, struct node ***end, struct node *part, const char *name);
/* Reads (VALUE, VALUE ...), if the token begins it; *is tells so. */
struct node *bt_tuple_read(struct parser *p, bool *is);
/* Makes n the tuple in a variable. Returns 1; 0: the variable holds none; -1, with err set. */
int bt_tuple_variable(struct binder *b, struct node *n, const char *name);
/* Returns true if the variable holds a tuple. */
bool bt_is_tuple(const struct bt_probe *p, const char *name, size_t length);
/* Refuses $t.0 as the name of a variable that gets a value. */
int bt_is_whole(struct parser *p, const char *name, size_t length, size_t at);
/* Makes the statements that assign the tuple's parts to the variable's. */
int bt_set_tuple(struct parser *p, struct bt_statement **to, size_t at, const char *name,
		 size_t length, const struct node *tuple);
/*
 * *at reads a map whose values are tuples: it becomes the tuple of the parts of a copy, which is
 * made once, so that all parts are of one value.
 */
int bt_read_tuple(struct binder *b, struct node **at);
/*
 * Makes *at, which is not bound, a part of a tuple. Returns 1; 0 for all else, and what it is a
 * member of may be bound then; -1, with err set.
 */
int bt_part_of_record(struct binder *b, struct node **at);
/* Reads .N behind a value, as often as it is there; of struct language. */
struct node *bt_parts(struct parser *p, struct node *n);
/* Where the tuple's first innermost part is. */
struct node **bt_innermost(struct node *tuple);
/* Make n, whose sides are bound, the comparison or the choice of two tuples. */
int bt_compare_tuples(struct binder *b, struct node *n);
int bt_choose_tuple(struct binder *b, struct node *n);
/* @map[key] = TUPLE, which is bound. */
int bt_store_tuple(struct parser *p, struct bt_statement *s, const struct node *tuple);
/* Appends the innermost parts to the list, which has room for `most`. */
int bt_flat(struct binder *b, const struct node *tuple, struct bt_value *list, unsigned int *n,
	    unsigned int most);

/* ---- inner.c ---- */

/*
 * The function of a NODE_CALL that runs statements, the list that its `value` is, and then has the
 * value `a`, which is bound.
 */
extern const struct function bt_inner;
static inline const struct bt_statement *bt_inner_statements(const struct node *n)
{
	return (const struct bt_statement *)(uintptr_t)n->value;
}
/* Makes such a node. Returns NULL and sets err if there is no memory. */
struct node *bt_inner_node(struct parser *p, size_t at, struct bt_statement *statements,
			   struct node *value);
/* Read { ...; VALUE }, an if with values, a statement in the place of a value, a step. */
struct node *bt_inner_block(struct parser *p);
struct node *bt_inner_if(struct parser *p);
struct node *bt_inner_call(struct parser *p);
struct node *bt_inner_step(struct parser *p);
/* The token is the name of a variable or map: is ++ or -- behind it? */
bool bt_is_stepped(const struct parser *p);

/* ---- loops.c ---- */

/* Why a loop of a probe through a map, which sonde runs, has not what its body asks for. */
#define BT_ASIDE "sonde runs this loop, behind the event: it has the values of the map, and none " \
	"of the event"
/* Read a loop; break and continue. */
int bt_unroll(struct parser *p, struct bt_statement **to);
int bt_while(struct parser *p, struct bt_statement **to);
int bt_for(struct parser *p, struct bt_statement **to);
int bt_jump(struct parser *p, struct bt_statement **to);

/* ---- calls.c ---- */

/* Returns true if a bracket is behind the token; if that names a function that is a statement. */
bool bt_has_bracket(const struct parser *p);
bool bt_is_call(const struct parser *p);
/* Reads the call of a function that is a statement. */
int bt_call(struct parser *p, struct bt_statement **to);
/*
 * Reads `FUNCTION(...)` behind `@map[key] =`, if it is one of the functions that only maps have;
 * *is tells so.
 */
int bt_aggregate(struct parser *p, struct bt_statement *s, bool *is);

/* Makes the order of a statement. Returns NULL and sets err if there is no memory. */
struct bt_order *bt_order_new(struct parser *p, struct bt_statement *s, enum bt_order_kind kind);
/* Sets where the values are in the record. */
void bt_order_lay_out(struct bt_order *o);

/* ---- functions/series.c ---- */

/* Reads `, INTERVAL, NUMBER, "HOW"` of tseries(), s->time is set; `known`: the map has these. */
int bt_series(struct parser *p, struct bt_statement *s, size_t at, bool known);

/* ---- join.c ---- */

/* Reads what is between the brackets of join(). */
int bt_join(struct parser *p, struct bt_statement *s);

/* ---- maps.c ---- */

/* Reads @NAME and the key behind it. The map is added if it is new. */
int bt_map(struct parser *p, struct bt_map **m, struct node **keys);
/* Settles what kind of map it is; one of another kind already is an error at `at`. */
int bt_map_is(struct parser *p, struct bt_map *m, enum bt_map_kind kind, size_t at);
/* Binds the key's parts; they must be those of the other uses. */
int bt_bind_keys(struct binder *b, struct bt_map *m, struct node *keys, size_t at);
/* Reads `@map[key]` or `@map, key`; `form` is for messages. */
int bt_entry(struct parser *p, struct bt_map **m, struct node **keys, const char *form);
/* Binds the key of an entry that is looked up, of any kind of map that can be. */
int bt_bind_entry(struct binder *b, struct bt_map *m, struct node *keys, size_t at);
/* Reads has_key() and len(), the token's name. */
struct node *bt_map_function(struct parser *p, bool *is);
/* What programs count or sum, and look up, is a map of values from now on. */
void bt_count_in_values(struct bt *b);
/* The action gives the map a value of this shape, made of its old one if `step`. */
int bt_map_gets(struct parser *p, struct bt_statement *s, const struct bt_shape *shape, bool step);
/* Notes that the action that is read changes the map. */
void bt_map_changes(struct bt *b, struct bt_map *m);
/* The function of a NODE_CALL that reads a map: its `b` is the key, its `value` the map. */
extern const struct function bt_map_read;
/* The same for has_key() and len(). */
extern const struct function bt_has_key, bt_len, bt_deleted;
/* Refuses a map that has one value and no keys, of a call of these. */
int bt_without_keys(struct binder *b, const struct node *n);
/* Reads a map and its key as a NODE_CALL of bt_map_read. */
struct node *bt_map_node(struct parser *p);
/* The same of what was read. */
struct node *bt_map_read_node(struct parser *p, size_t at, struct bt_map *m, struct node *keys);
static inline struct bt_map *bt_map_of(const struct node *read)
{
	return (struct bt_map *)(uintptr_t)read->value;
}

/* ---- values.c ---- */

/* Binds an expression of any shape; v->node is set before. */
int bt_bind_value(struct binder *b, struct bt_value *v);
/* Binds an argument that is a text, or a map without a shape yet. */
int bt_bind_text(struct binder *b, struct node **at);
/* The shape of a bound node. */
int bt_shape_of(struct binder *b, struct node *n, struct bt_shape *shape);
/* Makes a number one of 64 bits. */
int bt_widen(struct binder *b, struct bt_value *v);
/* Binds a number. */
int bt_bind_number(struct parser *p, struct node **n);
/*
 * A variable or map called `name` gets a value. Its type becomes that of a pointer; pointers to
 * other things are an error.
 */
int bt_takes(struct parser *p, struct c_type *type, const struct node *value, const char *name);
/*
 * Makes `to` the shape of values of both shapes, and notes in b, unless that is NULL, what is new.
 * Returns false if they have none.
 */
bool bt_shape_join(struct bt *b, struct bt_shape *to, const struct bt_shape *more);
bool bt_same_stack(const struct bt_shape *a, const struct bt_shape *b);
/* Refuses a value that variables and maps can't keep. */
int bt_keep(struct parser *p, const struct bt_value *v);
/* Bytes of a number's type; of a literal as many as it needs. */
uint8_t bt_width(const struct node *n, unsigned int word);
/* Gives a node that reads a variable or a map its type. */
void bt_type_read(struct node *n, const struct bt_shape *shape, const struct c_type *pointer);
/* What a value of this kind is, for messages. */
const char *bt_kind_of(const struct bt_shape *shape);
/* Gives a node the type of a text, a probe or a function. */
void bt_type_text(struct node *n, const struct bt_shape *shape);
/* Bind comm, probe and func. */
int bt_bind_comm(struct binder *b, struct node *n);
/* Binds the text at this place of the kernel, in the notation of compat/events/fetch.h. */
int bt_bind_task_name(struct binder *b, struct node *n, const char *fetch);
int bt_bind_probe(struct binder *b, struct node *n, enum bt_shape_kind kind);
/*
 * The function of a NODE_CALL that reads a text of the event or of memory (text_of_call()). Its `b`
 * is a length that only the program knows, with the NUL; NULL: none.
 */
extern const struct function bt_text;
/* An infer() of struct function for calls that are bound already. */
static inline int bt_bound(struct binder *b, struct node **at)
{
	(void)b;
	(void)at;
	return 0;
}
/* str(ADDRESS) */
extern const struct function bt_str_functions[];

/* ---- stacks.c ---- */

/* Reads kstack, kstack(LIMIT), ustack(perf, LIMIT) as a NODE_NAME; the same in len(). */
struct node *bt_stack_name(struct parser *p);
struct node *bt_stack_length(struct parser *p);
/* The function of a NODE_CALL that is the same of `a`, which keeps a stack. */
extern const struct function bt_kept_length;
/* usym(ADDRESS) */
extern const struct function bt_symbol_functions[];
/* Binds it: v->node is such a name, or calls usym(). */
int bt_of_stack(struct binder *b, struct bt_value *v);

/* ---- shown_numbers.c ---- */

extern const struct function bt_shown_functions[];
/* The function of a NODE_CALL whose value is the number `a`, which is shown as a text. */
extern const struct function bt_shown_number;
/* Binds the name of the user. */
int bt_bind_username(struct binder *b, struct node *n);

/* ---- blocks.c ---- */

extern const struct function bt_block_functions[];
/*
 * The function of a NODE_CALL that is a block. Its `a` is the family; b the list of NODE_KEYs with
 * numbers, each `value` bytes wide; its value the number of an input with the bytes, plus 1.
 */
extern const struct function bt_block_function;
/* Where the bytes are in the block. */
unsigned int bt_block_at(const struct node *n);

/* ---- functions/ ---- */

/* The functions of expressions (all.c); families of them. */
extern const struct function *const bt_functions[];
extern const struct function bt_number_functions[], bt_buffer_functions[], bt_letter_functions[],
			     bt_known_functions[], bt_question_functions[], bt_size_functions[],
			     bt_item_functions[];

/* ---- functions/letter.c ---- */

/* A function of struct language. */
int bt_letter(struct binder *b, struct node *n);

/* ---- ctx.c ---- */

/*
 * Binds ctx->MEMBER of an iter probe. Returns 1; 0: n is something else; -1, with err set, if it is
 * not known.
 */
int bt_bind_item(struct binder *b, struct node *n);
/*
 * Returns true if the action of the probe reads a member of ctx that /proc does not tell of the
 * items of this walk.
 */
bool bt_asks_kernel(const struct bt *b, const struct bt_probe *of, unsigned int walk);
/* The function of a NODE_CALL that is known of an item; its `value` is the row of the member. */
extern const struct function bt_of_item;

/* ---- lengths.c ---- */

/* Refuses changes of a map whose length programs ask for that nobody can count. */
int bt_check_lengths(const struct bt *b, struct error *err);

/* ---- functions/machine.c ---- */

/* Bind rand, numaid, jiffies, and other clocks than nsecs. Return 1, or -1 with err set. */
int bt_bind_boot(struct binder *b, struct node *n);
int bt_bind_tai(struct binder *b, struct node *n);
int bt_bind_sw_tai(struct binder *b, struct node *n);
/* Binds pid or tid in sonde's own namespace, which must be the first one. The same. */
int bt_bind_own_ids(struct binder *b, struct node *n);
int bt_bind_random(struct binder *b, struct node *n);
int bt_bind_numa_node(struct binder *b, struct node *n);
int bt_bind_jiffies(struct binder *b, struct node *n);
/* The address of a symbol of the kernel. */
int bt_symbol_address(struct binder *b, const struct node *n, const char *name, uint64_t *to);

/* ---- probe_names.c ---- */

/* Returns true for probe and func, bound or not. */
bool bt_is_name_of_probe(const struct binder *b, const struct node *n);
/* Makes n the question whether the name fits the other text. */
int bt_ask_names(struct binder *b, struct node *n, struct node *name,
		 bool (*fits)(const char *name, const char *other), const char *other);
/* The same for `==` and `!=` of a name, whose sides are bound. */
int bt_compare_names(struct binder *b, struct node *n);

/* ---- functions/own_task.c ---- */

/* Bind curtask and cgroup of BEGIN, END and interval: sonde's own. */
int bt_bind_own_task(struct binder *b, struct node *n);
int bt_bind_own_cgroup(struct binder *b, struct node *n);

/* ---- bytes.c ---- */

/* Returns true for a struct or an array; the second one not for an array of letters. */
bool bt_is_aggregate(const struct c_type *t);
bool bt_is_bytes(const struct c_type *t);
/* Makes n an array of these bytes. */
int bt_make_array(struct binder *b, struct node *n, const uint8_t *bytes, unsigned int size);
/* Makes n, the address of one, its bytes. */
int bt_make_bytes(struct binder *b, struct node *n);
/* A function of struct language: a member or element of bytes that are kept, or a cast to them. */
int bt_place(struct binder *b, struct node **at);
/* A number, or bytes, from byte number `value` of the bytes `a` on; `length`: how many. */
extern const struct function bt_element, bt_slice;

/* ---- names.c ---- */

/* The function of a NODE_CALL that compares two texts, `a` and `b`. */
extern const struct function bt_same;
/*
 * Makes n the comparison, by `op`, of 1 or 0 with whether its sides `a` and `b`, bound, are the
 * same texts; with `letters` only their first letters. Returns -1 and sets err on failure.
 */
int bt_make_comparison(struct binder *b, struct node *n, uint8_t op, bool with,
		       uint64_t letters);
/* Reads $1, $2 ... and $#. */
struct node *bt_parameter(struct parser *p);
/* Returns true if the token names a function that has a value. */
bool bt_is_function(const struct parser *p);
/* Functions of struct language. */
struct node *bt_primary(struct parser *p, bool *own);
int bt_name(struct binder *b, struct node *n);
int bt_binary(struct binder *b, struct node *n);
int bt_choice(struct binder *b, struct node *n);
/* The same, but of numbers too. */
int bt_choose(struct binder *b, struct node *n);
int bt_side(struct binder *b, struct node *n, unsigned int before);
/* How near the variable's block is: 0 for one of the whole action; -1: its block has ended. */
int bt_nearness(const struct bt_probe *p, const struct bt_variable *v);
/* The number of the variable; -1: there is none of this name. */
int bt_variable(const struct bt_probe *p, const char *name, size_t length);
/* The same for one that is read; of a part of an open tuple the tuple. */
int bt_read(const struct bt_probe *p, const char *name, size_t length);
/* Makes n a reading of the variable. */
void bt_read_variable(struct binder *b, struct node *n, const struct bt_variable *v);
/* Where the variable is on the stack. */
int bt_variable_at(const struct bt_probe *p, unsigned int variable);

#endif
