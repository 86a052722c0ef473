/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BT_H
#define SONDE_BT_H

#include <string.h>

#include "compat/base/lines.h"
#include "insns/programs/bt.h"
#include "src/language/questions/format.h"
#include "src/language/questions/script.h"

/*
 * A script in bpftrace's language: docs/bt.md says how its text becomes programs.
 *
 * Its statements become programs (emit/), which the kernel runs, or, those of BEGIN, END and
 * interval, sonde itself (run/own.c). What prints, and what has to be done in order with printing,
 * is an order to sonde: a program sends it as a record (struct bt_record), and orders.c carries it
 * out.
 */
#define BT_KEYS 8			/* parts of a map's key */
#define BT_INSTRUCTIONS 4000		/* of a program: kernels before 5.2 take 4096 */
#define BT_INSTRUCTIONS_NEW 16000	/* since then; jumps have 16 bits, and some become more */
#define BT_VARIABLES 32			/* of an action */
#define BT_NESTED 33			/* blocks in each other */
#define BT_ROLLED 500			/* instructions of a loop that is unrolled */
#define BT_NAME 128			/* bytes of a map's or variable's name, with @ or $ */
#define BT_STRLEN_MOST 200		/* of a text in memory, bytes that are read */
#define BT_COMM 16			/* bytes of a task's name */
#define BT_TEXT_MOST 208		/* bytes of a text */
#define BT_TYPES 32			/* of structs and arrays that are kept */
#define BT_WORD 8			/* bytes of a long and a pointer in scripts */

/* ---- values ---- */

/* BT_UNSET: what has no value yet, by what is read of the script so far. */
enum bt_shape_kind {
	BT_UNSET, BT_NUMBER, BT_TEXT, BT_PROBE, BT_FUNCTION, BT_STACK, BT_SHOWN, BT_TUPLE,
	BT_NOTHING,			/* a statement in the place of a value */
};
/* How a number is shown (shown.c). */
enum bt_show {
	BT_SHOW_KSYM, BT_SHOW_ERROR, BT_SHOW_CALL, BT_SHOW_SIGNAL, BT_SHOW_CGROUP, BT_SHOW_TIME,
	BT_SHOW_USER,
};
/* A text, or a block of bytes that is kept as one: an address (blocks.c). All zeros: none. */
enum bt_block_kind { BT_PLAIN, BT_INET, BT_MAC, BT_BUFFER, BT_BYTES };
/* The head of a buffer: how many bytes follow, and how many were asked for. */
struct bt_buffer {
	uint32_t length, wanted;
};
struct bt_inet {
	uint64_t family;
	uint8_t bytes[16];
};
/*
 * How a stack is shown: NAME+OFFSET; ADDRESS NAME+OFFSET (FILE); the addresses. BT_STACK_SYMBOL is
 * no stack, but the function at an address of user space, whose name only its process knows.
 * BT_STACK_LENGTH: how many functions are shown of it.
 */
enum bt_stack_way {
	BT_STACK_NAMES, BT_STACK_PERF, BT_STACK_RAW, BT_STACK_SYMBOL, BT_STACK_LENGTH,
};

/*
 * How a value is kept and shown. A probe and its function are kept as the number of its name. A
 * stack is a number of the table of stacks, or a struct bt_user_stack; as soon as it is taken, it
 * becomes a text (stacks.c).
 */
struct bt_shape {
	uint8_t kind;			/* enum bt_shape_kind */
	uint16_t size;			/* bytes on the stack, a multiple of 8 */
	union {
		struct {
			bool is_signed, is_pointer, is_bool;
			uint8_t width;	/* bytes of its type, for bswap() */
			uint8_t enum_source;	/* as its type has them; id 0: of no enum */
			uint32_t enum_id;
		} number;		/* BT_NUMBER, and BT_UNSET, which may become one */
		struct {
			uint8_t block;	/* enum bt_block_kind */
			uint8_t type;	/* BT_BYTES: its number in bt->types */
			bool foreign;	/* not of the script alone */
			uint16_t shown;	/* a longer text was cut */
			/* bytes of the longest one with its NUL, for sizeof(); 0: unknown */
			uint16_t exact;
		} text;			/* BT_TEXT */
		struct {
			bool user;	/* of user space */
			uint8_t way, most;	/* enum bt_stack_way; functions that are shown */
		} stack;		/* BT_STACK */
		struct {
			uint8_t show;	/* enum bt_show */
			uint8_t format;	/* BT_SHOW_TIME: its number in bt->formats */
		} shown;		/* BT_SHOWN */
	};
	/*
	 * What is around it in tuples and records, as "{a=(" and ")}": brackets that begin or end
	 * here, and names. NULL: nothing. Each text is there once (bt_keep_name()).
	 */
	const char *before, *behind;
};

/* The shape of a number, which may be signed. */
static inline struct bt_shape bt_number_shape(bool is_signed)
{
	return (struct bt_shape){ .kind = BT_NUMBER, .size = 8, .number.is_signed = is_signed };
}
static inline bool bt_is_signed(const struct bt_shape *shape)
{
	return shape->kind == BT_NUMBER && shape->number.is_signed;
}
/* Which block it is; BT_PLAIN: a text, or no block. */
static inline enum bt_block_kind bt_block_of(const struct bt_shape *shape)
{
	return shape->kind == BT_TEXT ? (enum bt_block_kind)shape->text.block : BT_PLAIN;
}

/* The shape of a type that is C_TEXT; of a text in quotes BT_UNSET. */
static inline struct bt_shape bt_shape_in(const struct c_type *t)
{
	struct bt_shape shape;

	_Static_assert(sizeof(shape) <= sizeof(t->shape), "a type has room for a shape");
	memcpy(&shape, t->shape, sizeof(shape));
	return shape;
}

/* An expression, bound, whose value is kept or shown. */
struct bt_value {
	struct node *node;
	struct bt_shape shape;
};

/* A text in quotes needs no room in a record. */
static inline bool bt_is_literal(const struct bt_value *v)
{
	return v->node->kind == NODE_TEXT;
}

struct bt_variable {
	char name[BT_NAME];
	struct bt_shape shape;		/* by all assignments */
	struct c_type pointer;		/* values that are pointers: their type */
	bool assigned;			/* a statement before the one that is being bound does */
	bool open;			/* a tuple whose parts are not known yet */
	uint16_t scope;			/* the block whose `let` declares it; 0: the whole action */
	struct c_type declared;		/* by `let $x: TYPE`; void: it says none */
	uint8_t sets;			/* statements that assign, until 2 */
	bool once;			/* one statement of the action assigns */
	/* that is an argument or result that points to a struct: what is read instead; or NULL */
	const struct node *is;
};

/* ---- maps ---- */

enum bt_map_kind {
	BT_UNKNOWN,			/* nothing is ever put into it */
	BT_VALUES,			/* @ = VALUE, @++: programs read it */
	BT_COUNT, BT_SUM, BT_MIN, BT_MAX, BT_AVG, BT_STATS, BT_HIST, BT_LHIST,
	BT_SERIES,
};
/* What an interval of tseries() has of its values. */
enum bt_series { BT_LAST, BT_SERIES_AVG, BT_SERIES_MIN, BT_SERIES_MAX, BT_SERIES_SUM };

/*
 * A map of the script. Its key in the engine is a struct argdist_key, which the parts of values do
 * without, then the parts. The number of a histogram's slot is in its head, at BT_SLOT; as soon as
 * it is taken it is behind the parts, as that of a series is. The value is a struct bt_cell
 * (BT_VALUES), with the text behind it if the values are texts; a struct argdist_sums; a struct
 * bt_point (BT_SERIES); or a count.
 */
struct bt_map {
	struct bt_map *next;		/* in the order of their first use */
	char name[BT_NAME];
	enum bt_map_kind kind;
	size_t at;			/* where its kind was settled */
	unsigned int number;		/* in the script's order */
	bool used;			/* its key is settled */
	bool named;			/* an action that a probe has names it */
	bool in_kernel;			/* programs use it: the engine has it */
	bool read;			/* a value, a loop or len() reads it */
	bool emptied;			/* clear(), zero() or delete() takes values out of it */
	uint32_t entries;		/* as `let` says; 0: it says nothing */
	unsigned int n_keys;
	struct bt_shape keys[BT_KEYS];
	struct bt_shape value;		/* by all assignments; of a result only its sign */
	struct bt_shape parts[BT_KEYS];	/* of values that are tuples: the innermost parts */
	unsigned int n_parts;
	struct c_type pointer;		/* values that are pointers: their type */
	union {
		struct {
			int64_t min, max, step;
		} lhist;		/* BT_LHIST */
		struct {
			uint8_t bits;	/* a power of two has 2^bits rows */
		} hist;			/* BT_HIST */
		struct {
			uint64_t length;	/* of an interval, ns */
			uint32_t n;	/* how many are kept */
			uint8_t way;	/* enum bt_series */
		} series;		/* BT_SERIES */
	};
	/* programs of the kernel change it; sonde does while they run */
	bool changed_by_kernel, changed_by_own;
	/* the array with the slots of its entries (struct bt_slot); empty: all are in the hash */
	char slots[BT_NAME + 8];
	/* what tells keys in slots apart: words, from here on; 0 words: the key is one number */
	unsigned int words, words_at;
	bool is_array;			/* a result without keys: its numbers are in an array */
	/* programs look its entries up, which needs a map of values */
	bool looked_up;
	/* where such an event changes its old value, and does not only add to it; 0: nowhere */
	size_t stepped_at;
	/* programs ask for its length, which is counted: by its number, from 1 on; 0: they don't */
	uint32_t counted;
	bool at_events;			/* some of its stacks are not of samples */
	struct map row;			/* how the engine has it, and how values become one */
	struct record_field stacks[BT_KEYS + 1];	/* those of its key, for row.key */
	struct record_field kept[2];	/* that of its value, for row.value */
	struct record_layout layout, value_layout;
	struct bt_table *table;		/* what was taken of it (table.h) */
};

#define BT_SLOT 4
/*
 * Bytes of a key without and with the slot, and in the engine. The sizes of texts must be settled.
 */
unsigned int bt_key_size(const struct bt_map *m);
unsigned int bt_engine_key_size(const struct bt_map *m);
unsigned int bt_whole_key_size(const struct bt_map *m);
/*
 * The keys of BT_LENGTHS: how many entries of a map programs have made, less those that they have
 * deleted; and the same of sonde.
 */
static inline uint32_t bt_length_by_programs(const struct bt_map *m)
{
	return 2 * (m->counted - 1);
}
static inline uint32_t bt_length_by_sonde(const struct bt_map *m)
{
	return 2 * (m->counted - 1) + 1;
}
/* Returns true if the key has a slot: entries with the same parts are one histogram or series. */
static inline bool bt_has_slots(const struct bt_map *m)
{
	return m->kind == BT_HIST || m->kind == BT_LHIST || m->kind == BT_SERIES;
}
/* The steps between the bounds of lhist(). */
static inline int64_t bt_steps_of(const struct bt_map *m)
{
	return (m->lhist.max - m->lhist.min) / m->lhist.step;
}
bool bt_has_stacks(const struct bt_map *m);
/* The offset of a part in the key. */
unsigned int bt_key_offset(const struct bt_map *m, unsigned int part);
/* Returns true if the values of the map are stacks. */
static inline bool bt_keeps_stacks(const struct bt_map *m)
{
	return m->kind == BT_VALUES && m->value.kind == BT_STACK;
}
/* Bytes of a value behind its struct bt_cell: a text, the parts of a tuple, a stack. */
static inline unsigned int bt_text_size(const struct bt_map *m)
{
	return m->value.kind == BT_TEXT || m->value.kind == BT_TUPLE || bt_keeps_stacks(m) ?
	       m->value.size : 0;
}
/* Where a part of a tuple is in them. */
unsigned int bt_part_offset(const struct bt_map *m, unsigned int part);
static inline bool bt_is_sums(enum bt_map_kind kind)
{
	return kind >= BT_SUM && kind <= BT_STATS;
}

/* ---- statements ---- */

enum bt_order_kind {
	BT_PRINTF, BT_PRINT_VALUE, BT_PRINT_MAP, BT_CLEAR, BT_ZERO, BT_TIME, BT_EXIT,
	BT_CAT, BT_SYSTEM, BT_ERRORF,
	BT_JOIN_PART, BT_JOIN,		/* a text of join(), and its end */
	BT_LOOP,			/* a loop through a map */
};

enum bt_kind {
	BT_IF,				/* if (value) { then } else { otherwise } */
	BT_SET,				/* $variable = value */
	BT_STORE,			/* @map[key] = value */
	BT_ADD,				/* @map[key] += value */
	BT_DELETE,			/* delete(@map[key]) */
	BT_AGGREGATE,			/* @map[key] = count(), sum(value), hist(value) ... */
	BT_ORDER,			/* an order to sonde */
	BT_RETURN,			/* the action ends here */
	BT_UNROLL,			/* unroll (value) { then } */
	BT_WHILE,			/* while (value) { then } */
	BT_FOR,				/* for ($variable : from..to) { body } */
	BT_EACH,			/* for ($parts : @map) { body } */
	BT_BREAK, BT_CONTINUE,
	BT_SIGNAL,			/* signal(value): to the current process, or thread */
	BT_VALUE,			/* value; what its statements do */
};

#define BT_ORDER_VALUES FORMAT_MOST

struct bt_order {
	enum bt_order_kind kind;
	uint32_t number;
	struct bt_value values[BT_ORDER_VALUES];
	unsigned int n;
	uint16_t offsets[BT_ORDER_VALUES];	/* of the values in the record */
	bool sampled;			/* it comes from samples */
	unsigned int size;		/* bytes of the record */
	union {
		struct {
			struct format_text format;
			/* BT_ERRORF: "FILE:LINE:FROM-TO: ERROR: "; it is a warning */
			char place[160];
			bool warns;
		} text;			/* BT_PRINTF, BT_CAT, BT_SYSTEM, BT_ERRORF */
		struct {
			struct bt_map *map;
			uint64_t top, divisor;	/* print(@, top, divisor); 0: all, 1 */
		} whole;		/* BT_PRINT_MAP, BT_CLEAR, BT_ZERO */
		struct {
			unsigned int number;
			char *between;	/* the text between two parts */
		} part;			/* BT_JOIN_PART */
		char *time;		/* BT_TIME: the format */
		const struct bt_statement *loop;	/* BT_LOOP */
	};
};

struct bt_statement {
	enum bt_kind kind;
	size_t at;
	const struct bt_probe *probe;	/* whose action it is in */
	struct bt_statement *next;	/* the statement behind it */
	struct bt_statement *all;	/* list of all statements of the script */
	union {
		struct {
			struct node *value;
			unsigned int variable;
		} set;			/* BT_SET */
		struct {
			struct bt_map *map;
			struct node *keys;	/* list of NODE_KEY; NULL: no key */
			struct node *value;	/* NULL: of BT_DELETE and count() */
			union {
				/* BT_STORE of a tuple: list of NODE_KEY, its parts */
				struct node *row;
				/* BT_AGGREGATE, tseries(): the interval's number; ns since 1970 */
				struct {
					struct node *interval, *time;
				};
			};
		} entry;		/* BT_STORE, BT_ADD, BT_DELETE, BT_AGGREGATE */
		struct {
			struct node *value;
			struct bt_statement *then, *otherwise;
		} branch;		/* BT_IF, BT_UNROLL, BT_WHILE */
		struct {
			struct node *from, *to;
			unsigned int variable;
			struct bt_statement *body;
		} range;		/* BT_FOR */
		struct {
			struct bt_map *map;
			uint8_t parts[2 * BT_KEYS];	/* variables of the key, and of the value */
			struct bt_statement *body;
			struct bt_order *order;	/* in a probe: sonde runs it then */
		} each;			/* BT_EACH */
		struct bt_order *order;	/* BT_ORDER */
		struct node *value;	/* BT_SIGNAL, BT_VALUE */
	};
};

/* ---- probes ---- */

/* BT_SIGNALLED: sonde gets SIGUSR1. BT_WALKED: for each item of an iterator. */
enum bt_when { BT_KERNEL, BT_BEGIN, BT_END, BT_INTERVAL, BT_SIGNALLED, BT_WALKED };

/* A place where an action runs. Each has a copy of the action, because names differ. */
struct bt_probe {
	struct bt_probe *next;
	struct bt *bt;
	enum bt_when when;
	union {
		struct {
			uint64_t length, due;	/* ns; when it is to run next */
		} interval;		/* BT_INTERVAL */
		uint8_t walk;		/* BT_WALKED: enum bt_walk (run/items.h) */
	};
	bool typed;			/* a result has the type that the kernel tells */
	size_t at, length;		/* of the text in the script */
	/* the one that this is, of several that the text matches; NULL: the text is the name */
	const char *match;
	const char *type;		/* "kprobe", for probetype */
	struct script_probe *on;	/* tree and scope; of BT_KERNEL the program too */
	struct bt_statement *statements;
	const struct syntax_action *action;	/* as it was read */
	struct scope clean;		/* the scope before the action was bound */
	struct bt_variable variables[BT_VARIABLES];
	unsigned int n_variables;
	unsigned int loops;		/* around the statement that is bound */
	bool aside;			/* it is in a loop of a probe that sonde runs */
	uint16_t scopes[BT_NESTED], last_scope;	/* blocks around it, by their numbers */
	unsigned int n_scopes;
	unsigned int first_name, n_names;	/* of bt->names */
	char constant[24];		/* profile: the constant with its frequency; or empty */
	int64_t frequency;
};

/* Where the variable is on the stack. */
int bt_variable_at(const struct bt_probe *p, unsigned int variable);
/* Returns true for iterators, those of /proc and those of the kernel. */
static inline bool bt_goes_through(const struct bt_probe *p)
{
	return p->when == BT_WALKED || p->on->probe.iterator;
}

/* What happens with a probe of something that is not there. */
enum bt_missing {
	BT_MISSING_SOME,	/* it is left out, if another one of its list is there */
	BT_MISSING_ERROR, BT_MISSING_WARN, BT_MISSING_IGNORE,
};

/* Whose output a script's is: the newest bpftrace's, or that of 0.23, which Debian 13 has. */
enum bt_compat { BT_NEWEST, BT_0_23 };

/* What `config = { ... }` and the environment set. */
struct bt_settings {
	uint64_t max_strlen;		/* bytes of a text */
	uint64_t max_map_keys;		/* entries of a map; 0: BT_ENTRIES */
	uint64_t print_maps_on_exit;
	uint64_t missing_probes;	/* enum bt_missing */
	uint64_t stack_mode;		/* enum bt_stack_way */
	uint64_t max_cat_bytes;		/* of a file that cat() shows */
	uint64_t license;		/* it is GPL in any case */
	uint64_t compat;		/* enum bt_compat */
	uint64_t unused;		/* what means nothing here */
};

#define BT_PARAMETERS 8			/* of a macro or function */

/* macro NAME(PARAMETER, ...) { BODY }, and fn NAME($PARAMETER : TYPE, ...) : TYPE { BODY } */
struct bt_macro {
	char name[BT_NAME];
	char parameters[BT_PARAMETERS][BT_NAME];
	unsigned int n;
	size_t at, end;			/* of the brackets of the body; fn: from ( on */
	bool is_function;
};

/* The text from `at` on is from place `from` of the script; `fixed`: each letter of it. */
struct bt_piece {
	size_t at, from;
	bool fixed;
};

/*
 * What `probe` and `func` show. The values of func are numbers of names from BT_FUNCTIONS on, where
 * no address is: what func is assigned to may be assigned ksym() too.
 */
#define BT_FUNCTIONS (1ULL << 48)
struct bt_name {
	char *probe, *function;
	unsigned int same_probe, same_function;	/* the first number with the same text */
};

struct bt {
	struct script script;
	uint64_t started;		/* for `elapsed`: CLOCK_MONOTONIC, ns; set before */
	uint64_t own_task;		/* address of sonde's task; 0: not known yet */
	struct source source;		/* its text has blanks instead of comments */
	struct source declarations;	/* the same, with C declarations only */
	char *const *arguments;		/* $1 ..., and behind them the script's options, --NAME */
	unsigned int n_arguments, n_options;
	uint64_t known_options;		/* bits of those that the script reads */
	struct lines options;		/* that it reads: --NAME: DESCRIPTION */
	struct bt_settings settings;
	struct bt_macro *macros;
	unsigned int n_macros;
	const struct syntax_call *call;	/* of the macro whose body is being read; NULL: none */
	unsigned int calls;		/* of macros */
	size_t letters;			/* that calls have read */
	struct bt_piece *pieces;	/* of the text, if macros of C's were replaced */
	unsigned int n_pieces;
	struct lines warnings;		/* about probes that are left out */
	struct bt_probe *probes;	/* in the script's order */
	const struct bt_builtins *builtins;	/* for reading */
	struct syntax_action *syntax;	/* what was read of the actions, the last one first */
	struct bt_probe *now;		/* the one whose action is being bound */
	/* what is bound tells something of a map or variable that was not known when it began */
	bool unsettled;
	struct bt_map *maps;
	struct bt_action *actions;	/* programs of sonde's own events (emit/own.h) */
	unsigned int n_actions;
	unsigned int n_lengths;		/* maps whose length programs ask for */
	struct bt_statement *statements;	/* all */
	struct bt_order **orders;	/* by number */
	unsigned int n_orders;
	struct bt_name *names;
	unsigned int n_names;
	bool has_stacks;		/* or symbols */
	struct c_type types[BT_TYPES];	/* of structs and arrays that are kept (bytes.c) */
	unsigned int n_types;
	const char **words;		/* around parts of tuples (bt_keep_name()) */
	unsigned int n_words;
	const char **formats;		/* of strftime() */
	unsigned int n_formats;
	bool json;			/* -f json: bpftrace's own form of JSON; set before */
	bool unsafe;			/* system() may run commands; set before */
	bool old;			/* --compat 0.23, or the setting: the output of 0.23 */
	bool silent;			/* no warnings are printed; set before */
	/* a bit for each pass behind which the script is shown (bt_pass()); set before */
	uint32_t shown_passes;
	bool measures;			/* what is bound is an operand of sizeof() */
	/* only probes whose names match this regular expression; NULL: all. Set before */
	const char *filter;
	struct run *run;		/* in which values are shown; set before */
};

/*
 * Reads the script, finds its probes, and makes the programs of b->script. `name` is the script's
 * name in messages, and stays. Returns -1 and sets err, whose text has the form of bpftrace's
 * messages. bt_free() is called in either case.
 */
int bt_make(struct bt *b, const char *name, const char *text, struct error *err);
void bt_free(struct bt *b);
/* The name of pass number i; NULL: there are no more. */
const char *bt_pass(size_t i);

/* Sets err to a message about the place `at` of the script. Returns -1. */
#define BT_WRONG(B, AT, ERR, ...) source_error(&(B)->source, AT, ERR, __VA_ARGS__)
#define BT_CAUSE(B, AT, ERR, WHY) source_cause(&(B)->source, AT, ERR, WHY)

#endif
