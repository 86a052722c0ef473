/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_BIND_H
#define SONDE_BT_BIND_H

#include "src/bt/bt.h"
#include "src/bt/builtins.h"
#include "src/bt/syntax/syntax.h"

/*
 * Binding a script, which has been read (syntax/): statements.c binds statements, calls.c those
 * that are calls, maps.c settles what maps hold, values.c binds values, names.c names. An action is
 * bound once for each probe that has it. Functions that return int return 0, or -1 with err set;
 * those that return a node return NULL, with err set.
 */

/* The script that a parser or a binder is in. */
static inline struct bt *bt_of(const struct tree *t)
{
	return t->source.front;
}

/* Sets the binder's err to a message about the place AT of the script. Returns -1. */
#define WRONG_AT(B, AT, ...) source_error(&(B)->t->source, AT, (B)->err, __VA_ARGS__)

/* Returns true for a NODE_CALL that is such a value. */
static inline bool bt_is(const struct node *n, enum syntax_value what)
{
	return n->kind == NODE_CALL && n->function->own == what;
}

/* ---- binding.c ---- */

/* Makes a statement. */
struct bt_statement *bt_statement(struct binder *b, enum bt_kind kind, size_t at);
/* *to = a copy of a node that was read, whose values have functions; of NULL NULL. */
int bt_copy(struct binder *b, const struct node *n, struct node **to);
/* Bind a statement, which may become several or none; the statements of a block. */
bt_bind_fn bt_bind_statement;
int bt_block(struct binder *b, const struct syntax *list, struct bt_statement **to);
/* A block begins, whose variables are its own; it ends with now->n_scopes--. */
int bt_begin_block(struct binder *b, size_t at);

/* Makes n the call of the function, with this `value` and nothing else; it never faults. */
void bt_make_call(struct node *n, const struct function *f, uint64_t value);
/* Appends a part of a block, a number of so many bytes, to the list that ends at *end. */
int bt_append_bytes(struct binder *b, struct node ***end, struct node *number, unsigned int bytes);
/* Makes n a text that is known. */
int bt_make_literal(struct binder *b, struct node *n, const char *text);
/* What only asked for the type of a value drops its inputs: how they were before. */
struct bt_inputs {
	unsigned int n;
	bool follows;
};
struct bt_inputs bt_inputs_of(const struct binder *b);
void bt_drop_inputs(struct binder *b, struct bt_inputs before);

/* Makes a node of bt_inner, with the list of statements; one of bt_map_read, not bound. */
struct node *bt_inner_node(struct binder *b, size_t at, struct bt_statement *statements,
			   struct node *value);
struct node *bt_map_read_node(struct binder *b, size_t at, struct bt_map *m, struct node *keys);

/* The arguments of a call, which are taken one by one. */
struct bt_arguments {
	const struct node *next;	/* NODE_KEY; NULL: there are no more */
	size_t at;			/* the place of the next one, or behind the last taken */
};

/* Begins with the first one. */
void bt_arguments(struct bt_arguments *a, const struct syntax_arguments *from);
/* Takes the next argument, as it was read. NULL: there are no more. */
const struct node *bt_argument(struct bt_arguments *a);

/* Makes an order. Returns NULL and sets err if there is no memory. */
struct bt_order *bt_order_new(struct binder *b, enum bt_order_kind kind);
void bt_order_free(struct bt_order *o);
/* Sets where the values are in the record. */
void bt_order_lay_out(struct bt_order *o);

/* ---- statements.c ---- */

bt_bind_fn bt_set, bt_let, bt_store, bt_if, bt_value_statement, bt_return, bt_nested;
/* The type of a value; of struct language. */
int bt_typeof(struct binder *b, const struct node *n, struct c_type *type);

/* ---- variables.c ---- */

/*
 * A variable gets a value of this shape; it is made if it is new. Returns its number. `at` is for
 * messages.
 */
int bt_declare(struct binder *b, const char *name, size_t length, size_t at,
	       const struct bt_shape *shape);
/* Makes the variable that `let` declares in this block. Returns its number. */
int bt_declare_new(struct binder *b, const char *name, size_t length, size_t at);
/* As bt_declare(), for the block that is being bound. */
int bt_declare_here(struct binder *b, const char *name, size_t length, size_t at,
		    const struct bt_shape *shape);

/* ---- tuples.c, tuple_variables.c, tuple_maps.c ---- */

/* The function of a NODE_CALL that is a tuple, or a record; of a part of one. */
extern const struct function bt_tuple, bt_tuple_part;
/* Returns true for a tuple or a record. */
static inline bool bt_is_tuple_node(const struct node *n)
{
	return bt_is(n, VALUE_TUPLE);
}
/* Makes n the tuple of these parts. */
void bt_make_tuple(struct node *n, struct node *parts);
/* Appends a part, NULL without memory, to the list that ends at *end. */
int bt_append_part(struct binder *b, struct node ***end, struct node *part, const char *name);
/* Makes n the tuple in a variable. Returns 1; 0: the variable holds none; -1, with err set. */
int bt_tuple_variable(struct binder *b, struct node *n, const char *name);
/* Returns true if the variable holds a tuple. */
bool bt_is_tuple(const struct bt_probe *p, const char *name, size_t length);
/* Makes the statements that assign the tuple's parts to the variable's. */
int bt_set_tuple(struct binder *b, struct bt_statement **to, size_t at, const char *name,
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
/* Where the tuple's first innermost part is. */
struct node **bt_innermost(struct node *tuple);
/* Make n, whose sides are bound, the comparison or the choice of two tuples. */
int bt_compare_tuples(struct binder *b, struct node *n);
int bt_choose_tuple(struct binder *b, struct node *n);
/* @map[key] = TUPLE, which is bound. */
int bt_store_tuple(struct binder *b, struct bt_statement *s, const struct node *tuple);
/* Appends the innermost parts to the list, which has room for `most`. */
int bt_flat(struct binder *b, const struct node *tuple, struct bt_value *list, unsigned int *n,
	    unsigned int most);

/* ---- inner.c ---- */

/* The functions of values with statements, until these are bound. */
extern const struct function bt_block_value, bt_if_value, bt_call_value, bt_step_value;

/*
 * The function of a NODE_CALL that runs statements, the list that its `own` is, and then has the
 * value `a`, which is bound.
 */
extern const struct function bt_inner;
static inline const struct bt_statement *bt_inner_statements(const struct node *n)
{
	return n->own;
}

/* ---- loops.c ---- */

/* Why a loop of a probe through a map, which sonde runs, has not what its body asks for. */
#define BT_ASIDE "sonde runs this loop, behind the event: it has the values of the map, and none " \
	"of the event"
bt_bind_fn bt_unroll, bt_while, bt_for, bt_each, bt_jump;

/* ---- calls.c ---- */

/* Functions that are statements, and that only maps have. */
bt_bind_fn bt_call, bt_aggregate;

/* ---- series.c ---- */

/* Binds INTERVAL, NUMBER and "HOW" of tseries(), with s->entry.time; `known`: the map has these. */
int bt_series(struct binder *b, struct bt_statement *s, struct bt_arguments *a, size_t at,
	      bool known);

/* ---- join.c ---- */

/* Binds join(): the statement becomes several. */
int bt_join(struct binder *b, struct bt_statement *s, struct bt_arguments *a);

/* ---- maps.c ---- */

/* Settles what kind of map it is; one of another kind already is an error at `at`. */
int bt_map_is(struct binder *b, struct bt_map *m, enum bt_map_kind kind, size_t at);
/* Binds the key's parts; they must be those of the other uses. */
int bt_bind_keys(struct binder *b, struct bt_map *m, struct node *keys, size_t at);
/* Binds the key of an entry that is looked up, of any kind of map that can be. */
int bt_bind_entry(struct binder *b, struct bt_map *m, struct node *keys, size_t at);
/* The action gives the map a value of this shape, made of its old one if `step`. */
int bt_map_gets(struct binder *b, struct bt_statement *s, const struct bt_shape *shape, bool step);
/* Notes that the action that is bound changes the map. */
void bt_map_changes(struct bt *b, struct bt_map *m);
/*
 * The functions of NODE_CALLs about maps: `b` is the key, `value` the map. bt_kept_length: the
 * length of the stack that `a` keeps.
 */
extern const struct function bt_map_read, bt_has_key, bt_len, bt_deleted, bt_kept_length;
/* Refuses a map that has one value and no keys, of a call of these. */
int bt_without_keys(struct binder *b, const struct node *n);
static inline struct bt_map *bt_map_of(const struct node *read)
{
	return read->own;
}

/* ---- shapes.c ---- */

/* The shape of a bound node. */
int bt_shape_of(struct binder *b, struct node *n, struct bt_shape *shape);
/*
 * A variable or map called `name` gets a value. Its type becomes that of a pointer; pointers to
 * other things are an error.
 */
int bt_takes(struct binder *b, struct c_type *type, const struct node *value, const char *name);
/*
 * Makes `to` the shape of values of both shapes, and notes in b, unless that is NULL, what is new.
 * Returns false if they have none.
 */
bool bt_shape_join(struct bt *b, struct bt_shape *to, const struct bt_shape *more);
bool bt_same_stack(const struct bt_shape *a, const struct bt_shape *b);
/* Bytes of a number's type; of a literal as many as it needs. */
uint8_t bt_width(const struct node *n, unsigned int word);
/* Gives a node that reads a variable or a map its type. */
void bt_type_read(struct node *n, const struct bt_shape *shape, const struct c_type *pointer);
/* What a value of this kind is, for messages. */
const char *bt_kind_of(const struct bt_shape *shape);
/* Gives a node the type of a text, a probe or a function. */
void bt_type_text(struct node *n, const struct bt_shape *shape);

/* ---- values.c ---- */

/* Binds an expression of any shape; v->node is set before. */
int bt_bind_value(struct binder *b, struct bt_value *v);
/* Binds an argument that is a text, or a map without a shape yet. */
int bt_bind_text(struct binder *b, struct node **at);
/* Makes a number one of 64 bits. */
int bt_widen(struct binder *b, struct bt_value *v);
/* Binds a number; *to = a copy of one that was read, which is bound. */
int bt_bind_number(struct binder *b, struct node **n);
int bt_copy_number(struct binder *b, const struct node *n, struct node **to);
/* Refuses a value that variables and maps can't keep. */
int bt_keep(struct binder *b, const struct bt_value *v);
/* Binds comm. Returns 1, or -1 with err set. */
int bt_bind_comm(struct binder *b, struct node *n);
/* Binds probe or func. */
int bt_bind_probe(struct binder *b, struct node *n, enum bt_shape_kind kind);
/* Binds the text at this place of the kernel, in the notation of compat/events/fetch.h. */
int bt_bind_task_name(struct binder *b, struct node *n, const char *fetch);
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

/* usym(ADDRESS) */
extern const struct function bt_symbol_functions[];
/* Binds it: v->node is such a name, or calls usym(). */
int bt_of_stack(struct binder *b, struct bt_value *v);

/* ---- shown_numbers.c ---- */

extern const struct function bt_shown_functions[];
/* The function of a NODE_CALL whose value is the number `a`, which is shown as a text. */
extern const struct function bt_shown_number;
/* Binds the name of the user. Returns 1, or -1 with err set. */
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

/* The functions of expressions; families of them. */
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
bool bt_asks_kernel(const struct bt_probe *of, unsigned int walk);
/* The function of a NODE_CALL that is known of an item; its `value` is the row of the member. */
extern const struct function bt_of_item;

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
/* Functions of struct language. */
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

#endif
