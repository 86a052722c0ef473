/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_CODE_H
#define SONDE_LANG_CODE_H

#include "insns/program.h"
#include "src/lang/inputs.h"

/*
 * A program that is made at run time. Values are in r6 to r8 while they are computed, 64 bits,
 * extended as their types say; r9 is left to the lowering. What does not fit is on the stack.
 */
#define FRAME_BYTES 480

struct code {
	struct insn *insns;
	unsigned int n, room;
	char **labels;
	unsigned int n_labels;
	unsigned int frame;		/* bytes of the stack that are used */
	unsigned int least;		/* and the most there were at one time */
	const struct scope *scope;
	bool big_endian;
	bool failed;			/* out of memory */
	bool full;			/* the stack is */
};

/* Adds one instruction, one of the macros of insns/insn.h. */
void code_add(struct code *c, struct insn insn);
#define CODE(C, ...) code_add(C, (struct insn)__VA_ARGS__)

/* A label's name, of which there is no other. */
const char *code_label(struct code *c);
/* Room on the stack; the offset from r10, a multiple of 8. */
int code_room(struct code *c, unsigned int size);

/* r6 = the value; goes to `fault`, where that is not NULL, if it has none. */
void code_value(struct code *c, const struct node *n, const char *fault);
/*
 * The same, into the register of this depth: registers of lower depths are kept, those of higher
 * ones are free. A text that is read takes r8, whatever the depth is.
 */
void code_value_at(struct code *c, const struct node *n, int depth, const char *fault);
int code_register(int depth);
/* stack[off, size bytes] = the text; r0 = its length with the NUL, or negative. */
void code_text(struct code *c, const struct text_node *text, int off, unsigned int size);
void code_text_at(struct code *c, const struct text_node *text, int off, unsigned int size,
		  int depth);

void code_free(struct code *c);

#endif
