/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_INPUTS_H
#define SONDE_LANG_INPUTS_H

#include "compat/kernel/format.h"
#include "compat/usdt/arguments.h"
#include "src/language/expressions/tree.h"

/*
 * The inputs that expressions read, for a hook made for them (compat/events/fetch.h). The place of
 * the probe decides which names exist.
 */
#define INPUTS_MOST 40
#define INPUT_FETCH 96

struct lang_input {
	char name[12];
	char fetch[INPUT_FETCH];	/* "+8($arg1)", without its type */
	char type[16];			/* ":u32"; empty if the notation implies it */
	bool identity;			/* every hook has it: inputs_text() leaves it out */
	bool memory;			/* read from memory that may be unreadable */
	bool bytes;			/* an array of the record, of `size` bytes */
	uint16_t size;
	bool made;			/* other inputs tell how it becomes what a record has */
};

struct lang_value;
struct scope;

/* Values that the beginning of a call keeps for its return ($entry). */
struct kept_values {
	struct scope *calls;		/* scope of the beginnings: arguments are known there */
	struct lang_value *list;
	unsigned int n, most;
	int at;				/* stack offset of the first at the return; 8 bytes each */
};

/* The function that is probed: where its arguments are, and which types they have. */
struct scope_function {
	const char *name;		/* for messages */
	/* the name with its library, as written; NULL: no library */
	const char *written;
	const char *call;		/* the system call; NULL: none */
	bool syscall;			/* arguments are $sysN, and point to user space */
	bool inside;			/* the probe is behind the function's beginning */
	bool returns;
	bool keeps_arguments;		/* a return (fexit) that has the arguments of its call */
	bool even_pairs;		/* as in struct arch */
	unsigned int in_registers;	/* arguments in registers; others are on the stack */
	/* leading arguments that are those of the function that the user named; 0: all */
	uint8_t same_arguments;
	bool unknown_arguments;		/* where arguments are is unknown */
	uint8_t user_arguments;		/* a bit for each argument that points to user memory */
	struct parameter parameters[PARAMETERS_MOST];
	unsigned int n_parameters;
	/* parameters from the kernel, where the signature has none */
	unsigned int n_told;
};

/* The event that is no function's. */
struct scope_event {
	bool tracepoint;
	const struct format *format;	/* of the tracepoint; NULL: none, or several tracepoints */
	bool walked;			/* an iterator: members of ctx are arguments */
	/* arguments have the types below; size 0: no such argument */
	bool usdt;
	struct c_type arguments[USDT_ARGUMENTS];
};

/* What a program keeps for its expressions on its stack. */
struct scope_frame {
	struct kept_values *kept;	/* of a return with a probe on its calls; NULL: none */
	int latency;			/* offset of $latency; 0: there is none */
	/* offset of bits of slots without a value; a slot's node has its bit in `op` */
	int unknown;
};

/* What the expressions need that are bound. */
struct scope_needs {
	struct lang_input inputs[INPUTS_MOST];
	unsigned int n_inputs;
	bool follows;			/* memory is read at computed addresses */
	bool bpf_only;			/* rings can't serve it; `why` is the reason */
	bool sized;			/* sizeof was used */
	bool knows_function;		/* parameters were looked up in the kernel's types */
	char why[400];			/* why rings can't serve; or empty */
};

/* What expressions of a probe may use, and what they use. */
struct scope {
	unsigned int word;		/* bytes of a long and a pointer at the probe */
	unsigned int kernel_word;	/* the same for the kernel */
	bool big_endian;
	bool user_space;		/* a function of a library or program */
	bool binary;			/* STRCMP compares bytes, which may be 0 */
	unsigned int text_size;		/* bytes to read of a text, 256 at most */
	struct kernel *kernel;		/* of system calls and tracepoints; else NULL */
	struct scope_function called;
	struct scope_event event;
	struct scope_frame frame;
	struct scope_needs needs;
};

/*
 * Gives all nodes types, makes inputs of names, and computes constants; *n may be replaced. Returns
 * -1 and sets err on failure.
 */
int bind_number(struct tree *t, struct scope *s, struct node **n, struct error *err);
/* The same; then converts the value to `type`. */
int bind_as(struct tree *t, struct scope *s, struct node **n, const struct c_type *type,
	    struct error *err);

/* How the text of an expression is read. */
enum text_way {
	TEXT_INPUT,		/* a text of the record, or of the kernel's memory */
	TEXT_USER,		/* user memory */
	TEXT_EITHER,		/* memory of the kernel or of user space, as the address says */
	TEXT_BYTES,		/* bytes of the record, or the task's name */
};

struct text_node {
	uint8_t input;		/* its number */
	uint8_t way;		/* enum text_way */
	uint16_t limit;		/* bytes of the array; 0: no array */
	const struct node *address;	/* a computed address; NULL: the input has the address */
};

/* Binds an expression that is a text. Returns -1 and sets err on failure. */
int bind_text(struct tree *t, struct scope *s, struct node *n, struct text_node *text,
	      struct error *err);

/* A struct or an array, read as a whole. */
struct whole_node {
	struct c_type type;
	unsigned int word;		/* of the machine or program whose memory it is */
	unsigned int size;		/* bytes */
	struct node *parts;		/* its bytes as numbers (bind_parts()) */
};

/*
 * Binds an expression that is a struct or an array, or a pointer to a struct; one with more bytes
 * than `most` is refused. Returns -1 and sets err on failure.
 */
int bind_whole(struct tree *t, struct scope *s, struct node *n, unsigned int most,
	       struct whole_node *whole, struct error *err);

/*
 * The text of all inputs, "a0=$arg1:uW a1=...". The caller frees. Returns NULL if there is no
 * memory.
 */
char *inputs_text(const struct scope_needs *n);
/* Returns true if an input is read from memory, which may fail. Rings do not see the failure. */
bool inputs_may_fail(const struct scope_needs *n);

/* Computes an operator on constants. Returns false if the result is undefined (division by 0). */
bool fold(uint8_t op, uint64_t a, uint64_t b, const struct c_type *type, unsigned int word,
	  uint64_t *result);

#endif
