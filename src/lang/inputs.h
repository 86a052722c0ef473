/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_INPUTS_H
#define SONDE_LANG_INPUTS_H

#include "compat/kernel/format.h"
#include "compat/usdt/arguments.h"
#include "src/lang/tree.h"

/*
 * What expressions read, as inputs of a hook that is made for them (compat/events/fetch.h). Where
 * a program runs decides which names there are.
 */
#define INPUTS_MOST 24
#define INPUT_FETCH 96

struct lang_input {
	char name[8];
	char fetch[INPUT_FETCH];	/* "+8($arg1)", without its type */
	char type[16];			/* ":u32"; "" for what has its own */
	bool identity;			/* every hook has it: it is not in the text of inputs */
	bool memory;			/* it may be unreadable */
	bool bytes;			/* an array of the record, of `size` bytes */
	uint16_t size;
};

struct lang_value;
struct scope;

/* What the beginning of a call keeps for its return ($entry). */
struct kept_values {
	struct scope *calls;		/* where calls begin: their arguments are known there */
	struct lang_value *list;
	unsigned int n, most;
	int at;				/* on the return's stack: the first; each has 8 bytes */
};

struct scope {
	unsigned int word;		/* of a long and a pointer there */
	unsigned int kernel_word;	/* the same of the kernel */
	unsigned int in_registers;	/* so many arguments; the others are on the stack */
	bool even_pairs;		/* as struct arch has it */
	bool inside;			/* it is behind the function's beginning */
	bool big_endian;
	bool binary;			/* STRCMP compares bytes, which may be 0 */
	bool user_space;		/* a function of a library or program */
	bool syscall;			/* its arguments are $sysN, and point to user space */
	bool returns;
	bool tracepoint;
	bool usdt;			/* its arguments have these types; size 0: there is none */
	struct c_type arguments[USDT_ARGUMENTS];
	const struct format *format;	/* of the tracepoint; NULL: it is none, or several */
	/* so many arguments are those of the function that the user named; 0: all are */
	uint8_t same_arguments;
	bool unknown_arguments;		/* where they are is not known */
	uint8_t user_arguments;		/* bits: those that point to memory of user space */
	struct parameter parameters[PARAMETERS_MOST];
	unsigned int n_parameters;
	unsigned int n_told;		/* so many the kernel has told, where no signature did */
	const char *function;		/* its name, for messages */
	const char *written;		/* with its library, as it is written; NULL: it has none */
	struct kernel *kernel;
	const char *call;		/* the system call; NULL: it is none */
	struct kept_values *kept;	/* of a return whose calls are probed; NULL: it is none */
	int latency;			/* where on the stack $latency is; 0: there is none */
	/* where the bits are of slots that have no value; their nodes' `op` says which */
	int unknown;
	unsigned int text_size;		/* bytes of a text that are wanted, 256 at most */
	bool follows;			/* memory is read at addresses that are computed */
	bool sized;			/* sizeof was asked for */
	bool knows_function;		/* the kernel's type information was asked for it */
	char why[400];			/* where memory is read first: why the rings can't */
	struct lang_input inputs[INPUTS_MOST];
	unsigned int n_inputs;
};

/* Types and names for all nodes, constants computed: n is replaced by what it is. -1 and err. */
int bind_number(struct tree *t, struct scope *s, struct node **n, struct error *err);
/* The same, converted to a type. */
int bind_as(struct tree *t, struct scope *s, struct node **n, const struct c_type *type,
	    struct error *err);

/* A text that the expression leads to: how it is read. */
enum text_way {
	TEXT_INPUT,		/* a text of the record, or of the kernel's memory */
	TEXT_USER,		/* of memory of user space */
	TEXT_EITHER,		/* of memory that the address tells */
	TEXT_BYTES,		/* bytes of the record or the task's name */
};

struct text_node {
	uint8_t input;		/* its number */
	uint8_t way;		/* enum text_way */
	uint16_t limit;		/* of an array: no more bytes; 0: none */
	const struct node *address;	/* that is computed; NULL: the input has it */
};

int bind_text(struct tree *t, struct scope *s, struct node *n, struct text_node *text,
	      struct error *err);

/* "a0=$arg1:uW a1=..." of all inputs; NULL: out of memory. The caller frees. */
char *inputs_text(const struct scope *s);
/* Does it read memory whose reading may fail? The rings can't tell then. */
bool inputs_may_fail(const struct scope *s);

/* A constant's operator; false: it is not defined (a division by 0). */
bool fold(uint8_t op, uint64_t a, uint64_t b, const struct c_type *type, unsigned int word,
	  uint64_t *result);

#endif
